/**
 * Decides what a pod needs: from what its source wants, what the runtime has and the time, to the actions that come
 * next. Pure: asks no runtime, keeps nothing and waits for nothing; whoever carries a plan out looks again and plans
 * again. After the pod actions and the crash-loop back-off of the reference, release 1.20.
 */
export type { ContainerStop, PodAction, PodPlan, WaitingContainer } from './actions.ts';
export type { BackOff, BackOffs } from './back-off.ts';
export { hashContainer, minGraceMs, toDesiredPod } from './desired-pod.ts';
export { type ObserveOptions, type RuntimeView, toObservedPod } from './observe-pod.ts';
export { type PlanStopOptions, planRemoval, planStop } from './plan-end.ts';
export { type PlanGarbageOptions, planGarbage } from './plan-garbage.ts';
export { type PlanPodOptions, planPod } from './plan-pod.ts';
export type {
  ContainerHealth,
  DesiredContainer,
  DesiredPod,
  ObservedContainer,
  ObservedPod,
  ObservedSandbox,
  RestartPolicy,
} from './pod-state.ts';
