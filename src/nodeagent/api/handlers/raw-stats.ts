import { formatRuntimeFailure } from '../../runtime/index.ts';
import type { AgentServersOptions } from '../agent-servers.ts';
import type { AgentExchange, AgentHandler, PathValues } from '../http/exchange.ts';
import { readBody, sendJson, sendText } from '../http/respond.ts';
import type { AgentStats } from '../stats/agent-stats.ts';
import { groupPath } from '../stats/raw-container.ts';
import type { RawQuery } from '../stats/raw-containers.ts';

/** What requests ask for in their body, of which everything may be left out. */
export interface StatsRequest extends RawQuery {
  readonly name: string;
  readonly hasSubcontainers: boolean;
}

const maxRequestBytes = 64 * 1024;
const defaultCount = 60;
/** Message of release 1.20 for an unknown pod or container. */
const notFound = 'no matching container';

/** Answers with what `measure` gives as JSON; what it throws becomes an answer of 500. */
export function handleJson(
  measure: (exchange: AgentExchange, values: PathValues) => Promise<unknown>,
): AgentHandler {
  return async (exchange, values) => {
    try {
      sendJson(exchange, `${JSON.stringify(await measure(exchange, values), null, ' ')}\n`);
    } catch (error) {
      sendText(exchange, 500, `Internal Error: ${formatRuntimeFailure(error)}`);
    }
  };
}

/** `/stats/`: the machine as a whole. */
export const handleRoot = ({ raw }: AgentStats): AgentHandler =>
  handleJson(async (exchange) => known('/', await raw.describe('/', await readRequest(exchange))));

/** `/stats/container`: the control group that the body names, and if it says so those below it; by path. */
export const handleSystemContainer = ({ raw }: AgentStats): AgentHandler =>
  handleJson(async (exchange) => {
    const request = await readRequest(exchange);
    if (request.hasSubcontainers) return raw.describeTree(request.name, request);
    const path = groupPath(request.name);
    return { [path]: known(path, await raw.describe(path, request)) };
  });

function known(path: string, info: unknown): unknown {
  if (info === undefined) throw new Error(`unknown container ${JSON.stringify(path)}`);
  return info;
}

/** `/stats/POD/CONTAINER`, also with namespace and uid, which is not looked at. */
export function handlePodContainer(
  { view, config, dialect }: Pick<AgentServersOptions, 'view' | 'config' | 'dialect'>,
  { raw, containerPath }: AgentStats,
): AgentHandler {
  return async (exchange, values) => {
    const { namespace = 'default', pod: podName = '', container = '' } = values;
    const pod = view.findPod(namespace, podName);
    const found = pod && (await view.findContainer(pod, container));
    if (pod === undefined || found === undefined) return sendText(exchange, 404, notFound);
    const { id } = found;
    const legacy = dialect.spell('legacyrt');
    const describe = handleJson(async () => {
      // Release 1.20 knows containers of the engine only, and says so of every other one.
      const path = config.containerRuntime === 'remote' ? undefined : containerPath(pod, id);
      const reference = { id, aliases: [container, id], namespace: legacy };
      const info = path && (await raw.describe(path, await readRequest(exchange), reference));
      if (info) return info;
      throw new Error(`unable to find ${dialect.spell('LegacyRT')} container "${id}"`);
    });
    return describe(exchange, values);
  };
}

async function readRequest(exchange: AgentExchange): Promise<StatsRequest> {
  const body = (await readBody(exchange, maxRequestBytes)).toString('utf8');
  return parseStatsRequest(body.trim() === '' ? {} : JSON.parse(body));
}

/** Reads a request for statistics. @throws TypeError for fields that are something else than they should be */
export function parseStatsRequest(value: unknown): StatsRequest {
  if (typeof value !== 'object' || value === null) throw new TypeError('the request is no object');
  const fields = value as Readonly<Record<string, unknown>>;
  const read = <T>(name: string, type: 'string' | 'number' | 'boolean', otherwise: T): T => {
    const field = fields[name];
    if (field === undefined || field === null) return otherwise;
    if (typeof field !== type) throw new TypeError(`${name} is no ${type}`);
    return field as T; // was compared
  };
  const time = (name: string): number | undefined => {
    const text = read<string | undefined>(name, 'string', undefined);
    if (text === undefined) return undefined;
    const atMs = Date.parse(text);
    if (Number.isNaN(atMs)) throw new TypeError(`${name} is no time`);
    // Clients in Go write the year 1 for unset times.
    return atMs < 0 ? undefined : atMs;
  };
  return {
    name: read('containerName', 'string', '/'),
    count: read('num_stats', 'number', defaultCount),
    startMs: time('start'),
    endMs: time('end'),
    hasSubcontainers: read('subcontainers', 'boolean', false),
  };
}
