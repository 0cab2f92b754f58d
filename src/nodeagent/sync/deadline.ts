import { parseTime } from '../../machinery/values/index.ts';
import { type PodInput, previousStatus } from './pod-input.ts';

/**
 * When the agent began with a pod: as its last status says, else when the oldest sandbox that is left was made, else
 * now. An agent that was started anew gives a pod no second life by that.
 */
export function findStartMs(input: Pick<PodInput, 'pod' | 'memory' | 'view' | 'nowMs'>): number {
  const { startTime } = previousStatus(input);
  if (typeof startTime === 'string') return parseTime(startTime);
  return Math.min(input.nowMs, ...input.view.sandboxes.map(({ createdAtMs }) => createdAtMs));
}

/** When a pod has been active for as long as it may; undefined when it may be for ever. */
export function findDeadlineMs(
  input: Pick<PodInput, 'pod' | 'memory' | 'view' | 'nowMs'>,
): number | undefined {
  const { activeDeadlineSeconds } = input.pod.spec;
  return activeDeadlineSeconds === undefined ? undefined : findStartMs(input) + activeDeadlineSeconds * 1000;
}
