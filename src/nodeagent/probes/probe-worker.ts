import type { Clock } from '../../base/index.ts';
import type { HookTarget } from './contract.ts';
import { type JudgeOptions, judgeContainer } from './judge-container.ts';
import { type ProbeSteps, stepAtOrAfter, stepAtOrBefore } from './probe-steps.ts';
import {
  findProbe,
  initialStates,
  type ProbeState,
  type ProbeTimes,
  type ProbeType,
  readTimes,
} from './probe-type.ts';

/** An instance of a container that is probed. */
export interface ProbedInstance extends HookTarget {
  readonly startedAtMs: number;
}

/** The type of the probe, when it is run first, and who is notified of its results. */
export interface ProbeWorkerOptions extends JudgeOptions {
  readonly type: ProbeType;
  readonly clock: Clock;
  /** From here on the steps of the probe are counted. */
  readonly firstStepMs: number;
  /** Called after the state has changed. */
  readonly onChange: () => void;
  /** Called for every probe that was run. */
  readonly onResult: (result: ProbeState) => void;
}

/**
 * Runs one probe of one container again and again, one attempt at a time. A timer is set only while there is something to
 * look at: the container runs, and the probe was let go on.
 */
export class ProbeWorker {
  readonly #options: ProbeWorkerOptions;
  #state: ProbeState;
  #instance: ProbedInstance | undefined;
  #isLetOn = false;
  /** A container that is about to be restarted is left alone until it was. */
  #isOnHold = false;
  #lastResult: ProbeState | undefined;
  #runLength = 0;
  #lastStepMs: number | undefined;
  #cancelTimer: (() => void) | undefined;
  /** Of the attempt in progress. */
  #attempt: AbortController | undefined;

  constructor(options: ProbeWorkerOptions) {
    this.#options = options;
    this.#state = initialStates[options.type];
  }

  get state(): ProbeState {
    return this.#state;
  }

  /** Begins anew, with another instance of the container. */
  begin(instance: ProbedInstance): void {
    this.stop();
    this.#state = initialStates[this.#options.type];
    this.#isOnHold = false;
    this.#lastResult = undefined;
    this.#runLength = 0;
    this.#instance = instance;
  }

  /** Takes over what is new about the same instance. */
  refresh(instance: ProbedInstance): void {
    this.#instance = instance;
  }

  /** Lets the worker probe, or pauses it; an attempt in progress when it is paused counts for nothing. */
  letOn(isLetOn: boolean): void {
    if (
      this.#isLetOn === isLetOn &&
      (!isLetOn || this.#cancelTimer !== undefined || this.#attempt !== undefined)
    )
      return;
    this.#isLetOn = isLetOn;
    if (isLetOn) this.#schedule();
    else this.#abortAttempt();
  }

  /** The instance runs no more; its state is kept. */
  stop(): void {
    this.#abortAttempt();
    this.#isLetOn = false;
    this.#instance = undefined;
    this.#lastStepMs = undefined;
  }

  #abortAttempt(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    this.#attempt?.abort();
    this.#attempt = undefined;
  }

  #schedule(): void {
    const { clock } = this.#options;
    const times = this.#readTimes();
    if (this.#cancelTimer !== undefined) return;
    if (times === undefined || this.#instance === undefined || this.#isOnHold || !this.#isLetOn) return;
    const nowMs = clock.nowMs();
    const steps: ProbeSteps = { firstMs: this.#options.firstStepMs, periodMs: times.periodMs };
    const earliestMs = Math.max(nowMs, this.#instance.startedAtMs + times.initialDelayMs);
    // A step that passed during the last attempt is made up for at once.
    const nextMs =
      this.#lastStepMs === undefined ? stepAtOrAfter(steps, earliestMs) : this.#lastStepMs + times.periodMs;
    // However clocks jump: never further away than the steps are.
    const longestMs = times.periodMs + (this.#lastStepMs === undefined ? times.initialDelayMs : 0);
    const delayMs = Math.min(Math.max(0, nextMs - nowMs), longestMs);
    this.#cancelTimer = clock.setTimer(delayMs, () => {
      this.#cancelTimer = undefined;
      // Timers may come a moment early; that is no reason to look twice.
      this.#lastStepMs = Math.max(nextMs, stepAtOrBefore(steps, clock.nowMs()));
      void this.#probeOnce(times);
    });
  }

  #readTimes(): ProbeTimes | undefined {
    const probe = this.#instance && findProbe(this.#instance.container, this.#options.type);
    return probe && readTimes(probe);
  }

  async #probeOnce(times: ProbeTimes): Promise<void> {
    const { type, onResult } = this.#options;
    const instance = this.#instance;
    const probe = instance && findProbe(instance.container, type);
    if (instance === undefined || probe === undefined) return;
    const attempt = new AbortController();
    this.#attempt = attempt;
    const seen = { ...instance, type, probe, timeoutMs: times.timeoutMs, signal: attempt.signal };
    const result = await judgeContainer(seen, this.#options);
    if (this.#attempt !== attempt) return; // Given up meanwhile.
    this.#attempt = undefined;
    if (result !== undefined) {
      onResult(result);
      this.#count(result, times);
    }
    this.#schedule();
  }

  /** Only so many equal results in a row say something. */
  #count(result: 'success' | 'failure', { successThreshold, failureThreshold }: ProbeTimes): void {
    this.#runLength = this.#lastResult === result ? this.#runLength + 1 : 1;
    this.#lastResult = result;
    if (this.#runLength < (result === 'success' ? successThreshold : failureThreshold)) return;
    if (result === 'failure' && this.#options.type !== 'readiness') {
      this.#isOnHold = true;
      this.#runLength = 0;
    }
    if (this.#state === result) return;
    this.#state = result;
    this.#options.onChange();
  }
}
