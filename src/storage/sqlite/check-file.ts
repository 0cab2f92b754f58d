import type { Database } from 'better-sqlite3';
import { withDatabase } from './file-database.ts';
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

/** Findings of one kind that are listed; what lies beyond says nothing new. */
const maxFindings = 20;

/** Each selects what it names; a sound database gives no row. */
const invariants: readonly (readonly [finding: string, sql: string])[] = [
  [
    'key has no value',
    `SELECT o.key FROM objects o LEFT JOIN log l USING (revision)
     WHERE l.revision IS NULL OR l.key <> o.key OR l.is_delete <> 0 OR l.value IS NULL`,
  ],
  [
    'value has no resourceVersion',
    `SELECT key || ' at revision ' || revision FROM log
     WHERE value IS NOT NULL AND instr(value, CAST('"resourceVersion":"' AS BLOB)) = 0`,
  ],
  [
    'deletion with a value, or value missing',
    "SELECT key || ' at revision ' || revision FROM log WHERE is_delete <> (value IS NULL)",
  ],
  [
    'replaced revision is not earlier',
    "SELECT key || ' at revision ' || revision FROM log WHERE previous_revision >= revision",
  ],
  [
    'replaced value is missing from history',
    `SELECT l.key || ' at revision ' || l.revision FROM log l LEFT JOIN log p ON p.revision = l.previous_revision
     WHERE l.previous_revision IS NOT NULL AND l.revision > (SELECT max(coalesce(max(value), 0), 0) FROM meta WHERE name = 'compacted')
     AND (p.revision IS NULL OR p.key <> l.key OR p.is_delete <> 0)`,
  ],
  [
    'value belongs to no key and to no change',
    `SELECT key || ' at revision ' || revision FROM log WHERE is_delete = 0
     AND revision NOT IN (SELECT revision FROM objects)
     AND revision NOT IN (SELECT previous_revision FROM log WHERE previous_revision IS NOT NULL)`,
  ],
];

/** What is wrong with an opened database, as texts: its pages and indexes, and what this program relies on. */
function findDamage(database: Database): readonly string[] {
  // The pragma gives rows of one text.
  const pages = database.prepare<unknown[], string>(`PRAGMA integrity_check(${maxFindings})`).pluck().all();
  const isSound = pages.length === 1 && pages[0] === 'ok';
  // Queries over broken pages may fail, and would say nothing more.
  if (!isSound) return pages;
  return invariants.flatMap(([finding, sql]) => {
    // Each statement gives rows of one text.
    const rows = database.prepare<unknown[], string>(`${sql} LIMIT ${maxFindings}`).pluck().all();
    return rows.map((row) => `${finding}: ${row}`);
  });
}
