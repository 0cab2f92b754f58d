import type { Clock, Logger } from '../base/index.ts';
import { etcdServers, type ServeConfig } from '../config/serve/index.ts';
import type { Dialect } from '../machinery/dialect.ts';
import type { ClientPair } from '../server/callouts/index.ts';
import type { OriginTest } from '../server/index.ts';
import { readAuthorities } from '../server/pki/index.ts';
import { BackendClient } from '../server/streaming/agent/index.ts';
import type { AgentAccess } from '../server/subresources/index.ts';
import type { Storage } from '../storage/index.ts';
import type { WatchCache } from '../storage/watch-cache/index.ts';
import type { ApiModel } from './api-model.ts';
import type { ApiSources } from './build-api.ts';
import type { LoopbackAccess } from './loopback-access.ts';
import { openAdmission } from './open-admission.ts';
import { openAuthentication } from './open-authentication.ts';
import { openAuthorization } from './open-authorization.ts';
import type { ServerIdentity } from './server-identity.ts';
import { openTokenTrust, signsWithOwnKey } from './service-account-tokens.ts';
import { sharedTokenKey } from './shared-token-key.ts';
import { SharedTrust } from './shared-trust.ts';

/** What decides who is believed. */
export interface AccessSources {
  readonly config: ServeConfig;
  readonly model: ApiModel;
  readonly identity: ServerIdentity;
  readonly clock: Clock;
  readonly storage: Storage;
  readonly watchCache: WatchCache;
  /** The way of parts of this process. */
  readonly loopback: LoopbackAccess;
  readonly logger: Logger;
  /** Ends what is opened for good. */
  readonly opened: AsyncDisposableStack;
}

/** Whom the API believes, and how it makes itself believed. */
export interface ServerAccess extends Believed {
  /** Has a listener told when other servers of the store come, whose authorities are published; the result ends that. */
  readonly onTrustChanged: (listener: () => void) => () => void;
}

type Believed = Pick<
  ApiSources,
  | 'fileAuthenticators'
  | 'loopback'
  | 'tokens'
  | 'fileAuthorizers'
  | 'admissionFiles'
  | 'listTokenKey'
  | 'isOriginAllowed'
  | 'agents'
>;

/**
 * Reads the files of tokens, keys, authorities and authorizers that the flags name.
 *
 * @throws StorageError, PkiError or Error naming what cannot be used.
 */
export async function openAccess(sources: AccessSources): Promise<ServerAccess> {
  const { config, model, identity, storage, loopback } = sources;
  const { dialect, gates, root } = model;
  const { pki, agentPair } = identity;
  const isShared = etcdServers(config) !== undefined;
  const trust = isShared ? await openTrust(sources) : undefined;
  const agents = await openAgentAccess({ config, dialect, gates, agentPair });
  sources.opened.use(agents.client);
  const tokens = await openTokenTrust(config, dialect, pki.serviceAccountKey, trust);
  return {
    onTrustChanged: (listener) => trust?.onChange(listener) ?? (() => {}),
    fileAuthenticators: await openAuthentication(sources, tokens),
    loopback: loopback.authenticator,
    tokens,
    fileAuthorizers: await openAuthorization(sources),
    admissionFiles: await openAdmission(sources),
    listTokenKey: isShared ? await sharedTokenKey(storage, root) : undefined,
    isOriginAllowed: await createOriginTest(config.corsAllowedOrigins),
    agents,
  };
}

/** Meets the other servers of the store, and believes them as long as this one runs. */
async function openTrust({
  config,
  model,
  identity,
  storage,
  watchCache,
  clock,
  logger,
  opened,
}: AccessSources): Promise<SharedTrust> {
  const { authorityPem, serviceAccountKey } = identity.pki;
  const tokenKeyPem = signsWithOwnKey(config) ? serviceAccountKey.publicKeyPem : undefined;
  const own = { authorityPem, tokenKeyPem };
  const trust = opened.use(
    await SharedTrust.open({ storage, watchCache, root: model.root, own, clock, logger }),
  );
  const follow = (): void => identity.believeServers(trust.authorities);
  follow();
  trust.onChange(follow);
  return trust;
}

/**
 * The test that `--cors-allowed-origins` asks for: an origin that any of the patterns finds a match in. Patterns are an
 * operator's and origins a stranger's, so they are matched in linear time (RE2 syntax). Undefined without patterns.
 */
export async function createOriginTest(patterns: readonly string[]): Promise<OriginTest | undefined> {
  if (patterns.length === 0) return undefined;
  const { RE2JS } = await import('re2js');
  const compiled = patterns.map((pattern) => RE2JS.compile(pattern));
  return (origin) => compiled.some((pattern) => pattern.matcher(origin).find());
}

/** What the way to agents is made of. */
interface AgentAccessOptions {
  readonly config: ServeConfig;
  readonly dialect: Dialect;
  /** Feature gates that are on. */
  readonly gates: ReadonlySet<string>;
  /** The server's client certificate, as it is when a connection is made. */
  readonly agentPair: () => ClientPair;
}

/**
 * The way to agents as the flags say; files named by flags are read once.
 *
 * @throws PkiError for files that cannot be used.
 */
async function openAgentAccess({
  config,
  dialect,
  gates,
  agentPair,
}: AgentAccessOptions): Promise<AgentAccess> {
  const { nodeagentCertificateAuthority: authorityFile } = config;
  const agentAuthorities = authorityFile === undefined ? undefined : await readAuthorities(authorityFile);
  return {
    client: new BackendClient({
      clientPair: agentPair,
      agentAuthorities,
      connectTimeoutMs: config.nodeagentTimeoutMs,
    }),
    choice: {
      preferredAddressTypes: config.nodeagentPreferredAddressTypes,
      defaultPort: config.nodeagentPort,
      endpointField: dialect.spell('nodeAgentEndpoint'),
    },
    redirects: gates.has('StreamingProxyRedirects')
      ? { mayChangeHost: !gates.has('ValidateProxyRedirects') }
      : undefined,
    maySkipVerification: gates.has('AllowInsecureBackendProxy'),
  };
}
