import type { Pod } from '../../../../../src/apis/types/core-v1.ts';
import { silentLogger } from '../../../../../src/base/index.ts';
import { orchDialect } from '../../../../../src/machinery/dialect.ts';
import type { PodCgroups } from '../../../../../src/nodeagent/cgroups/index.ts';
import type { AgentEvent } from '../../../../../src/nodeagent/events/index.ts';
import { StartError } from '../../../../../src/nodeagent/images/index.ts';
import type { PodFiles, PodManagerParts, PodMetrics } from '../../../../../src/nodeagent/lifecycle/index.ts';
import type { Prober, RunningContainer } from '../../../../../src/nodeagent/probes/index.ts';
import type { Image, RuntimeService } from '../../../../../src/nodeagent/runtime/index.ts';
import { minGraceMs } from '../../../../../src/nodeagent/sync/desired-pod.ts';
import type { ProbeResults } from '../../../../../src/nodeagent/sync/pod-input.ts';
import { type PodVolumes, VolumeError } from '../../../../../src/nodeagent/volumes/index.ts';
import type { SimulatedTime } from '../../../../support/simulated-time.ts';
import { nodeOf } from '../../container-config/pods.ts';
import { readBehaviour } from './behaviour.ts';
import type { Faults } from './faults.ts';
import type { Caller, SimulatedRuntime } from './simulated-runtime.ts';

/** What pods hold on the node beside what the runtime has. It outlives agents. */
export interface NodeHoldings {
  readonly mounts: Set<string>;
  readonly cgroups: Set<string>;
}

export interface SimulatedPartsOptions {
  readonly time: SimulatedTime;
  readonly faults: Faults;
  readonly runtime: SimulatedRuntime;
  readonly holdings: NodeHoldings;
  readonly caller: Caller;
  readonly onEvent: (event: AgentEvent) => void;
  /** Volumes or the control group of a pod are about to be let go. */
  readonly onLetGo: (podUid: string, what: string) => void;
  readonly notify: (podUid: string) => void;
}

/** What a world gives its pod manager besides these. */
type WorldsOwn = 'table' | 'views' | 'admit' | 'onPod';

/** What running pods takes, volumes and control groups whole because more than pods is done with them. */
export type SimulatedParts = Omit<PodManagerParts, WorldsOwn> & {
  readonly runtime: RuntimeService;
  readonly volumes: PodVolumes;
  readonly cgroups: PodCgroups;
  readonly prober: Prober;
};

/** Parts of a lifecycle, all in memory, which fail as the faults say. */
export function simulatedParts(options: SimulatedPartsOptions): SimulatedParts {
  const { time, faults, runtime, caller, onEvent } = options;
  return {
    runtime: runtime.serviceFor(caller),
    images: { ensure: ({ container, signal }) => ensureImage(container.image ?? '', signal, options) },
    volumes: simulatedVolumes(options),
    cgroups: simulatedCgroups(options),
    prober: simulatedProber(options),
    hooks: {
      async postStart() {
        await time.sleep(faults.below(50));
        if (!caller.isAlive) return new Promise(() => {});
        if (faults.draw().failure === undefined) return undefined;
        return { reason: 'PostStartHookError: simulated', message: 'simulated' };
      },
      async preStop({ containerId }, graceMs) {
        runtime.noteStopBegun(containerId);
        const takesMs = Math.min(graceMs, faults.below(3000));
        await time.sleep(takesMs);
        if (!caller.isAlive) return new Promise(() => {});
        return Math.max(minGraceMs, graceMs - takesMs);
      },
    },
    events: { record: (event) => caller.isAlive && onEvent(event) },
    files: noFiles,
    objects: undefined,
    cpus: undefined,
    devices: undefined,
    prepareAdmission: undefined,
    hasApiServer: false,
    metrics: noMetrics,
    settings: () => nodeOf(),
    nodeInfo: () => ({ hostIps: ['192.0.2.2'], allocatable: {}, networkProblem: undefined }),
    runtimeName: () => 'simulated',
    randomHex: (length) => '0'.repeat(length),
    keepsVolumes: false,
    syncFrequencyMs: 60_000,
    garbage: { keepPerContainer: 1, minAgeMs: 0 },
    dialect: orchDialect,
    clock: time.clockOf(caller),
    logger: silentLogger,
  };
}

/** Nobody counts. */
const noMetrics: PodMetrics = { began() {}, runs() {}, failed() {}, preempted() {} };

const nothing = async (): Promise<void> => {};

/** Files that are nowhere. */
export const noFiles: PodFiles = {
  makeLogFolder: nothing,
  linkLog: nothing,
  removeLog: nothing,
  removePodLogs: nothing,
  removeLogsByUid: nothing,
  removeStaleLogs: nothing,
  write: nothing,
  readNodeHosts: async () => '',
};

