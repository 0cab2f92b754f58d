/**
 * Rules of the discovery group: endpoint slices, the addresses behind a service in pieces of bounded size.
 */
import type { KindRulesTable } from '../kind-rules.ts';
import { endpointSliceRules } from './endpoint-slice.ts';

/** Rules of the discovery group's kinds. */
export const discoveryRules: KindRulesTable = {
  'discovery.orch.io/v1beta1.EndpointSlice': endpointSliceRules,
};
