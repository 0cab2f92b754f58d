import type { RuntimeClass as StoredRuntimeClass } from '../types/node-v1.ts';
import type { RuntimeClass } from '../types/node-v1alpha1.ts';
import { convertKind } from './version-conversion.ts';

/** Runtime classes of `node/v1alpha1`, which have a `spec` that later versions lifted to the top. */
export const runtimeClassConversion = convertKind<RuntimeClass, StoredRuntimeClass>({
  toStorage(object) {
    const { spec, ...rest } = object;
    const { runtimeHandler: handler, overhead, scheduling } = spec;
    const stored: StoredRuntimeClass = { ...rest, handler, overhead, scheduling };
    return stored;
  },
  fromStorage(object) {
    const { handler, overhead, scheduling, ...rest } = object;
    const served: RuntimeClass = { ...rest, spec: { runtimeHandler: handler, overhead, scheduling } };
    return served;
  },
});
