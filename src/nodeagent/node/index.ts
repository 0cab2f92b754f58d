/**
 * The agent's node: facts of the machine, registration, addresses, capacity and what is left of it for pods, conditions
 * and their events, images, heartbeat by status and lease; computed in the same way without an API server. After the node
 * status of release 1.20. It does not decide which pods run, and measures no pressure itself.
 */
export type { DeviceAmounts } from './capacity.ts';
export { type CheckAllocatableOptions, checkAllocatable } from './check-allocatable.ts';
export { createNodeKeeper } from './create-node-keeper.ts';
export { type FollowNodeOptions, followNode } from './follow-node.ts';
export type { Machine } from './machine.ts';
export type { NodeKeeper, NodeKeeperOptions, NodePressure } from './node-keeper.ts';
export { NodeRecord, type NodeRecordOptions, type NodeState } from './node-record.ts';
export { type ReadMachineOptions, readMachine, readMeminfo } from './read-machine.ts';
export { RuntimeHealth, type RuntimeHealthOptions } from './runtime-health.ts';
export { readSystemFile } from './system-file.ts';
export { thresholdAmount } from './threshold-amount.ts';
