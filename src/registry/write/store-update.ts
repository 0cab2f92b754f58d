import { type Steps, takeSteps } from '../../base/index.ts';
import { encodeInSteps, encodeMetadata } from '../../machinery/codec/index.ts';
import type { ApiObject } from '../../machinery/meta/index.ts';
import { jsonEqual } from '../../machinery/patch/index.ts';
import type { Allocator, ResourceStore } from '../resource-store.ts';
import { type PacedWrite, paceSteps } from './rest.ts';
import { removeStored, storeChanged, type WrittenObject } from './store-writes.ts';
import type { StoredObject } from './stored-owners.ts';

/** What is stored, and what it becomes. */
export interface StoredChange extends StoredObject {
  readonly object: ApiObject;
}

/** How a change is stored. */
export interface StoreUpdateOptions {
  readonly isDryRun: boolean;
  /** Whether the request applies a configuration: it is nothing without its record of owners. */
  readonly isApplied: boolean;
  /** How large the change is, and where it rests. */
  readonly pace: PacedWrite;
}

/** Undefined when another write came first. */
export type UpdateOutcome = WrittenObject | undefined;

/** Allocates what the changed object needs, and stores it. Most kinds allocate nothing. */
export function storeUpdate(
  store: ResourceStore,
  update: StoredChange,
  options: StoreUpdateOptions,
): Promise<UpdateOutcome> | UpdateOutcome {
  return store.allocator === undefined
    ? writeUpdate(store, update, options)
    : storeAllocated(store, update, { ...options, allocator: store.allocator });
}

async function storeAllocated(
  store: ResourceStore,
  update: StoredChange,
  { allocator, ...options }: StoreUpdateOptions & { readonly allocator: Allocator },
): Promise<UpdateOutcome> {
  const { isDryRun } = options;
  const allocation = await allocator.allocate(update.object, update.old, { isDryRun });
  try {
    const written = await writeUpdate(store, update, options);
    await (written === undefined || isDryRun ? allocation.rollback() : allocation.commit());
    return written;
  } catch (error) {
    await allocation.rollback();
    throw error;
  }
}

function writeUpdate(
  store: ResourceStore,
  update: StoredChange,
  options: StoreUpdateOptions,
): Promise<UpdateOutcome> | UpdateOutcome {
  const value = paceSteps(valueToStore(store, update), options.pace);
  return value instanceof Promise
    ? value.then((encoded) => writeValue(store, update, options, encoded))
    : writeValue(store, update, options, value);
}

/** The changed object as it is stored. */
function* valueToStore(store: ResourceStore, update: StoredChange): Steps<Buffer> {
  store.applyDefaults(update.object);
  yield;
  const value = yield* encodeUpdate(store, update);
  // Storing a value begins with work on all of it.
  yield;
  return value;
}

/** Whether an update's answer is not what would be stored, even where nothing changes. */
export const isShownOverOld = ({ rules }: ResourceStore, isDryRun: boolean): boolean =>
  isDryRun && rules.showOverOld !== undefined;

function writeValue(
  store: ResourceStore,
  update: StoredChange,
  { isDryRun, isApplied, pace: { turns } }: StoreUpdateOptions,
  value: Buffer,
): Promise<UpdateOutcome> | UpdateOutcome {
  const { old, object, stored } = update;
  const { key, revision } = stored;
  // An update that changes nothing writes nothing and keeps the version, unless it brings the stored value up to date.
  const isOverOld = isShownOverOld(store, isDryRun);
  if (value.equals(stored.bytes) && !stored.isStale && !isOverOld)
    return { bytes: stored.bytes, cached: stored };
  if (isDryRun) {
    if (!isOverOld) return { bytes: value };
    store.rules.showOverOld?.(object, old, store.environment.ruleContext);
    return { bytes: takeSteps(encodeUpdate(store, update)) };
  }
  if (isLastStepOfDeletion(store, object, old)) return removeUpdated(store, update, value);
  const whenCached = store.foresee?.(object);
  return storeChanged(store, { key, revision, value, mayDropOwners: !isApplied, whenCached, turns });
}

async function removeUpdated(
  store: ResourceStore,
  { object, stored }: StoredChange,
  bytes: Buffer,
): Promise<UpdateOutcome> {
  if (!(await removeStored(store, stored.key, stored.revision))) return undefined;
  await store.allocator?.release(object);
  return { bytes };
}

/** The changed object as it is stored, with the revision that it has before the write. */
function* encodeUpdate(
  { storageType, metadataType }: ResourceStore,
  { old, object, stored, place }: StoredChange,
): Steps<Buffer> {
  const resourceVersion = String(stored.revision);
  const isOfMetadata = place !== undefined && metadataType !== undefined && hasSameContent(object, old);
  yield;
  if (!isOfMetadata) return yield* encodeInSteps(storageType, object, resourceVersion);
  const encoded = { bytes: stored.bytes, ...place };
  return encodeMetadata(metadataType, encoded, { metadata: object.metadata, resourceVersion });
}

/** Whether two objects differ in their metadata only. */
function hasSameContent({ metadata: _, ...object }: ApiObject, { metadata: __, ...old }: ApiObject): boolean {
  return jsonEqual(object, old);
}

/** Whether the object is under deletion, and nothing keeps it any longer. */
export function isLastStepOfDeletion(store: ResourceStore, object: ApiObject, old: ApiObject): boolean {
  const { metadata } = object;
  if (!old.metadata.deletionTimestamp || (metadata.finalizers?.length ?? 0) > 0) return false;
  if (store.rules.isReadyToRemove !== undefined) return store.rules.isReadyToRemove(object);
  return (metadata.deletionGracePeriodSeconds ?? 0) === 0;
}
