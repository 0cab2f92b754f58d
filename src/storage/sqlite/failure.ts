import type { StorageErrorCode } from '../contract.ts';
import type { Failure } from './messages.ts';

/** A failure with a known code, thrown inside the worker. */
export class DatabaseFailure extends Error {
  override readonly name = 'DatabaseFailure';
  readonly code: StorageErrorCode;

  constructor(code: StorageErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

/** By the primary result code at the start of what the library reports, and how the message begins. */
const codes: readonly (readonly [prefix: string, code: StorageErrorCode, text: string])[] = [
  ['SQLITE_FULL', 'disk-full', 'no space is left for the database'],
  ['SQLITE_BUSY', 'locked', 'database is in use'],
  ['SQLITE_LOCKED', 'locked', 'database is in use'],
  ['SQLITE_CORRUPT', 'corrupt', 'database is damaged'],
  ['SQLITE_NOTADB', 'corrupt', 'database is damaged'],
  ['SQLITE_IOERR', 'unavailable', 'disk of the database failed'],
  ['SQLITE_READONLY', 'unavailable', 'database cannot be written'],
  ['ENOSPC', 'disk-full', 'no space is left for the database'],
  ['EDQUOT', 'disk-full', 'no space is left for the database'],
];

/** The failure that is sent to the main thread; unknown errors become `unavailable`. */
export function toFailure(error: unknown): Failure {
  if (error instanceof DatabaseFailure) return { code: error.code, message: error.message };
  if (!(error instanceof Error)) return { code: 'unavailable', message: `database failed: ${String(error)}` };
  const detail = 'code' in error ? String(error.code) : '';
  const known = codes.find(([prefix]) => detail.startsWith(prefix));
  const [, code, text] = known ?? [detail, 'unavailable' as const, 'database failed'];
  return { code, message: `${text}: ${error.message}${detail === '' ? '' : ` (${detail})`}` };
}

/** Message of a damaged database: what was found, and the way out. */
export function describeDamage(path: string, finding: string): string {
  return (
    `database "${path}" is damaged: ${finding}. See all that is wrong with "orch storage check", ` +
    'and go back to a backup with "orch restore FILE"'
  );
}
