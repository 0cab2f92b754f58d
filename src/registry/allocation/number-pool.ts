/**
 * Numbers from 0 to `size` - 1, each allocated at most once at a time. A pool of one process answers at once; a shared
 * pool answers when the store has accepted the change.
 */
export interface NumberPool {
  /** Takes a number; false when it is taken already. A number outside of the pool is ignored, with true. */
  take(number: number): boolean | Promise<boolean>;
  /** Takes any free number; undefined when all are taken. */
  takeAny(): number | undefined | Promise<number | undefined>;
  /** Gives numbers back. Never fails: a number that could not be freed is freed by a later repair. */
  free(numbers: readonly number[]): void | Promise<void>;
  /** A copy of the pool for a dry run: changes to it have no effect on the pool. */
  trial(): NumberPool | Promise<NumberPool>;
}
