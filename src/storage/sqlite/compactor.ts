import type { Database, Statement } from 'better-sqlite3';
import { DatabaseFailure } from './failure.ts';
import type { Meta } from './meta.ts';
import type { StoreState } from './store-state.ts';

/** Rows per transaction: a few milliseconds, which is how long a write may have to wait. */
const rowsPerStep = 256;

interface Waiter {
  readonly revision: number;
  readonly settle: (error?: unknown) => void;
}

/**
 * Removes what no read or watch after the compacted revision can need: the values that writes up to it replaced,
 * and the deletes up to it. It works in small steps between which the worker does other things.
 */
export class Compactor {
  readonly #database: Database;
  readonly #meta: Meta;
  readonly #state: StoreState;
  readonly #select: Statement<unknown[], readonly [number, number, number | null]>;
  readonly #remove: Statement;
  readonly #waiters: Waiter[] = [];
  #cursor: number;
  #isScheduled = false;
  #isStopped = false;

  readonly #onDone: () => void;

  /** `onDone` is called whenever rows have been removed as far as asked for. */
  constructor(
    {
      database,
      meta,
      state,
    }: { readonly database: Database; readonly meta: Meta; readonly state: StoreState },
    onDone: () => void,
  ) {
    this.#onDone = onDone;
    this.#database = database;
    this.#meta = meta;
    this.#state = state;
    this.#cursor = meta.get('compactedRows') ?? 0;
    this.#select = database
      .prepare<unknown[], readonly [number, number, number | null]>(
        `SELECT revision, is_delete, previous_revision FROM log
         WHERE revision > ? AND revision <= ? ORDER BY revision LIMIT ${rowsPerStep}`,
      )
      .raw();
    this.#remove = database.prepare('DELETE FROM log WHERE revision = ?');
  }

  /** Forgets history at once; the promise resolves when its rows are gone. */
  compact(revision: number): Promise<void> {
    if (revision > this.#state.revision) {
      throw new DatabaseFailure('future-revision', `revision ${revision} has not happened`);
    }
    if (revision > this.#state.compacted) {
      this.#meta.set('compacted', revision);
      this.#state.compacted = revision;
    }
    return new Promise((resolve, reject) => {
      this.#waiters.push({ revision, settle: (error) => (error === undefined ? resolve() : reject(error)) });
      this.resume();
    });
  }

  /** Raises the revision counter to at least `revision`, forgetting history before it, and returns what it then is. */
  advance(revision: number): number {
    if (revision > this.#state.revision) {
      // The counter of an opened store is never below what was compacted, so that this one value says both.
      this.#meta.set('compacted', revision);
      this.#state.compacted = revision;
      this.#state.revision = revision;
      this.resume();
    }
    return this.#state.revision;
  }

  /** Goes on with what an earlier process may have left undone. */
  resume(): void {
    if (this.#isScheduled || this.#isStopped) return;
    this.#isScheduled = true;
    setImmediate(() => this.#step());
  }

  stop(): void {
    this.#isStopped = true;
    this.#settle(Infinity, new DatabaseFailure('closed', 'storage is closed'));
  }

  #step(): void {
    this.#isScheduled = false;
    if (this.#isStopped) return;
    try {
      if (this.#cursor < this.#state.compacted) this.#database.transaction(() => this.#removeRows())();
    } catch (error) {
      // Rows stay until the next compaction tries again.
      this.#settle(Infinity, error);
      return;
    }
    this.#settle(this.#cursor);
    if (this.#cursor < this.#state.compacted) this.resume();
    else this.#onDone();
  }

  #removeRows(): void {
    const target = this.#state.compacted;
    // The columns are integers, the last one nullable.
    const rows = this.#select.all(this.#cursor, target);
    for (const [revision, isDelete, previous] of rows) {
      if (previous !== null) this.#remove.run(previous);
      if (isDelete === 1) this.#remove.run(revision);
    }
    const cursor = rows.length < rowsPerStep ? target : (rows.at(-1)?.[0] ?? target);
    this.#meta.set('compactedRows', cursor);
    this.#cursor = cursor;
  }

  #settle(revision: number, error?: unknown): void {
    for (let index = this.#waiters.length - 1; index >= 0; index--) {
      const waiter = this.#waiters[index];
      if (waiter === undefined || waiter.revision > revision) continue;
      this.#waiters.splice(index, 1);
      waiter.settle(error);
    }
  }
}
