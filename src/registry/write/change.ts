import type { WriteRules } from '../../apis/kind-rules.ts';
import type { Steps } from '../../base/index.ts';
import { conflict } from '../../machinery/errors/index.ts';
import type { ApiObject } from '../../machinery/meta/index.ts';
import type { ObjectView } from '../object-forms.ts';
import { groupResourceOf, type ServedKind, type WriteOptions } from '../resource-store.ts';
import { canonicalFromStorage, fromStorageVersion } from '../versions.ts';
import { type Body, sizeOfBody } from './body.ts';
import { type ConfigurationRequest, compileConfiguration, fingerprintOf } from './configuration.ts';
import { type DecodedObject, decodeWritten, withDefaults } from './decoded-object.ts';
import { dropDuplicateOwners } from './owner-references.ts';
import { recordOwners } from './owners.ts';
import { compilePatch, type Patch, type PatchFormat } from './patch.ts';
import { checkNames } from './preconditions.ts';
import type { UpdatePlan } from './update.ts';

/** What a request wants to become of an object. */
export type Change =
  /** It becomes the one of the body; kinds that allow it are created where there is none. */
  | { readonly kind: 'replace'; readonly body: Body }
  | { readonly kind: 'patch'; readonly format: PatchFormat; readonly bytes: Buffer }
  /** A configuration, which also creates. */
  | { readonly kind: 'apply'; readonly bytes: Buffer; readonly isForced: boolean }
  /**
   * Code changes the stored object, for requests that carry no whole one (scale, binding): the record of owners stays.
   * `edit` may change what it is given, and is asked again when another write came first.
   */
  | { readonly kind: 'edit'; edit(object: ApiObject): ApiObject }
  /** The same for a part of the object that is a kind of its own: admission is told of the part. */
  | { readonly kind: 'view'; readonly view: ObjectView };

/** A change of one object, and who makes it. */
export interface ChangeRequest {
  readonly namespace: string;
  readonly name: string;
  /** '' for the whole object. */
  readonly subresource: string;
  /** Owner of the fields that the request sets. */
  readonly manager: string;
  readonly change: Change;
  readonly options: WriteOptions;
  /** Called with the decoded object of a replacement before anything else; must not change it. */
  readonly onDecoded?: ((object: Readonly<ApiObject>) => void) | undefined;
}

/** The part of an update's plan that depends on the kind of change. */
type PlannedChange = Pick<UpdatePlan, 'transform' | 'fingerprint' | 'expectedUid' | 'view'> & {
  /** The object to create where there is none; undefined: it must be there. */
  readonly create?: (() => Steps<DecodedObject>) | undefined;
};

/** Bytes that a client sent for a change. */
export function sizeOfChange(change: Change): number {
  if (change.kind === 'replace') return sizeOfBody(change.body);
  return 'bytes' in change ? change.bytes.length : 0;
}

/**
 * Works out how to make a change, as far as that does not depend on what is stored.
 *
 * @throws StatusError 400, 413 or 422 for a body or patch that is wrong whatever is stored.
 */
export function* planChange(served: ServedKind, request: ChangeRequest): Steps<PlannedChange> {
  const { change } = request;
  switch (change.kind) {
    case 'replace':
      return yield* planReplacement(served, request, change.body);
    case 'patch':
      return planPatch(served, request, change);
    case 'apply':
      return planApply(served, request, change);
    case 'edit':
      return {
        *transform({ copy }) {
          const object = fromStorageVersion(served, copy());
          yield;
          return withDefaults(served, change.edit(object));
        },
      };
    case 'view': {
      const { view } = change;
      return {
        view,
        *transform({ copy, wanted }) {
          if (wanted === undefined) throw new RangeError('a part of an object that nobody wants to change');
          const object = fromStorageVersion(served, copy());
          yield;
          return withDefaults(served, view.put(object, wanted));
        },
      };
    }
  }
}

function* planReplacement(served: ServedKind, request: ChangeRequest, body: Body): Steps<PlannedChange> {
  const { namespace, name, subresource, manager, options, onDecoded } = request;
  const decode = function* (): Steps<DecodedObject> {
    const object = yield* decodeWritten(served, body);
    onDecoded?.(object);
    checkNames(object, namespace, name);
    dropDuplicateOwners(object, 'received', options);
    return object;
  };
  let first: DecodedObject | undefined = yield* decode();
  const expectedUid = first.metadata.uid;
  const take = function* (readLive: () => ApiObject | undefined): Steps<DecodedObject> {
    const live = readLive();
    yield;
    // An update uses up what it is given; only after a lost race it asks for the object again.
    const object = first ?? (yield* decode());
    first = undefined;
    yield* recordOwners(served, { live, object, manager, subresource });
    return object;
  };
  const mayCreate = subresource === '' && served.store.rules.allowsCreateOnUpdate === true;
  return {
    transform: ({ live }) => take(live),
    expectedUid,
    create: mayCreate ? () => take(() => undefined) : undefined,
  };
}

function planPatch(
  served: ServedKind,
  { namespace, name, subresource, manager }: ChangeRequest,
  change: Extract<Change, { kind: 'patch' }>,
): PlannedChange {
  let patch: Patch | undefined;
  return {
    *transform({ live: current }) {
      const live = current();
      yield;
      // Read only when there is something to patch: what is not there is not found, whatever the patch.
      patch ??= compilePatch(change, served.kind, served.store.environment.ruleContext);
      yield;
      const patched = yield* patch(live);
      yield;
      const object = withDefaults(served, patched);
      checkNames(object, namespace, name);
      yield;
      yield* recordOwners(served, { live, object, manager, subresource });
      return object;
    },
  };
}

function planApply(
  served: ServedKind,
  { namespace, name, subresource, manager }: ChangeRequest,
  { bytes, isForced }: Extract<Change, { kind: 'apply' }>,
): PlannedChange {
  const configuration: ConfigurationRequest = { bytes, kind: served.kind, manager, isForced };
  const apply = compileConfiguration(served, configuration);
  let fingerprint: string | undefined;
  const finish = (object: ApiObject): DecodedObject => {
    const finished = withDefaults(served, object);
    checkNames(finished, namespace, name);
    return finished;
  };
  const create = function* (): Steps<DecodedObject> {
    const object = yield* apply(undefined);
    checkHasNoUid(served, object, name);
    yield;
    const finished = finish(object);
    // Release 1.20 has configurations of kinds that take any members as they came, where others get a null.
    if (served.type.isUnstructured === true && !finished.metadata.creationTimestamp)
      Reflect.deleteProperty(finished.metadata, 'creationTimestamp');
    return finished;
  };
  return {
    *transform({ live: current, copy }) {
      const live = current();
      yield;
      const applied = yield* apply(live);
      yield;
      // What comes next may change it.
      return finish(applied === live ? canonicalFromStorage(served, copy()) : applied);
    },
    // Asked only of an object that an apply left as it was: most need no hash.
    fingerprint: () => {
      fingerprint ??= `${subresource}\n${fingerprintOf(configuration)}`;
      return fingerprint;
    },
    create: subresource === '' ? create : undefined,
  };
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

/** Rules of a way to write: the kind's own, its status's, or another subresource's. */
export function subresourceRules({ rules }: ServedKind, subresource: string): WriteRules<ApiObject> {
  if (subresource === '') return rules;
  if (subresource === 'status') return rules.status ?? {};
  return rules.subresources?.[subresource] ?? {};
}
