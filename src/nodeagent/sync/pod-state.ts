import type { ContainerState, PodSandboxState } from '../runtime/index.ts';

/** When containers that ended are started again. */
export type RestartPolicy = 'Always' | 'OnFailure' | 'Never';

/** A container that is desired. */
export interface DesiredContainer {
  /** Unique in its pod, init containers included. */
  readonly name: string;
  /** Equal for equal specifications; a container with another one is replaced. */
  readonly specHash: string;
}

/** A pod as its source desires it, as far as its processes go. */
export interface DesiredPod {
  readonly uid: string;
  readonly name: string;
  readonly namespace: string;
  readonly restartPolicy: RestartPolicy;
  readonly usesHostNetwork: boolean;
  /** From SIGTERM to SIGKILL, when one container is stopped or the whole pod. */
  readonly terminationGraceMs: number;
  /** Run one after the other, each to its successful end, before the containers. */
  readonly initContainers: readonly DesiredContainer[];
  /** At least one. */
  readonly containers: readonly DesiredContainer[];
  /** Added while the pod runs, started once each, and never a reason for anything else. */
  readonly ephemeralContainers?: readonly DesiredContainer[] | undefined;
}

/** A sandbox as the runtime has it. */
export interface ObservedSandbox {
  readonly id: string;
  readonly attempt: number;
  readonly state: PodSandboxState;
  readonly createdAtMs: number;
  readonly usesHostNetwork: boolean;
  readonly hasAddress: boolean;
}

/** What probes say of a running container, where that means its end. */
export type ContainerHealth = 'fine' | 'liveness-failed' | 'startup-failed';

/** One instance of a container as the runtime has it. */
export interface ObservedContainer {
  readonly id: string;
  readonly podSandboxId: string;
  readonly name: string;
  /** Counts the instances of that name. */
  readonly attempt: number;
  readonly state: ContainerState;
  /** Of the specification that it was made from. */
  readonly specHash: string;
  readonly createdAtMs: number;
  /** Undefined unless it has ended. */
  readonly finishedAtMs: number | undefined;
  /** Means something only when it has ended. */
  readonly exitCode: number;
  readonly health: ContainerHealth;
}

/** All that the runtime has of one pod, in any order, what has ended included. */
export interface ObservedPod {
  readonly sandboxes: readonly ObservedSandbox[];
  readonly containers: readonly ObservedContainer[];
}
