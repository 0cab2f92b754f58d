import type { Clock } from '../../base/index.ts';
import type { HookTarget } from './contract.ts';
import {
  type JudgeOptions,
  judgeContainer,
  type ProbeSteps,
  stepAtOrAfter,
  stepAtOrBefore,
} from './probe-attempts.ts';
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
 * Runs one probe of one container periodically, one attempt at a time. A timer is set only while the container runs and
 * the probe is not paused.
 */
export class ProbeWorker {
  readonly #options: ProbeWorkerOptions;
  #state: ProbeState;
  #instance: ProbedInstance | undefined;
  #isLetOn = false;
  /** True after a failed startup or liveness probe, until the container was restarted. */
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

  /** Updates the description of the same instance. */
  refresh(instance: ProbedInstance): void {
    this.#instance = instance;
  }

  /** Resumes or pauses the probe; the result of an attempt that is under way when it is paused is ignored. */
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

  /** The instance has ended; its state is kept. */
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
    // A step that was missed during the last attempt is run at once.
    const nextMs =
      this.#lastStepMs === undefined ? stepAtOrAfter(steps, earliestMs) : this.#lastStepMs + times.periodMs;
    // A clock that jumps must not delay the probe by more than its period.
    const longestMs = times.periodMs + (this.#lastStepMs === undefined ? times.initialDelayMs : 0);
    const delayMs = Math.min(Math.max(0, nextMs - nowMs), longestMs);
    this.#cancelTimer = clock.setTimer(delayMs, () => {
      this.#cancelTimer = undefined;
      // Timers may fire slightly early; the step must not be run twice.
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
    if (this.#attempt !== attempt) return; // Aborted meanwhile.
    this.#attempt = undefined;
    if (result !== undefined) {
      onResult(result);
      this.#count(result, times);
    }
    this.#schedule();
  }

  /** A result changes the state only after the threshold of equal results in a row. */
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
