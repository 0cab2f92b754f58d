import type { Steps } from '../../base/index.ts';
import { encodeInSteps } from '../../machinery/codec/index.ts';
import { alreadyExists, otherFailure, type StatusError } from '../../machinery/errors/index.ts';
import type { ApiObject } from '../../machinery/meta/index.ts';
import { changeAttributes } from '../attributes.ts';
import {
  type Allocator,
  groupResourceOf,
  keyOf,
  type ResourceStore,
  ruleContextOf,
  type ServedKind,
  type WriteOptions,
} from '../resource-store.ts';
import { toStorageVersion } from '../versions.ts';
import type { DecodedObject } from './decoded-object.ts';
import { noteValid } from './known-valid.ts';
import { fillNewMetadata, ownMetadataErrors, settleNamespace, throwIfInvalid } from './object-metadata.ts';
import { dropDuplicateOwners } from './owner-references.ts';
import { type PacedWrite, paceSteps, restAfterStep, takeLongSteps } from './rest.ts';
import { convertLast, storeNew, type WrittenObject } from './store-writes.ts';
import { validateInSteps } from './update-rules.ts';

/** An object to create, its owners recorded. It is used up. */
export interface CreationPlan {
  readonly namespace: string;
  readonly object: DecodedObject;
  readonly options: WriteOptions;
  /** Asked once the object is valid, for requests that were not allowed as a creation before. @throws StatusError 403 */
  readonly authorize?: (() => Promise<void>) | undefined;
  /** Name in the request's path, when it is one that could have updated the object. */
  readonly requestName?: string | undefined;
  /** The subresource whose write creates the object; '' for the whole. */
  readonly subresource?: string | undefined;
  /** The object is refused where only its record of owners is too large, rather than stored without. */
  readonly needsOwners?: boolean | undefined;
  /** Bytes of the request's body. */
  readonly sizeBytes: number;
}

/**
 * The second half of a creation: admission > metadata > prepare > validate > admission > store.
 *
 * @throws StatusError AlreadyExists, Invalid, BadRequest, Forbidden, and whatever admission refuses with.
 */
export async function createDecoded(served: ServedKind, request: CreationPlan): Promise<WrittenObject> {
  const { store } = served;
  const { options, requestName, subresource = '' } = request;
  const isLate = served.convertsLast === true;
  const object = isLate ? request.object : toStorageVersion(served, request.object);
  const { namespace } = request;
  const { name = '' } = object.metadata;
  const change = { namespace, name, requestName, subresource, object, options };
  await store.admission.admit(changeAttributes(served, 'CREATE', change));
  settleNamespace(store, object, namespace);
  dropDuplicateOwners(object, 'admitted', options);
  const compiling = served.rules.compileSteps?.(object, undefined, ruleContextOf(served, options));
  if (compiling !== undefined) await takeLongSteps(compiling, options.turns);
  const restBefore = restAfterStep(paceOf(request));
  if (restBefore !== undefined) await restBefore;
  prepareNew(served, object, options);
  const validating = validateInSteps(served, { rules: served.rules, options }, object, undefined);
  if (validating !== undefined) await validating;
  const rest = restAfterStep(paceOf(request));
  if (rest !== undefined) await rest;
  await request.authorize?.();
  // A generated name is known by now.
  const named = { ...change, name: object.metadata.name ?? name };
  await store.admission.validate(changeAttributes(served, 'CREATE', named));
  const stored = isLate ? await convertLast(served, object) : object;
  // Most kinds allocate nothing, and release 1.20 nothing for what a write of a part creates.
  return store.allocator === undefined || subresource !== ''
    ? storeCreated(served, stored, request)
    : storeAllocated(served, stored, { allocator: store.allocator, request });
}

