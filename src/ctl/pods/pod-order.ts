import type { Pod } from '../../apis/types/core-v1.ts';
import { isReady, mostRestarts, readySinceMs, timeMs } from './pod.ts';

/** Says which of two pods comes first, as for `Array.sort`. */
export type PodOrder = (a: Pod, b: Pod) => number;

/** Phases that are not named here come with the first ones. Source: release 1.20. */
const logPhases: Readonly<Record<string, number>> = { Running: 0, Unknown: 1, Pending: 2 };
const activityPhases: Readonly<Record<string, number>> = { Pending: 0, Unknown: 1, Running: 2 };

/** The pod whose log is worth most comes first: on a node, running, ready for long, restarted often, old. */
export const byLogging: PodOrder = firstDifference(
  (a, b) => Number(isOnNode(b)) - Number(isOnNode(a)),
  (a, b) => phaseIn(logPhases, a) - phaseIn(logPhases, b),
  (a, b) => Number(isReady(b)) - Number(isReady(a)),
  (a, b) => compareTimes(readySinceMs(a), readySinceMs(b)),
  (a, b) => mostRestarts(b) - mostRestarts(a),
  (a, b) => compareTimes(createdMs(a), createdMs(b)),
);

/** The pod that is most likely to answer comes first: on a node, running, ready for long, restarted seldom, old. */
export const byActivity: PodOrder = firstDifference(
  (a, b) => Number(isOnNode(b)) - Number(isOnNode(a)),
  (a, b) => phaseIn(activityPhases, b) - phaseIn(activityPhases, a),
  (a, b) => Number(isReady(b)) - Number(isReady(a)),
  (a, b) => compareTimes(readySinceMs(a), readySinceMs(b)),
  (a, b) => mostRestarts(a) - mostRestarts(b),
  (a, b) => compareTimes(createdMs(a), createdMs(b)),
);

function firstDifference(...orders: readonly PodOrder[]): PodOrder {
  return (a, b) => {
    for (const order of orders) {
      const difference = order(a, b);
      if (difference !== 0) return difference;
    }
    return 0;
  };
}

/** Earlier first, no time last. */
function compareTimes(a: number, b: number): number {
  return a === 0 || b === 0 ? Number(a === 0) - Number(b === 0) : a - b;
}

function phaseIn(phases: Readonly<Record<string, number>>, { status }: Pod): number {
  return phases[status?.phase ?? ''] ?? 0;
}

const isOnNode = ({ spec }: Pod): boolean => Boolean(spec.nodeName);
const createdMs = ({ metadata }: Pod): number => timeMs(metadata.creationTimestamp);
