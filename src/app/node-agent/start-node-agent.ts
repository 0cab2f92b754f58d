import type { Pod } from '../../apis/types/core-v1.ts';
import type { AgentServers } from '../../nodeagent/api/index.ts';
import { startEvictionManager } from '../../nodeagent/eviction/index.ts';
import {
  collectImages,
  createImageGarbageCollector,
  type ImageGarbageCollector,
} from '../../nodeagent/images/index.ts';
import { type LifecycleParts, rotateLogs } from '../../nodeagent/lifecycle/index.ts';
import { startNodeKeeper } from '../../nodeagent/node/index.ts';
import { isStaticPod } from '../../nodeagent/sources/index.ts';
import { type AgentBase, type NodeAgentStart, openAgentBase } from './agent-base.ts';
import { rotateServingCertificate } from './agent-certificates.ts';
import { type AgentLinks, pressureOf } from './agent-links.ts';
import { makeLifecycleParts } from './lifecycle-parts.ts';
import { logBounds } from './log-bounds.ts';
import { openServers } from './open-servers.ts';
import { type PodLoop, reportStatic, startPodLoop } from './pod-loop.ts';
import { nodeConfigOf, startDynamicConfig } from './start-dynamic-config.ts';
import { type Sources, startSources } from './start-sources.ts';
import { watchShutdown } from './watch-shutdown.ts';

/** An agent that runs. */
export interface RunningNodeAgent {
  readonly nodeName: string;
  readonly servers: AgentServers | undefined;
  /** Pods that sources want, with their statuses. */
  readonly pods: () => readonly Pod[];
  readonly sources: Pick<Sources, 'whenStaticRead' | 'failures'>;
  /** Lets go of everything; pods run on. */
  stop(): Promise<void>;
}

/**
 * Puts an agent together and starts it. It lives until it is stopped, through absences of the runtime and the API server.
 *
 * @throws Error for what keeps it from starting: a client configuration, ports that are taken, control groups
 */
export async function startNodeAgent(start: NodeAgentStart): Promise<RunningNodeAgent> {
  await using stack = new AsyncDisposableStack();
  const links: AgentLinks = {};
  const base = await openAgentBase(start, stack);
  const { config, dialect, clock, logger, driver, events, signal } = base;
  const collector = createImageGarbageCollector({ ...driver, config, events, clock, logger });
  const parts = await makeLifecycleParts(base, links);
  links.node = stack.use(await keepNode(base, collector, links));
  stack.use(await startDynamicConfig(base, links));
  const { machine } = base;
  await parts.cgroups?.prepareNode({ cpuMillis: machine.cpuCount * 1000, memoryBytes: machine.memoryBytes });
  const loop = startPodLoop(base, parts, { links, stack });
  links.eviction = stack.use(watchPressure(base, parts, { loop, collector, links }));
  stack.use(await watchShutdown(base, links, loop.manager));
  const sources = await startSources({
    config,
    nodeName: base.nodeName,
    client: base.clients?.main,
    onPods(source, pods) {
      loop.manager.setPods(source, pods);
      reportStatic(base, links);
    },
    onMirrors(mirrors) {
      links.reports?.setMirrors(mirrors);
    },
    dialect,
    clock,
    logger,
  });
  links.sources = stack.use(sources);
  reportStatic(base, links);
  const certificates = stack.use(await rotateServingCertificate(base, links));
  const servers = stack.use(await openServers(base, parts, { loop, links, certificates }));
  const bounds = logBounds(config);
  if (bounds !== undefined) {
    void rotateLogs({ runtime: driver.runtime, ...bounds, clock, logger, signal });
  }
  void collectImages({ collector, events, clock, logger, signal });
  const running = stack.move();
  const pods = (): readonly Pod[] => loop.manager.pods();
  return { nodeName: base.nodeName, servers, pods, sources, stop: () => running.disposeAsync() };
}

function keepNode(base: AgentBase, collector: ImageGarbageCollector, links: AgentLinks) {
  const { config, dialect, clock, logger, machine, nodeName, driver, clients, events, version } = base;
  return startNodeKeeper({
    client: clients?.heartbeat,
    config,
    machine,
    nodeName,
    runtime: driver.runtime,
    images: () => collector.images(),
    pressure: () => pressureOf(links),
    volumesInUse: () => links.volumes?.inUse() ?? [],
    lastProblems: () => [links.shutdown?.problem() ?? []].flat(),
    nodeConfig: nodeConfigOf(base, links),
    port: config.port,
    release: version,
    events,
    dialect,
    clock,
    logger,
  });
}

interface PressureInputs {
  readonly loop: PodLoop;
  readonly collector: ImageGarbageCollector;
  readonly links: AgentLinks;
}

function watchPressure(
  base: AgentBase,
  { volumes }: LifecycleParts,
  { loop, collector, links }: PressureInputs,
) {
  const { config, dialect, clock, logger, driver, events, metrics } = base;
  return startEvictionManager({
    config,
    pods: () => loop.manager.activePods(),
    evict: (pod, verdict) => loop.manager.evict(pod, verdict),
    volumeUsage: (podUid) => volumes.usage(podUid),
    reclaimDisk: async () => void (await collector.removeUnused()),
    ...driver,
    isStatic: (pod) => isStaticPod(pod, dialect),
    onChange: () => void links.node?.update(),
    onEvicted: (evictionSignal) => metrics.add('nodeagent_evictions', 1, [evictionSignal]),
    events,
    dialect,
    clock,
    logger,
  });
}
