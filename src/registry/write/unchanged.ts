import type { UserInfo } from '../../apis/kind-rules.ts';
import type { ApiObject } from '../../machinery/meta/index.ts';
import { jsonEqual } from '../../machinery/patch/index.ts';
import type { GroupVersionKind } from '../../machinery/schema/index.ts';
import type { CachedObject } from '../../storage/watch-cache/index.ts';
import type { AdmissionAttributes, AdmittedRequest, ObjectForms } from '../admission.ts';
import { formsOf } from '../object-forms.ts';
import type { ResourceStore, ServedKind, WriteOptions } from '../resource-store.ts';
import type { WrittenObject } from './store-writes.ts';

/** The last request that changed nothing of an object, for each version of one. */
const fingerprints = new WeakMap<CachedObject, string>();

/** What is told of a request that may be known. */
interface KnownRequest {
  readonly namespace: string;
  readonly name: string;
  readonly subresource: string;
  readonly fingerprint?: (() => string) | undefined;
  readonly options: WriteOptions;
}

/** Remembers that a request changes nothing of this version of an object. */
export function rememberUnchanged(stored: CachedObject, fingerprint: string): void {
  fingerprints.set(stored, fingerprint);
}

/**
 * Outcome of a request that is known to change nothing: repeated applies cost little. Only admission runs, as it
 * depends on more than object and request. Undefined when the outcome is not known, or when admission changes
 * something.
 *
 * @throws StatusError when admission refuses.
 */
export async function confirmUnchanged(
  served: ServedKind,
  stored: CachedObject,
  request: KnownRequest,
): Promise<WrittenObject | undefined> {
  const { fingerprint } = request;
  const known = fingerprints.get(stored);
  if (fingerprint === undefined || known === undefined || known !== fingerprint()) return undefined;
  const { store } = served;
  const change = new RepeatedWrite(served, stored, request);
  // Others are asked once only.
  if (store.admission.asksOthers?.(change) === true) return undefined;
  await store.admission.admit(change);
  if (change.wasChanged()) return undefined;
  await store.admission.validate(change);
  return { bytes: stored.bytes, cached: stored };
}

/** Admission's view of a write of what is stored: nothing is decoded before a plugin looks at it. */
class RepeatedWrite implements AdmissionAttributes {
  readonly operation = 'UPDATE';
  readonly isRepeated = true;
  readonly resource: ResourceStore;
  readonly kind: GroupVersionKind;
  readonly namespace: string;
  readonly name: string;
  readonly requestName: string;
  readonly subresource: string;
  readonly isDryRun: boolean;
  readonly user: UserInfo;
  readonly forms: ObjectForms;
  readonly request: AdmittedRequest | undefined;
  readonly #stored: CachedObject;
  #object: ApiObject | undefined;
  #oldObject: ApiObject | undefined;

  constructor(served: ServedKind, stored: CachedObject, request: KnownRequest) {
    const { namespace, name, subresource, options } = request;
    const { store } = served;
    this.resource = store;
    this.forms = formsOf(served);
    this.request = options.request;
    this.kind = store.storageKind;
    this.namespace = store.isNamespaced ? namespace : '';
    this.name = name;
    this.requestName = name;
    this.subresource = subresource;
    this.isDryRun = options.isDryRun;
    this.user = options.user;
    this.#stored = stored;
  }

  get object(): ApiObject {
    this.#object ??= this.#decode();
    return this.#object;
  }

  get oldObject(): ApiObject {
    this.#oldObject ??= this.#decode();
    return this.#oldObject;
  }

  /** Whether somebody who looked at the object changed it. */
  wasChanged(): boolean {
    return this.#object !== undefined && !jsonEqual(this.#object, this.oldObject);
  }

  #decode(): ApiObject {
    return this.resource.storedOwners.decode(this.#stored);
  }
}
