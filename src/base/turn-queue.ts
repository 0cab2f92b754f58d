import { Fifo } from './fifo.ts';

/**
 * Short pieces of work that come in numbers, such as requests, in the order in which they came: as many per round of
 * the event loop as there is time for, so that input and output never wait for all of them.
 */
export interface TurnQueue {
  /**
   * Undefined when work may go on at once, else what resolves when it is its turn. Who has just worked long outside of a
   * turn never goes on before timers, input and output were served.
   */
  take(asked?: { readonly isAfterLongWork?: boolean }): Promise<void> | undefined;
  /** Runs a step when it is its turn: at once, while there is time. What it causes counts to its turn. */
  push(step: () => void): void;
}

export interface TurnQueueOptions {
  /** Time that all work of one round has together; a piece that has begun is not interrupted. */
  readonly sliceMs: number;
  /** A clock that only its differences are taken of. */
  readonly nowMs: () => number;
  /** Calls back after waiting input and output was served. */
  readonly defer: (callback: () => void) => void;
  /** Calls back when what was resolved until now has been reacted to, before input and output are served. */
  readonly settle: (callback: () => void) => void;
}

/** A queue whose work shares the time of a round. At least one piece of those that wait runs in each round. */
export function createTurnQueue({ sliceMs, nowMs, defer, settle }: TurnQueueOptions): TurnQueue {
  const waiting = new Fifo<() => void>();
  /** When the present round began; undefined while nothing has asked for its time. */
  let roundStartMs: number | undefined;
  /** Whether a step has begun whose effects have not settled. */
  let isRunning = false;
  /** Whether that began at the end of a round, when input and output of the present one had been served already. */
  let isAfterInput = false;
  const beginRound = (): number => {
    defer(endRound);
    return nowMs();
  };
  const isSpent = (): boolean => {
    roundStartMs ??= beginRound();
    return nowMs() - roundStartMs >= sliceMs;
  };
  const endRound = (): void => {
    roundStartMs = waiting.length > 0 ? beginRound() : undefined;
    if (isRunning) return;
    isAfterInput = true;
    runNext();
  };
  /** Waits from after the end of the present round, which comes before timers and input are served. */
  const waitBehindRound = (resolve: () => void): void => {
    roundStartMs ??= beginRound();
    defer(() => {
      waiting.push(resolve);
      roundStartMs ??= beginRound();
    });
  };
  const runNext = (): void => {
    const step = waiting.at(0);
    if (step === undefined) return;
    waiting.drop(1);
    isRunning = true;
    try {
      step();
    } finally {
      settle(() => {
        isRunning = false;
        if (waiting.length > 0 && !isSpent()) runNext();
      });
    }
  };
  return {
    take(asked) {
      if (asked?.isAfterLongWork === true && !(isRunning && isAfterInput))
        return new Promise(waitBehindRound);
      return waiting.length === 0 && !isSpent() ? undefined : new Promise((resolve) => waiting.push(resolve));
    },
    push(step) {
      waiting.push(step);
      if (isRunning || isSpent()) return;
      isAfterInput = false;
      runNext();
    },
  };
}

/** The queue of a process: 8 ms of each round. */
export const createSystemTurns = (): TurnQueue =>
  createTurnQueue({
    sliceMs: 8,
    nowMs: () => performance.now(),
    defer: (callback) => void setImmediate(callback),
    // A tick comes after every reaction to a promise, and reactions to those.
    settle: (callback) => queueMicrotask(() => process.nextTick(callback)),
  });
