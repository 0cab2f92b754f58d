/**
 * Runs pods: joins what the sources want, looks at what the runtime has, has `sync` decide, and carries decisions out
 * with images, volumes, control groups, hooks and the runtime. It decides nothing about pods itself, and tells nobody but
 * those who listen. Events and failures have the texts of the agent of release 1.20.
 */
export { type AgentViewOptions, createAgentView } from './agent-view.ts';
export type { ContainerProcessors, LifecycleParts, PodSurroundings } from './parts.ts';
export { machineFiles, type PodFiles } from './pod-files.ts';
export { PodManager, type PodManagerOptions } from './pod-manager.ts';
export type { PodMeasures, RoundKind } from './pod-measures.ts';
export { PodViews, type PodViewsOptions, type RuntimeListing } from './pod-views.ts';
export type { PodWorkerEvents } from './pod-worker.ts';
export { type LeftoversOptions, removeLeftovers } from './remove-leftovers.ts';
export { type RotateLogsOptions, rotateLogs } from './rotate-logs.ts';
export { readTerminationMessage } from './termination-message.ts';
export {
  type RuntimeLook,
  type RuntimeWatch,
  type WatchRuntimeOptions,
  watchRuntime,
} from './watch-runtime.ts';
