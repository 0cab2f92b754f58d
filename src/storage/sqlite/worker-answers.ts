import type { RangeRequest, RangeResult, StorageEvent, StoredObject, WriteResult } from '../contract.ts';
import { keyAfter, prefixEnd } from '../key-range.ts';
import { stampRevision } from '../stamp.ts';
import { deleteVerb, type HistoryPage, type RangePage, type WriteBatchResult } from './messages.ts';
import { unpackValue } from './value-packer.ts';
import type { WorkerClient } from './worker-client.ts';
import type { PendingWrite } from './write-queue.ts';

/** Reads a range page by page. The pages of one answer show one state. */
export async function readRange(client: WorkerClient, request: RangeRequest): Promise<RangeResult> {
  const { prefix, startKey = prefix, limit = Infinity, revision } = request;
  const to = prefixEnd(prefix);
  const isInside = startKey >= prefix;
  let from = isInside ? startKey : prefix;
  const objects: StoredObject[] = [];
  for (let at = revision ?? 0; ; ) {
    const wanted = limit - objects.length;
    const page = await client.call<'range'>({ kind: 'range', from, to, limit: wanted, revision: at });
    for (const object of objectsOf(page)) objects.push(object);
    const last = objects.at(-1);
    if (!page.hasMore || last === undefined || objects.length >= limit) {
      return { objects, revision: page.revision, hasMore: page.hasMore };
    }
    at = page.revision;
    from = keyAfter(last.key);
  }
}

/** Objects of a page, in its order. */
export function objectsOf({ keys, revisions, values }: RangePage): readonly StoredObject[] {
  return keys.map((key, index) => ({
    key,
    revision: revisions[index] ?? 0,
    bytes: unpackValue(values, index),
  }));
}

/** Events of a page, in revision order. */
export function eventsOf({
  keys,
  revisions,
  isDelete,
  previous,
  values,
}: HistoryPage): readonly StorageEvent[] {
  return keys.map((key, index) => {
    const revision = revisions[index] ?? 0;
    const before = previous[index] ?? 0;
    return {
      kind: isDelete[index] === true ? 'delete' : 'put',
      revision,
      object: { key, revision, bytes: unpackValue(values, index * 2) },
      previous:
        before === 0 ? undefined : { key, revision: before, bytes: unpackValue(values, index * 2 + 1) },
    };
  });
}

/** What became of one write, and its event if it was committed. */
interface CommittedWrite {
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
