import { formatCpuSet } from './cpu-set.ts';
import { type CpuState, cpusOf } from './cpu-state.ts';

/** A container that runs. */
export interface RunningContainer {
  readonly id: string;
  readonly podUid: string;
  readonly name: string;
}

/** A container that is to run on other CPUs from now on. */
export interface CpuUpdate {
  readonly containerId: string;
  /** As control groups have it. */
  readonly cpus: string;
}

/** What must change for each container to run on what it may; `known` says what containers were told last, by id. */
export function planUpdates(
  containers: readonly RunningContainer[],
  state: CpuState,
  known: ReadonlyMap<string, string>,
): readonly CpuUpdate[] {
  const shared = formatCpuSet(state.shared);
  return containers.flatMap(({ id, podUid, name }) => {
    const mayUse = cpusOf(state, podUid, name);
    const cpus = mayUse === state.shared ? shared : formatCpuSet(mayUse);
    return known.get(id) === cpus ? [] : [{ containerId: id, cpus }];
  });
}
