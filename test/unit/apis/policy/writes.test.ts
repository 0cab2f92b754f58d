import { describeWrites } from '../write-cases.ts';
import { disruptionBudgetWrites } from './disruption-budget-writes.ts';
import { podSecurityPolicyWrites } from './pod-security-policy-writes.ts';

describeWrites('kindRules of disruption budgets', disruptionBudgetWrites);
describeWrites('kindRules of pod security policies', podSecurityPolicyWrites);
