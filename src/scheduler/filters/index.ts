/**
 * Filters: each says of a node whether a pod can be there, with the reasons that messages name. In the order of release 1.20's
 * default profile; they look at what they are given only.
 */
import type { FilterPlugin } from './filter.ts';
import { podAffinityFilter } from './inter-pod-affinity.ts';
import {
  affinityFilter,
  fitFilter,
  nameFilter,
  portFilter,
  taintFilter,
  unschedulableFilter,
} from './node-filters.ts';
import { spreadFilter } from './topology-spread.ts';
import { volumeBindingFilter } from './volume-binding.ts';
import { diskFilter, zoneFilter } from './volume-filters.ts';
import { volumeLimitFilter } from './volume-limits.ts';

export type { PodFilter, Refusal } from './filter.ts';
export { placeOf } from './inter-pod-affinity.ts';
export {
  compileConstraint,
  hasLabels,
  type SpreadConstraint,
  selectedCounter,
} from './topology-spread.ts';
export { type ClaimPlan, planFor } from './volume-binding.ts';

/** The order in which a node is asked about: the first refusal is the one that is told. */
export const defaultFilters: readonly FilterPlugin[] = [
  unschedulableFilter,
  nameFilter,
  taintFilter,
  affinityFilter,
  portFilter,
  fitFilter,
  diskFilter,
  volumeLimitFilter,
  volumeBindingFilter,
  zoneFilter,
  spreadFilter,
  podAffinityFilter,
];
