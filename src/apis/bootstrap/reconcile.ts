import { asJsonObject, assertNever } from '../../base/index.ts';
import type { Dialect } from '../../machinery/dialect.ts';
import type { ApiObject } from '../../machinery/meta/index.ts';
import type { BootstrapAction, BootstrapObject } from './bootstrap-object.ts';
import { isSame } from './is-same.ts';
import { type BindingLike, type RoleLike, reconcileBinding, reconcileRole } from './reconcile-access.ts';
import { mergeTrust } from './trust.ts';

/** Fields of an object beside its metadata. */
type Fields = Readonly<Record<string, unknown>>;

/**
 * What a starting server must do about one of its own objects, given the object of that name in the same version,
 * if there is one.
 *
 * @returns undefined when nothing is to be done. `existing` is never changed.
 */
export function reconcileBootstrap(
  existing: ApiObject | undefined,
  { object: wanted, policy }: BootstrapObject,
  { dialect, nowMs }: { readonly dialect: Dialect; readonly nowMs: number },
): BootstrapAction | undefined {
  if (policy === 'trust') return reconcileTrust(existing, wanted, nowMs);
  if (existing === undefined) return { kind: 'create', object: wanted };
  switch (policy) {
    case 'createIfMissing':
    case 'suggested':
      return undefined;
    case 'spec':
      return putBack(existing, wanted, ['spec']);
    case 'subsets':
      return putBackLabelled(existing, wanted, ['subsets']);
    case 'slice':
      return isSame(asJsonObject(existing).addressType, asJsonObject(wanted).addressType)
        ? putBackLabelled(existing, wanted, ['endpoints', 'ports'])
        : { kind: 'replace', object: wanted };
    case 'service':
      return putBackMembers(existing, wanted, ['ports', 'type']);
    case 'role':
      // The policy says of which kind the object is.
      return reconcileRole(existing as RoleLike, wanted as RoleLike, dialect);
    case 'binding':
      return reconcileBinding(existing as BindingLike, wanted as BindingLike, dialect);
    default:
      return assertNever(policy);
  }
}

function putBack(
  existing: ApiObject,
  wanted: ApiObject,
  names: readonly string[],
): BootstrapAction | undefined {
  const isRight = names.every((name) => isSame(asJsonObject(existing)[name], asJsonObject(wanted)[name]));
  if (isRight) return undefined;
  return { kind: 'update', object: { ...existing, ...pick(wanted, names) } };
}

/** As `putBack`, with the labels that keep others from copying the object, or lead to it. */
function putBackLabelled(
  existing: ApiObject,
  wanted: ApiObject,
  names: readonly string[],
): BootstrapAction | undefined {
  const { metadata } = existing;
  const labels = { ...metadata.labels, ...wanted.metadata.labels };
  const labelled = isSame(labels, metadata.labels ?? {})
    ? existing
    : { ...existing, metadata: { ...metadata, labels } };
  const action = putBack(labelled, wanted, names);
  return action ?? (labelled === existing ? undefined : { kind: 'update', object: labelled });
}

/** As `putBack`, for some members of the spec; its other members stay. */
function putBackMembers(
  existing: ApiObject,
  wanted: ApiObject,
  names: readonly string[],
): BootstrapAction | undefined {
  const own = asJsonObject(asJsonObject(existing).spec);
  const other = asJsonObject(asJsonObject(wanted).spec);
  if (names.every((name) => isSame(own[name], other[name]))) return undefined;
  const spec = { ...own, ...pick(other, names) };
  return { kind: 'update', object: withField(existing, 'spec', spec) };
}

function reconcileTrust(
  existing: ApiObject | undefined,
  wanted: ApiObject,
  nowMs: number,
): BootstrapAction | undefined {
  const stored = asJsonObject(asJsonObject(existing).data);
  const data = mergeTrust(stored, asJsonObject(asJsonObject(wanted).data), nowMs);
  if (existing === undefined) return { kind: 'create', object: withField(wanted, 'data', data) };
  return isSame(stored, data) ? undefined : { kind: 'update', object: withField(existing, 'data', data) };
}

const withField = (object: ApiObject, name: string, value: Fields): ApiObject => ({
  ...object,
  [name]: value,
});

function pick(object: object, names: readonly string[]): Fields {
  return Object.fromEntries(names.map((name) => [name, asJsonObject(object)[name]]));
}
