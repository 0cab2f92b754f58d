/**
 * Rules of the policy group: disruption budgets, pod security policies, and the decision about an eviction.
 * Whether a pod meets a security policy is for admission.
 */
import type { KindRulesTable } from '../kind-rules.ts';
import { disruptionBudgetRules } from './disruption-budget.ts';
import { podSecurityPolicyRules } from './pod-security-policy.ts';

export { decideEviction, type EvictionDecision, type EvictionRequest } from './eviction.ts';

/** Rules of the policy group's kinds. */
export const policyRules: KindRulesTable = {
  'policy/v1beta1.PodDisruptionBudget': disruptionBudgetRules,
  'policy/v1beta1.PodSecurityPolicy': podSecurityPolicyRules,
};
