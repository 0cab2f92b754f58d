import { expect } from 'chai';
import {
  StorageError,
  type StorageErrorCode,
  type StoredObject,
  type WriteResult,
} from '../../../src/storage/index.ts';

/** The stored object of a write that must have succeeded. */
export function written(result: WriteResult): StoredObject {
  expect(result.kind).to.equal('ok');
  if (result.kind !== 'ok') throw new TypeError('unreachable: asserted above');
  return result.object;
}

/** Asserts that `work` rejects (or throws) with a StorageError of this code. */
export async function rejectsWith(code: StorageErrorCode, work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    expect(error).to.be.instanceOf(StorageError);
    expect((error as StorageError).code).to.equal(code);
    return;
  }
  expect.fail(`expected a StorageError with code ${code}`);
}
