/**
 * Who a request or a token comes from: front proxies, client certificates, tokens of a file, of service accounts and
 * for bootstrapping, and their order.
 * What the user may then do is decided in `authorization`.
 */
export {
  type Authenticator,
  anonymousUser,
  chainAuthenticators,
  type RequestAuthenticator,
  withAuthenticatedGroup,
} from './authenticator.ts';
export { AuthorityPool } from './authority-pool.ts';
export { bearerTokenAuthenticator } from './bearer-token.ts';
export { bootstrapTokenAuthenticator } from './bootstrap-token.ts';
export { clientCertificateAuthenticator } from './client-certificate.ts';
export { decodeExtraKey } from './extra-key.ts';
export { type LegacyTokenOrder, legacyIssuer, signLegacyToken } from './legacy-tokens.ts';
export { nodeNameOf } from './node-user.ts';
export { type OidcOptions, oidcAuthenticator } from './oidc/oidc-authenticator.ts';
export { type RequestHeaderOptions, requestHeaderAuthenticator } from './request-header.ts';
export { ServiceAccountVerifier, type TokenUse } from './service-account.ts';
export { serviceAccountUser, type TokenReference } from './service-account-claims.ts';
export {
  readSigningKey,
  readTokenKeys,
  type TokenKey,
  type TokenSigningKey,
} from './service-account-keys.ts';
export { boundObjectsOf } from './service-account-lookup.ts';
export { TokenIssuer } from './service-account-tokens.ts';
export {
  chainTokenAuthenticators,
  forOwnAudiences,
  type PlainTokenAuthenticator,
  type TokenAuthenticator,
  type TokenVerdict,
} from './token-authenticator.ts';
export { cacheTokens } from './token-cache.ts';
export { tokenFileAuthenticator } from './token-file.ts';
export { type TokenWebhookOptions, tokenWebhook } from './webhook/token-webhook.ts';
