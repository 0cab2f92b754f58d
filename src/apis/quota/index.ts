/**
 * What objects use of what quotas bound, and whether a quota has room for more. Pure: admission charges by it, and the
 * controller recalculates by it. Source: release 1.20, `pkg/quota/v1` and the admission plugin `resourcequota`.
 */
export { type Amounts, formatAmounts, hasSameAmounts, parseAmounts } from './amounts.ts';
export { type ChargedQuota, type ChargedWrite, type ChargeResult, chargeQuotas } from './charge.ts';
export type { Evaluator } from './evaluator.ts';
export { type EvaluatorSources, evaluatorFor, isIgnoredByQuotas } from './evaluators.ts';
