/**
 * Numbers from 0 to a size of which each is given out once at a time. Pools of one process answer at once, those that
 * several processes share when the store has agreed.
 */
export interface NumberPool {
  /** Takes a number; false when it is taken already. A number that the pool never gives out is nothing to it. */
  take(number: number): boolean | Promise<boolean>;
  /** Takes any free number; undefined when all are taken. */
  takeAny(): number | undefined | Promise<number | undefined>;
  /** Gives numbers back. Never fails: what cannot be given back is found by a repair. */
  free(numbers: readonly number[]): void | Promise<void>;
  /** A pool in which the same numbers are taken now, to try something out: nothing that happens to it lasts. */
  trial(): NumberPool | Promise<NumberPool>;
}
