import { randomBytes } from 'node:crypto';
import { errorText } from '../../base/index.ts';
import type { PodCgroups } from '../../nodeagent/cgroups/index.ts';
import {
  checkNodeSearches,
  type NodeSettings,
  runtimeLabelNames,
} from '../../nodeagent/container-config/index.ts';
import type { CpuManager, OtherHints } from '../../nodeagent/cpu-manager/index.ts';
import type { DeviceManager } from '../../nodeagent/devices/index.ts';
import { createImagePuller, openCredentialSources } from '../../nodeagent/images/index.ts';
import {
  createPodManager,
  machineFiles,
  type NodeInfo,
  type PodManager,
  PodTable,
  PodViews,
  type PodWorker,
  RuntimeRelist,
  readTerminationMessage,
} from '../../nodeagent/lifecycle/index.ts';
import type { NodeRecord } from '../../nodeagent/node/index.ts';
import { type AgentObjects, createAgentObjects } from '../../nodeagent/objects/index.ts';
import {
  createLifecycleHooks,
  createProbeHandlers,
  createProber,
  type Prober,
} from '../../nodeagent/probes/index.ts';
import type { PodVolumes } from '../../nodeagent/volumes/index.ts';
import { createAdmission } from './admission.ts';
import type { AgentBase } from './agent-base.ts';
import type { AgentNode } from './agent-node.ts';
import type { AgentNotifier } from './agent-notices.ts';
import { keptInstances } from './container-bounds.ts';
import { countRelist, podMetrics } from './count-metrics.ts';
import { type AgentCsi, makeCsi } from './make-csi.ts';
import { makeDeviceManager } from './make-device-manager.ts';
import { makeVolumes } from './make-volumes.ts';
import { nodeSettings } from './node-settings.ts';
import type { PodSources } from './pod-sources.ts';
import { makeCgroups, makeCpuManager } from './resource-managers.ts';

/** What runs the pods of the agent. */
export interface AgentPods {
  readonly table: PodTable<PodWorker>;
  readonly views: PodViews;
  readonly relist: RuntimeRelist;
  readonly volumes: PodVolumes;
  readonly csi: AgentCsi;
  /** Undefined: the agent keeps no control groups of pods. */
  readonly cgroups: PodCgroups | undefined;
  /** Undefined: containers share all CPUs. */
  readonly cpus: CpuManager | undefined;
  /** Undefined: there are no devices of plugins. */
  readonly devices: DeviceManager | undefined;
  readonly manager: PodManager;
}

interface PodsInputs {
  readonly node: AgentNode;
  readonly sources: Pick<PodSources, 'haveSpoken'>;
  readonly notifier: AgentNotifier;
}

/**
 * Builds what runs pods, in order of dependency. Nothing of it asks the runtime for pods before it is started.
 *
 * @throws Error when a file that the options name cannot be read; MachineError for CPUs that cannot be managed
 */
export async function makeAgentPods(
  base: AgentBase,
  { node, sources, notifier }: PodsInputs,
): Promise<AgentPods> {
  const { config, dialect, clock, logger, driver, events } = base;
  const { record } = node;
  const { runtime } = driver;
  const readMessage: ConstructorParameters<typeof PodViews>[0]['readMessage'] = (status) =>
    readTerminationMessage(status, dialect);
  const views = new PodViews({ runtime, dialect, readMessage });
  const relist = makeRelist(base, views, notifier);
  const table = new PodTable<PodWorker>(() => sources.haveSpoken());
  const objects = makeObjects(base, notifier);
  const settings = (): NodeSettings => nodeSettings({ ...base, nodeIps: record.state().hostIps });
  warnOfResolvConf(settings(), base);
  const images = await makeImagePuller(base);
  const csi = makeCsi(base);
  const volumes = makeVolumes(base, { record, objects, drivers: csi.drivers });
  const cgroups = makeCgroups(base);
  let devices: DeviceManager | undefined;
  const otherHints: OtherHints = (pod, container) => devices?.hints(pod, container) ?? [];
  const cpus = await makeCpuManager({ ...base, runtime }, { table, relist, otherHints });
  devices = await makeDeviceManager(base, { table, cpus, notifier });
  const manager = createPodManager({
    table,
    views,
    runtime,
    images,
    volumes,
    cgroups,
    cpus,
    devices,
    objects,
    events,
    prober: makeProber(base, notifier),
    hooks: createLifecycleHooks({ runtime, events, clock }),
    prepareAdmission: (pod) => devices?.prepare(pod),
    admit: createAdmission(base, node, { cpus, devices }),
    onPod: {
      onStatus: (pod, status) => notifier.notify('podStatus', pod, status),
      onEnded: (pod) => notifier.notify('podEnded', pod),
      onGone: (pod) => notifier.notify('podGone', pod),
    },
    files: machineFiles,
    settings,
    nodeInfo: () => nodeInfoOf(record),
    hasApiServer: objects !== undefined,
    runtimeName: learnRuntimeName(base),
    randomHex,
    metrics: podMetrics(base),
    keepsVolumes: config.keepTerminatedPodVolumes,
    syncFrequencyMs: config.syncFrequencyMs,
    garbage: garbageOf(base, relist),
    dialect,
    clock,
    logger,
  });
  return { table, views, relist, volumes, csi, cgroups, cpus, devices, manager };
}

