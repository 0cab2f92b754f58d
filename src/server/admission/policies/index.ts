/**
 * Validating admission policies: rules in expressions, stored as objects, that say which writes are taken (later releases,
 * `admissionregistration/v1`). Expressions run within a number of steps, so that no policy holds up the server.
 */
export type { ParamResource } from './params.ts';
export { createPolicyPlugin, type PolicySources, policyPluginName } from './policy-plugin.ts';
