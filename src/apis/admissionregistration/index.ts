/**
 * Rules of the admission registration group: which webhooks see which writes. Calling them is the server's.
 */
import type { KindRulesTable } from '../kind-rules.ts';
import { mutatingWebhookRules, validatingWebhookRules } from './webhook-configuration.ts';

/** Rules of the admission registration group's kinds. */
export const admissionregistrationRules: KindRulesTable = {
  'admissionregistration.orch.io/v1beta1.MutatingWebhookConfiguration': mutatingWebhookRules,
  'admissionregistration.orch.io/v1beta1.ValidatingWebhookConfiguration': validatingWebhookRules,
};
