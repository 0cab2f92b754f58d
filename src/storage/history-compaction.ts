import type { Clock } from '../base/index.ts';

/** History that stores keep when nothing else is asked for: five minutes, as release 1.20. */
export const defaultHistoryMs = 300_000;

export interface HistoryCompactionOptions {
  readonly clock: Clock;
  /** Age after which a revision may be forgotten; 0 for never. */
  readonly historyMs: number;
  readonly currentRevision: () => number;
  /** Forgets history up to a revision. Called with increasing revisions. */
  readonly compact: (revision: number) => void;
}

const marksPerHistory = 10;

/**
 * Compacts what is older than `historyMs`, within a tenth of it, from now on; the returned function stops it.
 */
export function startHistoryCompaction(options: HistoryCompactionOptions): () => void {
  const { clock, historyMs } = options;
  if (historyMs === 0) return () => {};
  const marks: { readonly timeMs: number; readonly revision: number }[] = [];
  let compacted = 0;
  const tick = (): void => {
    const nowMs = clock.nowMs();
    marks.push({ timeMs: nowMs, revision: options.currentRevision() });
    let expired = 0;
    while (marks[0] !== undefined && marks[0].timeMs <= nowMs - historyMs)
      expired = marks.shift()?.revision ?? 0;
    if (expired > compacted) {
      compacted = expired;
      options.compact(expired);
    }
    cancel = clock.setTimer(historyMs / marksPerHistory, tick);
  };
  let cancel = (): void => {};
  tick();
  return () => cancel();
}
