import type { PodAction } from '../sync/actions.ts';
import { VolumeError } from '../volumes/index.ts';
import { growingWaitMs } from './growing-wait.ts';
import type { PlanRequest } from './plan-execution.ts';
import { PlanRun, type PlanRunOptions } from './plan-run.ts';

/** Wait before anything is started again after something failed otherwise than the start of a container. */
const retryMs = 10_000;

/** What may be done for a pod after actions have failed: nothing for a moment, and nothing be started for a while. */
class RetryGate {
  #failures = 0;
  /** What was done last, when it was no start. */
  #last: string | undefined;
  #restUntilMs = 0;
  #holdUntilMs = 0;

  /** Ending and removing the same again means that it had no effect: as long as that is so, waits grow. */
  noteSuccess(actions: readonly PodAction[], nowMs: number): void {
    const key = actions.some(({ kind }) => kind === 'start-container') ? undefined : JSON.stringify(actions);
    const hadNoEffect = key !== undefined && key === this.#last;
    this.#last = key;
    if (hadNoEffect) this.#rest(nowMs);
    else this.#failures = 0;
  }

  noteFailure(error: unknown, nowMs: number): void {
    this.#rest(nowMs);
    this.#holdUntilMs = nowMs + (error instanceof VolumeError ? error.retryAfterMs : retryMs);
  }

  #rest(nowMs: number): void {
    this.#failures += 1;
    this.#restUntilMs = nowMs + growingWaitMs(this.#failures);
  }

  /** Everything may be tried again at once. */
  open(): void {
    this.#restUntilMs = this.#holdUntilMs = 0;
  }

  /** What of a plan may be done now: the first of its actions, until something is to be started. */
  allowed(actions: readonly PodAction[], nowMs: number): readonly PodAction[] {
    if (nowMs < this.#restUntilMs) return [];
    if (nowMs >= this.#holdUntilMs) return actions;
    const first = actions.findIndex(({ kind }) => kind === 'create-sandbox' || kind === 'start-container');
    return first < 0 ? actions : actions.slice(0, first);
  }

  /** When more may be done. */
  get moments(): readonly number[] {
    return [this.#restUntilMs, this.#holdUntilMs];
  }
}

/** How a plan ended. */
export type PlanEnd =
  | { readonly kind: 'done' }
  | { readonly kind: 'failed'; readonly error: unknown; readonly durationMs: number };

const nothing: ReadonlyMap<string, number> = new Map();

/** What runs for one pod: one plan at a time, and none for a while after one has failed. */
export class PlanRunner {
  readonly #options: PlanRunOptions;
  readonly #onEnd: (end: PlanEnd) => void;
  readonly #gate = new RetryGate();
  #run: PlanRun | undefined;
  #endedRuns = 0;

  /** `onEnd` is called once per plan that was begun, when the next one may begin. */
  constructor(options: PlanRunOptions, onEnd: (end: PlanEnd) => void) {
    this.#options = options;
    this.#onEnd = onEnd;
  }

  get isBusy(): boolean {
    return this.#run !== undefined;
  }

  /** Attempts whose start is under way, by the names of their containers. */
  get starting(): ReadonlyMap<string, number> {
    return this.#run?.starting ?? nothing;
  }

  /** Plans that have ended: what was read before the last one ended is outdated. */
  get endedRuns(): number {
    return this.#endedRuns;
  }

  /** When more may be done after a failure (ms since 1970). */
  get retryMoments(): readonly number[] {
    return this.#gate.moments;
  }

  /** What may be done now of a plan: all of it, unless something has failed a moment ago. */
  allowed(actions: readonly PodAction[]): readonly PodAction[] {
    return this.#gate.allowed(actions, this.#options.clock.nowMs());
  }

  /** Begins a plan, unless it is empty or another one is under way. */
  begin(request: Omit<PlanRequest, 'signal'>): void {
    if (this.isBusy || request.actions.length === 0) return;
    void this.#perform(new PlanRun(request, this.#options));
  }

  /** What failed may be tried again at once. */
  retryAtOnce(): void {
    this.#gate.open();
  }

  /** Nothing is started any more by the plan that is under way. */
  abort(): void {
    this.#run?.abort();
  }

  /** Stops that are under way have no longer than this. */
  hasten(graceMs: number): void {
    this.#run?.hasten(graceMs);
  }

  async #perform(run: PlanRun): Promise<void> {
    this.#run = run;
    const end = await this.#settle(run);
    this.#run = undefined;
    this.#endedRuns += 1;
    this.#onEnd(end);
  }

  async #settle(run: PlanRun): Promise<PlanEnd> {
    const { clock } = this.#options;
    const startedAtMs = clock.nowMs();
    try {
      await run.perform();
      this.#gate.noteSuccess(run.actions, clock.nowMs());
      return { kind: 'done' };
    } catch (error) {
      const nowMs = clock.nowMs();
      this.#gate.noteFailure(error, nowMs);
      return { kind: 'failed', error, durationMs: nowMs - startedAtMs };
    }
  }
}
