import type { Database, Statement } from 'better-sqlite3';
import type { FileGuard } from './file-guard.ts';

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
