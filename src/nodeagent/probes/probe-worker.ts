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
 * Runs one probe of one container again and again, one look at a time. A timer is set only while there is something to
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
  /** Of the look that is under way. */
  #look: AbortController | undefined;

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

  /** Lets the worker look, or makes it wait; a look that is under way when it must wait counts for nothing. */
  letOn(isLetOn: boolean): void {
    if (
      this.#isLetOn === isLetOn &&
      (!isLetOn || this.#cancelTimer !== undefined || this.#look !== undefined)
    )
      return;
    this.#isLetOn = isLetOn;
    if (isLetOn) this.#schedule();
    else this.#endLook();
  }

  /** The instance runs no more; its state is kept. */
  stop(): void {
    this.#endLook();
    this.#isLetOn = false;
    this.#instance = undefined;
    this.#lastStepMs = undefined;
  }

  #endLook(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    this.#look?.abort();
    this.#look = undefined;
  }

  #schedule(): void {
    const { clock } = this.#options;
    const times = this.#readTimes();
    if (this.#cancelTimer !== undefined) return;
    if (times === undefined || this.#instance === undefined || this.#isOnHold || !this.#isLetOn) return;
    const nowMs = clock.nowMs();
    const steps: ProbeSteps = { firstMs: this.#options.firstStepMs, periodMs: times.periodMs };
    const earliestMs = Math.max(nowMs, this.#instance.startedAtMs + times.initialDelayMs);
    // A step that passed while the last look went on is made up for at once.
    const nextMs =
      this.#lastStepMs === undefined ? stepAtOrAfter(steps, earliestMs) : this.#lastStepMs + times.periodMs;
    // However clocks jump: never further away than the steps are.
    const longestMs = times.periodMs + (this.#lastStepMs === undefined ? times.initialDelayMs : 0);
    const delayMs = Math.min(Math.max(0, nextMs - nowMs), longestMs);
    this.#cancelTimer = clock.setTimer(delayMs, () => {
      this.#cancelTimer = undefined;
      // Timers may come a moment early; that is no reason to look twice.
      this.#lastStepMs = Math.max(nextMs, stepAtOrBefore(steps, clock.nowMs()));
      void this.#lookOnce(times);
    });
  }

  #readTimes(): ProbeTimes | undefined {
    const probe = this.#instance && findProbe(this.#instance.container, this.#options.type);
    return probe && readTimes(probe);
  }

  async #lookOnce(times: ProbeTimes): Promise<void> {
    const { type, onResult } = this.#options;
    const instance = this.#instance;
    const probe = instance && findProbe(instance.container, type);
    if (instance === undefined || probe === undefined) return;
    const look = new AbortController();
    this.#look = look;
    const seen = { ...instance, type, probe, timeoutMs: times.timeoutMs, signal: look.signal };
    const result = await judgeContainer(seen, this.#options);
    if (this.#look !== look) return; // Given up meanwhile.
    this.#look = undefined;
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
