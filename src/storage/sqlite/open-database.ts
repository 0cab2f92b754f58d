import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'better-sqlite3';
import { DatabaseFailure, describeDamage, toFailure } from './failure.ts';
import { FileGuard } from './file-guard.ts';
import { checkDialect, readIdentity } from './identity.ts';
import type { WorkerOptions } from './messages.ts';
import type { Meta } from './meta.ts';
import { createPrivateFile } from './private-file.ts';
import { createSchema, upgradeSchema } from './schema.ts';

const pageSize = 8192;
const mebibyte = 1024 * 1024;
/** Above this the write-ahead log is cut when it starts over. */
const maxIdleWalBytes = 32 * mebibyte;

export interface OpenedDatabase {
  readonly database: Database.Database;
  readonly meta: Meta;
  readonly guard: FileGuard;
  /** True when the file was too large to be read through after an unclean stop. */
  readonly isUnchecked: boolean;
}

/**
 * Opens or creates the database and holds its lock until it is closed or the process dies.
 *
 * @throws DatabaseFailure `locked`, `wrong-dialect`, `corrupt`; the library's error for anything else.
 */
export function openDatabase(options: WorkerOptions): OpenedDatabase {
  if (existsSync(dirname(options.path))) assertWritable(options.path, dirname(options.path));
  if (existsSync(options.path)) assertWritable(options.path, options.path);
  else createPrivateFile(options.path);
  const logBytes = statSync(`${options.path}-wal`, { throwIfNoEntry: false })?.size ?? 0;
  const database = new Database(options.path, { timeout: 0 });
  try {
    lock(database, options.path);
    const prepared = prepare(database, options);
    return { ...prepared, guard: new FileGuard(options.path, { mayShrink: logBytes > 0 }) };
  } catch (error) {
    database.close();
    const { code, message } = toFailure(error);
    // The library does not say which file, nor what to do.
    if (code !== 'corrupt' || error instanceof DatabaseFailure) throw error;
    throw new DatabaseFailure('corrupt', describeDamage(options.path, message));
  }
}

/** The library says of a file system that is read only that a lock failed. */
function assertWritable(path: string, what: string): void {
  try {
    accessSync(what, constants.R_OK | constants.W_OK);
  } catch (error) {
    throw new DatabaseFailure('unavailable', `database "${path}" cannot be written: ${String(error)}`);
  }
}

/** Marks the stop as clean and gives the lock back. */
export function closeDatabase({ database, meta, guard }: OpenedDatabase): void {
  try {
    guard.check();
    meta.set('clean', 1);
  } catch {
    // A full disk, say, or a damaged file. Without the mark the next start checks the file, which is all that is lost.
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
    // This is the first write to a new file, which fixes the size of its pages, and would be a write to others.
    if (statSync(path).size === 0) database.pragma('auto_vacuum = INCREMENTAL');
    database.pragma('journal_mode = WAL');
    database.exec('BEGIN IMMEDIATE; ROLLBACK');
  } catch (error) {
    if (!(error instanceof Database.SqliteError) || !error.code.startsWith('SQLITE_BUSY')) throw error;
    throw new DatabaseFailure('locked', `database "${path}" is in use by another process`);
  }
}

function prepare(database: Database.Database, options: WorkerOptions): Omit<OpenedDatabase, 'guard'> {
  database.pragma('synchronous = FULL');
  database.pragma('trusted_schema = OFF');
  database.pragma('temp_store = MEMORY');
  const realPageSize = Number(database.pragma('page_size', { simple: true }));
  database.pragma(`journal_size_limit = ${maxIdleWalBytes}`);
  if (isEmpty(database)) createSchema(database, options.dialect);
  const identity = readIdentity(database, options.path);
  checkDialect(identity, options.path, options.dialect);
  const { meta } = identity;
  const isUnchecked = meta.get('clean') !== 1 && !checkIntegrity(database, options);
  if (options.maxSizeBytes > 0) {
    database.pragma(`max_page_count = ${Math.max(1, Math.floor(options.maxSizeBytes / realPageSize))}`);
  }
  upgradeSchema(database, identity.schemaVersion);
  markOpen(meta);
  return { database, meta, isUnchecked };
}

function markOpen(meta: Meta): void {
  try {
    meta.set('clean', 0);
  } catch (error) {
    // Reads are possible on a full disk. Without the mark a crash is not followed by a check, which is all that is lost.
    if (toFailure(error).code !== 'disk-full') throw error;
  }
}

function isEmpty(database: Database.Database): boolean {
  return database.prepare('SELECT count(*) FROM sqlite_schema').pluck().get() === 0;
}

/**
 * The write-ahead log survives a crash by itself; this finds what a failing disk or a stray copy did. False when the
 * file is larger than what is checked before the store serves.
 */
function checkIntegrity(database: Database.Database, { path, maxCheckedBytes }: WorkerOptions): boolean {
  if (statSync(path).size > maxCheckedBytes) return false;
  const finding = database.pragma('quick_check(1)', { simple: true });
  if (finding === 'ok') return true;
  throw new DatabaseFailure('corrupt', describeDamage(path, String(finding)));
}