function makeRelist(
  { clock, logger, signal, metrics }: AgentBase,
  views: PodViews,
  notifier: AgentNotifier,
): RuntimeRelist {
  return new RuntimeRelist({
    views,
    clock,
    logger,
    signal,
    onChange: (podUid) => notifier.notify('runtimeChanged', podUid),
    onListing: (listing) => notifier.notify('relisted', listing),
    onRecovered: () => notifier.notify('relistRecovered'),
    onRelist: (result) => countRelist(result, metrics),
  });
}

function makeObjects(
  { clients, config, dialect, clock, logger, signal }: AgentBase,
  notifier: AgentNotifier,
): AgentObjects | undefined {
  if (clients === undefined) return undefined;
  return createAgentObjects({
    client: clients.main,
    onChange: (podUid) => notifier.notify('objectChanged', podUid),
    changeDetection: config.configMapAndSecretChangeDetectionStrategy,
    dialect,
    clock,
    logger,
    signal,
  });
}

function makeProber(
  { config, dialect, clock, logger, driver, events, metrics }: AgentBase,
  notifier: AgentNotifier,
): Prober {
  const enforcesExecTimeout = config.features.ExecProbeTimeout;
  return createProber({
    handlers: createProbeHandlers({ runtime: driver.runtime, dialect, clock, enforcesExecTimeout }),
    events,
    clock,
    logger,
    random: Math.random,
    onChange: (podUid) => notifier.notify('probeChanged', podUid),
    metrics: metrics.probes,
  });
}

async function makeImagePuller({ config, environment, driver, events, dialect, clock, logger }: AgentBase) {
  const common = { dialect, clock, logger };
  const homeFolder = environment.HOME;
  const credentialSources = await openCredentialSources({ config, homeFolder, environment, ...common });
  return createImagePuller({ images: driver.images, events, config, credentialSources, ...common });
}

/** Says once what resolvers will not heed of the node's own file, or that it cannot be read. */
function warnOfResolvConf({ dns }: NodeSettings, { config, events, logger }: AgentBase): void {
  const record = (reason: string, message: string): void =>
    events.record({ about: { kind: 'node' }, type: 'Warning', reason, message });
  const { resolvConf } = dns;
  if (resolvConf === undefined) return;
  if (resolvConf instanceof Error) {
    // Pods say so too when they are to be started, and the file may be there by then.
    logger.error('resolv.conf check failed', { path: config.resolvConf, error: resolvConf });
    record('CheckLimitsForResolvConf', errorText(resolvConf));
    return;
  }
  for (const { reason, message } of checkNodeSearches(resolvConf, config.resolvConf, config.clusterDomain)) {
    record(reason, message);
  }
}

/** Leads the ids of containers: the usual name until the runtime has told its own. */
function learnRuntimeName({ config, dialect, driver }: AgentBase): () => string {
  let runtimeName = config.containerRuntime === 'remote' ? 'containerd' : dialect.spell('legacyrt');
  driver.runtime.version().then(
    ({ name }) => {
      runtimeName = name;
    },
    () => {}, // the node's status says that there is no runtime
  );
  return () => runtimeName;
}

function nodeInfoOf(record: NodeRecord): NodeInfo {
  const { hostIps, allocatable, networkProblem } = record.state();
  return { hostIps, allocatable, networkProblem };
}

/** How many ended containers stay depends on how many there are on the node now. */
function garbageOf({ config, dialect }: AgentBase, relist: RuntimeRelist) {
  return {
    get keepPerContainer() {
      return keptInstances({
        perContainer: config.maximumDeadContainersPerContainer,
        inAll: config.maximumDeadContainers,
        containers: relist.listing.containers,
        podUidLabel: runtimeLabelNames(dialect).podUid,
      });
    },
    minAgeMs: config.minimumContainerAgeMs,
  };
}

/** Bytes of randomness become twice as many hexadecimal digits. */
const randomHex = (length: number): string =>
  randomBytes(Math.ceil(length / 2))
    .toString('hex')
    .slice(0, length);
