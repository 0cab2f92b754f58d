import type { ContainerStatus, PodSandboxStatus } from '../runtime/index.ts';
import type { ContainerHealth, ObservedContainer, ObservedPod, ObservedSandbox } from './pod-state.ts';

/** What the runtime has of one pod. */
export interface RuntimeView {
  readonly sandboxes: readonly PodSandboxStatus[];
  readonly containers: readonly { readonly podSandboxId: string; readonly status: ContainerStatus }[];
}

/** What the state of a container depends on beside the runtime: its hash annotation and its probes. */
export interface ObserveOptions {
  /** Annotation in which containers carry the hash of their specification. */
  readonly hashAnnotation: string;
  /** What probes say of a running container, by its id. */
  readonly healthOf: (containerId: string) => ContainerHealth;
}

/** What the runtime has of a pod, as plans are made from it. */
export function toObservedPod({ sandboxes, containers }: RuntimeView, options: ObserveOptions): ObservedPod {
  return {
    sandboxes: sandboxes.map(toObservedSandbox),
    containers: containers.map(({ podSandboxId, status }) => toObserved(podSandboxId, status, options)),
  };
}

function toObservedSandbox(status: PodSandboxStatus): ObservedSandbox {
  return {
    id: status.id,
    attempt: status.metadata.attempt,
    state: status.state,
    createdAtMs: status.createdAtMs,
    usesHostNetwork: status.namespaces.network === 'node',
    hasAddress: status.ips.length > 0,
  };
}

function toObserved(
  podSandboxId: string,
  status: ContainerStatus,
  { hashAnnotation, healthOf }: ObserveOptions,
): ObservedContainer {
  const hasEnded = status.state === 'exited';
  return {
    id: status.id,
    podSandboxId,
    name: status.metadata.name,
    attempt: status.metadata.attempt,
    state: status.state,
    // A container without a hash is not one that this agent made from the specification.
    specHash: status.annotations[hashAnnotation] ?? '',
    createdAtMs: status.createdAtMs,
    // One that could not start has ended when it was created, as far as back-offs go.
    finishedAtMs: hasEnded ? (status.finishedAtMs ?? status.createdAtMs) : undefined,
    exitCode: status.exitCode,
    health: status.state === 'running' ? healthOf(status.id) : 'fine',
  };
}
