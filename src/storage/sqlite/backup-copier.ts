import { close, fdatasync, openSync } from 'node:fs';
import type { Database } from 'better-sqlite3';
import { DatabaseFailure } from './failure.ts';

/** Pages per step: a few milliseconds at most, which is how long a write may have to wait. */
const pagesPerStep = 64;
/** Steps after which the disk is told to begin with what was copied, so that little is left to wait for at the end. */
const stepsPerSync = 256;

/**
 * Copies the database while it is written to. The copy is made over the connection that writes, which keeps it up to
 * date: it never starts again, and in the end shows the state of that moment.
 */
export class BackupCopier {
  readonly #database: Database;
  #isRunning = false;
  #isCancelled = false;

  constructor(database: Database) {
    this.#database = database;
  }

  get isRunning(): boolean {
    return this.#isRunning;
  }

  /** Resolves right after the last page, before any later write. */
  async copyTo(path: string): Promise<void> {
    if (this.#isRunning) throw new DatabaseFailure('unavailable', 'another backup is under way');
    this.#isRunning = true;
    this.#isCancelled = false;
    const descriptor = openSync(path, 'r');
    let steps = 0;
    try {
      await this.#database.backup(path, {
        progress: () => {
          if (this.#isCancelled) throw new DatabaseFailure('closed', 'backup was cancelled');
          // Should it fail, so does what waits for the same pages at the end.
          if (++steps % stepsPerSync === 0) fdatasync(descriptor, () => {});
          return pagesPerStep;
        },
      });
    } finally {
      this.#isRunning = false;
      close(descriptor);
    }
  }

  cancel(): void {
    this.#isCancelled = true;
  }
}
