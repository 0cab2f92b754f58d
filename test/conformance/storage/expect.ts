import { assert } from 'chai';
import {
  StorageError,
  type StorageErrorCode,
  type StoredObject,
  type WriteResult,
} from '../../../src/storage/index.ts';

/** The stored object of a write that must have succeeded. */
export function written(result: WriteResult): StoredObject {
  assert.equal(result.kind, 'ok');
  if (result.kind !== 'ok') throw new TypeError('unreachable: asserted above');
  return result.object;
}

/** Asserts that `work` rejects (or throws) with a StorageError of this code. */
export async function rejectsWith(code: StorageErrorCode, work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    assert.instanceOf(error, StorageError);
    assert.equal((error as StorageError).code, code);
    return;
  }
  assert.fail(`expected a StorageError with code ${code}`);
}
