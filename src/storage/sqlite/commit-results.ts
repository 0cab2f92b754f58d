import type { StorageEvent, StoredObject, WriteResult } from '../contract.ts';
import { stampRevision } from '../stamp.ts';
import { deleteVerb, type WriteBatchResult } from './messages.ts';
import { unpackValue } from './value-packer.ts';
import type { PendingWrite } from './write-queue.ts';

/** What became of one write, and its event if it was committed. */
export interface CommittedWrite {
  readonly result: WriteResult;
  readonly event: StorageEvent | undefined;
}

/** Results and events of a committed batch, in commit order. */
export function readCommit(
  writes: readonly PendingWrite[],
  result: WriteBatchResult,
): readonly CommittedWrite[] {
  return writes.map((write, index) => {
    const revision = result.revisions[index] ?? 0;
    const related = relatedObject(write, result, index);
    if (revision === 0) return { result: { kind: 'conflict', current: related }, event: undefined };
    const object = { key: write.key, revision, bytes: newBytes(write, related, revision) };
    const kind = write.verb === deleteVerb ? 'delete' : 'put';
    return { result: { kind: 'ok', revision, object }, event: { kind, revision, object, previous: related } };
  });
}

function relatedObject(
  write: PendingWrite,
  result: WriteBatchResult,
  index: number,
): StoredObject | undefined {
  const revision = result.related[index] ?? 0;
  if (revision === 0) return undefined;
  const bytes = unpackValue(result.values, index);
  return bytes.length === 0 ? undefined : { key: write.key, revision, bytes };
}

function newBytes(write: PendingWrite, related: StoredObject | undefined, revision: number): Buffer {
  if (write.verb === deleteVerb && related !== undefined) return stampRevision(related.bytes, revision);
  return stampRevision(write.value, revision, write.stampAt);
}
