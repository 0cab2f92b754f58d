import { formatRuntimeFailure } from '../../runtime/index.ts';
import type { AgentServersOptions } from '../agent-servers.ts';
import { compressFor } from '../http/compress.ts';
import type { AgentHandler } from '../http/exchange.ts';
import { sendBody, sendJson, sendText } from '../http/respond.ts';
import type { ServiceRoute } from '../http/router.ts';
import type { AgentStats } from '../stats/agent-stats.ts';

const metricsType = 'text/plain; version=0.0.4; charset=utf-8';
/** Texts that Go reads as true. */
const trueTexts: ReadonlySet<string> = new Set(['1', 't', 'T', 'true', 'TRUE', 'True']);

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
  { view }: Pick<AgentServersOptions, 'view'>,
  stats: AgentStats,
): {
  readonly stats: { readonly basic: readonly ServiceRoute[]; readonly containers: readonly ServiceRoute[] };
  readonly spec: readonly ServiceRoute[];
} {
  const json =
    (measure: (exchange: Parameters<AgentHandler>[0]) => Promise<unknown>): AgentHandler =>
    async (exchange) => {
      try {
        sendJson(exchange, `${JSON.stringify(await measure(exchange), null, ' ')}\n`);
      } catch (error) {
        sendText(exchange, 500, `Internal Error: ${formatRuntimeFailure(error)}`);
      }
    };
  const summary = json(({ query }) =>
    stats.summary({ onlyCpuAndMemory: trueTexts.has(query.get('only_cpu_and_memory') ?? '') }),
  );
  // The reference knows containers of the engine only, and says so of every other one.
  const ofContainer: AgentHandler = async (
    exchange,
    { namespace = 'default', pod: podName = '', container = '' },
  ) => {
    const pod = view.findPod(namespace, podName);
    if (pod === undefined) return sendText(exchange, 404, 'Internal Error: pod not found');
    const found = await view.findContainer(pod, container);
    if (found === undefined) return sendText(exchange, 404, 'Internal Error: container not found');
    return sendText(exchange, 500, `Internal Error: unable to find LegacyRT container "${found.id}"`);
  };
  const get = (template: string, handler: AgentHandler): ServiceRoute => ({
    methods: ['GET'],
    template,
    handler,
  });
  return {
    stats: {
      basic: [get('summary', summary)],
      containers: [
        get('{pod}/{container}', ofContainer),
        get('{namespace}/{pod}/{uid}/{container}', ofContainer),
      ],
    },
    spec: [
      get(
        '',
        json(() => stats.machineSpec()),
      ),
    ],
  };
}
