import type { Pod, PodStatus } from '../../../../../src/apis/types/core-v1.ts';
import { silentLogger } from '../../../../../src/base/index.ts';
import { orchDialect } from '../../../../../src/machinery/dialect.ts';
import type { AgentEvent } from '../../../../../src/nodeagent/events/index.ts';
import {
  createPodManager,
  type PodManager,
  type PodManagerOptions,
  PodTable,
  PodViews,
  type PodWorker,
  RuntimeRelist,
  removeLeftovers,
} from '../../../../../src/nodeagent/lifecycle/index.ts';
import { minGraceMs, toDesiredPod } from '../../../../../src/nodeagent/sync/desired-pod.ts';
import type { PodVerdict } from '../../../../../src/nodeagent/sync/pod-input.ts';
import { createRandomSource } from '../../../../support/random-source.ts';
import { SimulatedTime } from '../../../../support/simulated-time.ts';
import { Faults } from './faults.ts';
import { Invariants, type KnownPod } from './invariants.ts';
import { noFiles, type SimulatedParts, simulatedParts } from './simulated-parts.ts';
import { SimulatedRuntime } from './simulated-runtime.ts';

type Source = 'api' | 'file';

/** One life of an agent. */
interface AgentLife {
  isAlive: boolean;
  readonly manager: PodManager;
  readonly table: PodTable<PodWorker>;
  readonly abort: AbortController;
  readonly spoken: Set<Source>;
  /** Pods of which nothing runs any more, by uid. */
  readonly finished: Set<string>;
  /** As it was told last, by uid. */
  readonly statuses: Map<string, PodStatus>;
}

/** Where a world is another one than usual. */
export interface WorldOptions {
  readonly parts?: (parts: SimulatedParts, world: World) => Partial<SimulatedParts>;
  readonly admit?: PodManagerOptions['admit'];
}

/** A node, its runtime, who wants pods on it, and the agent that is alive. */
export class World {
  readonly time = new SimulatedTime();
  readonly faults: Faults;
  readonly runtime: SimulatedRuntime;
  readonly holdings = { mounts: new Set<string>(), cgroups: new Set<string>() };
  readonly known = new Map<string, KnownPod>();
  readonly invariants: Invariants;
  readonly events: AgentEvent[] = [];
  readonly desired: Record<Source, Map<string, Pod>> = { api: new Map(), file: new Map() };
  /** Sources that say nothing. */
  readonly isSilent = new Set<Source>();
  life: AgentLife | undefined;
  #version = 1;
  #uids = 0;
  readonly #due = new Set<Source>();
  readonly #options: WorldOptions;

  constructor(seed: number, options: WorldOptions = {}) {
    this.#options = options;
    this.faults = new Faults(createRandomSource(seed));
    this.invariants = new Invariants(this.time, this.known, () => this.runtime.containers.values());
    this.runtime = new SimulatedRuntime({ time: this.time, faults: this.faults, observer: this.invariants });
  }

