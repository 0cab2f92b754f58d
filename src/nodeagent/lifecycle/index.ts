/**
 * Runs pods: joins what the sources desire, reads what the runtime has, has `sync` decide, and carries decisions out
 * with images, volumes, control groups, hooks and the runtime. It decides nothing about pods itself, and notifies nobody
 * but those who listen. Events and failures have the texts of the agent of release 1.20.
 */
export { type AgentViewOptions, createAgentView } from './agent-view.ts';
export type { ContainerCpus } from './container-configurer.ts';
export { createPodManager, type PodManagerParts } from './create-pod-manager.ts';
export type { NodeInfo } from './node-info.ts';
export { machineFiles, type PodFiles } from './pod-files.ts';
export { PodManager, type PodManagerOptions } from './pod-manager.ts';
export type { PodMetrics, SyncKind } from './pod-metrics.ts';
export { type ContainerStanding, PodTable } from './pod-table.ts';
export { PodViews, type PodViewsOptions, type RuntimeListing } from './pod-views.ts';
export type { PodWorker, PodWorkerEvents } from './pod-worker.ts';
export { type LeftoversOptions, removeLeftovers } from './remove-leftovers.ts';
export { type RotateLogsOptions, rotateLogs } from './rotate-logs.ts';
export { type RelistResult, RuntimeRelist, type RuntimeRelistOptions } from './runtime-relist.ts';
export { type TellListFailuresOptions, tellListFailures } from './tell-list-failures.ts';
export { readTerminationMessage } from './termination-message.ts';
