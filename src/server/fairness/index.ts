/**
 * Priority and fairness (KEP-1040): requests are sorted into priority levels by flow schemas; each level has a share of the
 * requests that are worked on at the same time, and queues that give its flows their turns.
 */
export { createFlowDumps } from './dump.ts';
export { Fairness } from './fairness.ts';
export { FlowControl } from './flow-control.ts';
export { FlowMetrics } from './flow-metrics.ts';
