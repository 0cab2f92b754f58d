import type { Steps } from '../../base/index.ts';
import { conflict } from '../../machinery/errors/index.ts';
import type { ApiObject } from '../../machinery/meta/index.ts';
import { groupResourceOf, type ServedKind } from '../resource-store.ts';
import { canonicalFromStorage } from '../versions.ts';
import { type AppliedPatch, compileConfiguration, fingerprintOf } from './configuration.ts';
import { type DecodedObject, withDefaults } from './decoded-object.ts';
import { checkNames } from './preconditions.ts';
import type { CurrentObject, UpdatePlan } from './update-plan.ts';

/** A configuration, who applies it, and to which object. */
export interface ApplyRequest {
  readonly namespace: string;
  readonly name: string;
  /** '' for the whole object. */
  readonly subresource: string;
  /** Whether the object is created where there is none. */
  readonly mayCreate: boolean;
  readonly manager: string;
  /** As `ConfigurationRequest` has them. */
  readonly bytes: Buffer;
  readonly isForced: boolean;
}

/** An application of a configuration, as far as it does not depend on what is stored. */
export interface PlannedApply extends Pick<UpdatePlan, 'transform' | 'fingerprint' | 'changesNothing'> {
  readonly create: (() => Steps<DecodedObject>) | undefined;
}

/** Works out how to apply a configuration; its bytes are read later. */
export function planApply(served: ServedKind, request: ApplyRequest): PlannedApply {
  const { subresource, manager, bytes, isForced, mayCreate } = request;
  const configuration = { bytes, kind: served.kind, manager, isForced };
  const apply = compileConfiguration(served, configuration);
  const application: Application = { served, request, apply, changesNothing: false };
  let fingerprint: string | undefined;
  return {
    transform: (current) => applyToLive(application, current),
    // Asked only of an object that an apply left as it was: most need no hash.
    fingerprint: () => {
      fingerprint ??= `${subresource}\n${fingerprintOf(configuration)}`;
      return fingerprint;
    },
    changesNothing: () => application.changesNothing,
    create: mayCreate ? () => applyToNothing(application) : undefined,
  };
}

interface Application {
  readonly served: ServedKind;
  readonly request: ApplyRequest;
  readonly apply: AppliedPatch;
  /** Whether the last time left the object and its owners as they were. */
  changesNothing: boolean;
}

function* applyToLive(
  application: Application,
  { live: readLive, copy }: CurrentObject,
): Steps<DecodedObject> {
  const live = readLive();
  yield;
  const applied = yield* application.apply(live);
  yield;
  application.changesNothing = applied === live;
  // What comes next may change it.
  return application.changesNothing
    ? finish(application, canonicalFromStorage(application.served, copy()), false)
    : finish(application, applied);
}

function* applyToNothing(application: Application): Steps<DecodedObject> {
  const { served, request, apply } = application;
  const object = yield* apply(undefined);
  checkHasNoUid(served, object, request.name);
  yield;
  const finished = finish(application, object);
  // Release 1.20 has configurations of kinds that take any members as they came, where others get a null.
  if (served.type.isUnstructured === true && !finished.metadata.creationTimestamp)
    Reflect.deleteProperty(finished.metadata, 'creationTimestamp');
  return finished;
}

/** Nulls of a configuration that may not be are refused: release 1.20 takes them away from what it reads only. */
function finish({ served, request }: Application, object: ApiObject, keepsNulls = true): DecodedObject {
  const finished = withDefaults(served, object, { keepsNulls });
  checkNames(finished, request.namespace, request.name);
  return finished;
}

/** @throws StatusError 409 for a configuration that names a uid: there is no object that could have it. */
function checkHasNoUid(served: ServedKind, { metadata }: ApiObject, name: string): void {
  if (!metadata.uid) return;
  throw conflict(
    groupResourceOf(served),
    name,
    `uid mismatch: the provided object specified uid ${metadata.uid}, and no existing object was found`,
  );
}
