import { hostname } from 'node:os';
import { type Clock, makeDirectory } from '../../base/index.ts';
import { type AgentMetrics, createAgentMetrics, measureRuntime } from '../../nodeagent/api/index.ts';
import { createEventRecorder } from '../../nodeagent/events/index.ts';
import { checkAllocatable, readMachine } from '../../nodeagent/node/index.ts';
import type { ContainerRuntime } from '../../nodeagent/runtime/index.ts';
import { createMountCommands, shareRoot } from '../../nodeagent/volumes/index.ts';
import { watchRejections } from '../unhandled-rejections.ts';
import type { AgentBase, NodeAgentStart } from './agent-base.ts';
import { obtainCredentials, rotateClientCertificate } from './agent-certificates.ts';
import { type AgentClients, type CountedRequest, openAgentClients } from './agent-clients.ts';
import { countRequest } from './count-metrics.ts';
import { openRuntime } from './open-runtime.ts';
import { MachineError } from './prepare-process.ts';

/**
 * Opens what an agent stands on; `stack` closes it.
 *
 * @throws ClientConfigError for a client configuration that cannot be used, RangeError for an endpoint that is none,
 * MachineError when more is kept from pods than there is
 */
export async function openAgentBase(start: NodeAgentStart, stack: AsyncDisposableStack): Promise<AgentBase> {
  const { config, dialect, clock, logger } = start;
  const end = new AbortController();
  // The node's storage is that of the folder, which must be there to be measured.
  await makeDirectory(config.rootDir, 0o750);
  // Before anything is mounted or opened below it, and undone after all else.
  stack.use(await shareRoot({ rootDirectory: config.rootDir, mount: createMountCommands(), logger }));
  const nodeName = (config.hostnameOverride.trim() || hostname().trim()).toLowerCase();
  const metrics = createAgentMetrics({ nodeName, dialect, startedAtMs: clock.nowMs() });
  const rejections = stack.use(watchRejections(logger));
  metrics.onCollect(() => metrics.set('process_unhandled_rejections_total', rejections.count()));
  const driver = measured(stack.use(await openRuntime({ config, dialect, clock, logger })), metrics, clock);
  const machine = await readMachine();
  const problem = await checkAllocatable({ machine, config });
  if (problem !== undefined) throw new MachineError(problem);
  // A single run starts local pods only, and tells nobody.
  const clients =
    config.isStandalone || config.runOnce
      ? undefined
      : await openClients(start, { nodeName, stack, metrics });
  // First of all to happen at the end: what is under way is given up.
  stack.defer(() => end.abort());
  const { signal } = end;
  return {
    ...start,
    nodeName,
    machine,
    driver,
    clients,
    metrics,
    events: createEventRecorder({
      client: clients?.events,
      config,
      nodeName,
      dialect,
      clock,
      logger,
      signal,
    }),
    signal,
  };
}

/** The same runtime, its calls counted. */
function measured(
  { runtime, images }: ContainerRuntime,
  metrics: AgentMetrics,
  clock: Clock,
): AgentBase['driver'] {
  return {
    runtime: measureRuntime(runtime, metrics, clock),
    images: measureRuntime(images, metrics, clock),
  };
}

interface ClientsContext {
  readonly nodeName: string;
  readonly stack: AsyncDisposableStack;
  readonly metrics: AgentMetrics;
}

async function openClients(
  start: NodeAgentStart,
  { nodeName, stack, metrics }: ClientsContext,
): Promise<AgentClients> {
  const { config, dialect, version, environment, clock, logger } = start;
  await obtainCredentials(start, nodeName);
  const onRequest = (request: CountedRequest): void => countRequest(request, metrics);
  const clients = await openAgentClients(config, {
    dialect,
    version,
    environment,
    clock,
    logger,
    onRequest,
  });
  stack.defer(() => clients.close());
  stack.use(await rotateClientCertificate(start, { clients, nodeName, metrics }));
  return clients;
}
