import type { Pod } from '../../apis/types/core-v1.ts';
import type { AgentServers } from '../../nodeagent/api/index.ts';
import { startEvictionManager } from '../../nodeagent/eviction/index.ts';
import { watchSystemOoms } from '../../nodeagent/host/index.ts';
import {
  collectImages,
  createImageGarbageCollector,
  type ImageGarbageCollector,
} from '../../nodeagent/images/index.ts';
import { rotateLogs, tellListFailures } from '../../nodeagent/lifecycle/index.ts';
import type { NodeKeeper, NodeRecord } from '../../nodeagent/node/index.ts';
import { createPodReports, type PodReports } from '../../nodeagent/reports/index.ts';
import { isStaticPod } from '../../nodeagent/sources/index.ts';
import type { AgentBase, NodeAgentStart } from './agent-base.ts';
import { rotateServingCertificate } from './agent-certificates.ts';
import { agentHandlers } from './agent-handlers.ts';
import { makeAgentNode, makeNodeKeeper } from './agent-node.ts';
import type { AgentNotices, AgentNotifier } from './agent-notices.ts';
import { type AgentPods, makeAgentPods } from './agent-pods.ts';
import { logBounds } from './container-bounds.ts';
import { keepHouse, startPlugins, startShutdown } from './machine-tasks.ts';
import { startDevices } from './make-device-manager.ts';
import { Notifier } from './notifier.ts';
import { openAgentBase } from './open-agent-base.ts';
import { openServers } from './open-servers.ts';
import { PodSources } from './pod-sources.ts';

/** An agent that runs. */
export interface RunningNodeAgent {
  readonly nodeName: string;
  readonly servers: AgentServers | undefined;
  /** Pods that sources desire, with their statuses. */
  readonly pods: () => readonly Pod[];
  readonly sources: Pick<PodSources, 'whenStaticRead' | 'failures'>;
  /** Lets go of everything; pods run on. */
  stop(): Promise<void>;
}

/**
 * Builds an agent in order of dependency, connects its parts and starts them. It lives until it is stopped, through
 * absences of the runtime and the API server.
 *
 * @throws Error for what keeps it from starting: a client configuration, ports that are taken, control groups
 */
export async function startNodeAgent(start: NodeAgentStart): Promise<RunningNodeAgent> {
  await using stack = new AsyncDisposableStack();
  const base = await openAgentBase(start, stack);
  const parts = await buildAgent(base);
  const servers = await startParts(base, parts, stack);
  const running = stack.move();
  const { pods, sources } = parts;
  return {
    nodeName: base.nodeName,
    servers,
    pods: () => pods.table.pods(),
    sources,
    stop: () => running.disposeAsync(),
  };
}

/** The parts of an agent, built and connected. */
interface AgentParts {
  readonly notifier: AgentNotifier;
  readonly record: NodeRecord;
  readonly sources: PodSources;
  readonly pods: AgentPods;
  readonly reports: PodReports | undefined;
  readonly collector: ImageGarbageCollector;
  readonly keeper: NodeKeeper;
}

async function buildAgent(base: AgentBase): Promise<AgentParts> {
  const { config, nodeName, clients, driver, events, dialect, clock, logger } = base;
  const notifier = new Notifier<AgentNotices>();
  const node = makeAgentNode(base);
  const { record, findings } = node;
  const sources = new PodSources({
    config,
    nodeName,
    client: clients?.main,
    onPods: (source, pods) => notifier.notify('sourceChanged', source, pods),
    onMirrors: (mirrors) => notifier.notify('mirrorsChanged', mirrors),
    events,
    dialect,
    clock,
    logger,
  });
  const pods = await makeAgentPods(base, { node, sources, notifier });
  const reports = makeReports(base, record);
  const collector = createImageGarbageCollector({ ...driver, config, events, clock, logger });
  const keeper = makeNodeKeeper(base, node, { ...pods, collector });
  notifier.connect(agentHandlers(base, { pods, keeper, findings, reports }));
  return { notifier, record, sources, pods, reports, collector, keeper };
}

