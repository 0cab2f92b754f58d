import type { Steps } from './steps.ts';

/** One piece of long work that gives way to others. */
export interface Slice {
  /** True when the work should rest. Asked after every step. */
  isSpent(): boolean;
  /** Resolves when it is this work's turn again. */
  rest(): Promise<void>;
}

/** Runs long pieces of work on one thread side by side, in rounds of the event loop. */
export interface TimeSlices {
  /**
   * New work, which may begin at once. Its steps must be short; `isSpent` looks at the clock after each of
   * `stepsPerCheck` steps only, so that it is cheap for very short ones: 16 when left out.
   */
  begin(stepsPerCheck?: number): Slice;
}

/** Takes steps in slices: work that takes as long as one round only never waits. */
export async function takeInSlices<Result>(steps: Steps<Result>, slice: Slice): Promise<Result> {
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
    if (slice.isSpent()) await slice.rest();
  }
}

export interface TimeSlicesOptions {
  /** Time that all work of one round has together. */
  readonly sliceMs: number;
  /** A clock that only its differences are taken of. */
  readonly nowMs: () => number;
  /** Calls back after waiting input and output was served. */
  readonly defer: (callback: () => void) => void;
}

/**
 * Slices that share the time of a round of the event loop: however many there are, input and output wait for one time
 * slice only. Where it is spent, work rests until it is its turn, one per round.
 */
export function createTimeSlices({ sliceMs, nowMs, defer }: TimeSlicesOptions): TimeSlices {
  const waiting: (() => void)[] = [];
  /** When the present round began; undefined while no work has asked for its time. */
  let roundStartMs: number | undefined;
  const beginRound = (): number => {
    defer(endRound);
    return nowMs();
  };
  const endRound = (): void => {
    const next = waiting.shift();
    roundStartMs = next === undefined ? undefined : beginRound();
    next?.();
  };
  const isRoundSpent = (): boolean => {
    roundStartMs ??= beginRound();
    return nowMs() - roundStartMs >= sliceMs;
  };
  return {
    begin(stepsPerCheck = 16) {
      let steps = 0;
      return {
        isSpent: () => ++steps % stepsPerCheck === 0 && isRoundSpent(),
        rest: () =>
          new Promise((resolve) => {
            roundStartMs ??= beginRound();
            waiting.push(resolve);
          }),
      };
    },
  };
}

/** Turns of the process: 5 ms each. */
export const createSystemSlices = (): TimeSlices =>
  createTimeSlices({
    sliceMs: 5,
    nowMs: () => performance.now(),
    defer: (callback) => void setImmediate(callback),
  });
