/** One piece of long work that gives way to others. */
export interface Slice {
  /** True when the work should rest. Cheap: asked after every small step. */
  isSpent(): boolean;
  /** Resolves when it is this work's turn again. */
  rest(): Promise<void>;
}

/** Runs long pieces of work on one thread side by side. */
export interface TimeSlices {
  /** Resolves when it is the new work's turn. */
  begin(): Promise<Slice>;
}

export interface TimeSlicesOptions {
  /** Length of a turn. */
  readonly sliceMs: number;
  /** A clock that only its differences are taken of. */
  readonly nowMs: () => number;
  /** Calls back after waiting input and output was served. */
  readonly defer: (callback: () => void) => void;
}

/** Steps between two looks at the clock. */
const stepsPerLook = 16;

/**
 * Slices that take turns, one per round of the event loop: however many there are, input and output wait for one of
 * them only.
 */
export function createTimeSlices(options: TimeSlicesOptions): TimeSlices {
  const { sliceMs, nowMs, defer } = options;
  let waiting: (() => void)[] = [];
  let isArmed = false;
  const arm = (): void => {
    isArmed = true;
    defer(() => {
      isArmed = false;
      const [next, ...others] = waiting;
      waiting = others;
      next?.();
      if (waiting.length > 0) arm();
    });
  };
  const turn = (): Promise<void> =>
    new Promise((resolve) => {
      waiting.push(resolve);
      if (!isArmed) arm();
    });
  return {
    async begin() {
      await turn();
      let startMs = nowMs();
      let steps = 0;
      return {
        isSpent: () => ++steps % stepsPerLook === 0 && nowMs() - startMs >= sliceMs,
        async rest() {
          await turn();
          startMs = nowMs();
        },
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
