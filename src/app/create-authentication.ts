import type { Secret } from '../apis/types/core-v1.ts';
import type { Clock, Logger } from '../base/index.ts';
import type { ServeConfig } from '../config/serve/index.ts';
import { peerCertificateOf } from '../net/http/index.ts';
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
import type { ServerMetrics } from '../server/index.ts';
import type { CachedObject } from '../storage/watch-cache/index.ts';
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
  readonly metrics: Pick<ServerMetrics, 'addTokenUse' | 'authentication'>;
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
    fileAuthenticators: { proxies, clients, tokenFiles, remote },
    loopback,
    metrics,
  }: AuthenticationSources,
  stores: Stores,
): Authentication {
  const { audiences } = tokens;
  const nowMs = () => clock.nowMs();
  const findSecret = secretFinder(stores);
  const serviceAccounts = new ServiceAccountVerifier({
    dialect,
    ...tokens,
    lookup: boundObjectsOf(stores),
    findKeptToken(namespace, name) {
      const secret = findSecret(namespace, name);
      if (secret === undefined || secret.metadata.deletionTimestamp) return undefined;
      return Buffer.from(secret.data?.token ?? '', 'base64').toString();
    },
    looksUpKept: config.serviceAccountLookup,
    onUse: (use) => metrics.addTokenUse(use),
    freshen: stores.stores.get('/serviceaccounts')?.freshen,
    nowMs,
  });
  const bootstrapTokens = bootstrapTokenAuthenticator({
    dialect,
    findSecret: (name) => findSecret(dialect.systemNamespace, name),
    nowMs,
    logger,
  });
  const tokenAuthenticator = chainTokenAuthenticators([
    ...tokenFiles.map((plain) => forOwnAudiences(plain, audiences)),
    serviceAccounts,
    ...(config.enableBootstrapTokenAuth ? [forOwnAudiences(bootstrapTokens, audiences)] : []),
    ...remote,
  ]);
  // Files are asked here again for the tokens that come as protocols of WebSockets.
  const bearer = bearerTokenAuthenticator({
    tokens: tokenAuthenticator,
    audiences,
    dialect,
    logger,
  });
  const noted = notingCertificates(clients, { onShown: metrics.authentication.addCertificate, nowMs });
  return {
    authenticator: chainAuthenticators([...proxies, noted, ...tokenFiles, loopback, bearer], {
      allowsAnonymous: config.anonymousAuth,
    }),
    tokenAuthenticator,
  };
}

/** The same authenticator, which tells of each certificate that comes to it how many seconds it is still valid. */
function notingCertificates(
  clients: Authenticator,
  { onShown, nowMs }: { readonly onShown: (secondsLeft: number) => void; readonly nowMs: () => number },
): Authenticator {
  return {
    authenticate(request) {
      const certificate = peerCertificateOf(request);
      if (certificate !== undefined) onShown((certificate.validToMs - nowMs()) / 1000);
      return clients.authenticate(request);
    },
  };
}

/** Finds secrets in memory; each version of one is parsed once. */
function secretFinder(stores: Stores): (namespace: string, name: string) => Secret | undefined {
  const known = new WeakMap<CachedObject, Secret>();
  return (namespace, name) => {
    const store = stores.stores.get('/secrets');
    const found = store?.cache.get(keyOf(store, namespace, name));
    if (found === undefined) return undefined;
    const secret = known.get(found) ?? decodeStored<Secret>(found);
    known.set(found, secret);
    return secret;
  };
}
