const firstMs = 1000;
const maxMs = 8000;

/** Wait after so many failures in a row, 1 at least: a second at first, then twice as long each time, within a bound. */
export function growingWaitMs(failures: number): number {
  return Math.min(maxMs, firstMs * 2 ** Math.min(failures - 1, 10));
}
