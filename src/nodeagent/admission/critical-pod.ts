import type { Pod } from '../../apis/types/core-v1.ts';

/** From this priority on a pod is one of the system's own. */
const systemPriority = 2_000_000_000;

/** Tells whether a pod must run even where others have to go: one of the node itself, or of the system. */
export type IsCritical = (pod: Pod) => boolean;

/** Static pods and those of the system's priorities are critical. */
export function criticality(isStatic: (pod: Pod) => boolean): IsCritical {
  return (pod) => isStatic(pod) || (pod.spec.priority ?? 0) >= systemPriority;
}
