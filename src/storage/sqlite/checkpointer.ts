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
