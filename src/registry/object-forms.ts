import type { VersionConversion } from '../apis/conversions/index.ts';
import { decodeObject, sortMembers } from '../machinery/codec/index.ts';
import type { Dialect } from '../machinery/dialect.ts';
import { internalError } from '../machinery/errors/index.ts';
import type { ApiObject } from '../machinery/meta/index.ts';
import {
  type CompiledType,
  copyOf,
  formatGroupVersion,
  type GroupVersionKind,
  type TypeCatalog,
} from '../machinery/schema/index.ts';
import type { ObjectForms, ReadObject, VersionedResource } from './admission.ts';
import { withConversions } from './remote-conversions.ts';
import type { ServedKind } from './resource-store.ts';
import { canonicalOf, fromStorageVersion, toStorageVersion } from './versions.ts';
import { decodeChanged } from './write/decoded-object.ts';

/** Kept with the version: most requests never ask for another form. */
const known = new WeakMap<ServedKind, ObjectForms>();

/** The forms of the objects of a stored resource, as they are admitted in requests to one of its versions. */
export function formsOf(served: ServedKind): ObjectForms {
  let forms = known.get(served);
  if (forms === undefined) {
    forms = new ServedForms(served);
    known.set(served, forms);
  }
  return forms;
}

/** The resource of a version, with the kind of its objects. */
export const resourceOf = ({ kind, store }: ServedKind): VersionedResource => ({
  kind,
  group: kind.group,
  version: kind.version,
  resource: store.resource,
});

/** Others are sought as release 1.20 installs them, which is not the order of discovery: this group before those that it moved to. */
const firstInstalled = 'extensions';

class ServedForms implements ObjectForms {
  readonly requested: VersionedResource;
  readonly #served: ServedKind;

  constructor(served: ServedKind) {
    this.#served = served;
    this.requested = resourceOf(served);
  }

  get isUnstructured(): boolean {
    return this.#served.type.isUnstructured === true;
  }

  equivalents(): readonly VersionedResource[] {
    const { true: old = [], false: others = [] } = Object.groupBy(
      this.#served.store.versions().map(resourceOf),
      ({ group }) => `${group === firstInstalled}`,
    );
    return [...old, ...others];
  }

  show(object: ApiObject, kind: GroupVersionKind): Promise<ApiObject> | ApiObject {
    const target = this.#target(kind);
    return this.#waiting(() => {
      const shown = canonicalOf(target, this.#convert(object, target));
      if (target.type.isUnstructured !== true) return shown;
      if (!('creationTimestamp' in object.metadata))
        Reflect.deleteProperty(shown.metadata, 'creationTimestamp');
      return sortMembers(shown);
    });
  }

  /** Shares parts with the object. */
  #convert(object: ApiObject, target: ServedKind): ApiObject {
    if (this.#isAdmitted(target)) return object;
    const stored = this.#hasStoredForm ? object : toStorageVersion(this.#served, copyOf(object));
    // Only a conversion changes more than the members that say what it is.
    const own = target.conversion === undefined ? { ...stored } : copyOf(stored);
    return fromStorageVersion(target, own);
  }

  read(value: unknown, kind: GroupVersionKind): Promise<ReadObject> | ReadObject {
    const target = this.#target(kind);
    const { convertsRemotely = false } = this.#served.store;
    return this.#waiting(() => {
      const { decoded, object } = decodeChanged(target, value);
      if (this.#isAdmitted(target)) return { decoded, object, shown: undefined };
      const shown = convertsRemotely ? canonicalOf(target, object) : undefined;
      const stored = toStorageVersion(target, object);
      const form = this.#hasStoredForm ? stored : fromStorageVersion(this.#served, stored);
      return { decoded, object: form, shown };
    });
  }

  /** Admission works on the stored form of objects, but for those of kinds whose rules see the version of the request. */
  get #hasStoredForm(): boolean {
    return this.#served.convertsLast !== true;
  }

  /** Whether admission has the objects in that version's form. */
  #isAdmitted(target: ServedKind): boolean {
    return !this.#hasStoredForm && target === this.#served;
  }

  #target(kind: GroupVersionKind): ServedKind {
    const target = this.#served.store
      .versions()
      .find(({ kind: { group, version } }) => group === kind.group && version === kind.version);
    if (target === undefined)
      throw internalError(`unable to convert to ${kind.group}/${kind.version}: unknown kind`);
    return target;
  }

  /** Webhooks may have to convert; everything else is there at once. */
  #waiting<T>(convert: () => T): Promise<T> | T {
    return this.#served.store.convertsRemotely === true ? withConversions(convert) : convert();
  }
}

/**
 * Forms of objects that are stored in none of the versions of their resource, of which the first is the one of the request.
 * Without conversions they are the same in all of them.
 */
export function plainForms(
  versions: readonly [VersionedResource, ...VersionedResource[]],
  { catalog, dialect, conversionOf }: FormSources,
): ObjectForms {
  const [requested] = versions;
  const typeOf = (kind: GroupVersionKind): CompiledType => {
    const type = catalog.kind(kind);
    if (type === undefined) throw internalError(`unable to convert to ${kind.kind}: unknown kind`);
    return type;
  };
  const converted = (object: ApiObject, from: GroupVersionKind, to: GroupVersionKind): ApiObject => {
    if (conversionOf === undefined || from.version === to.version) return object;
    const common = conversionOf(from)?.toStorage(copyOf(object)) ?? copyOf(object);
    return conversionOf(to)?.fromStorage(common) ?? common;
  };
  return {
    requested,
    equivalents: () => versions,
    show: (object, kind) =>
      Object.assign(canonicalOf({ type: typeOf(kind) }, converted(object, requested.kind, kind)), {
        kind: kind.kind,
        apiVersion: formatGroupVersion(kind.group, kind.version),
      }),
    read(value, expected) {
      const decoded = decodeObject({ value, catalog, dialect, expected, refusal: internalError });
      const object = converted(decoded, expected, requested.kind);
      object.apiVersion = formatGroupVersion(requested.kind.group, requested.kind.version);
      return { object, decoded, shown: undefined };
    },
  };
}

/** What types are found with. */
export interface FormSources {
  readonly catalog: TypeCatalog;
  readonly dialect: Dialect;
  /** How a version differs from the one that all are converted through. */
  readonly conversionOf?: ((kind: GroupVersionKind) => VersionConversion | undefined) | undefined;
}

/** A part of an object that clients read and write by itself, such as its scale. */
export interface ObjectView {
  /** As admission is told, which may be another one than the change's. */
  readonly subresource: string;
  readonly forms: ObjectForms;
  /** The part; shares nothing with the object, which stays as it is. */
  of(object: ApiObject): ApiObject;
  /** What the request makes of the part. Called again when another write came first. */
  want(current: ApiObject): ApiObject;
  /** The object with that part; may change what it is given. @throws StatusError when the part is not valid. */
  put(object: ApiObject, part: ApiObject): ApiObject;
}
