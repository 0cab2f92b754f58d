import type { ApiObject } from '../../machinery/meta/index.ts';
import type { RuntimeClass as StoredRuntimeClass } from '../types/node-v1.ts';
import type { RuntimeClass } from '../types/node-v1alpha1.ts';
import type { VersionConversion } from './version-conversion.ts';

/** Runtime classes of `node/v1alpha1`, which have a `spec` that later versions lifted to the top. */
export const runtimeClassConversion: VersionConversion = {
  toStorage(object) {
    const { spec, ...rest } = object as unknown as RuntimeClass; // registered for this kind only
    const { runtimeHandler: handler, overhead, scheduling } = spec;
    const stored: StoredRuntimeClass = { ...rest, handler, overhead, scheduling };
    return stored as unknown as ApiObject;
  },
  fromStorage(object) {
    const { handler, overhead, scheduling, ...rest } = object as unknown as StoredRuntimeClass; // same
    const served: RuntimeClass = { ...rest, spec: { runtimeHandler: handler, overhead, scheduling } };
    return served as unknown as ApiObject;
  },
};
