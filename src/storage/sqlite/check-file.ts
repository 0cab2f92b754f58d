import type { Database } from 'better-sqlite3';
import { withDatabase } from './file-database.ts';
import { findDamage } from './find-damage.ts';
import { readIdentity } from './identity.ts';
import { readState } from './store-state.ts';

/** What a check found in a database file. */
export interface DatabaseReport {
  /** What is wrong, as texts for people; empty when the file is sound. */
  readonly findings: readonly string[];
  /** Spelling of the product names in the stored objects. */
  readonly dialect: string;
  readonly schemaVersion: number;
  readonly revision: number;
  readonly compactedRevision: number;
  readonly objectCount: number;
  readonly sizeBytes: number;
}

/** Reads through a file that no server holds. */
export function checkFile(path: string): Promise<DatabaseReport> {
  return withDatabase(path, (database) => reportOn(database, path));
}

/** Reads through an opened database. */
export function reportOn(database: Database, path: string): DatabaseReport {
  const identity = readIdentity(database, path);
  const findings = findDamage(database);
  const state = readState(database, identity.meta);
  const pages = database.prepare('SELECT page_count * page_size FROM pragma_page_count, pragma_page_size');
  return {
    findings,
    dialect: identity.dialect,
    schemaVersion: identity.schemaVersion,
    revision: state.revision,
    compactedRevision: state.compacted,
    objectCount: state.objectCount,
    sizeBytes: Number(pages.pluck().get()),
  };
}
