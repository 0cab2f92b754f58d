import type { WriteRules } from '../../apis/kind-rules.ts';
import type { Steps } from '../../base/index.ts';
import type { ApiObject } from '../../machinery/meta/index.ts';
import type { ServedKind, WriteOptions } from '../resource-store.ts';
import { type Body, sizeOfBody } from './body.ts';
import { type ChangeRequest, planChange, sizeOfChange, subresourceRules } from './change.ts';
import { type CreationPlan, createDecoded } from './create.ts';
import { type DecodedObject, decodeWritten } from './decoded-object.ts';
import { dropDuplicateOwners } from './owner-references.ts';
import { recordOwners } from './owners.ts';
import { paceSteps } from './rest.ts';
import type { WrittenObject } from './store-writes.ts';
import { type UpdateResult, updateStored } from './update.ts';

/** A new object, and who makes it. */
export interface CreateRequest {
  readonly namespace: string;
  readonly body: Body;
  /** Owner of the fields that the body sets. */
  readonly manager: string;
  readonly options: WriteOptions;
  /** Called with the decoded object before anything else; must not change it. */
  readonly onDecoded?: ((object: Readonly<ApiObject>) => void) | undefined;
}

/** A change of one object, and how it is made. */
export interface UpdateRequest extends ChangeRequest {
  /** For an `edit` that follows other rules than its subresource's. */
  readonly rules?: WriteRules<ApiObject> | undefined;
  /** Admission has had its say already, on another object. */
  readonly isAdmitted?: boolean | undefined;
  /** The uid that an `edit` expects; other changes name theirs in the body. */
  readonly expectedUid?: string | undefined;
  /** Asked before a change creates an object, which takes a permission of its own. @throws StatusError 403 */
  readonly authorizeCreate?: CreationPlan['authorize'];
}

/**
 * Creates one object: decode > default > record owners > admission (mutating) > prepare > validate > admission
 * (validating) > store.
 *
 * @throws StatusError BadRequest, AlreadyExists, Invalid, Forbidden, and whatever admission refuses with.
 */
export async function createObject(served: ServedKind, request: CreateRequest): Promise<WrittenObject> {
  const { namespace, options } = request;
  const sizeBytes = sizeOfBody(request.body);
  const made = paceSteps(newObject(served, request), { sizeBytes, turns: options.turns });
  const object = made instanceof Promise ? await made : made;
  return createDecoded(served, { namespace, object, options, sizeBytes });
}

function* newObject(served: ServedKind, request: CreateRequest): Steps<DecodedObject> {
  const { body, manager, options } = request;
  const object = yield* decodeWritten(served, body);
  request.onDecoded?.(object);
  dropDuplicateOwners(object, 'received', options);
  yield;
  yield* recordOwners(served, { live: undefined, object, manager });
  yield;
  return object;
}

/**
 * Changes one object by the same steps, again from the newest state when another write came first and the client named
 * no version. Replacing (where the kind allows it) and applying create an object that is not there.
 *
 * @throws StatusError BadRequest, NotFound, Conflict, Invalid, and whatever admission refuses with.
 */
export async function updateObject(served: ServedKind, request: UpdateRequest): Promise<UpdateResult> {
  const { namespace, name, subresource, options, authorizeCreate: authorize } = request;
  const sizeBytes = sizeOfChange(request.change);
  const plan = paceSteps(planChange(served, request), { sizeBytes, turns: options.turns });
  const planned = plan instanceof Promise ? await plan : plan;
  const { transform, fingerprint, changesNothing, expectedUid = request.expectedUid, view, create } = planned;
  return updateStored(served, {
    namespace,
    name,
    subresource,
    rules: request.rules ?? subresourceRules(served, subresource),
    transform,
    view,
    isAdmitted: request.isAdmitted,
    fingerprint,
    changesNothing,
    expectedUid,
    createInstead: create && { object: create, authorize },
    options,
    sizeBytes,
  });
}
