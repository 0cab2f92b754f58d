import type { Pod } from '../../apis/types/core-v1.ts';

/** What a round over a pod was for, as the reference's metrics name it. */
export type RoundKind = 'create' | 'update' | 'sync' | 'kill';

/** Told of the pace at which pods are brought about. */
export interface PodMeasures {
  /** Work on a pod begins. */
  began(pod: Pod): void;
  /** A pod that was waiting runs. */
  runs(pod: Pod): void;
  /** A round over a pod failed after this time. */
  failed(kind: RoundKind, durationMs: number): void;
  /** A pod has to make room for another one, for want of this resource. */
  preempted(resource: string): void;
}
