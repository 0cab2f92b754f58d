/**
 * CPUs of containers' own (policy `static`): reads how the machine's CPUs lie together, decides which of them
 * a pod's containers get, aligned to NUMA nodes where that is asked for, keeps the decision on disk, and keeps running
 * containers on what they may use. After the CPU and topology managers of release 1.20. Decisions are
 * pure; `CpuManager` is the shell around them. It does not decide which pods run, and sets no shares or quotas.
 */
export { allocatePod, type CpuPolicy, type OtherHints, type PodAllocation } from './allocate-pod.ts';
export { chooseReserved, type Reservation } from './choose-reserved.ts';
export { type CpuHold, CpuManager, type CpuManagerOptions, type PlannedPod } from './cpu-manager.ts';
export { type CpuSet, formatCpuSet } from './cpu-set.ts';
export { type CpuState, cpusOf } from './cpu-state.ts';
export { type CpuPlace, type CpuTopology, describeTopology } from './cpu-topology.ts';
export { containersOf } from './exclusive-count.ts';
export { type AlignmentPolicy, type MergedHint, mergeHints } from './merge-hints.ts';
export { type OpenCpuManagerOptions, openCpuManager } from './open-cpu-manager.ts';
export type { RunningContainer } from './plan-updates.ts';
export { type ReadTopologyOptions, readTopology } from './read-topology.ts';
export {
  type AlignmentNodes,
  countNodes,
  maxNodes,
  type NodeMask,
  type TopologyHint,
} from './topology-hints.ts';
