import type { Pod, PodStatus } from '../../apis/types/core-v1.ts';
import type { Clock, Logger } from '../../base/index.ts';
import type { PodTerms } from '../admission/index.ts';
import type { EventRecorder } from '../events/index.ts';
import type { PodAction } from '../sync/actions.ts';
import type { PodDecision } from '../sync/decide-pod.ts';
import { toDesiredPod } from '../sync/desired-pod.ts';
import type { RuntimeView } from '../sync/observe-pod.ts';
import { planRemoval, planStop } from '../sync/plan-end.ts';
import { type PlanGarbageOptions, planGarbage } from '../sync/plan-garbage.ts';
import { isTerminal, type PodBlock, type PodMemory, type PodVerdict } from '../sync/pod-input.ts';
import type { PlanRunOptions } from './plan-run.ts';
import { type PlanEnd, PlanRunner } from './plan-runner.ts';
import type { PodDecider } from './pod-decider.ts';
import type { PodFiles } from './pod-files.ts';
import { PodHoldings, type PodHoldingsOptions } from './pod-holdings.ts';
import type { PodMetrics } from './pod-metrics.ts';
import { PodRecord } from './pod-record.ts';
import type { PodViews } from './pod-views.ts';
import { isAbsence, PodWarnings } from './pod-warnings.ts';
import { recordWaits } from './record-waits.ts';
import { podIpOf } from './running-containers.ts';
import { SyncLoop } from './sync-loop.ts';
import { within } from './within.ts';

/** Shortest time that is waited for the end of a pod, and in its graces the usual one (the bounds of release 1.20). */
const minEvictionMs = 10_000;
const evictionGraces = 1.5;

/** What others are notified of. */
export interface PodWorkerEvents {
  /** The status that the pod has now; also when only times in it changed. */
  readonly onStatus: (pod: Pod, status: PodStatus) => void;
  /** Nothing of the pod runs any more, nor will, and its volumes are gone. */
  readonly onEnded: (pod: Pod) => void;
  /** The pod was removed, and nothing of it is left on the node. */
  readonly onGone: (pod: Pod) => void;
}

/** What all workers share. */
export interface PodWorkerParts {
  readonly views: Pick<PodViews, 'read'>;
  readonly decider: Pick<PodDecider, 'decide' | 'observe'>;
  readonly plans: PlanRunOptions;
  readonly holdings: PodHoldingsOptions;
  readonly files: Pick<PodFiles, 'removePodLogs'>;
  readonly metrics: Pick<PodMetrics, 'runs' | 'failed'>;
  readonly events: EventRecorder;
  /** Which ended containers are kept. */
  readonly garbage: Pick<PlanGarbageOptions, 'keepPerContainer' | 'minAgeMs'>;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Which pod a worker is for. */
export interface PodWorkerRequest extends PodWorkerEvents {
  readonly pod: Pod;
  /** What an earlier worker of the pod knew. */
  readonly memory?: PodMemory | undefined;
  /** The pod is not to be run. */
  readonly verdict?: PodVerdict | undefined;
  /** Those that the pod was admitted under. */
  readonly terms?: PodTerms | undefined;
}

/**
 * Keeps one pod as its source desires it: reads what the runtime has, decides, acts, and syncs again. While a plan runs,
 * syncs go on and keep the status true, but no other plan is begun. Never rejects and never ends by itself.
 */
export class PodWorker {
  readonly #request: PodWorkerRequest;
  readonly #parts: PodWorkerParts;
  readonly #record: PodRecord;
  readonly #loop: SyncLoop;
  readonly #plans: PlanRunner;
  readonly #holdings: PodHoldings;
  readonly #warnings: PodWarnings;
  readonly #ended = Promise.withResolvers<void>();
  #hasEnded = false;
  /** The last plan failed. */
  #hasFailed = false;

