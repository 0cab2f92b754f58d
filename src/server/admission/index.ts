/**
 * Admission: the plugins that may change or refuse a write after it was decoded and before it is stored, and the
 * chain that runs them. Plugins see objects in the storage version and look others up through a reader; they never
 * write. Texts and order are those of release 1.20.
 */
export {
  AdmissionConfigurationError,
  type PluginConfiguration,
  parseDocument,
  readAdmissionConfiguration,
  readWebhookConfiguration,
} from './admission-configuration.ts';
export {
  type AdmissionChainOptions,
  type AdmissionOutcome,
  createAdmissionChain,
} from './chain.ts';
export type { AdmissionOptions, PermissionQuestion, PluginSources } from './options.ts';
export { changesOwnersOnly } from './owner-changes.ts';
export { type AdmissionPlugin, onOperations } from './plugin.ts';
export {
  type EventLimit,
  type ImagePolicySettings,
  readEventLimits,
  readImagePolicy,
  readNodeSelectors,
  readTolerationLists,
  type TolerationLists,
} from './plugin-configurations.ts';
export {
  type ImagePolicyOptions,
  ImagePolicyWebhook,
} from './plugins/image-policy-webhook.ts';
export {
  type OwnerReferencesOptions,
  ownerReferencesPermissions,
} from './plugins/owner-references-permissions.ts';
export { PodSecurityPolicies } from './plugins/pod-security-policy/pod-security-policy.ts';
export { createPolicyPlugin, policyPluginName } from './policies/policy-plugin.ts';
export { readLimitedResources } from './quota-configuration.ts';
export { type AdmissionReader, createAdmissionReader } from './reader.ts';
export { refuse } from './refusal.ts';
export { createWebhookPlugins, type HookOutcome, type WebhookSources } from './webhooks/index.ts';
