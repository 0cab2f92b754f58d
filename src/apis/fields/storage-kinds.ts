import { formatGroupVersion } from '../../machinery/schema/index.ts';
import type { ServedResource } from '../resources/index.ts';

/** Storage kinds (`v1.Pod`) by key prefix in the store. */
export function storageKindsByPrefix(resources: readonly ServedResource[]): ReadonlyMap<string, string> {
  const kinds = new Map<string, string>();
  for (const { storePrefix, storage } of resources) {
    if (storePrefix === undefined || storage === undefined) continue;
    kinds.set(storePrefix, `${formatGroupVersion(storage.group, storage.version)}.${storage.kind}`);
  }
  return kinds;
}
