/**
 * Admission webhooks: the plugins that ask the webhooks of stored configurations about requests, as release 1.20 does.
 * A webhook is hostile and slow: each call has a deadline and a size limit, and costs its own request only.
 */
import type { AdmissionPlugin } from '../plugin.ts';
import { MutatingWebhooks } from './mutating.ts';
import { validatingWebhooks } from './validating.ts';
import { createHookSet, type WebhookSources } from './webhook-plugin.ts';

export { selectorOf } from './hooks.ts';
export {
  isPolicyOrConfiguration,
  type MatchingRule,
  matchRequest,
  matchRules,
  namespaceOf,
  type RequestMatcher,
} from './match.ts';
export { optionsOf } from './request-options.ts';
export { ObjectShow, type ShownObjects } from './shown-objects.ts';
export type { HookOutcome, WebhookSources } from './webhook-plugin.ts';

/** `MutatingAdmissionWebhook` and `ValidatingAdmissionWebhook`. */
export function createWebhookPlugins(sources: WebhookSources): readonly AdmissionPlugin[] {
  return [
    new MutatingWebhooks(sources, createHookSet(sources, 'mutatingwebhookconfigurations')),
    validatingWebhooks(sources, createHookSet(sources, 'validatingwebhookconfigurations')),
  ];
}
