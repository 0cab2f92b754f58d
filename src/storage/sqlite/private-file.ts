import { closeSync, openSync } from 'node:fs';
import { DatabaseFailure } from './failure.ts';

/**
 * Creates an empty file that only its owner can read.
 *
 * @throws DatabaseFailure `unavailable` when its directory does not exist; the system's error when the file does.
 */
export function createPrivateFile(path: string): void {
  try {
    // Exclusive, because closing a second descriptor of an open database would drop this process' locks on it.
    closeSync(openSync(path, 'wx', 0o600));
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code !== 'ENOENT') throw error;
    throw new DatabaseFailure('unavailable', `cannot create "${path}": its directory does not exist`);
  }
}
