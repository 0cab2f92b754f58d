import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import type { Pod, PodStatus } from '../../apis/types/core-v1.ts';
import { type Clock, type Logger, pause } from '../../base/index.ts';
import type { Dialect } from '../../machinery/dialect.ts';
import { type Admission, admitPod } from '../../nodeagent/admission/index.ts';
import { type AgentServers, createAgentMetrics, startAgentServers } from '../../nodeagent/api/index.ts';
import { createPodCgroups } from '../../nodeagent/cgroups/index.ts';
import { createEventRecorder } from '../../nodeagent/events/index.ts';
import { type EvictionManager, startEvictionManager } from '../../nodeagent/eviction/index.ts';
import {
  collectImages,
  createImageGarbageCollector,
  createImagePuller,
  openCredentialSources,
} from '../../nodeagent/images/index.ts';
import {
  createAgentView,
  type LifecycleParts,
  PodManager,
  PodViews,
  readTerminationMessage,
  removeLeftovers,
  watchRuntime,
} from '../../nodeagent/lifecycle/index.ts';
import { type NodeKeeper, readMachine, startNodeKeeper } from '../../nodeagent/node/index.ts';
import { createAgentObjects } from '../../nodeagent/objects/index.ts';
import { type AgentConfig, configz } from '../../nodeagent/options/index.ts';
import { createLifecycleHooks, createProbeHandlers, createProber } from '../../nodeagent/probes/index.ts';
import { createPodReports, type PodReports } from '../../nodeagent/reports/index.ts';
import { isStaticPod } from '../../nodeagent/sources/index.ts';
import { createMountCommands, createPodVolumes } from '../../nodeagent/volumes/index.ts';
import { type AgentClients, openAgentClients } from './agent-clients.ts';
import { nodeSettings } from './node-settings.ts';
import { openRuntime } from './open-runtime.ts';
import { startSources } from './start-sources.ts';

export interface NodeAgentStart {
  readonly config: AgentConfig;
  readonly dialect: Dialect;
  /** Release of the API that the agent speaks, such as `v1.20.2`. */
  readonly version: string;
  readonly clock: Clock;
  readonly logger: Logger;
  /** That of the process, for the programs that it runs. */
  readonly environment: Readonly<Record<string, string>>;
  /** Sets how much is logged. */
  readonly setVerbosity: (level: number) => void;
}

/** An agent that runs. */
export interface RunningNodeAgent {
  readonly nodeName: string;
  readonly servers: AgentServers | undefined;
  /** Lets go of everything; pods run on. */
  stop(): Promise<void>;
}

/** Bytes of randomness become twice as many hexadecimal digits. */
const randomHex = (length: number): string =>
  randomBytes(Math.ceil(length / 2))
    .toString('hex')
    .slice(0, length);

/** How often what is left of pods is looked for. */
const leftoverPeriodMs = 60_000;
const cgroupRoot = '/sys/fs/cgroup';

/**
 * Puts an agent together and starts it. It lives until it is stopped, through absences of the runtime and the API server.
 *
 * @throws Error for what keeps it from starting: a client configuration, ports that are taken, control groups
 */
