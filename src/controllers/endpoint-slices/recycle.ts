import type { EndpointSlice } from '../../apis/types/discovery-v1beta1.ts';
import type { SlicePlan } from './slice-writes.ts';

/**
 * Turns slices that would go into those that would come, so that names stay and watchers see one change. Pure. `mayStay`: whether a
 * slice that would go belongs to the same owner. Source: release 1.20, `finalize`.
 */
export function recycleSlices(
  { creations, updates, deletions }: SlicePlan,
  mayStay: (slice: EndpointSlice) => boolean,
): SlicePlan {
  const left = [...creations];
  const recycled: EndpointSlice[] = [];
  const gone = deletions.filter((slice) => {
    // The kind of addresses of a slice never changes.
    const at = left.findLastIndex(({ addressType }) => addressType === slice.addressType);
    const [next] = at === -1 || !mayStay(slice) ? [] : left.splice(at, 1);
    if (next === undefined) return true;
    recycled.push({ ...next, metadata: { ...next.metadata, name: slice.metadata.name } });
    return false;
  });
  return { creations: left, updates: [...updates, ...recycled], deletions: gone };
}