  constructor(request: PodWorkerRequest, parts: PodWorkerParts) {
    const { clock } = parts;
    this.#request = request;
    this.#parts = parts;
    this.#record = new PodRecord({ ...request, nowMs: clock.nowMs() });
    this.#loop = new SyncLoop({
      sync: () => this.#sync(),
      onFailure: (error) => this.#logFailure('pod sync failed', error),
      clock,
    });
    this.#warnings = new PodWarnings(parts.events, () => this.pod);
    this.#plans = new PlanRunner(parts.plans, (end) => this.#takeEnd(end));
    this.#holdings = new PodHoldings(parts.holdings, {
      pod: () => this.pod,
      onFailure: (error) => this.#logFailure('pod volume renewal failed', error),
      onDueAgain: () => this.#loop.notify(),
    });
  }

  get pod(): Pod {
    return this.#record.pod;
  }

  get memory(): PodMemory {
    return this.#record.memory;
  }

  get status(): PodStatus {
    return this.#record.status;
  }

  /** Nothing of the pod runs any more, nor will, and what it held on the node was let go. */
  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /** The pod as its source has it now: the same uid, other fields. */
  setPod(pod: Pod): void {
    const now = this.#record.setPod(pod);
    if (typeof pod.metadata.deletionTimestamp === 'string') this.#endRun();
    this.notify({ now });
  }

  /** No source desires the pod any more: it is ended and removed. */
  remove(): void {
    if (this.#record.isRemoved) return;
    this.#record.setRemoved();
    this.#plans.abort();
    this.notify({ now: true });
  }

  /**
   * Ends the pod for good; resolves when nothing of it runs, or the worker was closed.
   *
   * @throws Error when that takes far longer than it should; it is tried on
   */
  evict(verdict: PodVerdict): Promise<void> {
    this.#record.addVerdict(verdict);
    this.#endRun();
    this.notify({ now: true });
    const timeoutMs = Math.max(minEvictionMs, evictionGraces * this.#record.endGraceMs);
    const onLate = (): Error => {
      this.#warnings.exceedsGrace();
      return new Error('timeout waiting to kill pod');
    };
    return within(this.#ended.promise, { clock: this.#parts.clock, timeoutMs, onLate });
  }

  /** Something may have changed. `now`: what failed is tried again at once, and contents of volumes are renewed. */
  notify({ now = false }: { readonly now?: boolean } = {}): void {
    if (this.#loop.isClosed) return;
    if (now) {
      this.#plans.retryAtOnce();
      this.#holdings.hasten();
    }
    this.#loop.notify();
  }

  /** Ends the syncs; the pod runs on. What is under way is not waited for: ending a container can take very long. */
  close(): void {
    this.#loop.close();
    this.#plans.abort();
    this.#ended.resolve();
  }

  /** Nothing is started any more, and what is being stopped has no longer than it still may have. */
  #endRun(): void {
    this.#plans.abort();
    this.#plans.hasten(this.#record.endGraceMs);
  }

  async #sync(): Promise<readonly number[]> {
    const { endedRuns } = this.#plans;
    const [view, block] = await Promise.all([this.#readView(), this.#findBlock()]);
    if (this.#loop.isClosed) return [];
    if (endedRuns !== this.#plans.endedRuns) {
      this.#loop.notify(); // the view is older than what the plan did
      return [];
    }
    return this.#record.isRemoved ? this.#syncRemoval(view) : this.#syncPod(view, block);
  }

  async #readView(): Promise<RuntimeView> {
    try {
      return await this.#parts.views.read(this.pod.metadata.uid ?? '');
    } catch (error) {
      this.#warnings.cannotBeRead(error);
      throw error;
    }
  }

  async #syncPod(view: RuntimeView, block: PodBlock | undefined): Promise<readonly number[]> {
    this.#holdings.probe(view);
    const decision = this.#parts.decider.decide({
      record: this.#record,
      view,
      starting: this.#plans.starting,
      block,
      runsEphemeral: this.#request.terms?.runsEphemeral,
    });
    this.#adopt(decision);
    if (isTerminal(this.status)) this.#plans.abort();
    if (decision.hasEnded && !this.#plans.isBusy) {
      await this.#releaseOnce();
      return [];
    }
    this.#begin(this.#plans.allowed(decision.actions), view);
    if (!this.#plans.isBusy) this.#keepUp(view);
    return [decision.syncAtMs ?? 0, ...this.#moments];
  }

  async #syncRemoval(view: RuntimeView): Promise<readonly number[]> {
    if (this.#plans.isBusy) return [];
    const { decider, files, logger } = this.#parts;
    const observed = decider.observe(view);
    const graces = { graceMs: this.#record.endGraceMs };
    const actions = planRemoval(observed, graces);
    // What has ended and stays in the runtime holds up nothing else: neither volumes nor a pod of the same name.
    if (this.#hasFailed && !this.#hasEnded && planStop(observed, graces).length === 0) {
      await files.removePodLogs(this.pod, logger);
      await this.#releaseOnce();
    }
    this.#begin(this.#plans.allowed(actions), view);
    if (actions.length > 0) return this.#moments;
    await files.removePodLogs(this.pod, logger);
    await this.#holdings.release({ isRemoved: true });
    this.#loop.close();
    this.#hasEnded = true;
    this.#ended.resolve();
    this.#request.onGone(this.pod);
    return [];
  }

  get #moments(): readonly number[] {
    return [...this.#plans.retryMoments, this.#holdings.renewalDueMs];
  }

  /** A pod that has begun is not asked about any more. */
  async #findBlock(): Promise<PodBlock | undefined> {
    const { phase = 'Pending' } = this.status;
    return phase === 'Pending' ? this.#request.terms?.findBlock(this.pod) : undefined;
  }

  #adopt(decision: PodDecision): void {
    const { metrics, events } = this.#parts;
    const previous = this.memory.status;
    const { actions } = decision;
    const isBegun = !this.#plans.isBusy && this.#plans.allowed(actions).length === actions.length;
    this.#record.adopt(decision, { isBegun });
    const next = decision.memory.status;
    if (next === undefined) return;
    if (previous?.phase === 'Pending' && next.phase === 'Running') metrics.runs(this.pod);
    recordWaits(this.pod, { previous, next }, events);
    this.#request.onStatus(this.pod, next);
  }

  #begin(actions: readonly PodAction[], view: RuntimeView): void {
    this.#plans.begin({
      pod: this.pod,
      actions,
      view,
      podIp: podIpOf(view),
      graceMs: toDesiredPod(this.pod).terminationGraceMs,
      isRemoval: this.#record.isRemoved,
      onStart: (result) => {
        this.#record.addStart(result);
        this.#loop.notify();
      },
    });
  }

  #takeEnd(end: PlanEnd): void {
    this.#hasFailed = end.kind === 'failed';
    if (end.kind === 'done') this.#record.noteSynced();
    else {
      this.#logFailure('pod sync failed', end.error);
      if (this.#isEnding) this.#warnings.cannotBeKilled(end.error);
      this.#parts.metrics.failed(this.#record.syncKind, end.durationMs);
    }
    this.#loop.notify();
  }

  /** The pod is to run no more; its source still has it. */
  get #isEnding(): boolean {
    const isDeleted = typeof this.pod.metadata.deletionTimestamp === 'string';
    return !this.#record.isRemoved && (isDeleted || this.status.phase === 'Failed');
  }

  #keepUp(view: RuntimeView): void {
    const { clock, garbage, decider } = this.#parts;
    if (this.#holdings.takesGarbage()) {
      this.#begin(planGarbage(decider.observe(view), { ...garbage, nowMs: clock.nowMs() }), view);
    }
    this.#holdings.renewWhenDue(view);
  }

  /** Nothing of the pod runs any more: what it held on the node is let go, once. */
  async #releaseOnce(): Promise<void> {
    if (this.#hasEnded) return;
    await this.#holdings.release({ isRemoved: this.#record.isRemoved });
    this.#hasEnded = true;
    this.#ended.resolve();
    this.#request.onEnded(this.pod);
  }

  /** The runtime's absence is logged once, by the relist. */
  #logFailure(message: string, error: unknown): void {
    const { logger } = this.#parts;
    const { namespace, name } = this.pod.metadata;
    const fields = { pod: `${namespace}/${name}`, error };
    const isKnown = this.#loop.isClosed || isAbsence(error);
    if (isKnown) logger.debug(message, fields);
    else logger.error(message, fields);
  }
}
