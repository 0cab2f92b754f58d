import { jsonBytes } from '../base/index.ts';
import type { Storage, StoredObject } from './contract.ts';
import { readPages } from './read-pages.ts';
import { findRevision } from './stamp.ts';

/** `not-empty`: the target holds objects; `unreadable`: a value is no object; `different`: the copy is not the same. */
export type CopyErrorCode = 'not-empty' | 'unreadable' | 'different';

/** Why a store was not copied. The message is for the operator. */
export class CopyError extends Error {
  override readonly name = 'CopyError';
  readonly code: CopyErrorCode;

  constructor(code: CopyErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** How far a copy is. */
export interface CopyProgress {
  readonly phase: 'advance' | 'copy' | 'verify';
  /** Objects done in this phase. */
  readonly done: number;
}

export interface CopyOptions {
  /** Keys that are copied start with this. */
  readonly root: string;
  /** What they start with in the target instead; below it the target must be empty. The same when left out. */
  readonly targetRoot?: string | undefined;
  /** Prefixes below `root` that are left out. */
  readonly skip?: readonly string[] | undefined;
  /** Seconds after which a key goes away by itself in the target; undefined for keys that stay. */
  readonly ttlSecondsOf?: ((key: string) => number | undefined) | undefined;
  readonly onProgress?: ((progress: CopyProgress) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface CopyResult {
  readonly objectCount: number;
  /** Revision of the source that was copied. */
  readonly sourceRevision: number;
  /** Revision of the target after the copy; greater than every revision that the source gave out before it. */
  readonly targetRevision: number;
  /** Those of the prefixes to skip that held objects. */
  readonly skipped: readonly string[];
}

/**
 * Copies the objects of one moment from a store into an empty one and compares the result. Values stay the same but
 * for their revision: each object gets a new one, later than all of the source's. Memory is bounded by two pages.
 *
 * @throws CopyError; StorageError of either store, `compacted` when the source forgets that moment meanwhile; the
 *   signal's reason. What was written by then stays in the target.
 */
export async function copyStore(source: Storage, target: Storage, options: CopyOptions): Promise<CopyResult> {
  await assertEmpty(target, options.targetRoot ?? options.root);
  // A store whose revision counts only writes needs one write per revision.
  options.onProgress?.({ phase: 'advance', done: 0 });
  await unlessAborted(target.advanceRevision(await source.currentRevision()), options.signal);
  const copied = await copyObjects(source, target, options);
  await compare(source, target, { ...options, ...copied });
  return { ...copied, targetRevision: await target.currentRevision() };
}

/** Waits for work that cannot be cancelled, until the signal aborts. Its later result is ignored. */
async function unlessAborted(work: Promise<void>, signal: AbortSignal | undefined): Promise<void> {
  if (signal === undefined) return work;
  work.catch(() => {});
  const { promise, reject } = Promise.withResolvers<never>();
  const abort = (): void => reject(signal.reason);
  signal.addEventListener('abort', abort, { once: true });
  try {
    signal.throwIfAborted();
    await Promise.race([work, promise]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}

async function assertEmpty(target: Storage, root: string): Promise<void> {
  const { objects } = await target.range({ prefix: root, limit: 1 });
  if (objects.length === 0) return;
  throw new CopyError(
    'not-empty',
    `the target holds objects already (${objects[0]?.key}): a copy needs an empty one. If an earlier copy was interrupted, remove what it left and start again`,
  );
}

async function copyObjects(
  source: Storage,
  target: Storage,
  { root, targetRoot = root, skip, ttlSecondsOf, onProgress, signal }: CopyOptions,
): Promise<Omit<CopyResult, 'targetRevision'>> {
  const skipped = new Set<string>();
  let objectCount = 0;
  let sourceRevision = 0;
  for await (const page of readPages(source, { root, skip, signal })) {
    // Writes between the question for the revision and the first page are in the page, and count.
    if (page.revision !== sourceRevision) await target.advanceRevision(page.revision);
    sourceRevision = page.revision;
    for (const prefix of page.skipped) skipped.add(prefix);
    await Promise.all(
      page.objects.map(async ({ key, bytes, problem }) => {
        if (problem !== undefined) throw unreadable(key, problem);
        const result = await target.create(targetRoot + key.slice(root.length), withoutRevision(key, bytes), {
          ttlSeconds: ttlSecondsOf?.(key),
        });
        if (result.kind === 'conflict')
          throw new CopyError('not-empty', `${key} appeared in the target: somebody else writes to it`);
      }),
    );
    objectCount += page.objects.length;
    onProgress?.({ phase: 'copy', done: objectCount });
  }
  return { objectCount, sourceRevision, skipped: [...skipped] };
}

/** Reads both stores side by side. */
async function compare(
  source: Storage,
  target: Storage,
  options: CopyOptions & { readonly sourceRevision: number },
): Promise<void> {
  const { root, targetRoot = root, skip, onProgress, signal, sourceRevision } = options;
  const expected = readObjects(source, { root, skip, signal, revision: sourceRevision });
  const actual = readObjects(target, { root: targetRoot, signal });
  const isCopy = (one: StoredObject, other: StoredObject): boolean =>
    one.key.slice(root.length) === other.key.slice(targetRoot.length) && isSame(one.bytes, other.bytes);
  let done = 0;
  for (;;) {
    const [one, other] = await Promise.all([expected.next(), actual.next()]);
    if (one.done === true && other.done === true) return;
    if (one.done === true || other.done === true || !isCopy(one.value, other.value)) {
      const key = (one.value ?? other.value)?.key;
      throw new CopyError('different', `the copy differs from the source at ${key}: do not use it`);
    }
    if (++done % progressStep === 0) onProgress?.({ phase: 'verify', done });
  }
}

const progressStep = 500;

async function* readObjects(
  store: Storage,
  options: Parameters<typeof readPages>[1],
): AsyncGenerator<StoredObject, undefined> {
  for await (const { objects } of readPages(store, options)) yield* objects;
  return undefined;
}

/** Values that differ at most in their revision. */
function isSame(one: Buffer, other: Buffer): boolean {
  const [start, otherStart] = [findRevision(one), findRevision(other)];
  const [end, otherEnd] = [one.indexOf(jsonBytes.quote, start), other.indexOf(jsonBytes.quote, otherStart)];
  return (
    one.subarray(0, start).equals(other.subarray(0, otherStart)) &&
    one.subarray(end).equals(other.subarray(otherEnd))
  );
}

/** The value as stores take it: with an empty `resourceVersion`. */
function withoutRevision(key: string, bytes: Buffer): Buffer {
  try {
    const start = findRevision(bytes);
    return Buffer.concat([bytes.subarray(0, start), bytes.subarray(bytes.indexOf(jsonBytes.quote, start))]);
  } catch (cause) {
    throw unreadable(key, 'it is no object in JSON', cause);
  }
}

function unreadable(key: string, problem: string, cause?: unknown): CopyError {
  return new CopyError('unreadable', `the value of ${key} cannot be copied: ${problem}`, { cause });
}
