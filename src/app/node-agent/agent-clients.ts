import type { Clock } from '../../base/index.ts';
import { loadClientConfig, resolveContext } from '../../client/config/index.ts';
import { createEncoding } from '../../client/protobuf/index.ts';
import { createRestClient, limitRate, type RestClient } from '../../client/rest/index.ts';
import type { Dialect } from '../../machinery/dialect.ts';
import type { AgentConfig } from '../../nodeagent/options/index.ts';

/** Clients of the agent toward its API server. */
export interface AgentClients {
  /** For everything that is not named below, at the rate of the options. */
  readonly main: RestClient;
  /** Node status and lease, which nothing may delay. */
  readonly heartbeat: RestClient;
  /** Events, whose rate the recorder bounds. */
  readonly events: RestClient;
  close(): void;
}

/** Each config map and secret that pods use takes one for its watch. */
const maxConnections = 1000;

/**
 * Objects travel in the content type of the options.
 *
 * @throws ClientConfigError when the client configuration cannot be used, RangeError for an unknown content type
 */
export async function openAgentClients(
  config: Pick<AgentConfig, 'orchconfigPath' | 'orchApiQps' | 'orchApiBurst' | 'orchApiContentType'>,
  { dialect, version, clock }: { readonly dialect: Dialect; readonly version: string; readonly clock: Clock },
): Promise<AgentClients> {
  const loaded = await loadClientConfig({
    files: [config.orchconfigPath],
    isExplicit: true,
    isFromEnvironment: false,
  });
  const { connection } = resolveContext(loaded);
  const userAgent = `${dialect.spell('nodeagent')}/${version}`;
  const encoding = createEncoding(config.orchApiContentType, dialect);
  const open = (): RestClient => createRestClient({ connection, userAgent, clock, encoding, maxConnections });
  const main = open();
  const heartbeat = open();
  return {
    main: limitRate(main, { perSecond: config.orchApiQps, burst: config.orchApiBurst, clock }),
    heartbeat,
    events: main,
    close() {
      main.close();
      heartbeat.close();
    },
  };
}
