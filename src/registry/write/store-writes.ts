import type { TurnQueue } from '../../base/index.ts';
import { cutOwners } from '../../machinery/codec/index.ts';
import type { ApiObject } from '../../machinery/meta/index.ts';
import { type WriteOptions as LifetimeOptions, StorageError, type WriteResult } from '../../storage/index.ts';
import type { CachedObject } from '../../storage/watch-cache/index.ts';
import { withConversions } from '../remote-conversions.ts';
import type { ResourceStore, ServedKind, WriteOptions } from '../resource-store.ts';
import { translateStorageError } from '../storage-errors.ts';
import { toStorageVersion } from '../versions.ts';
import { takeLongSteps } from './rest.ts';

/**
 * The outcome of a write: bytes of the object in its storage version as it now is. A dry run's bytes hold the
 * resourceVersion that the client sent (create) or the stored one (update).
 */
export interface WrittenObject {
  readonly bytes: Buffer;
  /** Revision of the write; undefined when nothing was written. */
  readonly revision?: number | undefined;
  /** The same in the cache, if it is there already and still: what is made of it is remembered. */
  readonly cached?: CachedObject | undefined;
}

/** A value to store. */
export interface ValueToStore {
  readonly key: string;
  readonly value: Buffer;
  /** Whether a value that is too large for the store is stored without its record of owners; refused when left out. */
  readonly mayDropOwners?: boolean;
  /** What `ResourceStore.foresee` said of the object. */
  readonly whenCached?: ((stored: CachedObject) => void) | undefined;
  /** Where measuring a large value rests; it does not where this is left out. */
  readonly turns?: TurnQueue | undefined;
}

/** The largest message that the reference's client of its store sends. */
const maxMessageBytes = 2 * 1024 * 1024;
/** Longer JSON is refused, however short its Protobuf is: texts of control characters can become six times as long. */
const maxMeasuredBytes = 4 * maxMessageBytes;
/** What a transaction that writes one key holds beside key and value, about. */
const transactionBytes = 64;
const keysPerTransaction = 3;

type NewResult =
  | { readonly kind: 'written'; readonly object: WrittenObject }
  | { readonly kind: 'exists'; readonly isBeingDeleted: boolean };

/** Creates a key; for a dry run, only checks that it does not exist, and answers with the version that the client sent. */
export async function storeNew(
  store: ResourceStore,
  { shownVersion = '', ...write }: ValueToStore & { readonly shownVersion?: string | undefined },
  options: WriteOptions,
): Promise<NewResult> {
  const { key } = write;
  if (options.isDryRun) {
    if (store.freshen !== undefined) await store.freshen();
    const current = store.cache.get(key);
    if (current !== undefined) return exists(current.bytes);
    return { kind: 'written', object: { bytes: withVersion(write.value, shownVersion) } };
  }
  const result = await storeFitting(store, write, (value) =>
    store.storage.create(key, value, lifetimeOf(store)),
  );
  if (result.kind === 'ok') {
    const cached = noteWritten(store, result, write);
    return { kind: 'written', object: { bytes: result.object.bytes, cached } };
  }
  return exists(result.current?.bytes);
}

/** Replaces a key if it is still at `revision`; undefined when another write came first. */
export async function storeChanged(
  store: ResourceStore,
  write: ValueToStore & { readonly revision: number },
): Promise<WrittenObject | undefined> {
  const { key, revision } = write;
  const result = await storeFitting(store, write, (value) =>
    store.storage.update(key, revision, value, lifetimeOf(store)),
  );
  if (result.kind !== 'ok') return undefined;
  const cached = noteWritten(store, result, write);
  return { bytes: result.object.bytes, revision: result.revision, cached };
}

/** All values that are stored here were encoded by this process; the cache mostly knows them when they are acknowledged. */
function noteWritten(
  store: ResourceStore,
  { object: { key, bytes } }: Extract<WriteResult, { kind: 'ok' }>,
  { whenCached }: ValueToStore,
): CachedObject | undefined {
  const cached = store.cache.get(key);
  // Other bytes are of another version, or were converted on their way.
  if (cached?.bytes !== bytes) return undefined;
  cached.markCanonical();
  whenCached?.(cached);
  return cached;
}

/** Removes a key if it is still at `revision`; false when another write came first. */
export async function removeStored(store: ResourceStore, key: string, revision: number): Promise<boolean> {
  const result = await guarded(() => store.storage.delete(key, revision));
  return result.kind === 'ok';
}

const lifetimeOf = ({ ttlSeconds }: ResourceStore): LifetimeOptions | undefined =>
  ttlSeconds === undefined ? undefined : { ttlSeconds };

/** Stores the value, or where it is too large without its record of owners. @throws StatusError 500 when that is too large too. */
async function storeFitting(
  store: ResourceStore,
  { key, value, mayDropOwners = false, turns }: ValueToStore,
  write: (value: Buffer) => Promise<WriteResult>,
): Promise<WriteResult> {
  const send = (bytes: Buffer, size: number): Promise<WriteResult> => {
    const problem = sizeProblem(store, size);
    return problem === undefined ? write(bytes) : Promise.reject(problem);
  };
  const attempt = (bytes: Buffer): Promise<WriteResult> => {
    const size = sizeInStore(store, key, bytes, turns);
    return size instanceof Promise ? size.then((measured) => send(bytes, measured)) : send(bytes, size);
  };
  try {
    return await attempt(value);
  } catch (error) {
    if (!(error instanceof StorageError)) throw error;
    const instead = error.code === 'too-large' && mayDropOwners ? cutOwners(value) : undefined;
    if (instead === undefined) throw translateStorageError(error);
    return await guarded(() => attempt(instead));
  }
}

/** What etcd's limits would count of a write, in bytes. */
function sizeInStore(
  store: ResourceStore,
  key: string,
  value: Buffer,
  turns: TurnQueue | undefined,
): number | Promise<number> {
  const { protobufSizeOf } = store;
  const others = keysPerTransaction * key.length + transactionBytes;
  // Protobuf is never the longer one, so that it is only looked at where that matters.
  const isMeasured = value.length + others > limitOf(store) && value.length <= maxMeasuredBytes;
  if (!isMeasured || protobufSizeOf === undefined) return others + value.length;
  const size = takeLongSteps(protobufSizeOf(value), turns);
  return size instanceof Promise ? size.then((measured) => others + measured) : others + size;
}

const limitOf = ({ environment }: ResourceStore): number =>
  Math.min(maxMessageBytes, environment.maxStoredBytes ?? Infinity);

/** Why a value is not sent to the store. Source: etcd's client and server, as release 1.20 passes their words on. */
function sizeProblem(store: ResourceStore, bytes: number): StorageError | undefined {
  if (bytes > maxMessageBytes) {
    const detail = `trying to send message larger than max (${bytes} vs. ${maxMessageBytes})`;
    return new StorageError('too-large', `rpc error: code = ResourceExhausted desc = ${detail}`);
  }
  return bytes > limitOf(store)
    ? new StorageError('too-large', 'etcdserver: request is too large')
    : undefined;
}

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

/** A valid object of a kind whose rules see the version of the request, as it is stored. It is used up. */
export async function convertLast(served: ServedKind, object: ApiObject): Promise<ApiObject> {
  const convert = (): ApiObject => toStorageVersion(served, object);
  return served.store.convertsRemotely === true ? withConversions(convert) : convert();
}
