import type { Container, Pod } from '../../apis/types/core-v1.ts';
import { type Clock, type Logger, pause } from '../../base/index.ts';
import { isNotFound, type RuntimeService } from '../runtime/index.ts';
import {
  allocatePod,
  type CpuPolicy,
  type OtherHints,
  type PodAllocation,
  podCpuHints,
} from './allocate-pod.ts';
import { type CpuSet, formatCpuSet } from './cpu-set.ts';
import { type CpuState, cpusOf, releaseCpus } from './cpu-state.ts';
import { toRecord } from './open-cpu-state.ts';
import { type CpuUpdate, planUpdates, type RunningContainer } from './plan-updates.ts';
import type { CpuStateFile } from './state/index.ts';
import type { TopologyHint } from './topology-hints.ts';

/** How a container stands to what it was given: it may need it, is ending, or nothing of it is left. */
export type CpuHold = 'desired' | 'terminating' | 'gone';

/** Policy and stored assignments of the CPU manager, and the runtime that applies them. */
export interface CpuManagerOptions {
  readonly policy: CpuPolicy;
  /** As it is at the start. */
  readonly state: CpuState;
  readonly file: Pick<CpuStateFile, 'write'>;
  readonly runtime: Pick<RuntimeService, 'updateContainerResources'>;
  /** `desired` for as long as nobody knows. */
  readonly holdOf: (podUid: string, container: string) => CpuHold;
  /** Containers that run, as the runtime listed them last. */
  readonly running: () => readonly RunningContainer[];
  /** Of resources that shall lie near to CPUs; none when left out. */
  readonly otherHints?: OtherHints | undefined;
  /** How often containers are put on the CPUs that they may use; a change of who has which comes at once. */
  readonly periodMs: number;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** What becomes of a pod that asks for CPUs; nothing is changed before `commit`. */
export interface PlannedPod {
  /** Why the pod cannot be run; undefined when it can. */
  readonly refusal: { readonly reason: string; readonly message: string } | undefined;
  /** Gives the pod its CPUs. To be called at once, or not at all. */
  commit(): void;
}

/** The least time between two looks at the containers. */
const minPeriodMs = 100;

/**
 * Knows who has which CPUs, keeps that on disk, and keeps running containers on theirs. Decisions are made at once
 * and in memory; a container learns its CPUs only when they are on disk, so that an agent that is killed finds
 * what runs.
 */
export class CpuManager {
  readonly #options: CpuManagerOptions;
  #state: CpuState;
  /** What the file has; undefined before it was written. */
  #saved: CpuState | undefined;
  #saving: Promise<void> | undefined;
  /** What containers were told last, by id. */
  readonly #applied = new Map<string, string>();
  /** Of these, those that the runtime has listed. */
  readonly #listed = new Set<string>();
  #reconciling: Promise<void> | undefined;
  #reconcilesAgain = false;

  constructor(options: CpuManagerOptions) {
    this.#options = options;
    this.#state = options.state;
  }

  /** Who has which now. */
  get state(): CpuState {
    return this.#state;
  }

  /** CPUs that containers may have to themselves, taken or not. */
  get allocatable(): CpuSet {
    const { topology, reserved } = this.#options.policy;
    return topology.cpus.difference(reserved);
  }

