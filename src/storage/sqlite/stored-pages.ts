import type { RangeRequest, RangeResult, StorageEvent, StoredObject } from '../contract.ts';
import { keyAfter, prefixEnd } from '../key-range.ts';
import type { HistoryPage, RangePage } from './messages.ts';
import { unpackValue } from './value-packer.ts';
import type { WorkerClient } from './worker-client.ts';

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
