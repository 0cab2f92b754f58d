import type { Steps } from '../base/index.ts';
import { encodeForStorage } from '../machinery/codec/index.ts';
import { conflict, forbidden, isReason, notFound, type Status } from '../machinery/errors/index.ts';
import type { ApiObject } from '../machinery/meta/index.ts';
import { stampRevision } from '../storage/index.ts';
import type { CachedObject } from '../storage/watch-cache/index.ts';
import type { AdmissionAttributes, DeleteOptions } from './admission.ts';
import { changeAttributes } from './attributes.ts';
import type { DeleteRequest, DeleteResult } from './delete-request.ts';
import { deleteUnreadable } from './delete-unreadable.ts';
import { graceSeconds, isOnItsWay, isOverdue, markDeleted } from './mark-deleted.ts';
import { withConversions } from './remote-conversions.ts';
import {
  decodeStored,
  groupResourceOf,
  keyOfRequest,
  type ResourceStore,
  type ServedKind,
} from './resource-store.ts';
import { inServedVersion, parseStored } from './versions.ts';
import { tryUntilDone } from './write/contention.ts';
import { type PacedWrite, paceSteps, restAfterStep } from './write/rest.ts';
import { removeStored, storeChanged } from './write/store-writes.ts';

/**
 * Deletes one object: removed at once, or marked with `deletionTimestamp` while finalizers or a grace period hold it.
 *
 * @throws StatusError Forbidden (never by itself), NotFound, Conflict (precondition), and whatever admission refuses with.
 */
export async function deleteObject(served: ServedKind, request: DeleteRequest): Promise<DeleteResult> {
  const result = await deleteAlone(served, request);
  const companion = request.options.isDryRun ? undefined : served.store.companion?.();
  if (companion !== undefined) await deleteCompanion(companion, request);
  return result;
}

/** Nobody is asked about it: it is nothing without the object. */
async function deleteCompanion(companion: ServedKind, request: DeleteRequest): Promise<void> {
  try {
    await deleteAlone(companion, { ...request, deleteOptions: {}, isAdmitted: true });
  } catch (error) {
    if (!isReason(error, 'NotFound')) throw error;
  }
}

async function deleteAlone(served: ServedKind, request: DeleteRequest): Promise<DeleteResult> {
  const { store } = served;
  const key = keyOfRequest(store, request);
  const obstacle = request.isOfCollection === true ? undefined : store.rules.whyNotDeleted?.(request.name);
  if (obstacle !== undefined) throw forbidden(groupResourceOf(served), request.name, obstacle);
  return tryUntilDone(served, { key, name: request.name, options: request.options }, async () => {
    if (store.freshen !== undefined) await store.freshen();
    const removed = await deleteUnreadable(served, request);
    if (removed !== undefined) return removed;
    const current = store.cache.get(key);
    if (current === undefined) throw notFound(groupResourceOf(served), request.name);
    const old = decodeStored(current);
    checkPreconditions(served, request, old);
    // Nothing happens, so that nobody is asked: a deletion on its way can only be hastened.
    if (isOnItsWay(store.rules, request.deleteOptions, old))
      return { kind: 'object', bytes: current.bytes, cached: current, wasRemoved: false };
    const rest = restAfterStep(paceOf(request, current));
    if (rest !== undefined) await rest;
    await admitDeletion(served, request, old);
    return tryDelete(served, request, current, old);
  });
}

/** @throws StatusError whatever admission refuses with. */
async function admitDeletion(served: ServedKind, request: DeleteRequest, old: ApiObject): Promise<void> {
  if (request.isAdmitted === true) return;
  const { admission } = served.store;
  let attributes = deletionAttributes(served, request, old);
  // Others are told of objects in the version of the request.
  if (served.convertsLast === true && admission.asksOthers?.(attributes) === true) {
    const shown = await withConversions(() => inServedVersion(served, old));
    attributes = deletionAttributes(served, request, shown);
  }
  await admission.admit(attributes);
  await admission.validate(attributes);
}

