import type { Stores } from '../../registry/index.ts';
import type { SubresourceHandler } from '../handlers/endpoint.ts';
import { evictionHandler } from './eviction.ts';
import { handlePodBinding } from './pod-binding.ts';
import { handleScale } from './scale.ts';

/** What the handlers of subresources work on. */
export interface SubresourceOptions {
  readonly stores: Stores;
}

/** Handlers by `group/resource/subresource`, as `dispatch` looks them up. */
export function createSubresourceHandlers({
  stores,
}: SubresourceOptions): ReadonlyMap<string, SubresourceHandler> {
  return new Map([
    ['apps/deployments/scale', handleScale],
    ['apps/replicasets/scale', handleScale],
    ['apps/statefulsets/scale', handleScale],
    ['/replicationcontrollers/scale', handleScale],
    ['/pods/binding', handlePodBinding],
    ['/pods/eviction', evictionHandler(() => stores.served.get('policy/v1beta1/poddisruptionbudgets'))],
  ]);
}
