import type { ApiObject } from '../../machinery/meta/index.ts';
import type { GroupVersionResource } from '../../machinery/schema/index.ts';

/**
 * What a server does with an object of its own at start:
 * `createIfMissing`: nothing more; `suggested`: as that, but only on the first start of a store; `spec`: its spec
 * is put back; `role`, `binding`: what is missing is added, unless the object's autoupdate annotation says no;
 * `service`: its ports and type are put back; `subsets`, `slice`: its addresses, ports and labels are put back; `trust`: its entries are
 * merged with those that are stored.
 */
export type BootstrapPolicy =
  | 'createIfMissing'
  | 'suggested'
  | 'spec'
  | 'role'
  | 'binding'
  | 'service'
  | 'subsets'
  | 'slice'
  | 'trust';

/** An object that a server makes for itself, in the version of `resource`. */
export interface BootstrapObject {
  readonly resource: GroupVersionResource;
  readonly object: ApiObject;
  readonly policy: BootstrapPolicy;
  /** Who owns its fields; the server as a whole when undefined. */
  readonly manager?: string | undefined;
  /** Name of the binding that it was part of before: where that is there and it is not, it is for the same users. */
  readonly splitFrom?: string | undefined;
}

/** What to do about an object. `replace` is a deletion and a creation: the change is not allowed otherwise. */
export interface BootstrapAction {
  readonly kind: 'create' | 'update' | 'replace';
  readonly object: ApiObject;
}
