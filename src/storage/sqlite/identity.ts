import type { Database } from 'better-sqlite3';
import { DatabaseFailure } from './failure.ts';
import { Meta } from './meta.ts';
import { applicationId, schemaVersion } from './schema.ts';

/** What a database says about itself. */
export interface Identity {
  readonly schemaVersion: number;
  readonly dialect: string;
  readonly meta: Meta;
}

/**
 * Reads whose database this is.
 *
 * @throws DatabaseFailure `corrupt` when it is not of this program, `unavailable` for a schema of a later version.
 */
export function readIdentity(database: Database, path: string): Identity {
  if (database.pragma('application_id', { simple: true }) !== applicationId) {
    throw new DatabaseFailure('corrupt', `"${path}" is not a database of this program`);
  }
  const version = Number(database.pragma('user_version', { simple: true }));
  if (version < 1 || version > schemaVersion) {
    const text = `database "${path}" has schema version ${version}: this program reads versions 1 to ${schemaVersion}`;
    throw new DatabaseFailure('unavailable', text);
  }
  const meta = new Meta(database);
  return { schemaVersion: version, dialect: String(meta.get('dialect')), meta };
}

/** @throws DatabaseFailure `wrong-dialect` when the database was made with another dialect than `dialect`. */
export function checkDialect(identity: Identity, path: string, dialect: string): void {
  if (identity.dialect === dialect) return;
  const text = `database "${path}" was made with dialect "${identity.dialect}": it cannot be opened with "${dialect}"`;
  throw new DatabaseFailure('wrong-dialect', text);
}
