import { internalError } from '../machinery/errors/index.ts';
import type { ApiObject } from '../machinery/meta/index.ts';
import { copyOf, type GroupVersionKind } from '../machinery/schema/index.ts';
import type { ObjectForms, VersionedResource } from './admission.ts';
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

class ServedForms implements ObjectForms {
  readonly requested: VersionedResource;
  readonly #served: ServedKind;

  constructor(served: ServedKind) {
    this.#served = served;
    this.requested = resourceOf(served);
  }

  equivalents(): readonly VersionedResource[] {
    return this.#served.store.versions().map(resourceOf);
  }

  show(object: ApiObject, kind: GroupVersionKind): Promise<ApiObject> | ApiObject {
    const target = this.#target(kind);
    return this.#waiting(() => {
      if (this.#isAdmitted(target)) return canonicalOf(target, object);
      const stored = this.#hasStoredForm ? object : toStorageVersion(this.#served, copyOf(object));
      // Only a conversion changes more than the members that say what it is.
      const own = target.conversion === undefined ? { ...stored } : copyOf(stored);
      return canonicalOf(target, fromStorageVersion(target, own));
    });
  }

  read(value: unknown, kind: GroupVersionKind): Promise<ApiObject> | ApiObject {
    const target = this.#target(kind);
    return this.#waiting(() => {
      const object = decodeChanged(target, value);
      if (this.#isAdmitted(target)) return object;
      const stored = toStorageVersion(target, object);
      return this.#hasStoredForm ? stored : fromStorageVersion(this.#served, stored);
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
  #waiting(convert: () => ApiObject): Promise<ApiObject> | ApiObject {
    return this.#served.store.convertsRemotely === true ? withConversions(convert) : convert();
  }
}
