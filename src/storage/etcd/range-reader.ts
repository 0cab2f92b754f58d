import type { RangeRequest, RangeResult, StoredObject } from '../contract.ts';
import { keyAfter } from '../key-range.ts';
import type { Cluster } from './cluster.ts';
import { decodeObject } from './decode-change.ts';
import type { KeySpace } from './key-space.ts';
import { type KeyValue, methods, type RangeAnswer, toNumber } from './protocol.ts';

/** Few, because nothing is known yet of how large the objects are. */
const firstPageObjects = 200;
const maxPageObjects = 10_000;
const pageBytes = 4 * 1024 * 1024;

/**
 * Reads a range in pages of a few megabytes that show one revision.
 *
 * @throws StorageError `compacted`, `future-revision`, `unavailable`.
 */
export async function readRange(
  cluster: Cluster,
  keys: KeySpace,
  { prefix, startKey = prefix, limit = Number.POSITIVE_INFINITY, revision }: RangeRequest,
): Promise<RangeResult> {
  const objects: StoredObject[] = [];
  const { from, to } = keys.clamp(prefix, startKey);
  let key = from;
  let at = revision;
  for (let size = firstPageObjects; ; ) {
    const page = await readPage(cluster, {
      key,
      rangeEnd: to,
      limit: Math.min(size, limit - objects.length),
      at,
    });
    for (const kv of page.kvs) objects.push(decodeObject(kv));
    at ??= toNumber(page.header.revision);
    const last = page.kvs.at(-1);
    const isEmptyRange = key >= to;
    if (!page.more || isEmptyRange || last === undefined || objects.length >= limit) {
      return { objects: isEmptyRange ? [] : objects, revision: at, hasMore: page.more && !isEmptyRange };
    }
    key = keyAfter(last.key);
    size = nextSize(page.kvs);
  }
}

interface PageRequest {
  readonly key: string;
  readonly rangeEnd: string;
  readonly limit: number;
  readonly at: number | undefined;
}

function readPage(cluster: Cluster, { key, rangeEnd, limit, at }: PageRequest): Promise<RangeAnswer> {
  // Nothing lies between: only the revision is asked for.
  if (key >= rangeEnd)
    return cluster.call(methods.range, { key, countOnly: true, ...(at && { revision: at }) });
  return cluster.call(methods.range, { key, rangeEnd, limit, ...(at && { revision: at }) });
}

/** As many objects as fit if all were as large as the largest of the last page. */
function nextSize(kvs: readonly KeyValue[]): number {
  const largest = kvs.reduce((bytes, { value }) => Math.max(bytes, value.length), 1);
  return Math.min(maxPageObjects, Math.max(1, Math.floor(pageBytes / largest)));
}
