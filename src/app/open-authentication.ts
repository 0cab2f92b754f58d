import type { Clock, Logger } from '../base/index.ts';
import type { ServeConfig } from '../config/serve/index.ts';
import {
  type Authenticator,
  cacheTokens,
  clientCertificateAuthenticator,
  oidcAuthenticator,
  type PlainTokenAuthenticator,
  type RequestAuthenticator,
  requestHeaderAuthenticator,
  type TokenAuthenticator,
  tokenFileAuthenticator,
  tokenWebhook,
} from '../server/authentication/index.ts';
import { DocumentReader } from '../server/callouts/index.ts';
import { readAuthorities } from '../server/pki/index.ts';
import type { ApiModel } from './api-model.ts';
import { isAuthenticationLookedUp, lookUpAuthentication } from './authentication-lookup.ts';
import type { PublishedAuthentication } from './authority-files.ts';
import { openCallee, openOperatorCaller } from './open-callee.ts';
import { readFlagFile } from './read-flag-file.ts';
import type { ServerIdentity } from './server-identity.ts';
import type { TokenTrust } from './service-account-tokens.ts';

/** What files of authenticators are read with. */
export interface AuthenticationFiles {
  readonly config: ServeConfig;
  readonly model: ApiModel;
  readonly identity: ServerIdentity;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Ends connections to webhooks. */
  readonly opened: AsyncDisposableStack;
}

/** Authenticators that work by files, in their order. */
export interface FileAuthenticators {
  /** Authenticating proxies that are believed, by their certificates. */
  readonly proxies: readonly Authenticator[];
  /** By the client's certificate. */
  readonly clients: Authenticator;
  readonly tokenFiles: readonly (RequestAuthenticator & PlainTokenAuthenticator)[];
  /** Those that ask others, after all who need not. */
  readonly remote: readonly TokenAuthenticator[];
}

/** Reads the files of authenticators. @throws Error that names the flag of a file that cannot be used. */
export async function openAuthentication(
  files: AuthenticationFiles,
  tokens: Pick<TokenTrust, 'audiences'>,
): Promise<FileAuthenticators> {
  return {
    ...(await certificateAuthenticators(files)),
    tokenFiles: await openTokenFiles(files.config),
    // The provider first: its tokens are not for others to see.
    remote: [...(await openOidc(files, tokens)), ...(await openTokenWebhook(files, tokens))],
  };
}

/** Authenticating proxies, where some are believed, and users with certificates of their own. */
async function certificateAuthenticators(
  files: AuthenticationFiles,
): Promise<Pick<FileAuthenticators, 'proxies' | 'clients'>> {
  const { config, model, identity, clock, logger, opened } = files;
  const { authorities } = identity;
  const nowMs = () => clock.nowMs();
  const clients = clientCertificateAuthenticator({ authorities: authorities.clients, nowMs });
  const isLookedUp = isAuthenticationLookedUp(config);
  if (config.requestheaderClientCaFile === undefined && !isLookedUp) return { proxies: [], clients };
  const proxiesNow = (): Authenticator =>
    requestHeaderAuthenticator({ ...authorities.proxyNames, authorities: authorities.proxies, nowMs });
  let proxies = proxiesNow();
  if (isLookedUp) {
    const onPublished = (published: PublishedAuthentication): void => {
      authorities.believePublished(published);
      proxies = proxiesNow();
    };
    await lookUpAuthentication({ config, dialect: model.dialect, clock, logger, onPublished }, opened);
  }
  return { proxies: [{ authenticate: (request) => proxies.authenticate(request) }], clients };
}

/** Users of `--token-auth-file`. @throws Error when the file cannot be used. */
async function openTokenFiles(config: ServeConfig): Promise<FileAuthenticators['tokenFiles']> {
  const path = config.tokenAuthFile;
  return path === undefined ? [] : [tokenFileAuthenticator(await readFlagFile('token-auth-file', path))];
}

/** As release 1.20 keeps the users of tokens. */
const userTtlMs = 10_000;
const documentLimits = { timeoutMs: 30_000, maxBytes: 1024 * 1024 };

/** Users of `--oidc-issuer-url`. */
async function openOidc(
  { config, clock, opened }: AuthenticationFiles,
  { audiences }: Pick<TokenTrust, 'audiences'>,
): Promise<TokenAuthenticator[]> {
  const { oidcIssuerUrl: issuer, oidcClientId: clientId, oidcUsernameClaim: usernameClaim } = config;
  if (!issuer || !clientId) return [];
  const file = config.oidcCaFile;
  const authorities = file === undefined ? undefined : (await readAuthorities(file)).join('');
  const reader = new DocumentReader({ authorities, ...documentLimits });
  opened.defer(() => reader.close());
  const authenticator = oidcAuthenticator({
    issuer,
    clientId,
    read: (url) => reader.read(url),
    readToken: (url, accessToken) =>
      reader.readText(url, accessToken === '' ? {} : { authorization: `Bearer ${accessToken}` }),
    clock,
    audiences,
    usernameClaim,
    usernamePrefix: usernamePrefixOf(config),
    groupsClaim: config.oidcGroupsClaim || undefined,
    groupsPrefix: config.oidcGroupsPrefix ?? '',
    requiredClaims: config.oidcRequiredClaim,
    signingAlgorithms: config.oidcSigningAlgs,
  });
  return [cacheTokens(authenticator, { userTtlMs, unknownTtlMs: 0, nowMs: () => clock.nowMs() })];
}

/** Names that are no addresses of mail are told apart from those of other providers, unless a prefix or `-` is given. */
function usernamePrefixOf({
  oidcIssuerUrl: issuer,
  oidcUsernameClaim: claim,
  oidcUsernamePrefix: prefix = '',
}: ServeConfig): string {
  if (prefix === '-') return '';
  return prefix === '' && claim !== 'email' ? `${issuer}#` : prefix;
}

async function openTokenWebhook(
  { config, model: { dialect, catalog }, opened, ...parts }: AuthenticationFiles,
  { audiences }: Pick<TokenTrust, 'audiences'>,
): Promise<TokenAuthenticator[]> {
  const sources = [
    {
      flag: 'authentication-token-webhook-config-file',
      path: config.authenticationTokenWebhookConfigFile,
      version: config.authenticationTokenWebhookVersion === 'v1' ? 'v1' : 'v1beta1',
    },
    {
      flag: dialect.spell('authentication-orchconfig'),
      path: config.authenticationOrchconfig,
      below: `/apis/${dialect.group('authentication')}/v1/tokenreviews`,
      version: 'v1',
    },
  ] as const;
  const found: TokenAuthenticator[] = [];
  for (const { path, version, ...source } of sources) {
    if (path === undefined) continue;
    found.push(
      tokenWebhook({
        ...parts,
        caller: openOperatorCaller(parts.clock, opened),
        callee: await openCallee({ ...parts, ...source, path }),
        version,
        cacheTtlMs: config.authenticationTokenWebhookCacheTtlMs,
        audiences,
        dialect,
        catalog,
        random: Math.random,
      }),
    );
  }
  return found;
}
