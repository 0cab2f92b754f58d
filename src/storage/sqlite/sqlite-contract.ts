import type { Clock, Logger, TurnQueue } from '../../base/index.ts';
import type { Storage } from '../contract.ts';
import type { HistoryLimits } from '../history-compaction.ts';
import type { VacuumResult } from './messages.ts';

export interface SqliteStorageOptions extends HistoryLimits {
  /** Database file, created when missing in a directory that exists. */
  readonly path: string;
  /** Spelling of the product names in the stored objects; a file keeps the one that it was made with. */
  readonly dialect: 'orch' | 'kubernetes';
  readonly logger?: Logger | undefined;
  readonly clock?: Clock | undefined;
  /** Largest size of the database file. No limit but the disk when left out. */
  readonly maxSizeBytes?: number | undefined;
  /** Largest file that is read through for damage after an unclean stop. 512 MiB when left out. */
  readonly maxCheckedBytes?: number | undefined;
  /** Where writers wait for their turn to learn of a commit; a queue of its own when left out. */
  readonly turns?: TurnQueue | undefined;
}

export interface BackupOptions {
  /** Gives the backup up; nothing of it remains. */
  readonly signal?: AbortSignal | undefined;
}

export interface BackupResult {
  /** Every write up to this revision is in the backup, none after it. */
  readonly revision: number;
  readonly objectCount: number;
  readonly sizeBytes: number;
}

/** The store, and what can be done to its file while it serves. */
export interface SqliteStorage extends Storage {
  /**
   * Writes a consistent, checked copy of the store to `path`, while reads and writes go on. A file of that name is
   * replaced, by a whole copy or not at all; only its owner can read it. Backups run one after the other.
   *
   * @throws StorageError `corrupt` when the store is damaged, `disk-full`, `unavailable`; RangeError when `path` is
   *   the store itself; the reason of the signal.
   */
  backupTo(path: string, options?: BackupOptions): Promise<BackupResult>;
  /**
   * Searches for damage while reads and writes go on, and returns what it finds as texts. `full` reads a copy of
   * everything, which needs free disk of the size of the store; `quick` what can be read in place in small steps: every
   * object and its value.
   */
  verify(mode: 'quick' | 'full'): Promise<readonly string[]>;
  /** Rewrites the file without its free pages. Reads and writes wait meanwhile, a second for some 100 MB. */
  vacuum(): Promise<VacuumResult>;
}