function deletionAttributes(served: ServedKind, request: DeleteRequest, old: ApiObject): AdmissionAttributes {
  return changeAttributes(served, 'DELETE', {
    namespace: request.namespace,
    name: request.isOfCollection === true ? '' : request.name,
    oldObject: old,
    options: request.options,
    deleteOptions: effectiveOptions(served.store, request.deleteOptions, old),
  });
}

/** The options as the kind completes them, which admission is told. */
export function effectiveOptions(
  { rules }: ResourceStore,
  options: DeleteOptions,
  old: ApiObject,
): DeleteOptions {
  // What ends in steps of its own is deleted as the object that it was when the first of them was asked for.
  if (rules.isReadyToRemove !== undefined)
    return { ...options, preconditions: { uid: old.metadata.uid, ...options.preconditions } };
  if (rules.gracePeriodSeconds === undefined) return options;
  return { ...options, gracePeriodSeconds: graceSeconds(rules, old, options) };
}

/** How large the object is that is deleted, and where its deletion rests. */
const paceOf = ({ options }: DeleteRequest, { bytes }: CachedObject): PacedWrite => ({
  sizeBytes: bytes.length,
  turns: options.turns,
});

async function tryDelete(
  served: ServedKind,
  request: DeleteRequest,
  current: CachedObject,
  old: ApiObject,
): Promise<DeleteResult | undefined> {
  const { store } = served;
  const marking = paceSteps(markStored(store, request, current, old), paceOf(request, current));
  const { marked, value, isWaiting } = marking instanceof Promise ? await marking : marking;
  if (isWaiting) {
    const waiting = await storeMarked(store, request, current, { marked, value });
    return waiting !== undefined && store.rules.answersDeletion === 'status'
      ? removedStatus(served, marked)
      : waiting;
  }
  if (request.options.isDryRun) return dryRunResult(served, old, { marked, value });
  if (store.rules.gracePeriodSeconds !== undefined && !isOverdue(old))
    return removeMarked(served, request, current, { marked, value });
  if (!(await removeStored(store, current.key, current.revision))) return undefined;
  await store.allocator?.release(old);
  if (store.rules.answersDeletion !== 'object') return removedStatus(served, old);
  return { kind: 'object', bytes: current.bytes, wasRemoved: true };
}

/** An object whose deletion has begun. */
interface MarkedObject {
  readonly marked: ApiObject;
  /** The same as bytes, at the version that it has; what is stored when it is removed without being written again. */
  readonly value: Buffer;
}

function* markStored(
  store: ResourceStore,
  { deleteOptions }: DeleteRequest,
  { bytes, revision }: CachedObject,
  old: ApiObject,
): Steps<MarkedObject & { readonly isWaiting: boolean }> {
  yield;
  const marked = markDeleted(store, deleteOptions, { ...old, metadata: { ...old.metadata } });
  const isWaiting = (marked.metadata.finalizers?.length ?? 0) > 0 || !isReady(store, marked, old);
  // Only what has a grace period is marked before it is removed.
  if (!isWaiting && store.rules.gracePeriodSeconds === undefined) return { marked, value: bytes, isWaiting };
  const value = stampRevision(encodeForStorage(store.storageType, marked), revision);
  yield;
  return { marked, value, isWaiting };
}

/**
 * For kinds with a grace period, watchers see `deletionTimestamp` before the object is removed, however short the
 * period.
 */
async function removeMarked(
  served: ServedKind,
  request: DeleteRequest,
  current: CachedObject,
  { marked, value }: MarkedObject,
): Promise<DeleteResult | undefined> {
  const { store } = served;
  const isMarked = value.equals(current.bytes);
  const written = isMarked
    ? { bytes: value, revision: current.revision }
    : await storeChanged(store, { key: current.key, revision: current.revision, value });
  if (written?.revision === undefined) return undefined;
  // Others have their say on both steps, as in release 1.20.
  if (store.admission.asksOthers?.(deletionAttributes(served, request, marked)) === true)
    await admitDeletion(served, request, parseStored(written.bytes));
  if (!(await removeStored(store, current.key, written.revision))) return undefined;
  await store.allocator?.release(marked);
  if (store.rules.answersDeletion !== 'object') return removedStatus(served, marked);
  return { kind: 'object', bytes: written.bytes, wasRemoved: true };
}

