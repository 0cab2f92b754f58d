/**
 * Storage in one SQLite file that one process owns: writes are grouped and durable, history is kept for watches.
 * A thread of its own does everything that may wait for the disk. Beside it, functions for files that no server holds.
 */
export type { DatabaseReport } from './check-file.ts';
export {
  checkDatabase,
  type RestoreDatabaseOptions,
  restoreDatabase,
  vacuumDatabase,
} from './maintenance.ts';
export type { VacuumResult } from './messages.ts';
export type { RestoreResult } from './restore-file.ts';
export type {
  BackupOptions,
  BackupResult,
  SqliteStorage,
  SqliteStorageOptions,
} from './sqlite-contract.ts';
export { openSqliteStorage } from './sqlite-storage.ts';
