import type { Container, Pod } from '../../apis/types/core-v1.ts';
import type { ProbeResults } from '../sync/pod-input.ts';

/** An instance of a container that runs now. */
export interface RunningContainer {
  /** Of the container in its pod. */
  readonly name: string;
  readonly id: string;
  readonly startedAtMs: number;
}

/** Probes running containers and keeps the results. */
export interface Prober {
  /**
   * Sets the pod's running containers; init containers are not probed. Call it when the pod is accepted, before
   * anything of it runs, and after each relist. As in release 1.20, the times of probes are counted from the first call
   * on. A container with another id starts with fresh results.
   */
  update(pod: Pod, running: readonly RunningContainer[], podIp: string | undefined): void;
  /** Results of a running container; one that `update` has not named is neither started nor ready. */
  results(containerId: string): ProbeResults;
  /** Forgets a pod and ends its probes. */
  remove(podUid: string): void;
}

/** What a hook is run for. */
export interface HookTarget {
  readonly pod: Pod;
  readonly container: Container;
  readonly containerId: string;
  /** First address of the pod, for hooks that name no host. */
  readonly podIp: string | undefined;
}

/** A postStart hook that failed: the container must be stopped. */
export interface HookFailure {
  /** As the container's status shows it: `PostStartHookError: ` and why. */
  readonly reason: string;
  /** As the container's status and the event show it. */
  readonly message: string;
}

/** Runs the lifecycle hooks of containers, and records those that fail as events. Never rejects. */
export interface LifecycleHooks {
  /** Undefined: there is no hook, or it has succeeded. Waits for as long as the hook takes. */
  postStart(target: HookTarget, signal?: AbortSignal): Promise<HookFailure | undefined>;
  /**
   * Waits for the hook, at most for the grace period; resolves with the rest of that period in ms, at least the
   * minimum.
   */
  preStop(target: HookTarget, graceMs: number): Promise<number>;
}

/** The part of a metric registry that counts probe results. */
export interface ProbeMetricSink {
  define(
    name: string,
    definition: { readonly type: 'counter'; readonly help: string; readonly labels: readonly string[] },
  ): void;
  add(name: string, amount: number, labelValues: readonly string[]): void;
  clear(name: string, labelValues: readonly string[]): void;
}
