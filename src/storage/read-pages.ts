import type { Storage, StoredObject } from './contract.ts';
import { keyAfter, prefixEnd } from './key-range.ts';

/** A part of a store's objects, in key order. */
export interface ObjectPage {
  readonly objects: readonly StoredObject[];
  /** Revision that all pages of one reading show. */
  readonly revision: number;
  /** Skipped prefixes below which this page found objects. */
  readonly skipped: readonly string[];
}

export interface ReadPagesOptions {
  /** Keys to read start with this. */
  readonly root: string;
  /** Prefixes below `root` that are left out. */
  readonly skip?: readonly string[] | undefined;
  /** Bytes of values that a page aims at; one large object may be more. 8 MiB when left out. */
  readonly pageBytes?: number | undefined;
  /** Read as of this revision; the latest when left out. */
  readonly revision?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

const defaultPageBytes = 8 * 1024 * 1024;
/** Few, because nothing is known yet of how large they are. */
const firstPageObjects = 32;
const maxPageObjects = 1000;

/**
 * Reads all objects below a prefix at one revision, page by page; at least one page comes.
 *
 * @throws StorageError `compacted` when reading takes longer than the store keeps history; the signal's reason.
 */
export async function* readPages(store: Storage, options: ReadPagesOptions): AsyncGenerator<ObjectPage> {
  const { root, skip = [], pageBytes = defaultPageBytes, signal } = options;
  let limit = firstPageObjects;
  let startKey = root;
  let { revision } = options;
  for (;;) {
    signal?.throwIfAborted();
    const page = await store.range({ prefix: root, startKey, limit, revision });
    revision = page.revision;
    const skipped = skip.filter((prefix) => page.objects.some(({ key }) => key.startsWith(prefix)));
    const isKept = ({ key }: StoredObject): boolean => !skipped.some((prefix) => key.startsWith(prefix));
    const objects = skipped.length === 0 ? page.objects : page.objects.filter(isKept);
    yield { objects, revision, skipped };
    const last = page.objects.at(-1)?.key;
    if (!page.hasMore || last === undefined) return;
    const passed = skipped.find((prefix) => last.startsWith(prefix));
    startKey = passed === undefined ? keyAfter(last) : prefixEnd(passed);
    limit = nextLimit(page.objects, pageBytes);
  }
}

/** As many objects as fit if all were as large as the largest of the last page. */
function nextLimit(objects: readonly StoredObject[], pageBytes: number): number {
  const largest = objects.reduce((bytes, object) => Math.max(bytes, object.bytes.length), 1);
  return Math.min(maxPageObjects, Math.max(1, Math.floor(pageBytes / largest)));
}
