import type { DatabaseReport } from './check-file.ts';
import { runMaintenance } from './maintenance-task.ts';
import type { VacuumResult } from './messages.ts';
import type { RestoreResult } from './restore-file.ts';

/**
 * Reads through a database file, or a backup, that no server holds. Damage is what the report says, not an error.
 *
 * @throws StorageError `locked` when a process holds it, `corrupt` when it is no database of this program,
 *   `unavailable` when there is none.
 */
export function checkDatabase(path: string): Promise<DatabaseReport> {
  return runMaintenance<'check'>({ kind: 'check', path });
}

export interface RestoreDatabaseOptions {
  /** The backup. It is read only. */
  readonly from: string;
  /** The database file to make. */
  readonly to: string;
  /** Refuses a backup with another spelling of the product names; any is taken when left out. */
  readonly dialect?: 'orch' | 'kubernetes' | undefined;
  /** Replaces the file that is at `to`. Without it that is an error. */
  readonly overwrite?: boolean | undefined;
}

/**
 * Makes a database file of a backup: checked, whole or not at all, readable by its owner only. Its revisions go on at
 * least 1,000,000 after those of the backup and history before is forgotten, so that clients which saw revisions that
 * the backup does not have are told to list anew (`compacted`).
 *
 * @throws StorageError `unavailable` when `to` exists or `from` does not, `locked` when a process holds either,
 *   `corrupt` when the backup is damaged, `wrong-dialect`, `disk-full`.
 */
export function restoreDatabase({
  from,
  to,
  dialect,
  overwrite = false,
}: RestoreDatabaseOptions): Promise<RestoreResult> {
  return runMaintenance<'restore'>({ kind: 'restore', from, to, dialect, overwrite });
}

/**
 * Rewrites a database file that no server holds without its free pages. Needs free disk of twice its size at most.
 *
 * @throws StorageError `locked`, `corrupt`, `disk-full` or `unavailable`; the file is then as it was.
 */
export function vacuumDatabase(path: string): Promise<VacuumResult> {
  return runMaintenance<'vacuum'>({ kind: 'vacuum', path });
}
