import { existsSync, statSync } from 'node:fs';
import Database from 'better-sqlite3';
import { DatabaseFailure } from './failure.ts';
import { checkDialect, readIdentity } from './identity.ts';
import type { WorkerOptions } from './messages.ts';
import type { Meta } from './meta.ts';
import { createPrivateFile } from './publish-file.ts';
import { createSchema, upgradeSchema } from './schema.ts';

const pageSize = 8192;
const mebibyte = 1024 * 1024;
/** Size at which the write-ahead log is copied into the database file and starts over. */
const checkpointBytes = 8 * mebibyte;
/** Above this the write-ahead log is cut when it starts over. */
const maxIdleWalBytes = 32 * mebibyte;

export interface OpenedDatabase {
  readonly database: Database.Database;
  readonly meta: Meta;
}

/**
 * Opens or creates the database and holds its lock until it is closed or the process dies.
 *
 * @throws DatabaseFailure `locked`, `wrong-dialect`, `corrupt`; the library's error for anything else.
 */
export function openDatabase(options: WorkerOptions): OpenedDatabase {
  if (!existsSync(options.path)) createPrivateFile(options.path);
  const database = new Database(options.path, { timeout: 0 });
  try {
    lock(database, options.path);
    return prepare(database, options);
  } catch (error) {
    database.close();
    throw error;
  }
}

/** Marks the stop as clean and gives the lock back. */
export function closeDatabase({ database, meta }: OpenedDatabase): void {
  try {
    meta.set('clean', 1);
  } catch {
    // A full disk, say. Without the mark the next start checks the file, which is all that is lost.
  }
  database.close();
}

/**
 * Exclusive mode keeps the file lock from the first access on, and keeps the index of the write-ahead log in
 * memory. The kernel drops the lock when the process dies, so nothing stale can remain.
 */
function lock(database: Database.Database, path: string): void {
  try {
    database.pragma('locking_mode = EXCLUSIVE');
    database.pragma(`page_size = ${pageSize}`);
    database.pragma('journal_mode = WAL');
    database.exec('BEGIN IMMEDIATE; ROLLBACK');
  } catch (error) {
    if (!(error instanceof Database.SqliteError) || !error.code.startsWith('SQLITE_BUSY')) throw error;
    throw new DatabaseFailure('locked', `database "${path}" is in use by another process`);
  }
}

function prepare(database: Database.Database, options: WorkerOptions): OpenedDatabase {
  database.pragma('synchronous = FULL');
  database.pragma('trusted_schema = OFF');
  database.pragma('temp_store = MEMORY');
  const realPageSize = Number(database.pragma('page_size', { simple: true }));
  database.pragma(`wal_autocheckpoint = ${Math.ceil(checkpointBytes / realPageSize)}`);
  database.pragma(`journal_size_limit = ${maxIdleWalBytes}`);
  if (isEmpty(database)) createSchema(database, options.dialect);
  const identity = readIdentity(database, options.path);
  checkDialect(identity, options.path, options.dialect);
  const { meta } = identity;
  if (meta.get('clean') !== 1) checkIntegrity(database, options);
  if (options.maxSizeBytes > 0) {
    database.pragma(`max_page_count = ${Math.max(1, Math.floor(options.maxSizeBytes / realPageSize))}`);
  }
  upgradeSchema(database, identity.schemaVersion);
  meta.set('clean', 0);
  return { database, meta };
}

function isEmpty(database: Database.Database): boolean {
  return database.prepare('SELECT count(*) FROM sqlite_schema').pluck().get() === 0;
}

/** The write-ahead log survives a crash by itself; this finds what a failing disk or a stray copy did. */
function checkIntegrity(database: Database.Database, { path, maxCheckedBytes }: WorkerOptions): void {
  if (statSync(path).size > maxCheckedBytes) return;
  const finding = database.pragma('quick_check(1)', { simple: true });
  if (finding !== 'ok')
    throw new DatabaseFailure('corrupt', `database "${path}" is damaged: ${String(finding)}`);
}