  /** CPUs of pods that are ending are given away only where there are not enough others. */
  plan(pod: Pod): PlannedPod {
    const { policy, holdOf, otherHints } = this.#options;
    const isOwn = (podUid: string): boolean => podUid === pod.metadata.uid;
    const base = releaseCpus(this.#state, (uid, name) => isOwn(uid) || holdOf(uid, name) !== 'gone');
    let allocation: PodAllocation = allocatePod(pod, base, policy, otherHints);
    if (allocation.kind === 'refused') {
      const more = releaseCpus(base, (uid, name) => isOwn(uid) || holdOf(uid, name) === 'desired');
      const again = more === base ? allocation : allocatePod(pod, more, policy, otherHints);
      if (again.kind === 'allocated') allocation = again;
    }
    if (allocation.kind === 'refused') return { refusal: allocation, commit() {} };
    const { state } = allocation;
    return { refusal: undefined, commit: () => this.#give(state) };
  }

  /** Nodes that a container, or a whole pod, could have its CPUs from now. */
  hints(pod: Pod, container?: Container): readonly TopologyHint[] | undefined {
    return podCpuHints(pod, container, { state: this.#state, policy: this.#options.policy });
  }

  /** What a container is to be made with. @throws Error when it cannot be kept on disk */
  async cpusFor(podUid: string, container: string): Promise<string> {
    await this.whenSaved();
    return formatCpuSet(cpusOf(this.#state, podUid, container));
  }

  /** A container was made with these CPUs. */
  noteCreated(containerId: string, cpus: string): void {
    this.#applied.set(containerId, cpus);
  }

  /** Resolves when the file has what is decided. @throws Error when it cannot be written; the next call tries again */
  whenSaved(): Promise<void> {
    if (this.#saved === this.#state) return Promise.resolve();
    this.#saving ??= this.#save();
    return this.#saving;
  }

  /** Reconciles now and in every period, until the signal aborts. Never rejects. */
  async run(signal: AbortSignal): Promise<void> {
    const periodMs = Math.max(minPeriodMs, this.#options.periodMs);
    do await this.reconcile();
    while (await pause(this.#options.clock, periodMs, signal));
  }

  /** Frees CPUs that are no longer needed, and applies the CPU sets of all containers. Never rejects. */
  reconcile(): Promise<void> {
    this.#reconcilesAgain = true;
    this.#reconciling ??= this.#reconcileAll();
    return this.#reconciling;
  }

  /** Others are moved away at once. */
  #give(state: CpuState): void {
    if (this.#change(state)) void this.reconcile();
  }

  #change(state: CpuState): boolean {
    if (state === this.#state) return false;
    this.#state = state;
    const { defaultCpuSet: shared } = toRecord(state);
    this.#options.logger.info('CPU assignment changed', { shared, own: describe(state) });
    return true;
  }

  async #save(): Promise<void> {
    try {
      while (this.#saved !== this.#state) {
        const state = this.#state;
        await this.#options.file.write(toRecord(state));
        this.#saved = state;
      }
    } finally {
      this.#saving = undefined; // before anybody who waits goes on
    }
  }

  async #reconcileAll(): Promise<void> {
    while (this.#reconcilesAgain) {
      this.#reconcilesAgain = false;
      await this.#reconcileOnce();
    }
    this.#reconciling = undefined;
  }

  async #reconcileOnce(): Promise<void> {
    const { holdOf, running, logger } = this.#options;
    this.#change(releaseCpus(this.#state, (uid, name) => holdOf(uid, name) !== 'gone'));
    this.whenSaved().catch((error: unknown) => {
      logger.error('CPU manager checkpoint write failed', { error });
    });
    const containers = running();
    this.#forgetGone(containers);
    for (const update of planUpdates(containers, this.#state, this.#applied)) await this.#update(update);
  }

  async #update({ containerId, cpus }: CpuUpdate): Promise<void> {
    const { runtime, logger } = this.#options;
    try {
      await runtime.updateContainerResources(containerId, { cpusetCpus: cpus });
      this.#applied.set(containerId, cpus);
    } catch (error) {
      // The next look tries again, if the container is still there.
      if (!isNotFound(error)) logger.error('container cpuset update failed', { containerId, cpus, error });
    }
  }

  /** A container that was made a moment ago is in no list yet. */
  #forgetGone(containers: readonly RunningContainer[]): void {
    const ids = new Set(containers.map(({ id }) => id));
    for (const id of this.#listed) {
      if (ids.has(id)) continue;
      this.#listed.delete(id);
      this.#applied.delete(id);
    }
    for (const id of ids) this.#listed.add(id);
  }
}

function describe({ own }: CpuState): Record<string, string> {
  const entries = [...own].flatMap(([podUid, containers]) =>
    [...containers].map(([name, cpus]) => [`${podUid}/${name}`, formatCpuSet(cpus)]),
  );
  return Object.fromEntries(entries);
}
