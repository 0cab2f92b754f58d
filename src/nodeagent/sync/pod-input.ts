import type { Pod, PodStatus } from '../../apis/types/core-v1.ts';
import type { BackOffs } from './back-off.ts';
import type { RuntimeView } from './observe-pod.ts';
import type { ContainerHealth } from './pod-state.ts';

/** What probes say of one instance of a container. */
export interface ProbeResults {
  readonly health: ContainerHealth;
  /** Its startup probe has succeeded, or it has none. */
  readonly isStarted: boolean;
  /** Its readiness probe succeeded last, or it has none. */
  readonly isReady: boolean;
}

/** Why a container could not be started. */
export interface StartFailure {
  /** As container statuses say it, such as `ErrImagePull` or `CreateContainerConfigError`. */
  readonly reason: string;
  readonly message: string;
  /** Of the specification that failed; another one is tried at once. */
  readonly specHash: string;
  readonly atMs: number;
  /** Not tried again before. */
  readonly retryAtMs: number;
}

/** The agent's own decision that a pod must end: an eviction, or a refusal to run it. */
export interface PodVerdict {
  /** Such as `Evicted` or `OutOfcpu`. */
  readonly reason: string;
  readonly message: string;
  /** From SIGTERM to SIGKILL; that of the pod when left out. */
  readonly graceMs?: number | undefined;
}

/** Why nothing of a pod can be run now; the cause may go. */
export interface PodBlock {
  /** Such as `AppArmor`. */
  readonly reason: string;
  readonly message: string;
}

/**
 * What the agent remembers of a pod from one decision to the next. All of it may be lost: the runtime and the status
 * that the API server keeps say enough to go on.
 */
export interface PodMemory {
  /** As it was last; the pod's own is taken when there is none. */
  readonly status: PodStatus | undefined;
  readonly backOffs: BackOffs;
  /** Waits before images are pulled again, by name of the image. */
  readonly imageBackOffs: BackOffs;
  /** By name of the container. */
  readonly failures: ReadonlyMap<string, StartFailure>;
}

/** The memory of an agent that has not seen the pod before, or was started anew. */
export const emptyMemory: PodMemory = {
  status: undefined,
  backOffs: new Map(),
  imageBackOffs: new Map(),
  failures: new Map(),
};

/** All that decisions on one pod and its status are made from. */
export interface PodInput {
  /** Defaults set; its `status` is the one that the API server has, empty for other sources. */
  readonly pod: Pod;
  /** All that the runtime has of the pod. Never empty only because the runtime did not answer. */
  readonly view: RuntimeView;
  readonly memory: PodMemory;
  readonly nowMs: number;
  /** Annotation in which containers carry the hash of their specification. */
  readonly hashAnnotation: string;
  /** By id of the container; asked for running ones only. */
  readonly probesOf: (containerId: string) => ProbeResults;
  /**
   * Attempts whose start is under way, by the names of their containers, for example because an image is being pulled, or the
   * instance before is being stopped.
   */
  readonly starting: ReadonlyMap<string, number>;
  readonly verdict?: PodVerdict | undefined;
  readonly block?: PodBlock | undefined;
  /** Whether ephemeral containers are started and shown. */
  readonly runsEphemeral?: boolean | undefined;
  /** Leads the ids of containers in statuses, such as `containerd`. */
  readonly runtimeName: string;
  /** Address of the node; left out by an agent without an API server, as in release 1.20. */
  readonly hostIp?: string | undefined;
}

/** The status that the pod had last. */
export function previousStatus({ pod, memory }: Pick<PodInput, 'pod' | 'memory'>): PodStatus {
  return memory.status ?? pod.status;
}

/** Whether a pod with this status never runs again. */
export function isTerminal<S extends PodStatus>(
  status: S,
): status is S & { readonly phase: 'Succeeded' | 'Failed' } {
  return status.phase === 'Succeeded' || status.phase === 'Failed';
}

/**
 * Whether nothing of a pod runs nor will, as admission counts it: it has ended, or was deleted and its status shows
 * nothing that runs.
 */
export function isOver({ metadata }: Pod, status: PodStatus): boolean {
  if (isTerminal(status)) return true;
  if (typeof metadata.deletionTimestamp !== 'string') return false;
  return (status.containerStatuses ?? []).every(({ state }) => state.running === undefined);
}