/** What waits for more than its finalizers is only marked by the first deletion, and goes with a later one. */
function isReady(store: ResourceStore, object: ApiObject, old: ApiObject): boolean {
  const { isReadyToRemove } = store.rules;
  if (isReadyToRemove !== undefined)
    return Boolean(old.metadata.deletionTimestamp) && isReadyToRemove(object);
  return (object.metadata.deletionGracePeriodSeconds ?? 0) <= 0;
}

async function storeMarked(
  store: ResourceStore,
  request: DeleteRequest,
  current: CachedObject,
  { marked, value }: MarkedObject,
): Promise<DeleteResult | undefined> {
  if (value.equals(current.bytes) || request.options.isDryRun) {
    return { kind: 'object', bytes: value, wasRemoved: false };
  }
  const { key, revision } = current;
  const whenCached = store.foresee?.(marked);
  const { turns } = request.options;
  const written = await storeChanged(store, { key, revision, value, whenCached, turns });
  return written === undefined
    ? undefined
    : { kind: 'object', bytes: written.bytes, cached: written.cached, wasRemoved: false };
}

/** Release 1.20 shows what it would have written first: the object without the garbage collector's finalizers. */
function dryRunResult(served: ServedKind, old: ApiObject, { marked, value }: MarkedObject): DeleteResult {
  const { store } = served;
  const { gracePeriodSeconds, isReadyToRemove, answersDeletion } = store.rules;
  if (gracePeriodSeconds !== undefined) return { kind: 'object', bytes: value, wasRemoved: true };
  const hadFinalizers = isReadyToRemove === undefined && (old.metadata.finalizers?.length ?? 0) > 0;
  if (answersDeletion === 'status' || (answersDeletion === undefined && !hadFinalizers))
    return removedStatus(served, marked);
  if (!hadFinalizers) return { kind: 'object', bytes: value, wasRemoved: true };
  const { finalizers: _, ...metadata } = old.metadata;
  const shown = encodeForStorage(store.storageType, { ...old, metadata });
  const bytes = stampRevision(shown, Number(old.metadata.resourceVersion));
  return { kind: 'object', bytes, wasRemoved: true };
}

/** Names the resource as the request does. */
function removedStatus(served: ServedKind, object: ApiObject): DeleteResult {
  const { group, resource } = groupResourceOf(served);
  const status: Status = {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Success',
    details: {
      name: object.metadata.name,
      ...(group === '' ? {} : { group }),
      kind: resource,
      uid: object.metadata.uid,
    },
  };
  return { kind: 'status', status, wasRemoved: true };
}

/**
 * Release 1.20 names the kind here, where other conflicts name the resource; namespaces, which end by a way of their own,
 * name the resource.
 *
 * @throws StatusError 409 when uid or version differ from the preconditions.
 */
function checkPreconditions(served: ServedKind, request: DeleteRequest, object: ApiObject): void {
  const { uid, resourceVersion } = request.deleteOptions.preconditions ?? {};
  const { metadata } = object;
  const { store } = served;
  const isLate = store.rules.isReadyToRemove !== undefined;
  const named = isLate
    ? groupResourceOf(served)
    : { group: store.rules.messageGroup ?? store.group, resource: store.storageKind.kind };
  const check = (name: string, wanted: string | undefined, actual: string | undefined, end: string) => {
    if (wanted === undefined || wanted === actual) return;
    throw conflict(
      named,
      request.name,
      isLate
        ? `Precondition failed: ${name} in precondition: ${wanted}, ${name} in object meta: ${actual}`
        : `the ${name} in the precondition (${wanted}) does not match the ${name} in record (${actual}). The object might have been ${end}`,
    );
  };
  check('UID', uid, metadata.uid, 'deleted and then recreated');
  check('ResourceVersion', resourceVersion, metadata.resourceVersion, 'modified');
}
