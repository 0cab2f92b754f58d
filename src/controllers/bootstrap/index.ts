/**
 * What keeps the information and the tokens with which nodes join: signatures of the config map `cluster-info`, and the end
 * of tokens that have expired. It makes neither. Source: release 1.20, `pkg/controller/bootstrap`.
 */
export { tokenCleaningController } from './clean-tokens.ts';
export { bootstrapSigningController } from './sign-cluster-info.ts';
