import type { SortedTree } from '../sorted-tree.ts';
import type { CachedObject } from './cached-object.ts';
import type { SnapshotBudget, SnapshotHolder } from './snapshot-budget.ts';

/** What a snapshot costs by itself. */
const overheadBytes = 1024;

interface Snapshot {
  readonly revision: number;
  readonly tree: SortedTree<CachedObject>;
  readonly timeMs: number;
  /** Bytes that had been replaced in the resource by then. */
  readonly replacedBytes: number;
  /** Paged lists that were given a page with more to come and have not asked for the last one. */
  readers: number;
}

/** A state to keep. */
export interface PinnedState {
  readonly revision: number;
  readonly tree: SortedTree<CachedObject>;
  /** Bytes of versions in it that have been replaced since. */
  readonly outdatedBytes: number;
}

/** States of one resource that paged lists still read, by revision. */
export class Snapshots implements SnapshotHolder {
  readonly #budget: SnapshotBudget;
  /** In order of revision. */
  readonly #kept: Snapshot[] = [];
  /** Bytes that were replaced since the start. What the oldest snapshot holds is what was replaced after it. */
  #replacedBytes = 0;

  constructor(budget: SnapshotBudget) {
    this.#budget = budget;
  }

  get size(): number {
    return this.#kept.length;
  }

  get oldestMs(): number | undefined {
    return this.#kept[0]?.timeMs;
  }

  /** Objects of so many bytes were replaced or removed. */
  noteReplaced(bytes: number): void {
    this.#replacedBytes += bytes;
    if (this.#kept.length > 0) this.#budget.change(bytes);
  }

  get(revision: number): SortedTree<CachedObject> | undefined {
    const kept = this.#kept[this.#placeOf(revision)];
    return kept?.revision === revision && this.#budget.isFresh(kept.timeMs) ? kept.tree : undefined;
  }

  /** Keeps a state for one more paged list. */
  pin({ revision, tree, outdatedBytes }: PinnedState): void {
    const place = this.#placeOf(revision);
    const known = this.#kept[place];
    if (known?.revision === revision) {
      known.readers++;
      return;
    }
    const before = this.#heldBytes;
    const replacedBytes = this.#replacedBytes - outdatedBytes;
    this.#kept.splice(place, 0, {
      revision,
      tree,
      timeMs: this.#budget.nowMs(),
      replacedBytes,
      readers: 1,
    });
    this.#budget.enter(this);
    this.#budget.change(this.#heldBytes - before);
  }

  /** One paged list at `revision` got its last page. */
  unpin(revision: number): void {
    const place = this.#placeOf(revision);
    const known = this.#kept[place];
    if (known?.revision !== revision) return;
    known.readers--;
    if (known.readers <= 0) this.#drop(place);
  }

  dropOldest(): void {
    this.#drop(0);
  }

  dropUntil(timeMs: number): void {
    for (let place = this.#kept.length - 1; place >= 0; place--) {
      if ((this.#kept[place]?.timeMs ?? Infinity) <= timeMs) this.#drop(place);
    }
  }

  clear(): void {
    this.dropUntil(Infinity);
  }

  get #heldBytes(): number {
    const oldest = this.#kept[0];
    if (oldest === undefined) return 0;
    return this.#replacedBytes - oldest.replacedBytes + this.#kept.length * overheadBytes;
  }

  #drop(place: number): void {
    const before = this.#heldBytes;
    this.#kept.splice(place, 1);
    if (this.#kept.length === 0) this.#budget.leave(this);
    this.#budget.change(this.#heldBytes - before);
  }

  /** Place of the first snapshot at `revision` or later. */
  #placeOf(revision: number): number {
    let low = 0;
    let high = this.#kept.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#kept[middle]?.revision ?? Infinity) < revision) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
