import type { BackOffs } from './back-off.ts';

/** One instance to end. */
export interface ContainerStop {
  readonly containerId: string;
  readonly name: string;
  /** From SIGTERM to SIGKILL, hooks included; 0 kills at once. */
  readonly graceMs: number;
  /** Why, as events say it. */
  readonly message: string;
}

/** One thing for the runtime to do. The actions of a plan are done in order, and what comes after a failure is not. */
export type PodAction =
  /** Ends instances, all of them at the same time. */
  | { readonly kind: 'stop-containers'; readonly stops: readonly ContainerStop[] }
  /** Ends instances at the same time, then the sandboxes. */
  | {
      readonly kind: 'stop-pod';
      readonly stops: readonly ContainerStop[];
      readonly podSandboxIds: readonly string[];
    }
  | { readonly kind: 'create-sandbox'; readonly attempt: number }
  /** Fetches the image where that is needed, creates an instance and starts it. */
  | {
      readonly kind: 'start-container';
      readonly name: string;
      readonly isInit: boolean;
      readonly attempt: number;
      /** Undefined: the sandbox that an earlier action of the plan creates. */
      readonly podSandboxId: string | undefined;
    }
  | { readonly kind: 'remove-container'; readonly containerId: string }
  | { readonly kind: 'remove-sandbox'; readonly podSandboxId: string };

/** A container that would be started, but for its back-off. */
export interface WaitingContainer {
  readonly name: string;
  /** The whole wait that its last end costs it. */
  readonly delayMs: number;
  readonly untilMs: number;
}

/** What to do for a pod now. Nothing to do and nobody waiting: the pod is as it should be. */
export interface PodPlan {
  readonly actions: readonly PodAction[];
  readonly waiting: readonly WaitingContainer[];
  /** To be given to the next plan of the pod, once the actions were begun. */
  readonly backOffs: BackOffs;
}