/** An image of which nothing but its name is known. */
export const imageOf = (id: string): Image => {
  return { id, tags: [], digests: [], sizeBytes: 1, userId: undefined, username: '' };
};

async function ensureImage(
  image: string,
  signal: AbortSignal | undefined,
  { time, faults, caller }: SimulatedPartsOptions,
): Promise<Image> {
  const { latencyMs, failure } = faults.draw();
  const aborted = Promise.withResolvers<void>();
  signal?.addEventListener('abort', () => aborted.resolve(), { once: true });
  if (!signal?.aborted) await Promise.race([time.sleep(latencyMs * 4), aborted.promise]);
  if (!caller.isAlive) return new Promise(() => {});
  if (signal?.aborted) throw new StartError('ErrImagePull', 'given up');
  if (failure !== undefined) throw new StartError('ErrImagePull', 'simulated');
  return imageOf(image);
}

function simulatedVolumes({ time, faults, holdings, caller, onLetGo }: SimulatedPartsOptions): PodVolumes {
  const queues = new Map<string, Promise<unknown>>();
  const inTurn = <T>(uid: string, task: () => Promise<T>): Promise<T> => {
    const own = (queues.get(uid) ?? Promise.resolve()).then(async () => {
      const { latencyMs, failure } = faults.draw();
      await time.sleep(latencyMs);
      if (!caller.isAlive) return new Promise<T>(() => {});
      if (failure !== undefined) {
        const events = [{ reason: 'FailedMount', message: 'simulated' }] as const;
        throw new VolumeError('simulated', { events, retryAfterMs: 500 + faults.below(5000) });
      }
      return task();
    });
    queues.set(
      uid,
      own.catch(() => {}),
    );
    return own;
  };
  return {
    mount: ({ metadata }: Pod) =>
      inTurn(metadata.uid ?? '', async () => {
        holdings.mounts.add(metadata.uid ?? '');
        return new Map();
      }),
    prepareSubPaths: nothing,
    cleanSubPaths: nothing,
    unmount: (uid) =>
      inTurn(uid, async () => {
        onLetGo(uid, 'volumes');
        holdings.mounts.delete(uid);
      }),
    podsOnDisk: async () => [...holdings.mounts],
    usage: async () => [],
    counts: () => [],
    inUse: () => [],
  };
}

function simulatedCgroups({ time, faults, holdings, caller, onLetGo }: SimulatedPartsOptions): PodCgroups {
  const step = async (): Promise<void> => {
    const { latencyMs, failure } = faults.draw();
    await time.sleep(latencyMs);
    if (!caller.isAlive) return new Promise(() => {});
    if (failure !== undefined) throw new Error('simulated');
  };
  return {
    prepareNode: nothing,
    async ensurePod({ metadata }) {
      await step();
      holdings.cgroups.add(metadata.uid ?? '');
    },
    updateQos: nothing,
    async removePod(uid) {
      await step();
      onLetGo(uid, 'cgroup');
      holdings.cgroups.delete(uid);
    },
    podsPresent: async () => [...holdings.cgroups],
  };
}

/** Containers are ready at once, and dead when their image says so. */
function simulatedProber({ time, runtime, caller, notify }: SimulatedPartsOptions): Prober {
  const known = new Map<string, Map<string, RunningContainer>>();
  const clock = time.clockOf('probes');
  const diesAtMs = ({ id, startedAtMs }: RunningContainer): number | undefined => {
    const image = runtime.containers.get(id)?.status.image ?? '';
    const { diesAfterMs } = readBehaviour(image);
    return diesAfterMs === undefined ? undefined : startedAtMs + diesAfterMs;
  };
  return {
    update({ metadata: { uid = '' } }, running) {
      const before = known.get(uid);
      known.set(uid, new Map(running.map((each) => [each.id, each])));
      for (const each of running) {
        const atMs = diesAtMs(each);
        if (atMs === undefined || before?.has(each.id)) continue;
        clock.setTimer(Math.max(1, atMs - time.nowMs), () => caller.isAlive && notify(uid));
      }
    },
    results(containerId): ProbeResults {
      const found = [...known.values()]
        .map((each) => each.get(containerId))
        .find((each) => each !== undefined);
      if (found === undefined) return { health: 'fine', isStarted: false, isReady: false };
      const atMs = diesAtMs(found);
      const isDead = atMs !== undefined && atMs <= time.nowMs;
      return { health: isDead ? 'liveness-failed' : 'fine', isStarted: true, isReady: !isDead };
    },
    remove: (uid) => void known.delete(uid),
  };
}
