import type { Pod } from '../../apis/types/core-v1.ts';
import { pause } from '../../base/index.ts';
import { criticality } from '../admission/index.ts';
import {
  type CgroupSettings,
  formatCgroupName,
  podCgroupName,
  qosCgroupName,
} from '../container-config/index.ts';
import { type NodePressure, thresholdAmount } from '../node/index.ts';
import type { AgentConfig, EvictionSignal, EvictionThreshold } from '../options/index.ts';
import type { EvictionManager, EvictionOptions } from './eviction-manager.ts';
import { type EvictionReason, explainEviction } from './explain-eviction.ts';
import { MemoryNotices } from './memory-notices.ts';
import type { PodUsage } from './pod-usage.ts';
import { rankPods } from './rank-pods.ts';
import { readPodUsage } from './read-pod-usage.ts';
import { readGroupProcesses, readSignals, type SignalReadings } from './read-signals.ts';
import { byUrgency, type Pressure, signalMeanings } from './signals.ts';
import { hasStorageLimits, storageViolation } from './storage-limits.ts';
import { initialThresholdState, isThresholdMet, nextThresholdState } from './threshold-state.ts';

/** Time between two looks, as in release 1.20. */
const intervalMs = 10_000;
const settleMs = 1000;

/**
 * Checks now and then every 10 s until it is disposed of; sooner after a pod was evicted. At most one pod at a time is
 * evicted for the node's sake; pods that exceed limits of their own are all evicted.
 */
export function startEvictionManager(options: EvictionOptions): EvictionManager {
  const manager = new Manager(options);
  manager.start();
  return manager;
}

