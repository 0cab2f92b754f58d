import type { Pod } from '../../apis/types/core-v1.ts';

/** How the status of pods reads that end because the node shuts down (release 1.20). */
export const shutdownVerdict = { reason: 'Shutdown', message: 'Node is shutting, evicting pods' } as const;

const refusalText = 'Node is in progress of shutting down, not admitting any new pods';

/** How a pod is refused while the node shuts down: the event, and the pod's status (release 1.20). */
export const shutdownRefusal = {
  reason: 'Shutdown',
  message: refusalText,
  statusMessage: `Pod ${refusalText}`,
} as const;

/** Why a node that shuts down is not ready (release 1.20). */
export const shutdownProblem = 'node is shutting down';

/** What a shutdown of the node means for its status and for new pods. */
export interface NodeShutdown {
  readonly problem: typeof shutdownProblem;
  readonly refusal: typeof shutdownRefusal;
}

/** Periods of the options, of which critical pods have the second part for themselves. */
export interface ShutdownPeriods {
  readonly periodMs: number;
  /** At most `periodMs`. */
  readonly criticalPeriodMs: number;
}

/** Pods that end together, and how long that is waited for. */
export interface ShutdownPhase {
  readonly periodMs: number;
  readonly pods: readonly {
    readonly pod: Pod;
    /** From SIGTERM to SIGKILL. */
    readonly graceMs: number;
  }[];
}

/** Who ends when, and with which grace: its own, bounded by the period that its kind has. Critical pods come last. */
export function planShutdown(
  pods: readonly Pod[],
  {
    periodMs,
    criticalPeriodMs,
    isCritical,
  }: ShutdownPeriods & { readonly isCritical: (pod: Pod) => boolean },
): readonly ShutdownPhase[] {
  const phase = (members: readonly Pod[], ms: number): ShutdownPhase => ({
    periodMs: ms,
    pods: members.map((pod) => ({ pod, graceMs: Math.min(graceMsOf(pod), wholeSeconds(ms)) })),
  });
  const regular = pods.filter((pod) => !isCritical(pod));
  const critical = pods.filter((pod) => isCritical(pod));
  return [phase(regular, periodMs - criticalPeriodMs), phase(critical, criticalPeriodMs)];
}

const graceMsOf = ({ spec }: Pod): number =>
  (spec.terminationGracePeriodSeconds ?? Number.POSITIVE_INFINITY) * 1000;

/** Graces are counted in seconds. */
const wholeSeconds = (ms: number): number => Math.floor(ms / 1000) * 1000;
