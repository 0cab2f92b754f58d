/**
 * Probes of running containers (startup, liveness, readiness) and lifecycle hooks: when they are run, how a command, an
 * HTTP request or a TCP connection is judged, and the events that tell of failures, after release 1.20.
 * It restarts and stops nothing: `sync` decides on what is found here.
 */
export type {
  HookFailure,
  HookTarget,
  LifecycleHooks,
  ProbeMetricSink,
  Prober,
  RunningContainer,
} from './contract.ts';
export { createLifecycleHooks, type LifecycleHooksOptions } from './create-lifecycle-hooks.ts';
export { createProbeHandlers, type ProbeHandlersOptions } from './create-probe-handlers.ts';
export { createProber, type ProberOptions } from './create-prober.ts';
export type { HandlerResult, HandlerTarget, ProbeHandlers } from './probe-handlers.ts';
