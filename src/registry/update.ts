import { isDeepStrictEqual } from 'node:util';
import type { WriteRules } from '../apis/kind-rules.ts';
import { encodeForStorage } from '../machinery/codec/index.ts';
import {
  badRequest,
  conflict,
  fieldPath,
  invalid,
  invalidValue,
  notFound,
  otherFailure,
} from '../machinery/errors/index.ts';
import type { ApiObject } from '../machinery/meta/index.ts';
import { stampRevision } from '../storage/index.ts';
import { changeAttributes } from './attributes.ts';
import { createObject } from './create.ts';
import {
  changedMetadataErrors,
  keepServerMetadata,
  settleNamespace,
  throwIfInvalid,
} from './object-metadata.ts';
import {
  decodeStored,
  groupResourceOf,
  keyOf,
  type ResourceStore,
  ruleContextOf,
  type ServedKind,
  type WriteOptions,
} from './resource-store.ts';
import { toStorageVersion } from './versions.ts';
import { removeStored, storeChanged, type WrittenObject } from './write.ts';

/** How often a write that lost a race is tried again before the client is told. */
const maxAttempts = 8;

/** Computes the new object (served version, decoded, defaulted) from the stored one (storage version). */
export type Transform = (current: ApiObject) => ApiObject | Promise<ApiObject>;

/** An update of one object. `subresource` picks the rules: '' for the whole object, `status` and the like. */
export interface UpdateRequest {
  readonly namespace: string;
  readonly name: string;
  readonly subresource: string;
  /** Rules of the subresource; the kind's own when left out. */
  readonly rules?: WriteRules<ApiObject> | undefined;
  readonly transform: Transform;
  /** The uid that the client expects (PUT only). */
  readonly expectedUid?: string | undefined;
  /** The object to create when there is none, for kinds that allow it (PUT only). */
  readonly createInstead?: ApiObject | undefined;
  readonly options: WriteOptions;
}

/** What became of an update. */
export interface UpdateResult extends WrittenObject {
  readonly wasCreated: boolean;
}

/**
 * Changes one object: transform > version check > metadata > prepare > validate > admission > store, again from
 * the newest state when another write came first and the client named no version. An object under deletion whose
 * last finalizer goes is removed.
 *
 * @throws StatusError NotFound, Conflict, Invalid, and whatever admission refuses with.
 */
export async function updateObject(served: ServedKind, request: UpdateRequest): Promise<UpdateResult> {
  const { store } = served;
  const key = keyOf(store, request.namespace, request.name);
  for (let attempt = 1; ; attempt++) {
    const current = store.cache.get(key);
    if (current === undefined) return createInstead(served, request);
    const old = decodeStored(current);
    checkUid(served, request, old, key);
    const object = await changedObject(served, request, old, decodeStored(current), current.revision);
    const written = await storeUpdate(store, request, {
      key,
      revision: current.revision,
      old,
      object,
      bytes: current.bytes,
    });
    if (written !== undefined) return { ...written, wasCreated: false };
    if (attempt === maxAttempts) throw lostRace(served, request.name);
  }
}

async function createInstead(served: ServedKind, request: UpdateRequest): Promise<UpdateResult> {
  const { store } = served;
  if (request.createInstead === undefined || store.rules.allowsCreateOnUpdate !== true) {
    throw notFound(groupResourceOf(served), request.name);
  }
  const { namespace, createInstead: object, options } = request;
  delete object.metadata.resourceVersion;
  const written = await createObject(served, { namespace, object, options });
  return { ...written, wasCreated: true };
}

async function changedObject(
  served: ServedKind,
  request: UpdateRequest,
  old: ApiObject,
  current: ApiObject,
  revision: number,
): Promise<ApiObject> {
  const { store } = served;
  const { options, subresource } = request;
  const object = toStorageVersion(served, await request.transform(current));
  await store.admission.admit(
    changeAttributes(store, 'UPDATE', { object, oldObject: old, subresource, options }),
  );
  checkVersion(served, object, revision, request.name);
  object.metadata.resourceVersion = old.metadata.resourceVersion;
  settleNamespace(store, object, request.namespace);
  keepServerMetadata(object, old);
  applyRules(served, request, object, old);
  await store.admission.validate(
    changeAttributes(store, 'UPDATE', { object, oldObject: old, subresource, options }),
  );
  return object;
}

function applyRules(served: ServedKind, request: UpdateRequest, object: ApiObject, old: ApiObject): void {
  const { store } = served;
  const context = ruleContextOf(served, request.options.user);
  const rules = request.rules ?? store.rules;
  if (request.subresource === '') {
    if (store.rules.hasStatus === true) restore(object, old, 'status');
    rules.prepareForUpdate?.(object, old, context);
    if (store.rules.hasGeneration === true && hasDesiredChange(object, old)) {
      object.metadata.generation = (old.metadata.generation ?? 0) + 1;
    }
  } else {
    if (request.subresource === 'status') restoreAllButStatus(object, old);
    rules.prepareForUpdate?.(object, old, context);
  }
  const errors = changedMetadataErrors(store, object, old);
  throwIfInvalid(store, object, [...errors, ...(rules.validateUpdate?.(object, old, context) ?? [])]);
  store.rules.canonicalize?.(object);
}

