import type { WriteRules } from '../../apis/kind-rules.ts';
import type { Steps } from '../../base/index.ts';
import type { ApiObject } from '../../machinery/meta/index.ts';
import type { ObjectView } from '../object-forms.ts';
import type { ServedKind, WriteOptions } from '../resource-store.ts';
import { fromStorageVersion } from '../versions.ts';
import { planApply } from './apply.ts';
import { type Body, sizeOfBody } from './body.ts';
import { type DecodedObject, decodeWritten, withDefaults } from './decoded-object.ts';
import { dropDuplicateOwners } from './owner-references.ts';
import { recordOwners } from './owners.ts';
import { compilePatch, type Patch, type PatchFormat } from './patch.ts';
import { checkNames } from './preconditions.ts';
import type { CurrentObject, UpdatePlan } from './update-plan.ts';

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
type PlannedChange = Pick<
  UpdatePlan,
  'transform' | 'fingerprint' | 'changesNothing' | 'expectedUid' | 'view'
> & {
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
      return planApply(served, {
        ...request,
        ...change,
        mayCreate: request.subresource === '' || mayCreateByUpdate(served, request),
      });
    case 'edit':
      return { transform: ({ copy }) => changed(served, copy, (object) => change.edit(object)) };
    case 'view': {
      const { view } = change;
      return {
        view,
        transform({ copy, wanted }) {
          if (wanted === undefined) throw new RangeError('a part of an object that nobody wants to change');
          return changed(served, copy, (object) => view.put(object, wanted));
        },
      };
    }
  }
}

/** The stored object as code changes it. */
function* changed(
  served: ServedKind,
  copy: CurrentObject['copy'],
  change: (object: ApiObject) => ApiObject,
): Steps<DecodedObject> {
  const object = fromStorageVersion(served, copy());
  yield;
  return withDefaults(served, change(object));
}

function* planReplacement(served: ServedKind, request: ChangeRequest, body: Body): Steps<PlannedChange> {
  const replacement: Replacement = { served, request, body, first: undefined };
  replacement.first = yield* decodeReplacement(replacement);
  return {
    transform: ({ live }) => replace(replacement, live),
    expectedUid: replacement.first.metadata.uid,
    create: mayCreateByUpdate(served, request) ? () => replace(replacement, () => undefined) : undefined,
  };
}

const mayCreateByUpdate = (served: ServedKind, { subresource }: ChangeRequest): boolean =>
  subresourceRules(served, subresource).allowsCreateOnUpdate === true;

/** The object of a body in the place of another. */
interface Replacement {
  readonly served: ServedKind;
  readonly request: ChangeRequest;
  readonly body: Body;
  /** An update uses up what it is given; only after a lost race the body is decoded again. */
  first: DecodedObject | undefined;
}

function* decodeReplacement({ served, request, body }: Replacement): Steps<DecodedObject> {
  const { namespace, name, options, onDecoded } = request;
  const object = yield* decodeWritten(served, body);
  onDecoded?.(object);
  checkNames(object, namespace, name);
  dropDuplicateOwners(object, 'received', options);
  return object;
}

function* replace(replacement: Replacement, readLive: () => ApiObject | undefined): Steps<DecodedObject> {
  const live = readLive();
  yield;
  const object = replacement.first ?? (yield* decodeReplacement(replacement));
  replacement.first = undefined;
  const { manager, subresource } = replacement.request;
  yield* recordOwners(replacement.served, { live, object, manager, subresource });
  return object;
}

function planPatch(
  served: ServedKind,
  request: ChangeRequest,
  change: Extract<Change, { kind: 'patch' }>,
): PlannedChange {
  let compiled: Patch | undefined;
  // Read only when there is something to patch: what is not there is not found, whatever the patch.
  const read = (): Patch => {
    compiled ??= compilePatch(change, served.kind, served.store.environment.ruleContext);
    return compiled;
  };
  return { transform: ({ live }) => patch({ served, request, read }, live) };
}

function* patch(
  { served, request, read }: { served: ServedKind; request: ChangeRequest; read: () => Patch },
  readLive: CurrentObject['live'],
): Steps<DecodedObject> {
  const { namespace, name, subresource, manager } = request;
  const live = readLive();
  yield;
  const apply = read();
  yield;
  const patched = yield* apply(live);
  yield;
  const object = withDefaults(served, patched);
  checkNames(object, namespace, name);
  yield;
  yield* recordOwners(served, { live, object, manager, subresource });
  return object;
}

/** Rules of a way to write: the kind's own, its status's, or another subresource's. */
export function subresourceRules({ rules }: ServedKind, subresource: string): WriteRules<ApiObject> {
  if (subresource === '') return rules;
  if (subresource === 'status') return rules.status ?? {};
  return rules.subresources?.[subresource] ?? {};
}
