/**
 * Decides what a pod needs: from what its source desires, what the runtime has and the time, to the actions that come
 * next and the status that the pod has. Pure: asks no runtime, keeps nothing and waits for nothing; whoever carries a
 * decision out reads the runtime and decides again. After the pod actions, statuses and back-offs of release
 * 1.20. It does not pull images, run probes or hooks, or choose pods to evict: it is given how those went.
 */
export type { ContainerStop, PodAction, PodPlan, WaitingContainer } from './actions.ts';
export type { BackOff, BackOffs } from './back-off.ts';
export { decidePod, type PodDecision } from './decide-pod.ts';
export { hashContainer, minGraceMs, toDesiredPod } from './desired-pod.ts';
export { type ObserveOptions, type RuntimeView, toObservedPod } from './observe-pod.ts';
export { type PlanStopOptions, planRemoval, planStop } from './plan-end.ts';
export { type PlanGarbageOptions, planGarbage } from './plan-garbage.ts';
export { type PlanPodOptions, planPod } from './plan-pod.ts';
export {
  emptyMemory,
  isOver,
  isTerminal,
  type PodBlock,
  type PodInput,
  type PodMemory,
  type PodVerdict,
  type ProbeResults,
  type StartFailure,
} from './pod-input.ts';
export type {
  ContainerHealth,
  DesiredContainer,
  DesiredPod,
  ObservedContainer,
  ObservedPod,
  ObservedSandbox,
  RestartPolicy,
} from './pod-state.ts';
export { podStatus, verdictStatus } from './pod-status.ts';
export { recordStart, type StartResult } from './start-failures.ts';
