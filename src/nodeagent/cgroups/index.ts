/**
 * Control groups of pods, versions 1 and 2: makes them, bounds them, kills and removes them, and keeps what is reserved
 * for the system from pods. Names and bounds come from `container-config`; the groups of containers are the runtime's
 * work.
 */
export { CgroupError } from './cgroup-error.ts';
export { cgroupSettings } from './cgroup-settings.ts';
export type { NodeCapacity, PodCgroups, PodCgroupsOptions } from './contract.ts';
export { hasCgroup } from './hierarchies.ts';
export { createPodCgroups } from './pod-cgroups.ts';
export { createProcessGroups, type ProcessGroups, type ProcessGroupsOptions } from './process-groups.ts';
export type { SliceUnits } from './slice-units.ts';