  /** Starts an agent, which hears of its pods a little later. */
  startAgent(): void {
    const caller = { isAlive: true };
    const usual = simulatedParts({
      ...this,
      caller,
      onEvent: (event) => this.events.push(event),
      onLetGo: (uid, what) => this.invariants.onLetGo(uid, what),
      notify: (uid) => life.manager.notify(uid),
    });
    const parts = { ...usual, ...this.#options.parts?.(usual, this) };
    const views = new PodViews({ runtime: parts.runtime, dialect: orchDialect, readMessage: async () => '' });
    const table = new PodTable<PodWorker>(() => life.spoken.size === 2);
    const manager = createPodManager({
      ...parts,
      hasApiServer: parts.objects !== undefined,
      table,
      views,
      admit: this.#options.admit ?? (() => ({ kind: 'admitted', preempts: [] })),
      onPod: {
        onStatus: (pod, status) => caller.isAlive && this.#store(pod, status),
        onEnded: ({ metadata: { uid = '' } }) => {
          if (!caller.isAlive) return;
          life.finished.add(uid);
          this.#removeFinished(uid);
        },
        onGone: () => {},
      },
    });
    const abort = new AbortController();
    const life: AgentLife = Object.assign(caller, {
      manager,
      table,
      abort,
      spoken: new Set<Source>(),
      finished: new Set<string>(),
      statuses: new Map<string, PodStatus>(),
    });
    this.life = life;
    const relist = new RuntimeRelist({
      views,
      clock: parts.clock,
      logger: silentLogger,
      signal: abort.signal,
      onChange: (uid) => manager.notify(uid),
      onListing: (listing) => manager.removeOrphans(listing),
      onRecovered() {},
      onRelist: () => {},
    });
    relist.start();
    void this.#tidy(life, views, { parts, relist });
    this.deliver('file');
    this.deliver('api');
  }

  /** The agent's process is gone from one moment to the next. */
  killAgent(): void {
    if (this.life === undefined) return;
    this.life.isAlive = false;
    this.time.drop(this.life);
    this.life = undefined;
    this.known.clear();
  }

  /** The agent ends in order; what it left behind in time is counted. */
  async closeAgent(): Promise<number> {
    const { life } = this;
    if (life === undefined) return 0;
    life.manager.close();
    life.abort.abort();
    await this.time.pass(0);
    const count = this.time.pending(life);
    await this.time.pass(300_000);
    life.isAlive = false;
    return count;
  }

  nextUid(): string {
    this.#uids += 1;
    return `u${this.#uids}`;
  }

  put(source: Source, pod: Pod): void {
    this.#version += 1;
    const versioned = { ...pod, metadata: { ...pod.metadata, resourceVersion: `${this.#version}` } };
    this.desired[source].set(pod.metadata.uid ?? '', source === 'api' ? versioned : pod);
    this.deliver(source);
  }

  remove(source: Source, uid: string): void {
    this.desired[source].delete(uid);
    this.deliver(source);
  }

  async evict(uid: string, verdict: PodVerdict): Promise<void> {
    const pod = this.desired.api.get(uid) ?? this.desired.file.get(uid);
    const known = this.known.get(uid);
    if (pod === undefined || known === undefined || this.life === undefined) return;
    if (this.life.statuses.get(uid) === undefined) return; // It is not begun yet.
    if (verdict.graceMs !== undefined) known.graceMs = Math.min(known.graceMs, verdict.graceMs);
    known.end ??= 'was evicted';
    await this.life.manager.evict(pod, verdict);
  }

  /** Hands over the pods of a source, some milliseconds later. */
  deliver(source: Source): void {
    if (this.#due.has(source)) return;
    this.#due.add(source);
    void this.time.sleep(10 + this.faults.below(40)).then(() => {
      this.#due.delete(source);
      const { life } = this;
      if (life === undefined || this.isSilent.has(source)) return;
      life.spoken.add(source);
      const pods = [...this.desired[source].values()];
      for (const pod of pods) this.#note(pod, source);
      for (const [uid, known] of this.known) {
        if (known.source === source && !this.desired[source].has(uid)) known.end ??= 'was removed';
      }
      life.manager.setPods(source, pods);
    });
  }

  #note(pod: Pod, source: Source): void {
    const { uid = '', deletionTimestamp, deletionGracePeriodSeconds = 0 } = pod.metadata;
    const isDeleted = typeof deletionTimestamp === 'string';
    const { terminationGraceMs } = toDesiredPod(pod);
    const deletionMs = isDeleted
      ? Math.max(minGraceMs, deletionGracePeriodSeconds * 1000)
      : terminationGraceMs;
    const before = this.known.get(uid);
    const isOver = pod.status.phase === 'Failed' || pod.status.phase === 'Succeeded';
    this.known.set(uid, {
      pod,
      source,
      end: isDeleted ? 'was deleted' : (before?.end ?? (isOver ? 'was over' : undefined)),
      graceMs: Math.min(before?.graceMs ?? terminationGraceMs, deletionMs),
    });
  }

  #store(pod: Pod, status: PodStatus): void {
    const { uid = '' } = pod.metadata;
    this.life?.statuses.set(uid, status);
    const stored = this.desired.api.get(uid);
    if (stored === undefined) return;
    if (JSON.stringify(stored.status) !== JSON.stringify(status)) this.put('api', { ...stored, status });
    this.#removeFinished(uid);
  }

  #removeFinished(uid: string): void {
    const { life } = this;
    if (life === undefined || !life.finished.has(uid)) return;
    if (typeof this.desired.api.get(uid)?.metadata.deletionTimestamp === 'string') this.remove('api', uid);
  }

  async #tidy(
    life: AgentLife,
    views: PodViews,
    { parts: { volumes, cgroups, logger }, relist }: { parts: SimulatedParts; relist: RuntimeRelist },
  ): Promise<void> {
    while (life.isAlive && !life.abort.signal.aborted) {
      await this.time.sleep(60_000);
      if (!life.isAlive || life.abort.signal.aborted || life.spoken.size < 2) continue;
      if (relist.failure !== undefined || relist.answeredAtMs === undefined) continue;
      const { sandboxes, containers } = relist.listing;
      const inRuntime = new Set([...sandboxes, ...containers].map((each) => views.podUidOf(each)));
      const isKnown = (uid: string): boolean => life.table.knows(uid) || inRuntime.has(uid);
      await removeLeftovers({ volumes, cgroups, files: noFiles, isKnown, logger });
    }
  }
}
