import { parseBool } from '../../../machinery/go-values/index.ts';
import { formatRuntimeFailure } from '../../runtime/index.ts';
import type { AgentServersOptions } from '../agent-servers.ts';
import { compressFor } from '../http/compress.ts';
import type { AgentHandler } from '../http/exchange.ts';
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
