/**
 * Processors of containers' own (policy `static`): reads how the machine's processors lie together, decides which of them
 * a pod's containers get, aligned to NUMA nodes where that is asked for, keeps the decision on disk, and keeps running
 * containers on what they may use. After the processor and topology managers of release 1.20. Decisions are
 * pure; `Processors` is the shell around them. It does not decide which pods run, and sets no shares or quotas.
 */
export { allocatePod, type CpuPolicy, type PodAllocation } from './allocate-pod.ts';
export { chooseReserved, type Reservation } from './choose-reserved.ts';
export { type CpuSet, formatCpuSet } from './cpu-set.ts';
export { type CpuState, cpusOf } from './cpu-state.ts';
export { type CpuPlace, type CpuTopology, describeTopology } from './cpu-topology.ts';
export { type OpenProcessorsOptions, openProcessors } from './open-processors.ts';
export type { RunningContainer } from './plan-updates.ts';
export { type CpuHold, type PlannedPod, Processors, type ProcessorsOptions } from './processors.ts';
export { type ReadTopologyOptions, readTopology } from './read-topology.ts';
