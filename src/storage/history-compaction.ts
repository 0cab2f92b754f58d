import type { Clock } from '../base/index.ts';
import type { HistoryReach } from './contract.ts';

/** History that stores keep when nothing else is asked for: five minutes, as release 1.20. */
export const defaultHistoryMs = 300_000;

/** How much history a store keeps. */
export interface HistoryLimits {
  /** Age after which a revision may be forgotten; 0 for never. Five minutes when left out. */
  readonly historyMs?: number | undefined;
  /** Bytes of values that history may hold: above them its oldest part is forgotten early. No limit when left out. */
  readonly maxHistoryBytes?: number | undefined;
  /** History that is kept in any case, whatever its bytes: none when left out. In milliseconds. */
  readonly leastHistoryMs?: number | undefined;
}

/** What a store was at, at a time. */
export interface RevisionMark {
  /** Milliseconds since the Unix epoch. */
  readonly timeMs: number;
  readonly revision: number;
  /** Bytes of values written by then, counted from any start. */
  readonly writtenBytes: number;
}

export interface HistoryCompactionOptions extends HistoryLimits {
  readonly clock: Clock;
  readonly currentRevision: () => number;
  /** Bytes of values that were written by now, by this process. Nothing is counted when left out. */
  readonly writtenBytes?: (() => number) | undefined;
  /** Forgets history up to a revision. Called with increasing revisions. */
  readonly compact: (revision: number) => void;
  /** What an earlier process noted, oldest first. */
  readonly marks?: readonly RevisionMark[] | undefined;
}

/** Compactions per length of history: what is forgotten is at most a tenth too old. */
const stepsPerHistory = 10;
const markEveryMs = 5000;
/** A day of marks, a few seconds apart; longer histories have them further apart. */
const maxMarks = 17_280;
/** What remains of the bytes after a compaction, so that there is not one for every mark. */
const keptShare = 0.9;

/**
 * Notes now and then which revision the store is at, tells revisions of times by it, and compacts what is too old or too
 * much.
 */
export class HistoryCompaction {
  readonly #options: HistoryCompactionOptions;
  readonly #historyMs: number;
  readonly #marks: RevisionMark[];
  readonly #bytesBefore: number;
  #compacted = 0;
  #nextStepMs = 0;
  /** When something was forgotten early, last. */
  #cutAtMs = -Infinity;
  #cancel = (): void => {};

  constructor(options: HistoryCompactionOptions) {
    const { historyMs = defaultHistoryMs, marks = [] } = options;
    this.#options = options;
    this.#historyMs = historyMs;
    this.#marks = [...marks];
    this.#bytesBefore = marks.at(-1)?.writtenBytes ?? 0;
    this.#tick();
  }

  /** See `Storage.revisionAt`. */
  revisionAt(timeMs: number): number | undefined {
    if (timeMs >= this.#options.clock.nowMs()) return this.#options.currentRevision();
    return this.#marks.findLast((mark) => mark.timeMs <= timeMs)?.revision;
  }

  /** See `StorageStats.history`. */
  get reach(): HistoryReach {
    const nowMs = this.#options.clock.nowMs();
    return {
      keptMs: this.#historyMs,
      sinceMs: this.#marks[0]?.timeMs ?? nowMs,
      isCut: nowMs - this.#cutAtMs < this.#historyMs,
    };
  }

  /** Notes what the store is at now. */
  note(): void {
    const { clock, currentRevision, writtenBytes } = this.#options;
    const revision = currentRevision();
    if (revision === this.#marks.at(-1)?.revision) return;
    const bytes = this.#bytesBefore + (writtenBytes?.() ?? 0);
    this.#marks.push({ timeMs: clock.nowMs(), revision, writtenBytes: bytes });
    if (this.#marks.length > maxMarks) this.#marks.shift();
  }

  /** At most so many of the marks and a few, evenly spread, the newest among them. */
  thinned(count: number): readonly RevisionMark[] {
    const every = Math.max(1, Math.floor(this.#marks.length / count));
    return this.#marks.filter((_, index) => (this.#marks.length - 1 - index) % every === 0);
  }

  stop(): void {
    this.#cancel();
  }

  #tick(): void {
    const { clock } = this.#options;
    this.note();
    this.#compact(clock.nowMs());
    this.#cancel = clock.setTimer(this.#intervalMs, () => this.#tick());
  }

  get #intervalMs(): number {
    if (this.#historyMs === 0) return markEveryMs;
    return Math.min(this.#historyMs / stepsPerHistory, Math.max(markEveryMs, this.#historyMs / maxMarks));
  }

  #compact(nowMs: number): void {
    const target = Math.max(this.#tooOld(nowMs), this.#tooMuch(nowMs));
    if (target <= this.#compacted) return;
    this.#compacted = target;
    this.#options.compact(target);
  }

  /** The newest revision that is too old; 0 for none, and between steps. */
  #tooOld(nowMs: number): number {
    if (this.#historyMs === 0 || nowMs < this.#nextStepMs) return 0;
    this.#nextStepMs = nowMs + this.#historyMs / stepsPerHistory;
    return this.#drop((mark) => mark.timeMs <= nowMs - this.#historyMs);
  }

  #tooMuch(nowMs: number): number {
    const { maxHistoryBytes = Infinity, leastHistoryMs = 0 } = this.#options;
    const written = this.#bytesBefore + (this.#options.writtenBytes?.() ?? 0);
    const isAbove = (mark: RevisionMark | undefined, bytes: number): boolean =>
      mark !== undefined && written - mark.writtenBytes > bytes;
    if (!isAbove(this.#marks[0], maxHistoryBytes)) return 0;
    const target = this.#drop(
      (mark) => isAbove(mark, maxHistoryBytes * keptShare) && mark.timeMs <= nowMs - leastHistoryMs,
    );
    if (target > this.#compacted) this.#cutAtMs = nowMs;
    return target;
  }

  /** Forgets the oldest marks, and tells the revision of the last of them: the state at it stays readable. */
  #drop(isForgotten: (mark: RevisionMark) => boolean): number {
    let last: RevisionMark | undefined;
    while (this.#marks[0] !== undefined && isForgotten(this.#marks[0])) last = this.#marks.shift();
    // The state at the compacted revision can be read: its mark stays.
    if (last !== undefined) this.#marks.unshift(last);
    return last?.revision ?? 0;
  }
}
