import type { Pod, PodStatus } from '../../apis/types/core-v1.ts';
import type { PodTerms } from '../admission/index.ts';
import { runtimeLabelNames } from '../container-config/index.ts';
import { RuntimeError } from '../runtime/index.ts';
import {
  decidePod,
  emptyMemory,
  isTerminal,
  type ObservedPod,
  type PodAction,
  type PodBlock,
  type PodDecision,
  type PodMemory,
  type PodVerdict,
  planGarbage,
  planRemoval,
  type RuntimeView,
  recordStart,
  toDesiredPod,
  toObservedPod,
  verdictStatus,
} from '../sync/index.ts';
import { ActionRun } from './action-run.ts';
import { endGraceMs, stricterVerdict } from './end-grace.ts';
import { growingWaitMs } from './growing-wait.ts';
import { filesOf, type LifecycleParts } from './parts.ts';
import type { RoundKind } from './pod-measures.ts';
import { PodUpkeep } from './pod-upkeep.ts';
import type { PodViews } from './pod-views.ts';
import { preparePod } from './prepare-pod.ts';
import { recordWaits } from './record-waits.ts';
import { RetryGate } from './retry-gate.ts';
import { podIpOf, runningContainers } from './running-containers.ts';
import { wantsTheSame } from './wants-the-same.ts';
import { within } from './within.ts';

/** Timers bear no more than 24 days; a pod may have a deadline in many years. */
const maxWakeUpMs = 3_600_000;
/** Shortest time that is waited for the end of a pod, and in its graces the usual one (the reference's bounds). */
const minEvictionMs = 10_000;
const evictionGraces = 1.5;

/** What others are told of a pod. */
export interface PodWorkerEvents {
  /** The status that the pod has now; told also when only times in it changed. */
  readonly onStatus: (pod: Pod, status: PodStatus) => void;
  /** Nothing of the pod runs any more, nor will, and its volumes are gone. */
  readonly onEnded: (pod: Pod) => void;
  /** The pod was removed, and nothing of it is left on the node. */
  readonly onGone: (pod: Pod) => void;
}

export interface PodWorkerOptions extends PodWorkerEvents {
  readonly pod: Pod;
  readonly parts: LifecycleParts;
  readonly views: PodViews;
  /** What an earlier worker of the pod knew. */
  readonly memory?: PodMemory | undefined;
  /** The pod is not to be run. */
  readonly verdict?: PodVerdict | undefined;
  /** Those that the pod was admitted under. */
  readonly terms?: PodTerms | undefined;
}

/**
 * Keeps one pod as its source wants it: looks, decides, acts, and looks again. One look at a time, one run of actions at
 * a time; while actions run, looks go on and keep the status true, but nothing new is begun. Never rejects and never ends
 * by itself.
 */
export class PodWorker {
  readonly #options: PodWorkerOptions;
  readonly #parts: LifecycleParts;
  readonly #ended = Promise.withResolvers<void>();
  #pod: Pod;
  #memory: PodMemory;
  #verdict: PodVerdict | undefined;
  #isRemoved = false;
  #hasEnded = false;
  #isClosed = false;
  #isLooking = false;
  #looksAgain = false;
  #run: ActionRun | undefined;
  /** What the next run of actions is for. */
  #roundKind: RoundKind = 'create';
  /** Runs that have ended: what was seen before the last one did is old. */
  #runCount = 0;
  readonly #gate = new RetryGate();
  #failedLooks = 0;
  readonly #upkeep: PodUpkeep;
  #cancelWakeUp = (): void => {};

