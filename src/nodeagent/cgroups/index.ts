/**
 * Control groups of pods, versions 1 and 2: makes them, bounds them, kills and removes them, and keeps what is reserved
 * for the system from pods. Names and bounds come from `container-config`; the groups of containers are the runtime's
 * work.
 */
export {
  createPodCgroups,
  type NodeCapacity,
  type NodeEvents,
  type PodCgroups,
  type PodCgroupsOptions,
} from './pod-cgroups.ts';
