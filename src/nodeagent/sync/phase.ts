import type { ContainerStatus, PodSpec } from '../../apis/types/core-v1.ts';

/** Where a pod stands as a whole. `Unknown` is never said by an agent. */
export type PodPhase = 'Pending' | 'Running' | 'Succeeded' | 'Failed';

/** How many of a pod's containers are where. */
interface Counts {
  unknown: number;
  running: number;
  waiting: number;
  stopped: number;
  succeeded: number;
}

/** The phase that follows from the statuses of all containers, init containers included; the rules of release 1.20. */
export function findPhase(spec: PodSpec, statuses: readonly ContainerStatus[]): PodPhase {
  const byName = new Map(statuses.map((status) => [status.name, status]));
  const init = (spec.initContainers ?? []).map(({ name }) => initStateOf(byName.get(name)));
  if (spec.restartPolicy === 'Never' && init.includes('failed')) return 'Failed';
  const counts = countStates((spec.containers ?? []).map(({ name }) => byName.get(name)));
  if (init.includes('pending') || counts.waiting > 0 || counts.unknown > 0) return 'Pending';
  if (counts.running > 0) return 'Running';
  if (counts.stopped === 0) return 'Pending';
  return phaseOfEnded(spec.restartPolicy, counts);
}

function phaseOfEnded(restartPolicy: string | undefined, { stopped, succeeded }: Counts): PodPhase {
  if (restartPolicy !== 'OnFailure' && restartPolicy !== 'Never') return 'Running';
  if (stopped === succeeded) return 'Succeeded';
  return restartPolicy === 'Never' ? 'Failed' : 'Running';
}

function initStateOf(status: ContainerStatus | undefined): 'pending' | 'failed' | 'done' {
  const terminated = status?.state.terminated ?? (status?.state.waiting && status.lastState.terminated);
  if (terminated === undefined) return 'pending';
  return terminated.exitCode === 0 ? 'done' : 'failed';
}

function countStates(statuses: readonly (ContainerStatus | undefined)[]): Counts {
  const counts: Counts = { unknown: 0, running: 0, waiting: 0, stopped: 0, succeeded: 0 };
  for (const status of statuses) {
    if (status?.state.running !== undefined) counts.running++;
    else if (status?.state.terminated !== undefined) {
      counts.stopped++;
      if (status.state.terminated.exitCode === 0) counts.succeeded++;
    } else if (status?.state.waiting === undefined) counts.unknown++;
    else if (status.lastState.terminated === undefined) counts.waiting++;
    else counts.stopped++;
  }
  return counts;
}