type Fields = Record<string, unknown>;

function restore(object: ApiObject, old: ApiObject, field: string): void {
  const from = old as unknown as Fields; // fields beyond the metadata are the kind's own
  const to = object as unknown as Fields;
  if (field in from) to[field] = from[field];
  else delete to[field];
}

function restoreAllButStatus(object: ApiObject, old: ApiObject): void {
  const names = new Set([...Object.keys(object), ...Object.keys(old)]);
  for (const name of names) {
    if (!['kind', 'apiVersion', 'metadata', 'status'].includes(name)) restore(object, old, name);
  }
}

/** True when anything but metadata and status differs. */
function hasDesiredChange(object: ApiObject, old: ApiObject): boolean {
  const names = new Set([...Object.keys(object), ...Object.keys(old)]);
  for (const name of names) {
    if (['kind', 'apiVersion', 'metadata', 'status'].includes(name)) continue;
    if (!isDeepStrictEqual((object as unknown as Fields)[name], (old as unknown as Fields)[name]))
      return true;
  }
  return false;
}

function checkUid(served: ServedKind, request: UpdateRequest, old: ApiObject, key: string): void {
  const { expectedUid } = request;
  if (!expectedUid || expectedUid === old.metadata.uid) return;
  const detail = `Precondition failed: UID in precondition: ${expectedUid}, UID in object meta: ${old.metadata.uid}`;
  throw conflict(
    groupResourceOf(served),
    request.name,
    `StorageError: invalid object, Code: 4, Key: ${key}, ResourceVersion: 0, AdditionalErrorMsg: ${detail}`,
  );
}

/** Compares the version that the client saw with the stored one. 0 and none mean any version. */
function checkVersion(served: ServedKind, object: ApiObject, revision: number, name: string): void {
  const given = object.metadata.resourceVersion ?? '';
  if (given !== '' && !/^\d+$/.test(given)) {
    throw otherFailure(500, '', `strconv.ParseUint: parsing ${JSON.stringify(given)}: invalid syntax`);
  }
  if (given === '' || Number(given) === 0) {
    if (served.store.rules.allowsUnconditionalUpdate !== false) return;
    const path = fieldPath('metadata', 'resourceVersion');
    const { group, resource } = groupResourceOf(served);
    throw invalid({ group, kind: resource }, name, [
      invalidValue(path, 0, 'must be specified for an update'),
    ]);
  }
  if (Number(given) !== revision) throw lostRace(served, name);
}

function lostRace(served: ServedKind, name: string): Error {
  return conflict(
    groupResourceOf(served),
    name,
    'the object has been modified; please apply your changes to the latest version and try again',
  );
}

interface PendingUpdate {
  readonly key: string;
  readonly revision: number;
  readonly old: ApiObject;
  readonly object: ApiObject;
  readonly bytes: Buffer;
}

async function storeUpdate(
  store: ResourceStore,
  request: UpdateRequest,
  update: PendingUpdate,
): Promise<WrittenObject | undefined> {
  const { key, revision, old, object } = update;
  const { isDryRun } = request.options;
  const allocation = store.allocator?.allocate(object, old, { isDryRun });
  try {
    const value = stampRevision(encodeForStorage(store.storageType, object), revision);
    let written: WrittenObject | undefined;
    // An update that changes nothing writes nothing and keeps the version.
    if (value.equals(update.bytes)) written = { bytes: update.bytes };
    else if (isDryRun) written = { bytes: value };
    else if (isLastStepOfDeletion(store, object, old)) {
      if (await removeStored(store, key, revision)) {
        store.allocator?.release(object);
        written = { bytes: value };
      }
    } else written = await storeChanged(store, { key, revision, value });
    if (written === undefined || isDryRun) allocation?.rollback();
    else allocation?.commit();
    return written;
  } catch (error) {
    allocation?.rollback();
    throw error;
  }
}

function isLastStepOfDeletion(store: ResourceStore, object: ApiObject, old: ApiObject): boolean {
  const { metadata } = object;
  if (!old.metadata.deletionTimestamp || (metadata.finalizers?.length ?? 0) > 0) return false;
  if (store.rules.isReadyToRemove !== undefined) return store.rules.isReadyToRemove(object);
  return (metadata.deletionGracePeriodSeconds ?? 0) === 0;
}

/** @throws StatusError 400 when the body names another object than the path. */
export function checkNames(object: ApiObject, namespace: string, name: string): void {
  const { metadata } = object;
  const givenName = metadata.name ?? '';
  if (givenName === '') {
    throw badRequest(
      `the name of the object (${name} based on URL) was undeterminable: name must be provided`,
    );
  }
  if (givenName !== name) {
    throw badRequest(`the name of the object (${givenName}) does not match the name on the URL (${name})`);
  }
  const givenNamespace = metadata.namespace ?? '';
  if (namespace === '' || givenNamespace === namespace) return;
  if (givenNamespace === '') metadata.namespace = namespace;
  else {
    throw badRequest(
      `the namespace of the object (${givenNamespace}) does not match the namespace on the request (${namespace})`,
    );
  }
}
