import type { Database } from 'better-sqlite3';
import { Meta } from './meta.ts';

/** ASCII of `orch`: tells the file of this program from other databases. */
export const applicationId = 0x6f726368;

/** Version of the tables that this program writes. Version 1 had no `expires_at`. */
export const schemaVersion = 2;

/**
 * Revisions and what they wrote. A delete has no value: the value that it ended is that of `previous_revision`.
 * `objects` holds the current revision of every key, and the time at which the key ends, in milliseconds since the
 * Unix epoch. A value is stored once, unstamped or with a stale revision.
 */
const tables = `
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

/** Most keys never expire and take no room in the index. */
const expiry = `
  ALTER TABLE objects ADD COLUMN expires_at INTEGER;
  CREATE INDEX objects_by_expiry ON objects (expires_at) WHERE expires_at IS NOT NULL;
`;

/** Makes the tables of an empty database, all or nothing. */
export function createSchema(database: Database, dialect: string): void {
  database.transaction(() => {
    database.exec(tables + expiry);
    database.pragma(`application_id = ${applicationId}`);
    database.pragma(`user_version = ${schemaVersion}`);
    const meta = new Meta(database);
    meta.set('dialect', dialect);
    meta.set('clean', 1);
  })();
}

/** Brings a database of any earlier version to this one, all or nothing. */
export function upgradeSchema(database: Database, fromVersion: number): void {
  if (fromVersion === schemaVersion) return;
  database.transaction(() => {
    database.exec(expiry);
    database.pragma(`user_version = ${schemaVersion}`);
  })();
}
