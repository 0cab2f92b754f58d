/**
 * Storage in one SQLite file that one process owns: writes are grouped and durable, history is kept for watches.
 * A thread of its own does everything that may wait for the disk.
 */
export { openSqliteStorage, type SqliteStorageOptions } from './sqlite-storage.ts';
