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

/** By the primary result code at the start of what the library reports. */
const codes: readonly (readonly [prefix: string, code: StorageErrorCode])[] = [
  ['SQLITE_FULL', 'disk-full'],
  ['SQLITE_BUSY', 'locked'],
  ['SQLITE_LOCKED', 'locked'],
  ['SQLITE_CORRUPT', 'corrupt'],
  ['SQLITE_NOTADB', 'corrupt'],
  ['ENOSPC', 'disk-full'],
  ['EDQUOT', 'disk-full'],
];

/** What the main thread is told about any error. Whatever is not known better makes the store unavailable. */
export function toFailure(error: unknown): Failure {
  if (error instanceof DatabaseFailure) return { code: error.code, message: error.message };
  if (!(error instanceof Error)) return { code: 'unavailable', message: `database failed: ${String(error)}` };
  const detail = 'code' in error ? String(error.code) : '';
  const code = codes.find(([prefix]) => detail.startsWith(prefix))?.[1] ?? 'unavailable';
  return { code, message: `database failed: ${error.message}${detail === '' ? '' : ` (${detail})`}` };
}
