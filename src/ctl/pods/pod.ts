import type { Container, EphemeralContainer, Pod } from '../../apis/types/core-v1.ts';
import type { WireObject } from '../resource/api-object.ts';

/** True for a pod; what it holds is believed, as everything that a server sends of built-in types. */
export function isPod(object: WireObject): object is WireObject & Pod {
  return object.kind === 'Pod' && object.apiVersion === 'v1' && typeof object.spec === 'object';
}

/** Containers of a pod, in the order in which the API names the kinds of containers. */
export function containersOf({ spec }: Pod): readonly (Container | EphemeralContainer)[] {
  return [...(spec.containers ?? []), ...(spec.initContainers ?? []), ...(spec.ephemeralContainers ?? [])];
}

/** True when the pod says that it is ready. */
export function isReady(pod: Pod): boolean {
  return readyCondition(pod)?.status === 'True';
}

/** Milliseconds since the epoch of its becoming ready; 0 when it does not say. */
export function readySinceMs(pod: Pod): number {
  return isReady(pod) ? timeMs(readyCondition(pod)?.lastTransitionTime) : 0;
}

/** Milliseconds since the epoch; 0 for what is no time. */
export function timeMs(time: unknown): number {
  return typeof time === 'string' ? Date.parse(time) || 0 : 0;
}

/** How often the container was restarted that was so most often. */
export function mostRestarts({ status }: Pod): number {
  return Math.max(0, ...(status?.containerStatuses ?? []).map(({ restartCount }) => restartCount ?? 0));
}

function readyCondition({ status }: Pod) {
  return (status?.conditions ?? []).find(({ type }) => type === 'Ready');
}
