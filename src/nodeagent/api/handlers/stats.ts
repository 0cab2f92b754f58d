import { promisify } from 'node:util';
import { parseBool } from '../../../machinery/go-values/index.ts';
import { formatRuntimeFailure } from '../../runtime/index.ts';
import type { AgentServersOptions } from '../agent-servers.ts';
import type { AgentExchange, AgentHandler } from '../http/exchange.ts';
import { sendBody, sendText } from '../http/respond.ts';
import type { ServiceRoute } from '../http/router.ts';
import type { AgentStats } from '../stats/agent-stats.ts';
import { handleJson, handlePodContainer, handleRoot, handleSystemContainer } from './raw-stats.ts';

const metricsType = 'text/plain; version=0.0.4; charset=utf-8';

/** Sends metrics in the exposition format. */
export function handleMetrics(text: () => string | Promise<string>): AgentHandler {
  return async (exchange) => {
    try {
      const { body, headers } = await compressFor(exchange, await text());
      sendBody(exchange, 200, { 'Content-Type': metricsType, ...headers }, body);
    } catch (error) {
      sendText(exchange, 500, `An error has occurred while serving metrics: ${formatRuntimeFailure(error)}`);
    }
  };
}

/** Routes below `/stats/` and `/spec/`: those that are always there, and those behind their flag. */
export function statsRoutes(
  options: Pick<AgentServersOptions, 'view' | 'config' | 'dialect'>,
  stats: AgentStats,
): {
  readonly stats: { readonly basic: readonly ServiceRoute[]; readonly containers: readonly ServiceRoute[] };
  readonly spec: readonly ServiceRoute[];
} {
  const summary = handleJson(({ query }) =>
    stats.summary({ onlyCpuAndMemory: parseBool(query.get('only_cpu_and_memory') ?? '') === true }),
  );
  const route = (template: string, handler: AgentHandler, methods = ['GET', 'POST']): ServiceRoute => ({
    methods,
    template,
    handler,
    produces: 'application/json',
  });
  const ofContainer = handlePodContainer(options, stats);
  return {
    stats: {
      basic: [route('summary', summary)],
      containers: [
        route('', handleRoot(stats)),
        route('container', handleSystemContainer(stats)),
        route('{pod}/{container}', ofContainer),
        route('{namespace}/{pod}/{uid}/{container}', ofContainer),
      ],
    },
    spec: [
      route(
        '',
        handleJson(() => stats.machineSpec()),
        ['GET'],
      ),
    ],
  };
}

const minBytes = 2048;

/** Whether a client takes a body with this coding (RFC 7231, section 5.3.4, without preferences). */
function accepts({ request }: AgentExchange, coding: string): boolean {
  const header = request.headers['accept-encoding'];
  const codings = (Array.isArray(header) ? header.join(',') : (header ?? '')).split(',');
  return codings.some((each) => {
    const [name = '', ...parameters] = each.split(';').map((part) => part.trim().toLowerCase());
    return name === coding && !parameters.some((parameter) => /^q=0(?:\.0*)?$/.test(parameter));
  });
}

/** The body as the client may have it: smaller, with the header that says so. */
async function compressFor(
  exchange: AgentExchange,
  text: string,
): Promise<{ readonly body: string | Buffer; readonly headers: Readonly<Record<string, string>> }> {
  if (text.length < minBytes || !accepts(exchange, 'gzip')) return { body: text, headers: {} };
  const { gzip } = await import('node:zlib');
  return { body: await promisify(gzip)(text), headers: { 'Content-Encoding': 'gzip' } };
}
