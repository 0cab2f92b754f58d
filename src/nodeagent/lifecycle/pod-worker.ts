import type { Pod, PodStatus } from '../../apis/types/core-v1.ts';
import { runtimeLabelNames } from '../container-config/index.ts';
import { RuntimeError } from '../runtime/index.ts';
import {
  decidePod,
  emptyMemory,
  type ObservedPod,
  type PodAction,
  type PodDecision,
  type PodMemory,
  type PodVerdict,
  planGarbage,
  planRemoval,
  type RuntimeView,
  recordStart,
  toDesiredPod,
  toObservedPod,
} from '../sync/index.ts';
import { VolumeError } from '../volumes/index.ts';
import { filesOf, type LifecycleParts } from './parts.ts';
import { performPlan } from './perform-plan.ts';
import type { PodViews } from './pod-views.ts';
import { preparePod } from './prepare-pod.ts';
import { recordWaits } from './record-waits.ts';

/** Wait before anything is tried again that failed otherwise than the start of a container. */
const retryMs = 10_000;
/** Wait before the runtime or the disk are asked again after they failed. */
const lookAgainMs = 1000;
/** How often old containers of a pod are removed (the reference's period). */
const garbagePeriodMs = 60_000;

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
}

/**
 * Keeps one pod as its source wants it: looks, decides, acts, and looks again. One look at a time, one run of actions at
 * a time; while actions run, looks go on and keep the status true. Never rejects and never ends by itself.
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
  /** Nothing is started before. */
  #holdUntilMs = 0;
  #garbageDueMs: number;
  #refreshDueMs: number;
  #cancelWakeUp = (): void => {};

  constructor(options: PodWorkerOptions) {
    this.#options = options;
    this.#parts = options.parts;
    this.#pod = options.pod;
    this.#memory = options.memory ?? emptyMemory;
    this.#verdict = options.verdict;
    const nowMs = options.parts.clock.nowMs();
    this.#garbageDueMs = nowMs + garbagePeriodMs;
    this.#refreshDueMs = nowMs + options.parts.syncFrequencyMs;
  }

  get pod(): Pod {
    return this.#pod;
  }

  get memory(): PodMemory {
    return this.#memory;
  }

  /** As it was last decided; that of the source before. */
  get status(): PodStatus {
    return this.#memory.status ?? this.#pod.status;
  }

  get isRemoved(): boolean {
    return this.#isRemoved;
  }

  /** The pod as its source has it now: the same uid, other fields. */
  setPod(pod: Pod): void {
    const isDeletion = pod.metadata.deletionTimestamp !== this.#pod.metadata.deletionTimestamp;
    this.#pod = pod;
    if (isDeletion) this.#run?.abort.abort();
    this.#hasten(pod);
    this.wake({ now: true });
  }

  /** No source wants the pod any more: it is ended and removed. */
  remove(): void {
    if (this.#isRemoved) return;
    this.#isRemoved = true;
    this.#run?.abort.abort();
    this.wake({ now: true });
  }

  /** Ends the pod for good; resolves when nothing of it runs. */
  evict(verdict: PodVerdict): Promise<void> {
    this.#verdict ??= verdict;
    this.#run?.abort.abort();
    this.wake({ now: true });
    return this.#ended.promise;
  }

  /** Something may have changed. `now`: what failed is tried again at once, and contents of volumes are renewed. */
  wake({ now = false }: { readonly now?: boolean } = {}): void {
    if (now) this.#holdUntilMs = this.#refreshDueMs = 0;
    if (this.#isClosed) return;
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
    this.#run?.abort.abort();
  }

  async #look(): Promise<void> {
    this.#isLooking = true;
    this.#cancelWakeUp();
    try {
      do {
        this.#looksAgain = false;
        await this.#round();
      } while (this.#looksAgain && !this.#isClosed);
    } catch (error) {
      this.#tell('a pod could not be looked after', error);
      this.#wakeUpIn(lookAgainMs);
    } finally {
      this.#isLooking = false;
    }
  }

  async #round(): Promise<void> {
    const view = await this.#options.views.read(this.#pod.metadata.uid ?? '');
    if (this.#isClosed) return;
    if (this.#isRemoved) return this.#removalRound(view);
    this.#probe(view);
    const decision = this.#decide(view);
    this.#adopt(decision, this.#mayAct(decision));
    if (decision.hasEnded) return this.#end();
    if (this.#run === undefined) this.#act(this.#allowed(decision.actions), view);
    if (this.#run === undefined) await this.#keepUp(view);
    this.#scheduleWakeUp(decision.wakeUpAtMs);
  }

  /** What is done for a pod that is as it should be, now and then: old containers go, contents of volumes are renewed. */
  async #keepUp(view: RuntimeView): Promise<void> {
    const { clock, garbage, syncFrequencyMs } = this.#parts;
    const nowMs = clock.nowMs();
    if (nowMs >= this.#garbageDueMs) {
      this.#garbageDueMs = nowMs + garbagePeriodMs;
      this.#act(planGarbage(this.#observe(view), { ...garbage, nowMs }), view);
    }
    if (nowMs < this.#refreshDueMs) return;
    this.#refreshDueMs = nowMs + syncFrequencyMs;
    const isRunning = view.containers.some(({ status }) => status.state === 'running');
    if (isRunning) await preparePod(this.#pod, podIpOf(view), this.#parts);
  }

  #decide(view: RuntimeView): PodDecision {
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
      runtimeName: runtimeName(),
      hostIp: objects === undefined ? undefined : surroundings().hostIps[0],
    });
  }

  /** Waits that a plan set count only once its actions are begun. */
  #adopt({ memory }: PodDecision, isBegun: boolean): void {
    const previous = this.#memory.status;
    this.#memory = isBegun ? memory : { ...memory, backOffs: this.#memory.backOffs };
    if (memory.status === undefined) return;
    recordWaits(this.#pod, { previous, next: memory.status }, this.#parts);
    this.#options.onStatus(this.#pod, memory.status);
  }

  #mayAct({ actions }: PodDecision): boolean {
    return this.#run === undefined && this.#allowed(actions).length === actions.length;
  }

  /** What of a plan may be done now: after a failure nothing is started for a while. */
  #allowed(actions: readonly PodAction[]): readonly PodAction[] {
    if (this.#parts.clock.nowMs() >= this.#holdUntilMs) return actions;
    const first = actions.findIndex(({ kind }) => kind === 'create-sandbox' || kind === 'start-container');
    return first < 0 ? actions : actions.slice(0, first);
  }

  #scheduleWakeUp(atMs: number | undefined): void {
    const { clock } = this.#parts;
    const nowMs = clock.nowMs();
    const moments = [atMs ?? 0, this.#holdUntilMs, this.#refreshDueMs].filter((each) => each > nowMs);
    if (moments.length > 0) this.#wakeUpIn(Math.min(...moments) - nowMs);
  }

  #wakeUpIn(delayMs: number): void {
    this.#cancelWakeUp();
    if (!this.#isClosed) this.#cancelWakeUp = this.#parts.clock.setTimer(delayMs, () => this.wake());
  }

  #act(actions: readonly PodAction[], view: RuntimeView): void {
    if (actions.length === 0) return;
    const abort = new AbortController();
    const starts = actions.flatMap((action) => (action.kind === 'start-container' ? [action.name] : []));
    const run: ActionRun = { actions, abort, starting: new Set(starts) };
    this.#run = run;
    void this.#perform(run, view);
  }

  async #perform(run: ActionRun, view: RuntimeView): Promise<void> {
    let error: unknown;
    try {
      await performPlan(
        {
          pod: this.#pod,
          actions: run.actions,
          view,
          podIp: podIpOf(view),
          graceMs: toDesiredPod(this.#pod).terminationGraceMs,
          isRemoval: this.#isRemoved,
          signal: run.abort.signal,
          onStart: (result) => {
            run.starting.delete(result.name);
            this.#memory = recordStart(this.#memory, result);
            this.wake();
          },
        },
        this.#parts,
      );
    } catch (thrown) {
      error = thrown;
    }
    this.#run = undefined;
    if (error === undefined) return this.wake();
    this.#tell('a pod could not be brought on', error);
    const { clock } = this.#parts;
    this.#holdUntilMs = clock.nowMs() + (error instanceof VolumeError ? error.retryAfterMs : retryMs);
    this.#wakeUpIn(lookAgainMs);
  }

  /** The runtime's absence is told once, by whoever watches it. */
  #tell(message: string, error: unknown): void {
    const { logger } = this.#parts;
    const { namespace, name } = this.#pod.metadata;
    const fields = { pod: `${namespace}/${name}`, error };
    if (this.#isClosed || (error instanceof RuntimeError && error.isRetriable)) logger.debug(message, fields);
    else logger.error(message, fields);
  }

  /** A shorter grace than the one that is being waited for counts at once. */
  #hasten({ metadata }: Pod): void {
    const { deletionTimestamp, deletionGracePeriodSeconds } = metadata;
    if (typeof deletionTimestamp !== 'string' || deletionGracePeriodSeconds === undefined) return;
    const timeoutMs = deletionGracePeriodSeconds * 1000;
    for (const action of this.#run?.actions ?? []) {
      if (action.kind !== 'stop-containers' && action.kind !== 'stop-pod') continue;
      for (const { containerId, graceMs } of action.stops) {
        if (graceMs <= timeoutMs) continue;
        void this.#parts.runtime.stopContainer(containerId, { timeoutMs }).catch(() => undefined); // The run says it.
      }
    }
  }

  #probe(view: RuntimeView): void {
    const init = new Set((this.#pod.spec.initContainers ?? []).map(({ name }) => name));
    const running = view.containers.flatMap(({ status: { id, metadata, state, startedAtMs } }) =>
      state === 'running' && !init.has(metadata.name)
        ? [{ name: metadata.name, id, startedAtMs: startedAtMs ?? 0 }]
        : [],
    );
    const ip = this.#pod.spec.hostNetwork === true ? this.#parts.surroundings().hostIps[0] : podIpOf(view);
    this.#parts.prober.update(this.#pod, running, ip);
  }

  /** Nothing of the pod runs any more: what it held on the node is let go, once. */
  async #end(): Promise<void> {
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
    if (!keepsVolumes || this.#isRemoved) await volumes.unmount(uid);
    await cgroups?.removePod(uid);
  }

  async #removalRound(view: RuntimeView): Promise<void> {
    if (this.#run !== undefined) return;
    const graceMs = this.#verdict?.graceMs ?? toDesiredPod(this.#pod).terminationGraceMs;
    const actions = planRemoval(this.#observe(view), { graceMs });
    if (actions.length > 0) return this.#act(actions, view);
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

/** Actions that are being carried out. */
interface ActionRun {
  readonly actions: readonly PodAction[];
  readonly abort: AbortController;
  /** Names of containers whose start has not ended. */
  readonly starting: Set<string>;
}

function podIpOf({ sandboxes }: RuntimeView): string | undefined {
  return sandboxes.find(({ state }) => state === 'ready')?.ips[0];
}
