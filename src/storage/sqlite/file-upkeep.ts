import type { Database, Statement } from 'better-sqlite3';
import type { FileGuard } from './file-guard.ts';

const mebibyte = 1024 * 1024;
/**
 * Size of the write-ahead log at which it is copied into the database file and starts over. The copy waits for the disk
 * once, whatever its size, and writes a page once that changed often: a smaller log costs writes, a larger one makes
 * the longest wait longer.
 */
const dueBytes = 8 * mebibyte;
/** Size at which the commit that reaches it copies the log at once: bounds the log of work that is not writes. */
const overdueBytes = 12 * mebibyte;

/** Copies the write-ahead log into the database file between writes, so that no commit that was made waits for it. */
export class Checkpointer {
  readonly #guard: FileGuard;
  readonly #count: Statement<unknown[], CheckpointRow>;
  readonly #copy: Statement<unknown[], CheckpointRow>;
  readonly #dueFrames: number;

  constructor(database: Database, guard: FileGuard) {
    this.#guard = guard;
    const pageBytes = Number(database.pragma('page_size', { simple: true }));
    this.#dueFrames = Math.ceil(dueBytes / pageBytes);
    database.pragma(`wal_autocheckpoint = ${Math.ceil(overdueBytes / pageBytes)}`);
    this.#count = database.prepare<unknown[], CheckpointRow>('PRAGMA wal_checkpoint(NOOP)').raw();
    this.#copy = database.prepare<unknown[], CheckpointRow>('PRAGMA wal_checkpoint(PASSIVE)').raw();
  }

  /** Copies the log if that is due. To be called when writers have their answers, while they prepare what comes next. */
  run(): void {
    try {
      if (pending(this.#count) < this.#dueFrames) return;
      // The log of a damaged file is left unchanged for analysis.
      this.#guard.check();
      if (pending(this.#copy) === 0) this.#guard.endShrink();
    } catch {
      // The log keeps what was not copied, and the next write tries again.
    }
  }
}

/** What the pragma answers with. */
type CheckpointRow = readonly [busy: number, logged: number, copied: number];

/** Frames of the log that the database file does not have, when the statement has run. */
function pending(pragma: Statement<unknown[], CheckpointRow>): number {
  const [, logged, copied] = pragma.get() ?? [0, 0, 0];
  return logged - copied;
}

/** Pages per step: a transaction of a few milliseconds, which is how long a write may have to wait. */
const pagesPerStep = 32;
const restMs = 20;
/** Free pages that are kept in any case: what is written next goes there. */
const minPages = 1024;
/** Shares of the file that are free when the release begins and when it ends. */
const startShare = 0.25;
const endShare = 0.125;

/**
 * Gives free pages back to the file system, in small steps, when they are a large part of the file. Files that were
 * not made for that stay as large as they were.
 */
export class FreePageReleaser {
  readonly #database: Database;
  readonly #guard: FileGuard;
  readonly #isBlocked: () => boolean;
  readonly #count: Statement<unknown[], readonly [free: number, all: number]>;
  readonly #isAble: boolean;
  #timer: NodeJS.Timeout | undefined;
  #isStopped = false;

  /** No step is made while `isBlocked`. */
  constructor(
    { database, guard }: { readonly database: Database; readonly guard: FileGuard },
    isBlocked: () => boolean,
  ) {
    this.#database = database;
    this.#guard = guard;
    this.#isBlocked = isBlocked;
    this.#count = database
      .prepare<unknown[], readonly [number, number]>(
        'SELECT freelist_count, page_count FROM pragma_freelist_count, pragma_page_count',
      )
      .raw();
    const incremental = 2;
    this.#isAble = database.pragma('auto_vacuum', { simple: true }) === incremental;
  }

  /** Begins if enough is free. */
  start(): void {
    if (this.#isAble && this.#timer === undefined && this.#isFreeAbove(startShare)) this.#schedule();
  }

  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
  }

  #schedule(): void {
    if (!this.#isStopped) this.#timer = setTimeout(() => this.#step(), restMs);
  }

  #step(): void {
    this.#timer = undefined;
    if (this.#isBlocked()) {
      this.#schedule();
      return;
    }
    try {
      this.#guard.allowShrink();
      this.#database.pragma(`incremental_vacuum(${pagesPerStep})`);
      if (this.#isFreeAbove(endShare)) this.#schedule();
    } catch {
      // For example a full disk. Nothing is lost; the next compaction tries again.
    }
  }

  #isFreeAbove(share: number): boolean {
    const [free, all] = this.#count.get() ?? [0, 0];
    return free > Math.max(minPages, all * share);
  }
}
