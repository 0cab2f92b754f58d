import type { Endpoint, EndpointSlice } from '../../apis/types/discovery-v1beta1.ts';

/** Endpoints of the same ports, and the slices that there are for them. */
export interface LayoutState {
  readonly slices: readonly EndpointSlice[];
  /** By `keyOf`. */
  readonly wanted: ReadonlyMap<string, Endpoint>;
  readonly keyOf: (endpoint: Endpoint) => string;
  readonly isSame: (stored: Endpoint, wanted: Endpoint) => boolean;
  /** Slices that are written anyway. */
  readonly isStale: (slice: EndpointSlice) => boolean;
  readonly maxEndpoints: number;
}

/** What slices are to hold. */
export interface Layout {
  readonly creations: readonly (readonly Endpoint[])[];
  readonly updates: readonly FilledSlice[];
  readonly deletions: readonly EndpointSlice[];
}

interface FilledSlice {
  readonly slice: EndpointSlice;
  readonly endpoints: Endpoint[];
}

/**
 * Lays endpoints into slices so that few slices are written. Those that are there stay where they are; new ones come into slices that
 * are written anyway, then together into one other slice or into new ones. Pure. Source: release 1.20, `reconcileByPortMapping`.
 */
export function layOut(state: LayoutState): Layout {
  const { maxEndpoints } = state;
  const { unchanged, updates, deletions, left } = keepEndpoints(state);
  const fullestFirst = [...updates].sort((a, b) => b.endpoints.length - a.endpoints.length);
  for (const { endpoints } of fullestFirst) {
    endpoints.push(...left.splice(0, Math.max(0, maxEndpoints - endpoints.length)));
  }
  const creations: Endpoint[][] = [];
  while (left.length >= maxEndpoints) creations.push(left.splice(0, maxEndpoints));
  if (left.length > 0) {
    const roomy = unchanged.filter(({ endpoints }) => endpoints.length + left.length <= maxEndpoints);
    const [fullest] = roomy.sort((a, b) => b.endpoints.length - a.endpoints.length);
    if (fullest === undefined) creations.push(left);
    else updates.push({ slice: fullest.slice, endpoints: [...fullest.endpoints, ...left] });
  }
  return { creations, updates, deletions };
}

function keepEndpoints({ slices, wanted, keyOf, isSame, isStale }: LayoutState) {
  const left = new Map(wanted);
  const unchanged: FilledSlice[] = [];
  const updates: FilledSlice[] = [];
  const deletions: EndpointSlice[] = [];
  for (const slice of slices) {
    const stored = slice.endpoints ?? [];
    let isOther = false;
    const endpoints = stored.flatMap((endpoint) => {
      const key = keyOf(endpoint);
      const next = left.get(key);
      left.delete(key);
      if (next === undefined || !isSame(endpoint, next)) isOther = true;
      return next ?? [];
    });
    if (isOther && endpoints.length === 0) deletions.push(slice);
    else (isOther || isStale(slice) ? updates : unchanged).push({ slice, endpoints });
  }
  return { unchanged, updates, deletions, left: [...left.values()] };
}
