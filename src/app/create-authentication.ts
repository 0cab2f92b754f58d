import type { Secret } from '../apis/types/core-v1.ts';
import type { Clock, Logger } from '../base/index.ts';
import type { ServeConfig } from '../config/serve/index.ts';
import { decodeStored, keyOf, type Stores } from '../registry/index.ts';
import {
  type Authenticator,
  bearerTokenAuthenticator,
  bootstrapTokenAuthenticator,
  boundObjectsOf,
  chainAuthenticators,
  chainTokenAuthenticators,
  forOwnAudiences,
  type RequestAuthenticator,
  ServiceAccountVerifier,
  type TokenAuthenticator,
} from '../server/authentication/index.ts';
import type { ApiModel } from './api-model.ts';
import type { FileAuthenticators } from './open-authentication.ts';
import type { TokenTrust } from './service-account-tokens.ts';

/** What authenticators are made from. */
export interface AuthenticationSources {
  readonly config: ServeConfig;
  readonly model: ApiModel;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly tokens: TokenTrust;
  readonly fileAuthenticators: FileAuthenticators;
  readonly loopback: Authenticator;
}

/** Who tells whom a request or a token comes from. */
export interface Authentication {
  readonly authenticator: RequestAuthenticator;
  /** For reviews of tokens. */
  readonly tokenAuthenticator: TokenAuthenticator;
}

/** The authenticators of a server in their order: those of files, and those of tokens whose objects are in the stores. */
export function createAuthentication(
  {
    config,
    model: { dialect },
    clock,
    logger,
    tokens,
    fileAuthenticators: { certificates, tokenFiles, remote },
    loopback,
  }: AuthenticationSources,
  stores: Stores,
): Authentication {
  const { audiences } = tokens;
  const nowMs = () => clock.nowMs();
  const serviceAccounts = new ServiceAccountVerifier({
    dialect,
    ...tokens,
    lookup: boundObjectsOf(stores),
    freshen: stores.stores.get('/serviceaccounts')?.freshen,
    nowMs,
  });
  const findSecret = (namespace: string, name: string): Secret | undefined => {
    const store = stores.stores.get('/secrets');
    const found = store?.cache.get(keyOf(store, namespace, name));
    return found && decodeStored<Secret>(found);
  };
  const bootstrapTokens = bootstrapTokenAuthenticator({
    dialect,
    findSecret: (name) => findSecret(dialect.systemNamespace, name),
    nowMs,
    logger,
  });
  const chain = [
    serviceAccounts,
    ...(config.enableBootstrapTokenAuth ? [forOwnAudiences(bootstrapTokens, audiences)] : []),
    ...remote,
  ];
  const bearer = bearerTokenAuthenticator({
    tokens: chainTokenAuthenticators(chain),
    audiences,
    dialect,
    logger,
  });
  return {
    authenticator: chainAuthenticators([...certificates, ...tokenFiles, loopback, bearer], {
      allowsAnonymous: config.anonymousAuth,
    }),
    tokenAuthenticator: chainTokenAuthenticators([
      ...tokenFiles.map((plain) => forOwnAudiences(plain, audiences)),
      ...chain,
    ]),
  };
}