/** Starts the parts one after the other; `stack` ends them in the opposite order. */
async function startParts(
  base: AgentBase,
  parts: AgentParts,
  stack: AsyncDisposableStack,
): Promise<AgentServers | undefined> {
  const { config, clock, logger, driver, events, signal, machine } = base;
  const { notifier, record, sources, pods, reports, collector, keeper } = parts;
  const { manager, relist, cgroups, cpus } = pods;
  await stack.use(keeper).start();
  stack.use(await startDynamicConfig(base, notifier));
  await cgroups?.prepareNode({
    cpuMillis: machine.cpuCount * 1000,
    memoryBytes: machine.memoryBytes,
    pids: machine.maxProcesses,
  });
  stack.use(reports);
  stack.defer(() => manager.close());
  void cpus?.run(signal);
  await startDevices(base, pods, stack);
  relist.start();
  void keepHouse(base, pods);
  void tellListFailures({ relist, events, clock, signal });
  stack.use(startEviction(base, parts));
  if (base.clients !== undefined) void tellSystemOoms(base);
  stack.use(await startShutdown(base, { ...pods, notifier }));
  stack.use(pods.csi.drivers);
  if (config.features.CSIMigration) void initializeCsiNode(base, parts);
  const deviceHandler = pods.devices?.pluginHandler;
  const ofDevices = deviceHandler === undefined ? {} : { DevicePlugin: deviceHandler };
  stack.use(await startPlugins(base, { CSIPlugin: pods.csi.drivers, ...ofDevices }));
  const submitted = await stack.use(sources).start();
  const certificates = stack.use(await rotateServingCertificate(base, record));
  const servers = stack.use(await openServers(base, { pods, submitted, certificates }));
  const bounds = logBounds(config);
  if (bounds !== undefined) {
    void rotateLogs({ runtime: driver.runtime, ...bounds, clock, logger, signal });
  }
  void collectImages({ collector, events, clock, logger, signal });
  return servers;
}

/** The node is not ready before its CSINode tells which kinds of volumes drivers serve. Never rejects. */
async function initializeCsiNode(
  { signal }: AgentBase,
  { pods, keeper, notifier }: Pick<AgentParts, 'pods' | 'keeper' | 'notifier'>,
): Promise<void> {
  await keeper.whenRegistered;
  await pods.csi.node.initialize(signal, (problem) => notifier.notify('csiNodeChanged', problem));
}

/** Events on the node of processes that the kernel killed because the machine was out of memory. Never rejects. */
function tellSystemOoms({ events, clock, logger, signal }: AgentBase): Promise<void> {
  return watchSystemOoms({
    onOom({ processName, pid }) {
      const message = `System OOM encountered, victim process: ${processName}, pid: ${pid}`;
      events.record({ about: { kind: 'node' }, type: 'Warning', reason: 'SystemOOM', message });
    },
    clock,
    logger,
    signal,
  });
}

/** Follows what the node asks for, where the options ask for it; undefined where they do not. */
async function startDynamicConfig(
  base: AgentBase,
  notifier: AgentNotifier,
): Promise<AsyncDisposable | undefined> {
  const { dynamicConfig } = base;
  if (dynamicConfig === undefined) return undefined;
  const { followDynamicConfig } = await import('./follow-dynamic-config.ts');
  return followDynamicConfig(base, dynamicConfig, (status) => notifier.notify('configChanged', status));
}

/** Undefined: there is no API server to report to. */
function makeReports(
  { clients, nodeName, dialect, clock, logger }: AgentBase,
  record: NodeRecord,
): PodReports | undefined {
  if (clients === undefined) return undefined;
  const nodeUid = (): string | undefined => {
    const metadata = record.node?.metadata;
    return metadata?.deletionTimestamp === undefined ? metadata?.uid : undefined;
  };
  return createPodReports({ client: clients.main, nodeName, nodeUid, dialect, clock, logger });
}

function startEviction(base: AgentBase, { pods, collector, notifier }: AgentParts): AsyncDisposable {
  const { config, dialect, clock, logger, driver, events, metrics } = base;
  const { table, manager, volumes } = pods;
  return startEvictionManager({
    config,
    pods: () => table.activePods(),
    evict: (pod, verdict) => manager.evict(pod, verdict),
    volumeUsage: (podUid) => volumes.usage(podUid),
    reclaimDisk: async () => void (await collector.removeUnused()),
    ...driver,
    isStatic: (pod) => isStaticPod(pod, dialect),
    onPressure: (pressure) => notifier.notify('pressureChanged', pressure),
    onFigures: (evictionSignal, ageMs) =>
      metrics.observe('nodeagent_eviction_stats_age_seconds', ageMs / 1000, [evictionSignal]),
    onEvicted: (evictionSignal) => metrics.add('nodeagent_evictions', 1, [evictionSignal]),
    events,
    dialect,
    clock,
    logger,
  });
}
