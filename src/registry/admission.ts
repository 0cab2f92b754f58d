import type { UserInfo } from '../apis/kind-rules.ts';
import type { ApiObject } from '../machinery/meta/index.ts';
import type { GroupResource, GroupVersionKind } from '../machinery/schema/index.ts';

/**
 * What a request does, as admission sees it; a patch and an apply are an `UPDATE`, or a `CREATE` of what was
 * not there.
 */
export type AdmissionOperation = 'CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT';

/** A resource in one of its versions, and the kind of the objects that requests to it carry. */
export interface VersionedResource {
  /** Its `kind` is that of the subresource, if the request is to one. */
  readonly kind: GroupVersionKind;
  readonly group: string;
  readonly version: string;
  readonly resource: string;
}

/** The forms in which the objects of a request can be shown to others. */
export interface ObjectForms {
  /** As the request names it. */
  readonly requested: VersionedResource;
  /** Whether release 1.20 holds the objects as decoded JSON, without types of their own; false when left out. */
  readonly isUnstructured?: boolean;
  /** All versions of the resource, in any group, that have the subresource: the objects of each are those of the others. */
  equivalents(): readonly VersionedResource[];
  /** An object of the request in canonical form, as one of that kind; shares nothing with it. @throws StatusError */
  show(object: ApiObject, kind: GroupVersionKind): Promise<ApiObject> | ApiObject;
  /**
   * The object that a changed `show` says, with its defaults, in the form that admission works on.
   *
   * @throws StatusError 500 when it is none of that kind.
   */
  read(value: unknown, kind: GroupVersionKind): Promise<ReadObject> | ReadObject;
}

/** What somebody else made of an object. */
export interface ReadObject {
  /** In the form that admission works on. */
  readonly object: ApiObject;
  /** As it came, decoded, before anything was filled in. */
  readonly decoded: ApiObject;
  /** As `show` gives it, where that would cost more than a copy. */
  readonly shown: ApiObject | undefined;
}

/** The request that a write is made for, as far as others are told of it or have a say in its answer. */
export interface AdmittedRequest {
  /** `fieldManager` of its options; '' when it names none. */
  readonly fieldManager: string;
  /** Aborts when nobody waits for the answer any more. */
  readonly signal: AbortSignal;
  /** When it must have been answered, in milliseconds since 1970. */
  readonly deadlineMs: number;
  /** Adds a warning to the answer, once. */
  warn(text: string): void;
  /** Adds to the request's record in the audit log, where that is of at least this level. */
  annotate(key: string, value: string, level: 'Metadata' | 'Request'): void;
  /** Whether others were asked since this was last set to false. */
  hasAsked: boolean;
}

/** `DeleteOptions` as the verbs use them. */
export interface DeleteOptions {
  readonly gracePeriodSeconds?: number | undefined;
  readonly preconditions?:
    | { readonly uid?: string | undefined; readonly resourceVersion?: string | undefined }
    | undefined;
  readonly propagationPolicy?: 'Orphan' | 'Background' | 'Foreground' | undefined;
  /** Older form of the policy; true is Orphan, false is Background. */
  readonly orphanDependents?: boolean | undefined;
}

/** What a plugin may look at (and, while mutating, change) of one write. Objects are in the storage version. */
export interface AdmissionAttributes {
  readonly operation: AdmissionOperation;
  readonly resource: GroupResource;
  readonly subresource: string;
  /** Kind of `object`; for a subresource it may differ from the resource's. */
  readonly kind: GroupVersionKind;
  /** Empty for cluster-scoped resources. */
  readonly namespace: string;
  /** Empty while a name is still to be generated. */
  readonly name: string;
  /** Name in the request's path: none when it posts to a collection. */
  readonly requestName: string;
  /** The new object; undefined for a deletion. Plugins change it in place while mutating, never while validating. */
  readonly object: ApiObject | undefined;
  /** The stored object; undefined for a creation. */
  readonly oldObject: ApiObject | undefined;
  /** Who owned fields before an update: the old object does not say. */
  readonly oldOwners?: ApiObject['metadata']['managedFields'];
  readonly isDryRun: boolean;
  readonly user: UserInfo;
  /**
   * True when both objects are what is stored, and this request was let through before without a change of it: what
   * the object alone decides is decided. The objects are decoded when they are first read, which most plugins need not.
   */
  readonly isRepeated?: boolean;
  /** Undefined only where nothing of the kind can be shown to others. */
  readonly forms?: ObjectForms | undefined;
  /** Undefined for what the server writes by itself. */
  readonly request?: AdmittedRequest | undefined;
  /** Options of a deletion. */
  readonly deleteOptions?: DeleteOptions | undefined;
}

/**
 * Runs every enabled plugin in order.
 *
 * @throws StatusError when a plugin refuses; nothing was written then.
 */
export interface AdmissionChain {
  /** Mutating phase, before validation. */
  admit(attributes: AdmissionAttributes): Promise<void> | void;
  /** Validating phase, after validation. */
  validate(attributes: AdmissionAttributes): Promise<void> | void;
  /** Whether others may be asked about such a write, whatever its objects say; false when left out. */
  asksOthers?(attributes: AdmissionAttributes): boolean;
}

/** A chain without plugins. */
export const admitsAll: AdmissionChain = {
  admit() {},
  validate() {},
};
