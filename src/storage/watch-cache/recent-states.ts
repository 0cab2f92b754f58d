import type { SortedTree } from '../sorted-tree.ts';
import { compactedError, futureError } from '../storage-errors.ts';
import type { CachedObject } from './cached-object.ts';
import type { Change } from './change.ts';
import type { ChangeLog } from './change-log.ts';
import type { SnapshotBudget } from './snapshot-budget.ts';
import { Snapshots } from './snapshots.ts';

/** All objects of a resource at one revision. */
export interface State {
  readonly revision: number;
  /** By key. Never change it; clone it to keep it, for the current one follows the changes. */
  readonly objects: SortedTree<CachedObject>;
}

/** The current state of a resource and what led to it. */
export interface CurrentState extends State {
  readonly log: ChangeLog;
  /** Revision of the last change, or a later one that is known to have had none since. */
  readonly lastChange: number;
  /** Every change after this revision is in the log. */
  readonly windowStart: number;
}

/** The states of one resource that memory still knows: the current one, recent ones, and those of paged lists. */
export class RecentStates {
  readonly #current: CurrentState;
  readonly #snapshots: Snapshots;

  constructor(current: CurrentState, budget: SnapshotBudget) {
    this.#current = current;
    this.#snapshots = new Snapshots(budget);
  }

  /**
   * The state at `revision`, the current one when left out.
   *
   * @throws StorageError `compacted` when it is no longer in memory, `future-revision` when it has not happened.
   */
  at(revision = this.#current.revision): State {
    return { revision, objects: this.#objectsAt(revision) };
  }

  /** Keeps a state readable for one more paged list. `isNew` unless it was read as a kept one. */
  keep({ revision, objects }: State, { isNew }: { readonly isNew: boolean }): void {
    if (!isNew && this.#snapshots.get(revision) !== undefined) return;
    const outdatedBytes = this.#replacedSince(revision);
    this.#snapshots.pin({ revision, tree: objects.clone(), outdatedBytes });
  }

  /** One paged list at `revision` got its last page. */
  release(revision: number): void {
    this.#snapshots.unpin(revision);
  }

  /** A version of an object was replaced or removed. */
  noteReplaced({ replacedBytes }: Change): void {
    this.#snapshots.noteReplaced(replacedBytes);
  }

  /** Forgets the states that paged lists still read. */
  drop(): void {
    this.#snapshots.clear();
  }

  #objectsAt(revision: number): SortedTree<CachedObject> {
    const current = this.#current;
    if (revision > current.revision) throw futureError(revision, current.revision);
    if (revision >= current.lastChange) return current.objects;
    const kept = this.#snapshots.get(revision);
    if (kept !== undefined) return kept;
    if (revision < current.windowStart) throw compactedError(revision, current.windowStart);
    const tree = current.objects.clone();
    const { log } = current;
    const first = log.indexAfter(revision);
    for (let index = log.length - 1; index >= first; index--) undo(tree, log.at(index));
    return tree;
  }

  /** As far as the log knows. */
  #replacedSince(revision: number): number {
    const { log, lastChange } = this.#current;
    let bytes = 0;
    if (revision >= lastChange) return bytes;
    for (let index = log.indexAfter(revision); index < log.length; index++) {
      bytes += log.at(index)?.replacedBytes ?? 0;
    }
    return bytes;
  }
}

function undo(tree: SortedTree<CachedObject>, change: Change | undefined): void {
  if (change === undefined) return;
  if (change.previous === undefined) tree.delete(change.key);
  else tree.set(change.key, change.previous);
}
