import { systemCriticalPriority } from '../../apis/scheduling/index.ts';
import type { Pod } from '../../apis/types/core-v1.ts';

/** Tells whether a pod must run even where others have to go: one of the node itself, or of the system. */
export type IsCritical = (pod: Pod) => boolean;

/** Static pods and those of the system's priorities are critical. */
export function criticality(isStatic: (pod: Pod) => boolean): IsCritical {
  return (pod) => isStatic(pod) || (pod.spec.priority ?? 0) >= systemCriticalPriority;
}
