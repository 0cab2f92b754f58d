import { deepEqual } from '../../apis/validation/index.ts';
import type { ApiObject } from '../../machinery/meta/index.ts';

/**
 * Whether an update changes nothing but owners and finalizers, as the garbage collector does. It needs no permission to
 * give what the object gives, and gives none (release 1.20, `IsOnlyMutatingGCFields`).
 */
export function changesOwnersOnly(object: ApiObject, oldObject: ApiObject): boolean {
  const strip = ({ metadata, ...rest }: ApiObject) => {
    const { ownerReferences: _o, finalizers: _f, managedFields: _m, ...kept } = metadata;
    return { ...rest, metadata: kept };
  };
  return deepEqual(strip(object), strip(oldObject));
}
