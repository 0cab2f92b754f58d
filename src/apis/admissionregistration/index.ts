/**
 * Rules of the admission registration group: which webhooks see which writes, and the policies that say which are taken. Calling
 * webhooks and asking policies is the server's.
 */
import type { KindRulesTable } from '../kind-rules.ts';
import { admissionPolicyRules } from './admission-policy.ts';
import { policyBindingRules } from './policy-binding.ts';
import { mutatingWebhookRules, validatingWebhookRules } from './webhook-configuration.ts';

export {
  type CompiledPolicy,
  compilePolicy,
  type NamedExpression,
  type PolicyExpression,
  type ValidationExpression,
} from './policy-expressions.ts';

/** Rules of the admission registration group's kinds. */
export const admissionregistrationRules: KindRulesTable = {
  'admissionregistration.orch.io/v1.ValidatingAdmissionPolicy': admissionPolicyRules,
  'admissionregistration.orch.io/v1.ValidatingAdmissionPolicyBinding': policyBindingRules,
  'admissionregistration.orch.io/v1beta1.MutatingWebhookConfiguration': mutatingWebhookRules,
  'admissionregistration.orch.io/v1beta1.ValidatingWebhookConfiguration': validatingWebhookRules,
};