export async function startNodeAgent(start: NodeAgentStart): Promise<RunningNodeAgent> {
  const { config, dialect, version, clock, logger } = start;
  const nodeName = config.hostnameOverride === '' ? hostname().trim().toLowerCase() : config.hostnameOverride;
  const end = new AbortController();
  const stack = new AsyncDisposableStack();
  stack.defer(() => end.abort());
  const stop = (): Promise<void> => stack.disposeAsync();
  try {
    return { nodeName, stop, ...(await assemble()) };
  } catch (error) {
    await stop();
    throw error;
  }

  async function assemble(): Promise<Pick<RunningNodeAgent, 'servers'>> {
    const machine = await readMachine();
    const driver = openRuntime(config);
    stack.use(driver);
    const { runtime, images } = driver;
    const clients: AgentClients | undefined = config.isStandalone
      ? undefined
      : await openAgentClients(config, { dialect, version, clock });
    stack.defer(() => clients?.close());
    const common = { dialect, clock, logger };
    const metrics = createAgentMetrics({ nodeName, dialect, startedAtMs: clock.nowMs() });
    const events = createEventRecorder({
      client: clients?.events,
      config,
      nodeName,
      signal: end.signal,
      ...common,
    });
    // Parts that tell one another: none calls before all are there.
    const late: {
      manager?: PodManager;
      node?: NodeKeeper;
      eviction?: EvictionManager;
      reports?: PodReports;
    } = {};
    const wake = (podUid: string): void => late.manager?.wake(podUid);
    const objects =
      clients &&
      createAgentObjects({
        client: clients.main,
        signal: end.signal,
        onChange: (podUid) => late.manager?.wake(podUid, { now: true }),
        changeDetection: config.configMapAndSecretChangeDetectionStrategy,
        ...common,
      });
    const volumes = createPodVolumes({
      rootDirectory: config.rootDir,
      objects,
      mount: createMountCommands(),
      usagePeriodMs: config.volumeStatsAggPeriodMs,
      boundsMemory: config.features.SizeMemoryBackedVolumes,
      hasGroupPolicy: config.features.ConfigurableFSGroupPolicy,
      ...common,
    });
    const cgroups = config.cgroupsPerQos
      ? createPodCgroups({ root: cgroupRoot, config, events, ...common })
      : undefined;
    const collector = createImageGarbageCollector({ images, runtime, config, events, clock, logger });
    const isStatic = (pod: Pod): boolean => isStaticPod(pod, dialect);
    const views = new PodViews({
      runtime,
      dialect,
      readMessage: (status) => readTerminationMessage(status, dialect),
    });
    let runtimeName = config.containerRuntime === 'remote' ? 'containerd' : 'docker';
    const hostIps = (): readonly string[] => late.node?.state().hostIps ?? [];
    const resolvConf = config.resolvConf === '' ? undefined : await readFile(config.resolvConf, 'utf8');
    const settings = nodeSettings({ config, machine, dialect, resolvConf, nodeIps: [] });

    const node = await startNodeKeeper({
      client: clients?.heartbeat,
      config,
      machine,
      nodeName,
      runtime,
      images: () => collector.images(),
      pressure: () => late.eviction?.pressure() ?? { memory: false, disk: false, pid: false },
      port: config.port,
      release: version,
      events,
      ...common,
    });
    late.node = node;
    stack.use(node);
    const { capacity } = node.state();
    await cgroups?.prepareNode({
      cpuMillis: machine.cpuCount * 1000,
      memoryBytes: machine.memoryBytes,
      pids: capacity.pids === undefined ? undefined : Number(capacity.pids),
    });
    const credentialSources = await openCredentialSources({
      config,
      homeFolder: start.environment.HOME,
      environment: start.environment,
      ...common,
    });
    const parts: LifecycleParts = {
      runtime,
      images: createImagePuller({ images, events, config, credentialSources, ...common }),
      volumes,
      cgroups,
      prober: createProber({
        handlers: createProbeHandlers({
          runtime,
          dialect,
          clock,
          enforcesExecTimeout: config.features.ExecProbeTimeout,
        }),
        events,
        clock,
        logger,
        random: Math.random,
        onChange: wake,
        metrics: metrics.probes,
      }),
      hooks: createLifecycleHooks({ runtime, events, clock }),
      events,
      objects,
      settings: () => ({ ...settings, dns: { ...settings.dns, nodeIps: hostIps() } }),
      surroundings: () => {
        const state = node.state();
        return {
          hostIps: state.hostIps,
          allocatable: state.allocatable,
          networkProblem: networkProblem(node),
        };
      },
      runtimeName: () => runtimeName,
      randomHex,
      keepsVolumes: config.keepTerminatedPodVolumes,
      syncFrequencyMs: config.syncFrequencyMs,
      garbage: {
        keepPerContainer: config.maximumDeadContainersPerContainer,
        minAgeMs: config.minimumContainerAgeMs,
      },
      ...common,
    };
    runtime.version().then(
      ({ name }) => {
        runtimeName = name;
      },
      () => {}, // asked again by the node's status
    );
    if (clients !== undefined) {
      const reports = createPodReports({
        client: clients.main,
        nodeName,
        nodeUid: () => node.node()?.metadata.uid,
        ...common,
      });
      late.reports = reports;
      stack.use(reports);
    }
    const sources: { current?: Awaited<ReturnType<typeof startSources>> } = {};
    const manager = new PodManager({
      parts,
      views,
      admit: (pod, others) => admit(pod, others),
      knowsAllPods: () => sources.current?.haveSpoken() === true,
      onStatus: (pod: Pod, status: PodStatus) => late.reports?.setStatus(pod, status),
      onEnded: (pod) => late.reports?.finish(pod),
      onGone: (pod) => late.reports?.forget(pod.metadata.uid ?? ''),
    });
    late.manager = manager;
    stack.defer(() => manager.close());
    function admit(pod: Pod, others: readonly Pod[]): Admission {
      const { labels, allocatable } = node.state();
      const pressure = late.eviction?.pressure() ?? { memory: false, disk: false, pid: false };
      const admitting = { name: nodeName, labels, allocatable, pressure };
      return admitPod({ pod, others, node: admitting, isStatic, config, dialect });
    }
    const eviction = startEvictionManager({
      config,
      pods: () => manager.activePods(),
      evict: (pod, verdict) => manager.evict(pod, verdict),
      volumeUsage: (podUid) => volumes.usage(podUid),
      reclaimDisk: async () => void (await collector.removeUnused()),
      runtime,
      images,
      events,
      dialect,
      clock,
      logger,
      isStatic,
      onChange: () => void node.update(),
    });
    late.eviction = eviction;
    stack.use(eviction);
    const watch = watchRuntime({
      views,
      clock,
      logger,
      signal: end.signal,
      onChange: wake,
      onListing: (listing) => manager.removeOrphans(listing),
    });
    const statics = new Map<string, readonly Pod[]>();
    sources.current = await startSources({
      config,
      nodeName,
      client: clients?.main,
      onPods(source, pods) {
        manager.setPods(source, pods);
        if (source === 'api') return;
        statics.set(source, pods);
        if (sources.current?.haveSpoken() === true) late.reports?.setStatic([...statics.values()].flat());
      },
      onMirrors: (mirrors) => {
        late.reports?.setStatic([...statics.values()].flat());
        late.reports?.setMirrors(mirrors);
      },
      ...common,
    });
    stack.use(sources.current);
    const view = createAgentView({ manager, views, watch, dialect });
    const servers = config.enableServer
      ? await startAgentServers({
          config,
          nodeName,
          view,
          runtime,
          images,
          metrics,
          configz: () => configz(config),
          client: clients?.main,
          submitted: sources.current.submitted,
          volumes,
          commandLine: process.argv,
          setVerbosity: start.setVerbosity,
          ...common,
        })
      : undefined;
    stack.use(servers);
    void collectImages({ collector, events, clock, logger, signal: end.signal });
    void repeat(leftoverPeriodMs, 'left-overs could not be removed', async () => {
      await cgroups?.updateQos(manager.activePods());
      if (sources.current?.haveSpoken() !== true) return;
      const isInRuntime = new Set(
        [...watch.listing.sandboxes, ...watch.listing.containers].map((each) => views.podUidOf(each)),
      );
      const isKnown = (uid: string): boolean => manager.knows(uid) || isInRuntime.has(uid);
      await removeLeftovers({ volumes, cgroups, isKnown, logger });
    });
    return { servers };
  }

  async function repeat(periodMs: number, failure: string, act: () => Promise<void>): Promise<void> {
    while (!end.signal.aborted) {
      await pause(clock, periodMs, end.signal);
      if (end.signal.aborted) return;
      await act().catch((error: unknown) => logger.error(failure, { error }));
    }
  }
}

/** Why pods cannot have a network now; undefined when they can, or nobody knows yet. */
function networkProblem(node: NodeKeeper): string | undefined {
  const { isNetworkReady, conditions } = node.state();
  if (isNetworkReady) return undefined;
  const message = conditions.find(({ type }) => type === 'Ready')?.message ?? '';
  return message.includes('network') ? message : undefined;
}
