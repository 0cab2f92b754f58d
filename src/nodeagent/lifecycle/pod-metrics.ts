import type { Pod } from '../../apis/types/core-v1.ts';

/** What a sync of a pod was for: label `operation_type` of the metrics of pod workers. */
export type SyncKind = 'create' | 'update' | 'sync' | 'kill';

/** Counts the pace at which pods are brought about. */
export interface PodMetrics {
  /** Work on a pod begins. */
  began(pod: Pod): void;
  /** A pod that was pending runs. */
  runs(pod: Pod): void;
  /** A sync of a pod failed after this time. */
  failed(kind: SyncKind, durationMs: number): void;
  /** A pod has to make room for another one, for want of this resource. */
  preempted(resource: string): void;
}
