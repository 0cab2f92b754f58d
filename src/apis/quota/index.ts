/**
 * What objects use of what quotas bound, and whether a quota has room for more. Pure: admission charges by it, and the
 * controller recalculates by it. Source: release 1.20, `pkg/quota/v1` and the admission plugin `resourcequota`.
 */
export {
  type Amounts,
  addAmounts,
  formatAmounts,
  hasSameAmounts,
  onlyAmounts,
  parseAmounts,
} from './amounts.ts';
export {
  type ChargedQuota,
  type ChargedWrite,
  type ChargeResult,
  type ChargeRules,
  chargeQuotas,
  isInScopes,
} from './charge.ts';
export type { Evaluator } from './evaluator.ts';
export { type EvaluatorSources, evaluatorFor, resourcesOfNames } from './evaluators.ts';
export type { LimitedResource } from './limits.ts';
