import { type WriteOptions as LifetimeOptions, StorageError, type WriteResult } from '../../storage/index.ts';
import type { ResourceStore, WriteOptions } from '../resource-store.ts';
import { translateStorageError } from '../storage-errors.ts';

/**
 * The outcome of a write: bytes of the object in its storage version as it now is. A dry run's bytes hold the
 * resourceVersion that the client sent (create) or the stored one (update).
 */
export interface WrittenObject {
  readonly bytes: Buffer;
  /** Revision of the write; undefined when nothing was written. */
  readonly revision?: number | undefined;
}

type NewResult =
  | { readonly kind: 'written'; readonly object: WrittenObject }
  | { readonly kind: 'exists'; readonly isBeingDeleted: boolean };

/** Creates a key; for a dry run, only checks that it does not exist, and answers with the version that the client sent. */
export async function storeNew(
  store: ResourceStore,
  {
    key,
    value,
    shownVersion = '',
  }: { readonly key: string; readonly value: Buffer; readonly shownVersion?: string | undefined },
  options: WriteOptions,
): Promise<NewResult> {
  if (options.isDryRun) {
    if (store.freshen !== undefined) await store.freshen();
    const current = store.cache.get(key);
    if (current !== undefined) return exists(current.bytes);
    return { kind: 'written', object: { bytes: withVersion(value, shownVersion) } };
  }
  const result = await guarded(() => store.storage.create(key, value, lifetimeOf(store)));
  if (result.kind === 'ok') return { kind: 'written', object: { bytes: result.object.bytes } };
  return exists(result.current?.bytes);
}

/** Replaces a key if it is still at `revision`; undefined when another write came first. */
export async function storeChanged(
  store: ResourceStore,
  write: { readonly key: string; readonly revision: number; readonly value: Buffer },
): Promise<WrittenObject | undefined> {
  const { key, revision, value } = write;
  const result = await guarded(() => store.storage.update(key, revision, value, lifetimeOf(store)));
  return result.kind === 'ok' ? { bytes: result.object.bytes, revision: result.revision } : undefined;
}

/** Removes a key if it is still at `revision`; false when another write came first. */
export async function removeStored(store: ResourceStore, key: string, revision: number): Promise<boolean> {
  const result = await guarded(() => store.storage.delete(key, revision));
  return result.kind === 'ok';
}

const lifetimeOf = ({ ttlSeconds }: ResourceStore): LifetimeOptions | undefined =>
  ttlSeconds === undefined ? undefined : { ttlSeconds };

async function guarded(write: () => Promise<WriteResult>): Promise<WriteResult> {
  try {
    return await write();
  } catch (error) {
    if (error instanceof StorageError) throw translateStorageError(error);
    throw error;
  }
}

const deletionMarker = Buffer.from('"deletionTimestamp":"');

function exists(bytes: Buffer | undefined): NewResult {
  if (bytes === undefined || !bytes.includes(deletionMarker))
    return { kind: 'exists', isBeingDeleted: false };
  // The marker may also stand inside the object, so only the parsed metadata decides.
  const parsed = JSON.parse(bytes.toString()) as { metadata?: { deletionTimestamp?: string } };
  return { kind: 'exists', isBeingDeleted: Boolean(parsed.metadata?.deletionTimestamp) };
}

const emptyVersion = Buffer.from('"resourceVersion":"",');

/** Encoded for storage, with this text as its resourceVersion; '' for none. */
function withVersion(value: Buffer, version: string): Buffer {
  const at = value.indexOf(emptyVersion);
  if (at < 0) return value;
  const text = Buffer.from(version === '' ? '' : `"resourceVersion":${JSON.stringify(version)},`);
  return Buffer.concat([value.subarray(0, at), text, value.subarray(at + emptyVersion.length)]);
}
