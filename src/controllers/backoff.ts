/** How delays grow from one failure to the next. */
export interface BackoffOptions {
  readonly baseMs: number;
  readonly maxMs: number;
  readonly random: () => number;
}

/** Delay after the n-th failure in a row (from 1): doubled each time, capped, then spread over its upper half. */
export function backoffMs(failures: number, { baseMs, maxMs, random }: BackoffOptions): number {
  const fullMs = Math.min(maxMs, baseMs * 2 ** Math.min(failures - 1, 30));
  return fullMs * (0.5 + random() / 2);
}
