import type { Clock } from '../../base/index.ts';
import type { SortedTree } from '../sorted-tree.ts';
import type { CachedObject } from './cached-object.ts';

/** How many unfinished paged lists of one resource stay exact, and for how long. */
const maxSnapshots = 64;
const maxAgeMs = 300_000;

interface Snapshot {
  readonly tree: SortedTree<CachedObject>;
  readonly timeMs: number;
  /** Paged lists that were given a page with more to come and have not asked for the last one. */
  readers: number;
}

/** States of one resource that paged lists still read, by revision. The oldest go first when there are too many. */
export class Snapshots {
  readonly #clock: Clock;
  readonly #byRevision = new Map<number, Snapshot>();
  #cancelTimer: (() => void) | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get size(): number {
    return this.#byRevision.size;
  }

  get(revision: number): SortedTree<CachedObject> | undefined {
    return this.#byRevision.get(revision)?.tree;
  }

  /** Keeps the state at `revision` for one more paged list; `makeTree` is called only if it is not kept yet. */
  pin(revision: number, makeTree: () => SortedTree<CachedObject>): void {
    const known = this.#byRevision.get(revision);
    if (known !== undefined) {
      known.readers++;
      return;
    }
    this.#byRevision.set(revision, { tree: makeTree(), timeMs: this.#clock.nowMs(), readers: 1 });
    this.#expire();
  }

  /** One paged list at `revision` got its last page. */
  unpin(revision: number): void {
    const known = this.#byRevision.get(revision);
    if (known === undefined) return;
    known.readers--;
    if (known.readers <= 0) this.#byRevision.delete(revision);
  }

  clear(): void {
    this.#byRevision.clear();
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
  }

  #expire(): void {
    const oldestMs = this.#clock.nowMs() - maxAgeMs;
    for (const [revision, { timeMs }] of this.#byRevision) {
      if (this.#byRevision.size <= maxSnapshots && timeMs > oldestMs) break;
      this.#byRevision.delete(revision);
    }
    if (this.#byRevision.size === 0 || this.#cancelTimer !== undefined) return;
    this.#cancelTimer = this.#clock.setTimer(maxAgeMs, () => {
      this.#cancelTimer = undefined;
      this.#expire();
    });
  }
}
