import type { Database } from 'better-sqlite3';
import { type DatabaseReport, reportOn } from './check-file.ts';
import { DatabaseFailure, describeDamage } from './failure.ts';
import { Meta } from './meta.ts';

/**
 * Turns the copied pages of a running store into a sound store at rest, in one file without a log beside it.
 *
 * @param source what the copy was made of, for messages.
 * @throws DatabaseFailure `corrupt` when the copy is damaged, which says that the source is.
 */
export function finishCopy(database: Database, source: string): DatabaseReport {
  database.pragma('journal_mode = DELETE');
  new Meta(database).set('clean', 1);
  const report = reportOn(database, source);
  if (report.findings.length === 0) return report;
  throw new DatabaseFailure('corrupt', describeDamage(source, report.findings.join('; ')));
}
