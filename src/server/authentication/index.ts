/**
 * Who a request or a token comes from: front proxies, client certificates, tokens of a file and of service accounts,
 * and their order.
 * What the user may then do is decided in `authorization`.
 */
export {
  type Authenticator,
  anonymousUser,
  chainAuthenticators,
  chainTokenAuthenticators,
  type RequestAuthenticator,
  type TokenAuthenticator,
  withAuthenticatedGroup,
} from './authenticator.ts';
export { AuthorityPool } from './authority-pool.ts';
export { clientCertificateAuthenticator } from './client-certificate.ts';
export { decodeExtraKey } from './extra-key.ts';
export { type RequestHeaderOptions, requestHeaderAuthenticator } from './request-header.ts';
export { ServiceAccountVerifier, serviceAccountAuthenticator } from './service-account.ts';
export { serviceAccountUser, type TokenReference } from './service-account-claims.ts';
export {
  readSigningKey,
  readTokenKeys,
  type TokenKey,
  type TokenSigningKey,
} from './service-account-keys.ts';
export { boundObjectsOf } from './service-account-lookup.ts';
export { TokenIssuer } from './service-account-tokens.ts';
export { tokenFileAuthenticator } from './token-file.ts';
