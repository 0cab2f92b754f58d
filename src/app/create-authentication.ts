import type { Clock, Logger } from '../base/index.ts';
import type { ServeConfig } from '../config/serve/index.ts';
import type { Stores } from '../registry/index.ts';
import {
  type Authenticator,
  bearerTokenAuthenticator,
  boundObjectsOf,
  chainAuthenticators,
  chainTokenAuthenticators,
  forOwnAudiences,
  type PlainTokenAuthenticator,
  type RequestAuthenticator,
  ServiceAccountVerifier,
  type TokenAuthenticator,
} from '../server/authentication/index.ts';
import type { ApiModel } from './api-model.ts';
import type { TokenTrust } from './service-account-tokens.ts';

/** What authenticators are made from. */
export interface AuthenticationSources {
  readonly config: ServeConfig;
  readonly model: ApiModel;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly tokens: TokenTrust;
  /** Those that need no stores, and those of them whose tokens reviews know. */
  readonly authenticators: readonly Authenticator[];
  readonly tokenAuthenticators: readonly PlainTokenAuthenticator[];
}

/** Who tells whom a request or a token comes from. */
export interface Authentication {
  readonly authenticator: RequestAuthenticator;
  /** For reviews of tokens. */
  readonly tokenAuthenticator: TokenAuthenticator;
}

/** Builds the authenticators of a server: those that need no stores, and service accounts, which are in them. */
export function createAuthentication(
  {
    config,
    model: { dialect },
    clock,
    logger,
    tokens,
    authenticators,
    tokenAuthenticators,
  }: AuthenticationSources,
  stores: Stores,
): Authentication {
  const { audiences } = tokens;
  const serviceAccounts = new ServiceAccountVerifier({
    dialect,
    ...tokens,
    lookup: boundObjectsOf(stores),
    freshen: stores.stores.get('/serviceaccounts')?.freshen,
    nowMs: () => clock.nowMs(),
  });
  const bearer = bearerTokenAuthenticator({ tokens: serviceAccounts, audiences, dialect, logger });
  return {
    authenticator: chainAuthenticators([...authenticators, bearer], {
      allowsAnonymous: config.anonymousAuth,
    }),
    tokenAuthenticator: chainTokenAuthenticators([
      ...tokenAuthenticators.map((plain) => forOwnAudiences(plain, audiences)),
      serviceAccounts,
    ]),
  };
}
