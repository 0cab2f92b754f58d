import type { CpuSet } from './cpu-set.ts';

/** Who has which CPUs. No CPU is both shared and somebody's own. */
export interface CpuState {
  /** Those that all containers without their own run on; reserved ones are always among them. */
  readonly shared: CpuSet;
  /** CPUs of containers' own, by uid of the pod and name of the container. */
  readonly own: ReadonlyMap<string, ReadonlyMap<string, CpuSet>>;
}

/** A container's own CPUs; undefined when it has none. */
export function ownCpus({ own }: CpuState, podUid: string, container: string): CpuSet | undefined {
  return own.get(podUid)?.get(container);
}

/** What a container may run on. */
export function cpusOf(state: CpuState, podUid: string, container: string): CpuSet {
  return ownCpus(state, podUid, container) ?? state.shared;
}

/** The state after a container was given CPUs of its own. */
export function giveCpus(
  { shared, own }: CpuState,
  { podUid, container, cpus }: { readonly podUid: string; readonly container: string; readonly cpus: CpuSet },
): CpuState {
  const ofPod = new Map(own.get(podUid)).set(container, cpus);
  return { shared: shared.difference(cpus), own: new Map(own).set(podUid, ofPod) };
}

/**
 * The state without the CPUs of containers that are not to keep them, which everybody shares then, unless another
 * container of the pod has them too. The very same state when all keep theirs.
 */
export function releaseCpus(
  state: CpuState,
  keeps: (podUid: string, container: string) => boolean,
): CpuState {
  const own = new Map<string, ReadonlyMap<string, CpuSet>>();
  const [freed, kept] = [new Set<number>(), new Set<number>()];
  let isChanged = false;
  for (const [podUid, containers] of state.own) {
    const staying = [...containers].filter(([name]) => keeps(podUid, name));
    if (staying.length > 0) own.set(podUid, new Map(staying));
    if (staying.length < containers.size) isChanged = true;
    for (const [name, cpus] of containers) {
      const into = staying.some(([each]) => each === name) ? kept : freed;
      for (const cpu of cpus) into.add(cpu);
    }
  }
  return isChanged ? { shared: state.shared.union(freed.difference(kept)), own } : state;
}
