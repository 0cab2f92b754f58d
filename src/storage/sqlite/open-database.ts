import { closeSync, openSync, statSync } from 'node:fs';
import Database from 'better-sqlite3';
import { DatabaseFailure } from './failure.ts';
import type { WorkerOptions } from './messages.ts';
import { Meta } from './meta.ts';

/** ASCII of `orch`: tells the file of this program from other databases. */
const applicationId = 0x6f726368;
const schemaVersion = 1;
const pageSize = 8192;
const mebibyte = 1024 * 1024;
/** Size at which the write-ahead log is copied into the database file and starts over. */
const checkpointBytes = 8 * mebibyte;
/** Above this the write-ahead log is cut when it starts over. */
const maxIdleWalBytes = 32 * mebibyte;

/**
 * Revisions and what they wrote. A delete has no value: the value that it ended is that of `previous_revision`.
 * `objects` holds the current revision of every key. A value is stored once, unstamped or with a stale revision.
 */
const schema = `
  CREATE TABLE log (
    revision INTEGER PRIMARY KEY,
    key TEXT NOT NULL,
    is_delete INTEGER NOT NULL,
    previous_revision INTEGER,
    value BLOB
  ) STRICT;
  CREATE TABLE objects (key TEXT PRIMARY KEY, revision INTEGER NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TABLE meta (name TEXT PRIMARY KEY, value ANY) STRICT, WITHOUT ROWID;
`;

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
  createFile(options.path);
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

/** Creates a missing file readable by its owner only; the library would follow the process' mask. */
function createFile(path: string): void {
  try {
    // Exclusive, because closing a second descriptor of an open database would drop this process' locks on it.
    closeSync(openSync(path, 'wx', 0o600));
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'EEXIST') return;
    if (code === 'ENOENT') {
      throw new DatabaseFailure('unavailable', `cannot create "${path}": its directory does not exist`);
    }
    throw error;
  }
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
  const meta = checkIdentity(database, options);
  if (meta.get('clean') !== 1) checkIntegrity(database, options);
  if (options.maxSizeBytes > 0) {
    database.pragma(`max_page_count = ${Math.max(1, Math.floor(options.maxSizeBytes / realPageSize))}`);
  }
  meta.set('clean', 0);
  return { database, meta };
}

function isEmpty(database: Database.Database): boolean {
  return database.prepare('SELECT count(*) FROM sqlite_schema').pluck().get() === 0;
}

function createSchema(database: Database.Database, dialect: string): void {
  database.transaction(() => {
    database.exec(schema);
    database.pragma(`application_id = ${applicationId}`);
    database.pragma(`user_version = ${schemaVersion}`);
    const meta = new Meta(database);
    meta.set('dialect', dialect);
    meta.set('clean', 1);
  })();
}

function checkIdentity(database: Database.Database, { path, dialect }: WorkerOptions): Meta {
  if (database.pragma('application_id', { simple: true }) !== applicationId) {
    throw new DatabaseFailure('corrupt', `"${path}" is not a database of this program`);
  }
  const version = database.pragma('user_version', { simple: true });
  if (version !== schemaVersion) {
    const text = `database "${path}" has schema version ${version}: this program reads version ${schemaVersion}`;
    throw new DatabaseFailure('unavailable', text);
  }
  const meta = new Meta(database);
  const found = meta.get('dialect');
  if (found !== dialect) {
    const text = `database "${path}" was made with dialect "${found}": it cannot be opened with "${dialect}"`;
    throw new DatabaseFailure('wrong-dialect', text);
  }
  return meta;
}

/** The write-ahead log survives a crash by itself; this finds what a failing disk or a stray copy did. */
function checkIntegrity(database: Database.Database, { path, maxCheckedBytes }: WorkerOptions): void {
  if (statSync(path).size > maxCheckedBytes) return;
  const finding = database.pragma('quick_check(1)', { simple: true });
  if (finding !== 'ok')
    throw new DatabaseFailure('corrupt', `database "${path}" is damaged: ${String(finding)}`);
}
