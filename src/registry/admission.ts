import type { UserInfo } from '../apis/kind-rules.ts';
import type { ApiObject } from '../machinery/meta/index.ts';
import type { GroupResource, GroupVersionKind } from '../machinery/schema/index.ts';

/**
 * What a request does, as admission sees it; a patch and an apply are an `UPDATE`, or a `CREATE` of what was
 * not there.
 */
export type AdmissionOperation = 'CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT';

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
  readonly isDryRun: boolean;
  readonly user: UserInfo;
  /**
   * True when both objects are what is stored, and this request was let through before without a change of it: what
   * the object alone decides is decided. The objects are decoded when they are first read, which most plugins need not.
   */
  readonly isRepeated?: boolean;
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
}

/** A chain without plugins. */
export const admitsAll: AdmissionChain = {
  admit() {},
  validate() {},
};
