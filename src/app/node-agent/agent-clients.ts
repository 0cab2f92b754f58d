import type { Clock, Logger } from '../../base/index.ts';
import { loadClientConfig, resolveContext } from '../../client/config/index.ts';
import {
  type CredentialContext,
  createCredentialTransport,
  openCredentials,
} from '../../client/credentials/index.ts';
import { createEncoding } from '../../client/protobuf/index.ts';
import {
  type Connection,
  createRestClient,
  createSwitchableTransport,
  createUnreliableTransport,
  limitRate,
  type RestClient,
  type Transport,
} from '../../client/rest/index.ts';
import type { Dialect } from '../../machinery/dialect.ts';
import type { CertificatePair } from '../../nodeagent/certificates/index.ts';
import type { AgentConfig } from '../../nodeagent/options/index.ts';

/** Clients of the agent toward its API server. */
export interface AgentClients {
  /** For everything that is not named below, at the rate of the options. */
  readonly main: RestClient;
  /** Node status and lease, which nothing may delay. */
  readonly heartbeat: RestClient;
  /** Events, whose rate the recorder bounds. */
  readonly events: RestClient;
  /** As the client configuration has it. */
  readonly connection: Connection;
  /** Requests from now on go with this certificate; those under way end as they began. */
  useCertificate(pair: CertificatePair): void;
  close(): void;
}

export interface AgentClientsOptions {
  readonly dialect: Dialect;
  readonly version: string;
  /** That of the process, for programs that give credentials. */
  readonly environment: Readonly<Record<string, string>>;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Notified of each request that was answered, or was not (`<error>`). */
  readonly onRequest?: ((request: CountedRequest) => void) | undefined;
}

/** A request as metrics count it. */
export interface CountedRequest {
  readonly method: string;
  readonly origin: string;
  readonly host: string;
  readonly code: string;
  /** Until the answer began. */
  readonly durationMs: number;
}

/** Each config map and secret that pods use takes one for its watch. */
const maxConnections = 1000;

/**
 * Objects travel in the content type of the options.
 *
 * @throws ClientConfigError when the client configuration cannot be used, RangeError for an unknown content type
 */
export async function openAgentClients(
  config: Pick<
    AgentConfig,
    'orchconfigPath' | 'orchApiQps' | 'orchApiBurst' | 'orchApiContentType' | 'chaosChance'
  >,
  { dialect, version, environment, clock, logger, onRequest }: AgentClientsOptions,
): Promise<AgentClients> {
  const loaded = await loadClientConfig({
    files: [config.orchconfigPath],
    isExplicit: true,
    isFromEnvironment: false,
  });
  const resolved = resolveContext(loaded);
  const { connection } = resolved;
  const source = openCredentials(resolved, agentCredentials({ dialect, environment, clock }));
  const userAgent = userAgentOf(dialect, version);
  const encoding = createEncoding(config.orchApiContentType, dialect);
  const open = () => {
    const pool = { maxConnections };
    const line =
      source === undefined
        ? createSwitchableTransport(connection, pool)
        : createCredentialTransport(connection, source, pool);
    const transport = counted(withChaos(line.transport, config.chaosChance, logger), clock, onRequest);
    return { line, client: createRestClient({ connection, userAgent, clock, encoding, transport }) };
  };
  const [main, heartbeat] = [open(), open()];
  return {
    main: limitRate(main.client, { perSecond: config.orchApiQps, burst: config.orchApiBurst, clock }),
    heartbeat: heartbeat.client,
    events: main.client,
    connection,
    useCertificate({ certificatePem: cert, privateKeyPem: key }) {
      const renewed = { ...connection, tls: { ...connection.tls, cert, key } };
      for (const { line } of [main, heartbeat]) line.switchTo(renewed);
    },
    close() {
      main.client.close();
      heartbeat.client.close();
    },
  };
}

/** A program that gives credentials has no more time than this, since nobody is there to answer it. */
const execTimeoutMs = 60_000;

/** Where the agent obtains credentials that do not stand in a client configuration. */
export const agentCredentials = ({
  dialect,
  environment,
  clock,
}: Pick<AgentClientsOptions, 'dialect' | 'environment' | 'clock'>): CredentialContext => ({
  dialect,
  env: environment,
  clock,
  isInteractive: false,
  timeoutMs: execTimeoutMs,
});

/** What the agent calls itself. */
export const userAgentOf = (dialect: Dialect, version: string): string =>
  `${dialect.spell('nodeagent')}/${version}`;

/** The same transport, its requests told. */
function counted(transport: Transport, clock: Clock, onRequest: AgentClientsOptions['onRequest']): Transport {
  if (onRequest === undefined) return transport;
  const send: Transport = async (request) => {
    let code = '<error>';
    const startedAtMs = clock.nowMs();
    try {
      const answer = await transport(request);
      code = String(answer.status);
      return answer;
    } finally {
      const { origin, host } = new URL(request.url);
      onRequest({ method: request.method, origin, host, code, durationMs: clock.nowMs() - startedAtMs });
    }
  };
  return Object.assign(send, { close: () => transport.close?.() });
}

/** Requests of which some fail by chance, for tests (`--chaos-chance`). */
function withChaos(transport: Transport, chance: number, logger: Logger): Transport {
  if (chance <= 0) return transport;
  const onFailure = (request: { readonly method: string; readonly url: string }): void =>
    logger.info('API request failed on purpose', request);
  return createUnreliableTransport(transport, { chance, random: Math.random, onFailure });
}
