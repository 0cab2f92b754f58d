import { accessSync, constants, existsSync } from 'node:fs';
import Database from 'better-sqlite3';
import { DatabaseFailure } from './failure.ts';

/**
 * Opens a database file that no server holds, for as long as `use` runs.
 *
 * @throws DatabaseFailure `unavailable` when there is no such file, `locked` when a process holds it.
 */
export async function withDatabase<Result>(
  path: string,
  use: (database: Database.Database) => Result | Promise<Result>,
): Promise<Result> {
  if (!existsSync(path)) throw new DatabaseFailure('unavailable', `no such file: "${path}"`);
  const database = new Database(path, { timeout: 0, readonly: !isWritable(path), fileMustExist: true });
  try {
    database.pragma('locking_mode = EXCLUSIVE');
    lock(database, path);
    return await use(database);
  } finally {
    database.close();
  }
}

/** A backup may lie on a medium that cannot be written. */
function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

function lock(database: Database.Database, path: string): void {
  try {
    if (database.readonly) database.pragma('schema_version');
    else database.exec('BEGIN IMMEDIATE; ROLLBACK');
  } catch (error) {
    if (!(error instanceof Database.SqliteError) || !error.code.startsWith('SQLITE_BUSY')) throw error;
    throw new DatabaseFailure('locked', `database "${path}" is in use by another process`);
  }
}
