import type { PodAction } from '../sync/index.ts';
import type { PlanRequest } from './plan-execution.ts';
import { PlanRun, type PlanRunOptions } from './plan-run.ts';
import { RetryGate } from './retry-gate.ts';

/** How a plan ended. */
export type PlanEnd =
  | { readonly kind: 'done' }
  | { readonly kind: 'failed'; readonly error: unknown; readonly durationMs: number };

const nothing: ReadonlySet<string> = new Set();

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

  /** Names of containers whose start is under way. */
  get starting(): ReadonlySet<string> {
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