  constructor(options: PodWorkerOptions) {
    this.#options = options;
    this.#parts = options.parts;
    this.#pod = options.pod;
    this.#verdict = options.verdict;
    const { clock, syncFrequencyMs } = options.parts;
    this.#memory = beginMemory(options, clock.nowMs());
    this.#upkeep = new PodUpkeep({
      clock,
      syncFrequencyMs,
      renew: (podIp) => this.#renew(podIp),
      onDueAgain: () => this.wake(),
    });
  }

  get pod(): Pod {
    return this.#pod;
  }

  get memory(): PodMemory {
    return this.#memory;
  }

  /** As it was last decided; before, that of the source or of a refusal. */
  get status(): PodStatus {
    return this.#memory.status ?? this.#pod.status;
  }

  /** Nothing of the pod runs any more, nor will, and what it held on the node was let go. */
  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  get isRemoved(): boolean {
    return this.#isRemoved;
  }

  /** The pod as its source has it now: the same uid, other fields. */
  setPod(pod: Pod): void {
    const now = !wantsTheSame(pod, this.#pod);
    this.#pod = pod;
    if (this.#roundKind === 'sync') this.#roundKind = 'update';
    if (typeof pod.metadata.deletionTimestamp === 'string') this.#end();
    this.wake({ now });
  }

  /** No source wants the pod any more: it is ended and removed. */
  remove(): void {
    if (this.#isRemoved) return;
    this.#isRemoved = true;
    this.#roundKind = 'kill';
    this.#run?.abort();
    this.wake({ now: true });
  }

  /**
   * Ends the pod for good; resolves when nothing of it runs, or nobody looks any more.
   *
   * @throws Error when that takes far longer than it should; it is tried on
   */
  evict(verdict: PodVerdict): Promise<void> {
    this.#verdict = stricterVerdict(this.#verdict, verdict);
    this.#end();
    this.wake({ now: true });
    const timeoutMs = Math.max(minEvictionMs, evictionGraces * endGraceMs(this.#pod, this.#verdict));
    const onLate = (): Error => new Error('timeout waiting to kill pod');
    return within(this.#ended.promise, { clock: this.#parts.clock, timeoutMs, onLate });
  }

  /** Something may have changed. `now`: what failed is tried again at once, and contents of volumes are renewed. */
  wake({ now = false }: { readonly now?: boolean } = {}): void {
    if (this.#isClosed) return;
    if (now) {
      this.#gate.open();
      this.#upkeep.hasten();
    }
    if (this.#isLooking) {
      this.#looksAgain = true;
      return;
    }
    void this.#look();
  }

  /** Stops looking; the pod runs on. What is under way is not waited for: ending a container can take very long. */
  close(): void {
    this.#isClosed = true;
    this.#cancelWakeUp();
    this.#run?.abort();
    this.#ended.resolve();
  }

  /** Nothing is started any more, and what is being ended has no longer than it still may have. */
  #end(): void {
    this.#run?.abort();
    this.#run?.hasten(endGraceMs(this.#pod, this.#verdict));
  }

  async #look(): Promise<void> {
    this.#isLooking = true;
    this.#cancelWakeUp();
    try {
      do {
        this.#looksAgain = false;
        await this.#round();
        this.#failedLooks = 0;
      } while (this.#looksAgain && !this.#isClosed);
    } catch (error) {
      this.#tell('a pod could not be looked after', error);
      this.#failedLooks += 1;
      this.#wakeUpIn(growingWaitMs(this.#failedLooks));
    } finally {
      this.#isLooking = false;
    }
  }

  async #round(): Promise<void> {
    const runCount = this.#runCount;
    const [view, block] = await Promise.all([
      this.#options.views.read(this.#pod.metadata.uid ?? ''),
      this.#findBlock(),
    ]);
    if (this.#isClosed) return;
    if (runCount !== this.#runCount) {
      this.#looksAgain = true;
      return;
    }
    if (this.#isRemoved) return this.#removalRound(view);
    this.#probe(view);
    const decision = this.#decide(view, block);
    this.#adopt(decision, this.#mayAct(decision));
    if (isTerminal(this.status)) this.#run?.abort();
    if (decision.hasEnded && this.#run === undefined) return this.#letGoOnce();
    if (this.#run === undefined) this.#act(this.#allowed(decision.actions), view);
    if (this.#run === undefined) this.#keepUp(view);
    this.#scheduleWakeUp(decision.wakeUpAtMs);
  }

  #keepUp(view: RuntimeView): void {
    const { clock, garbage } = this.#parts;
    if (this.#upkeep.takesGarbage()) {
      this.#act(planGarbage(this.#observe(view), { ...garbage, nowMs: clock.nowMs() }), view);
    }
    const isRunning = view.containers.some(({ status }) => status.state === 'running');
    this.#upkeep.renewWhenDue(isRunning, podIpOf(view));
  }

  async #renew(podIp: string | undefined): Promise<void> {
    try {
      await preparePod(this.#pod, podIp, this.#parts);
    } catch (error) {
      this.#tell('volumes of a pod could not be renewed', error);
    }
  }

  /** What has begun is not asked about any more. */
  async #findBlock(): Promise<PodBlock | undefined> {
    const { phase = 'Pending' } = this.status;
    return phase === 'Pending' ? this.#options.terms?.findBlock(this.#pod) : undefined;
  }

  #decide(view: RuntimeView, block: PodBlock | undefined): PodDecision {
    const { prober, clock, dialect, runtimeName, surroundings, objects } = this.#parts;
    return decidePod({
      pod: this.#pod,
      view,
      memory: this.#memory,
      nowMs: clock.nowMs(),
      hashAnnotation: runtimeLabelNames(dialect).hash,
      probesOf: (id) => prober.results(id),
      starting: this.#run?.starting ?? new Set(),
      verdict: this.#verdict,
      block,
      runsEphemeral: this.#options.terms?.runsEphemeral,
      runtimeName: runtimeName(),
      hostIp: objects === undefined ? undefined : surroundings().hostIps[0],
    });
  }

  /** Waits that a plan set count only once its actions are begun. */
  #adopt({ memory }: PodDecision, isBegun: boolean): void {
    const previous = this.#memory.status;
    this.#memory = isBegun ? memory : { ...memory, backOffs: this.#memory.backOffs };
    if (memory.status === undefined) return;
    if (previous?.phase === 'Pending' && memory.status.phase === 'Running') {
      this.#parts.measures?.runs(this.#pod);
    }
    recordWaits(this.#pod, { previous, next: memory.status }, this.#parts);
    this.#options.onStatus(this.#pod, memory.status);
  }

  #mayAct({ actions }: PodDecision): boolean {
    return this.#run === undefined && this.#allowed(actions).length === actions.length;
  }

  #allowed(actions: readonly PodAction[]): readonly PodAction[] {
    return this.#gate.allowed(actions, this.#parts.clock.nowMs());
  }

  #scheduleWakeUp(atMs: number | undefined): void {
    const { clock } = this.#parts;
    const nowMs = clock.nowMs();
    const moments = [atMs ?? 0, ...this.#gate.moments, this.#upkeep.renewalDueMs];
    const ahead = moments.filter((each) => each > nowMs);
    if (ahead.length > 0) this.#wakeUpIn(Math.min(...ahead) - nowMs);
  }

  #wakeUpIn(delayMs: number): void {
    this.#cancelWakeUp();
    if (this.#isClosed) return;
    this.#cancelWakeUp = this.#parts.clock.setTimer(Math.min(delayMs, maxWakeUpMs), () => this.wake());
  }

  #act(actions: readonly PodAction[], view: RuntimeView): void {
    if (actions.length === 0) return;
    const run = new ActionRun(
      {
        pod: this.#pod,
        actions,
        view,
        podIp: podIpOf(view),
        graceMs: toDesiredPod(this.#pod).terminationGraceMs,
        isRemoval: this.#isRemoved,
        onStart: (result) => {
          this.#memory = recordStart(this.#memory, result);
          this.wake();
        },
      },
      this.#parts,
    );
    this.#run = run;
    void this.#perform(run);
  }

  async #perform(run: ActionRun): Promise<void> {
    const startedAtMs = this.#parts.clock.nowMs();
    try {
      await run.perform();
      this.#gate.noteSuccess(run.actions, this.#parts.clock.nowMs());
      if (!this.#isRemoved) this.#roundKind = 'sync';
    } catch (error) {
      this.#tell('a pod could not be brought on', error);
      const nowMs = this.#parts.clock.nowMs();
      this.#gate.noteFailure(error, nowMs);
      this.#parts.measures?.failed(this.#roundKind, nowMs - startedAtMs);
    }
    this.#run = undefined;
    this.#runCount += 1;
    this.wake();
  }

  /** The runtime's absence is told once, by whoever watches it. */
  #tell(message: string, error: unknown): void {
    const { logger } = this.#parts;
    const { namespace, name } = this.#pod.metadata;
    const fields = { pod: `${namespace}/${name}`, error };
    if (this.#isClosed || (error instanceof RuntimeError && error.isRetriable)) logger.debug(message, fields);
    else logger.error(message, fields);
  }

  #probe(view: RuntimeView): void {
    const ip = this.#pod.spec.hostNetwork === true ? this.#parts.surroundings().hostIps[0] : podIpOf(view);
    this.#parts.prober.update(this.#pod, runningContainers(this.#pod, view), ip);
  }

  /** Nothing of the pod runs any more: what it held on the node is let go, once. */
  async #letGoOnce(): Promise<void> {
    if (this.#hasEnded) return;
    await this.#letGo();
    this.#hasEnded = true;
    this.#ended.resolve();
    this.#options.onEnded(this.#pod);
  }

  async #letGo(): Promise<void> {
    const uid = this.#pod.metadata.uid ?? '';
    const { prober, volumes, cgroups, keepsVolumes } = this.#parts;
    prober.remove(uid);
    await this.#upkeep.settled();
    if (!keepsVolumes || this.#isRemoved) await volumes.unmount(uid);
    await cgroups?.removePod(uid);
  }

  async #removalRound(view: RuntimeView): Promise<void> {
    if (this.#run !== undefined) return;
    const actions = planRemoval(this.#observe(view), { graceMs: endGraceMs(this.#pod, this.#verdict) });
    this.#act(this.#allowed(actions), view);
    if (actions.length > 0) return this.#scheduleWakeUp(undefined);
    await filesOf(this.#parts).removePodLogs(this.#pod, this.#parts.logger);
    await this.#letGo();
    this.#isClosed = true;
    this.#hasEnded = true;
    this.#ended.resolve();
    this.#options.onGone(this.#pod);
  }

  #observe(view: RuntimeView): ObservedPod {
    const hashAnnotation = runtimeLabelNames(this.#parts.dialect).hash;
    return toObservedPod(view, { hashAnnotation, healthOf: () => 'fine' });
  }
}

/** A pod that is refused has failed at once: what it would have taken is free for the next one. */
function beginMemory({ pod, memory = emptyMemory, verdict }: PodWorkerOptions, nowMs: number): PodMemory {
  if (verdict === undefined) return memory;
  const view = { sandboxes: [], containers: [] };
  return { ...memory, status: verdictStatus({ pod, memory, view, nowMs }, verdict) };
}
