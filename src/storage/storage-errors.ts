import { StorageError } from './contract.ts';

/** History before `compacted` was asked for. */
export function compactedError(revision: number, compacted: number): StorageError {
  return new StorageError(
    'compacted',
    `revision ${revision} has been compacted: history starts at revision ${compacted}`,
  );
}

/** A revision was asked for that has not happened. */
export function futureError(revision: number, current: number): StorageError {
  return new StorageError(
    'future-revision',
    `revision ${revision} has not happened: the store is at ${current}`,
  );
}

/** A value that is no object was asked for. The message names the key and nothing of what is there. */
export function unreadableError(key: string, problem: string): StorageError {
  return new StorageError('unreadable', `the value of ${key} cannot be read: ${problem}`);
}

/** The store was used after it was closed. */
export function closedError(): StorageError {
  return new StorageError('closed', 'storage is closed');
}
