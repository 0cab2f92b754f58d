import type { Clock } from '../base/index.ts';
import type { ServeConfig } from '../config/serve/index.ts';
import type { Stores } from '../registry/index.ts';
import {
  type Authenticator,
  boundObjectsOf,
  chainAuthenticators,
  chainTokenAuthenticators,
  type RequestAuthenticator,
  ServiceAccountVerifier,
  serviceAccountAuthenticator,
  type TokenAuthenticator,
} from '../server/authentication/index.ts';
import type { ApiModel } from './api-model.ts';
import type { TokenTrust } from './service-account-tokens.ts';

/** What authenticators are made from. */
export interface AuthenticationSources {
  readonly config: ServeConfig;
  readonly model: ApiModel;
  readonly clock: Clock;
  readonly tokens: TokenTrust;
  /** Those that need no stores, and those of them whose tokens reviews know. */
  readonly authenticators: readonly Authenticator[];
  readonly tokenAuthenticators: readonly TokenAuthenticator[];
}

/** Who tells whom a request or a token comes from. */
interface Authentication {
  readonly authenticator: RequestAuthenticator;
  /** For reviews of tokens. */
  readonly tokenAuthenticator: TokenAuthenticator;
  readonly serviceAccounts: ServiceAccountVerifier;
}

/** Builds the authenticators of a server: those that need no stores, and service accounts, which are in them. */
export function createAuthentication(
  { config, model: { dialect }, clock, tokens, authenticators, tokenAuthenticators }: AuthenticationSources,
  stores: Stores,
): Authentication {
  const serviceAccounts = new ServiceAccountVerifier({
    dialect,
    ...tokens,
    lookup: boundObjectsOf(stores),
    freshen: stores.stores.get('/serviceaccounts')?.freshen,
    nowMs: () => clock.nowMs(),
  });
  const options = { allowsAnonymous: config.anonymousAuth };
  return {
    authenticator: chainAuthenticators(
      [...authenticators, serviceAccountAuthenticator(serviceAccounts)],
      options,
    ),
    tokenAuthenticator: chainTokenAuthenticators(tokenAuthenticators, options),
    serviceAccounts,
  };
}