function prepareNew(served: ServedKind, object: ApiObject, options: WriteOptions): void {
  const { store, rules } = served;
  fillNewMetadata(store, object);
  const context = ruleContextOf(served, options);
  if (rules.hasStatus === true && rules.keepsStatusOnCreate !== true && 'status' in object)
    object.status = {};
  rules.prepareForCreate?.(object, context);
  if (rules.checksMetadataLast === true) {
    throwIfInvalid(store, object, rules.validate?.(object, context) ?? []);
    throwIfInvalid(store, object, ownMetadataErrors(store, object));
  } else {
    const errors = [...ownMetadataErrors(store, object), ...(rules.validate?.(object, context) ?? [])];
    throwIfInvalid(store, object, rules.isCheckedTwice === true ? [...errors, ...errors] : errors);
  }
  throwIfInvalid(store, object, rules.validateLast?.(object, undefined, context) ?? []);
  rules.canonicalize?.(object);
}

async function storeAllocated(
  served: ServedKind,
  object: ApiObject,
  { allocator, request }: { readonly allocator: Allocator; readonly request: CreationPlan },
): Promise<WrittenObject> {
  const { isDryRun } = request.options;
  const allocation = await allocator.allocate(object, undefined, { isDryRun });
  try {
    const written = await storeCreated(served, object, request);
    await (isDryRun ? allocation.rollback() : allocation.commit());
    return written;
  } catch (error) {
    await allocation.rollback();
    throw error;
  }
}

const paceOf = ({ sizeBytes, options }: CreationPlan): PacedWrite => ({ sizeBytes, turns: options.turns });

/** Does not wait for the store: the object is let go before it has committed the bytes, which many requests wait for. */
function storeCreated(served: ServedKind, object: ApiObject, request: CreationPlan): Promise<WrittenObject> {
  const value = paceSteps(valueToStore(served.store, object, request), paceOf(request));
  return value instanceof Promise
    ? value.then((encoded) => storeEncoded(served, object, request, encoded))
    : storeEncoded(served, object, request, value);
}

function* valueToStore(store: ResourceStore, object: ApiObject, { options }: CreationPlan): Steps<Buffer> {
  // Of a version that is no number release 1.20 takes no notice, nor of any where nothing is stored.
  if (!options.isDryRun && isVersion(object.metadata.resourceVersion)) {
    throw otherFailure(500, '', 'resourceVersion should not be set on objects to be created');
  }
  store.applyDefaults(object);
  yield;
  const value = yield* encodeInSteps(store.storageType, object);
  // Storing a value begins with work on all of it.
  yield;
  return value;
}

function storeEncoded(
  served: ServedKind,
  object: ApiObject,
  { options, needsOwners = false }: CreationPlan,
  value: Buffer,
): Promise<WrittenObject> {
  const { store } = served;
  const { name = '', namespace = '', resourceVersion, generateName } = object.metadata;
  const key = keyOf(store, namespace, name);
  const whenCached = store.foresee?.(object);
  const { turns } = options;
  const shownVersion = resourceVersion;
  const write = { key, value, mayDropOwners: !needsOwners, shownVersion, whenCached, turns };
  return storeNamed(served, write, { name, isGenerated: Boolean(generateName), options });
}

interface NewName {
  readonly name: string;
  readonly isGenerated: boolean;
  readonly options: WriteOptions;
}

async function storeNamed(
  served: ServedKind,
  write: Parameters<typeof storeNew>[1],
  { name, isGenerated, options }: NewName,
): Promise<WrittenObject> {
  const result = await storeNew(served.store, write, options);
  if (result.kind === 'written') {
    if (result.object.cached !== undefined) noteValid(result.object.cached);
    return result.object;
  }
  if (isGenerated) throw tryAgain(served);
  const error = alreadyExists(groupResourceOf(served), name);
  if (result.isBeingDeleted) {
    error.status.message = `object is being deleted: ${error.status.message ?? ''}`;
    error.message = error.status.message;
  }
  throw error;
}

const isVersion = (text = ''): boolean => /^\d{1,20}$/.test(text) && Number(text) > 0;

/** 500 for a generated name that is taken: trying again generates another one. */
function tryAgain(served: ServedKind): StatusError {
  const { group, kind } = served.kind;
  const kindText = group === '' ? kind : `${kind}.${group}`;
  return otherFailure(
    500,
    'ServerTimeout',
    `The POST operation against ${kindText} could not be completed at this time, please try again.`,
    { name: 'POST', ...(group === '' ? {} : { group }), kind },
  );
}