class Manager implements EvictionManager {
  readonly #options: EvictionOptions;
  readonly #thresholds: readonly EvictionThreshold[];
  readonly #signals: ReadonlySet<EvictionSignal>;
  readonly #stop = new AbortController();
  /** Stopping the manager does not wait for an eviction that is under way. */
  readonly #stopped = new Promise<void>((resolve) => {
    this.#stop.signal.addEventListener('abort', () => resolve(), { once: true });
  });
  #notices: MemoryNotices | undefined;
  #isNoticed = false;
  #checkedAtMs = Number.NEGATIVE_INFINITY;
  #state = initialThresholdState;
  #imageFolder: string | undefined;
  #checking: Promise<boolean> | undefined;
  #loop: Promise<void> = Promise.resolve();

  constructor(options: EvictionOptions) {
    this.#options = options;
    this.#thresholds = withAllocatable(options.config);
    this.#signals = new Set(this.#thresholds.map(({ signal }) => signal));
  }

  start(): void {
    const isIdle =
      this.#thresholds.length === 0 && !this.#options.config.features.LocalStorageCapacityIsolation;
    if (isIdle) return;
    const { config, logger, machineRoot = '/' } = this.#options;
    const hasMemory = this.#thresholds.some(({ signal }) => signalMeanings[signal].pressure === 'memory');
    if (config.kernelMemcgNotification && hasMemory) {
      this.#notices = new MemoryNotices({ root: machineRoot, logger, onNotice: () => this.#onNotice() });
    }
    this.#loop = this.#run();
  }

  pressure(): NodePressure {
    const { pressure } = this.#state;
    return { memory: pressure.has('memory'), disk: pressure.has('disk'), pid: pressure.has('pid') };
  }

  async check(): Promise<void> {
    await this.#checkOnce();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    this.#notices?.[Symbol.dispose]();
    await this.#loop;
  }

  async #run(): Promise<void> {
    const { signal } = this.#stop;
    while (!signal.aborted) {
      const hasEvicted = await this.#checkOnce();
      // After an eviction the next check comes sooner: what the pod has freed is visible soon, and may not be enough.
      await pause(this.#options.clock, hasEvicted ? settleMs : intervalMs, signal);
    }
  }

  /** Checks at once, but no oftener than once in a second, however often the kernel speaks. */
  #onNotice(): void {
    if (this.#isNoticed) return;
    this.#isNoticed = true;
    const { clock, logger } = this.#options;
    const waitMs = Math.max(0, this.#checkedAtMs + settleMs - clock.nowMs());
    void pause(clock, waitMs, this.#stop.signal).then((goesOn) => {
      this.#isNoticed = false;
      if (!goesOn) return;
      logger.debug('eviction manager: memory notice of the kernel');
      void this.#checkOnce();
    });
  }

  /** Marks for the kernel at which hard and soft thresholds are crossed; files that it may drop count for its figures. */
  async #renewNotices({ observations }: SignalReadings): Promise<void> {
    const groups = [
      { signal: 'memory.available', group: '/' },
      { signal: 'allocatableMemory.available', group: this.#podsGroup() },
    ] as const;
    for (const { signal, group } of groups) {
      const observed = observations.get(signal);
      const thresholds = this.#thresholds.filter((one) => one.signal === signal);
      if (observed?.usage === undefined || thresholds.length === 0) continue;
      const { usage, available, capacity } = observed;
      const marks = thresholds.map(({ below }) => usage + available - thresholdAmount(below, capacity));
      await this.#notices?.watch(group, marks);
    }
  }

  /** True when a pod was evicted; one synchronization at a time. */
  #checkOnce(): Promise<boolean> {
    this.#checking ??= this.#synchronize()
      .catch((error: unknown) => {
        this.#options.logger.error('eviction manager: node stats collection failed', { error });
        return false;
      })
      .finally(() => {
        this.#checking = undefined;
      });
    return this.#checking;
  }

  async #synchronize(): Promise<boolean> {
    const { config, clock, onPressure } = this.#options;
    const readings = await this.#readSignals();
    this.#checkedAtMs = clock.nowMs();
    if (this.#notices !== undefined) await this.#renewNotices(readings);
    const before = this.#state.pressure;
    this.#state = nextThresholdState(this.#state, {
      thresholds: this.#thresholds,
      observations: readings.observations,
      transitionPeriodMs: config.evictionPressureTransitionPeriodMs,
      nowMs: clock.nowMs(),
    });
    if (!areEqual(before, this.#state.pressure)) onPressure(this.pressure());
    if (config.features.LocalStorageCapacityIsolation && (await this.#enforceLimits(readings))) return true;
    const [threshold] = byUrgency([...this.#state.active]);
    return threshold !== undefined && !this.#stop.signal.aborted && this.#relieve(threshold, readings);
  }

  async #readSignals(): Promise<SignalReadings> {
    const { config, machineRoot = '/' } = this.#options;
    const podsGroup = this.#podsGroup();
    const imageFolder = await this.#findImageFolder();
    const rootDirectory = config.rootDir;
    return readSignals(this.#signals, { root: machineRoot, rootDirectory, podsGroup, imageFolder });
  }

  #podsGroup(): string {
    const settings = this.#cgroupSettings();
    const name = qosCgroupName('Guaranteed', settings, this.#options.dialect);
    return formatCgroupName(name, settings.driver);
  }

  #cgroupSettings(): CgroupSettings {
    const { cgroupDriver, cgroupRoot: root, cgroupsPerQos: isPerQos } = this.#options.config;
    return { driver: cgroupDriver === 'systemd' ? 'systemd' : 'cgroupfs', root, isPerQos };
  }

  /** What pods use, by uid. */
  #readUsage(pods: readonly Pod[]): Promise<ReadonlyMap<string, PodUsage>> {
    const { dialect, machineRoot = '/' } = this.#options;
    const settings = this.#cgroupSettings();
    const processes = async (pod: Pod): Promise<number | undefined> => {
      if (!settings.isPerQos) return undefined;
      const group = formatCgroupName(podCgroupName(pod, settings, dialect), settings.driver);
      return readGroupProcesses(machineRoot, group);
    };
    return readPodUsage(pods, { ...this.#options, processes });
  }

  /** The runtime's image folder; until the runtime has reported it, images are taken to be on the node's file system. */
  async #findImageFolder(): Promise<string> {
    const { config, images, logger } = this.#options;
    try {
      this.#imageFolder ??= (await images.imageFsInfo())[0]?.mountpoint || config.rootDir;
    } catch (error) {
      logger.debug('image file system stats not available yet', { error });
    }
    return this.#imageFolder ?? config.rootDir;
  }

  /** Evicts all pods that use more local storage than they may; true when there was one. */
  async #enforceLimits({ hasImageFs }: SignalReadings): Promise<boolean> {
    const limited = this.#options.pods().filter(hasStorageLimits);
    const usages = await this.#readUsage(limited);
    let hasEvicted = false;
    for (const pod of limited) {
      const usage = usages.get(pod.metadata.uid ?? '');
      const violation = usage && storageViolation(pod, usage, { hasImageFs });
      if (violation === undefined) continue;
      const { signal, message } = violation;
      if ((await this.#evict(pod, { message, graceMs: 0 })) !== 'ended') continue;
      hasEvicted = true;
      this.#options.onEvicted(signal);
    }
    return hasEvicted;
  }

  /** Frees the resource of the threshold: unused files first, then one pod; true when one was evicted. */
  async #relieve(threshold: EvictionThreshold, { hasImageFs }: SignalReadings): Promise<boolean> {
    const { events, logger } = this.#options;
    const { pressure, resource } = signalMeanings[threshold.signal];
    events.record({
      about: { kind: 'node' },
      type: 'Warning',
      reason: 'EvictionThresholdMet',
      message: `Attempting to reclaim ${resource}`,
    });
    const hasImages = !hasImageFs || threshold.signal.startsWith('imagefs');
    if (pressure === 'disk' && hasImages && (await this.#reclaimDisk())) return false;
    const pods = this.#options.pods();
    if (pods.length === 0) return false;
    const usages = await this.#readUsage(pods);
    const known = pods.map((pod) => ({ pod, usage: usages.get(pod.metadata.uid ?? '') }));
    const graceMs = threshold.gracePeriodMs === 0 ? 0 : this.#softGraceMs();
    this.#tellAge();
    for (const pod of rankPods(known, { signal: threshold.signal, hasImageFs })) {
      const usage = usages.get(pod.metadata.uid ?? '');
      const outcome = await this.#evict(pod, { ...explainEviction(pod, usage, resource), graceMs });
      if (outcome === 'ended') this.#options.onEvicted(threshold.signal);
      if (outcome !== 'stays') return outcome === 'ended';
    }
    logger.error('eviction manager: no pod could be evicted', { resource });
    return false;
  }

  /** As release 1.20, of all thresholds for which something must be done. */
  #tellAge(): void {
    const ageMs = this.#options.clock.nowMs() - this.#checkedAtMs;
    for (const { signal } of this.#state.active) this.#options.onFigures(signal, ageMs);
  }

  /** Undefined: that of the pod. */
  #softGraceMs(): number | undefined {
    const seconds = this.#options.config.evictionMaxPodGracePeriodSeconds;
    return seconds < 0 ? undefined : seconds * 1000;
  }

  /** Removes dead containers and unused images; true when that was enough for all thresholds. */
  async #reclaimDisk(): Promise<boolean> {
    try {
      await this.#options.reclaimDisk();
    } catch (error) {
      this.#options.logger.error('eviction manager: node-level resource reclaim failed', { error });
    }
    const { observations } = await this.#readSignals();
    return !this.#thresholds.some((one) => isThresholdMet(one, observations, { withReclaim: true }));
  }

  /** Ends a pod, unless it must stay. */
  async #evict(pod: Pod, { message, annotations, graceMs }: Eviction): Promise<'ended' | 'failed' | 'stays'> {
    const { events, evict, isStatic, logger } = this.#options;
    const { namespace, name, uid } = pod.metadata;
    if (criticality(isStatic)(pod)) {
      logger.error('eviction manager: critical pod not evicted', { namespace, name, uid });
      return 'stays';
    }
    const about = { kind: 'pod', pod } as const;
    events.record({ about, type: 'Warning', reason: 'Evicted', message, annotations });
    try {
      await Promise.race([evict(pod, { reason: 'Evicted', message, graceMs }), this.#stopped]);
      logger.info('eviction manager: pod evicted', { namespace, name, uid, message });
      return 'ended';
    } catch (error) {
      logger.error('eviction manager: pod eviction failed', { namespace, name, uid, error });
      return 'failed';
    }
  }
}

/** Why and how fast a pod must end. */
interface Eviction extends Partial<EvictionReason> {
  readonly message: string;
  /** Undefined: that of the pod. */
  readonly graceMs: number | undefined;
}

const areEqual = (a: ReadonlySet<Pressure>, b: ReadonlySet<Pressure>): boolean =>
  a.size === b.size && [...a].every((one) => b.has(one));

/** Adds a threshold for the memory of the group of all pods, where that group is limited. */
function withAllocatable({ evictionThresholds, enforceNodeAllocatable }: AgentConfig): EvictionThreshold[] {
  const bounded = enforceNodeAllocatable.includes('pods')
    ? evictionThresholds.filter((one) => one.signal === 'memory.available' && one.gracePeriodMs === 0)
    : [];
  return [
    ...evictionThresholds,
    ...bounded.map((one): EvictionThreshold => ({ ...one, signal: 'allocatableMemory.available' })),
  ];
}
