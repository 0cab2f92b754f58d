import type { Container, Pod } from '../../apis/types/core-v1.ts';
import type { AgentConfig } from '../options/index.ts';
import type { CpuSet } from './cpu-set.ts';
import { type CpuState, giveCpus, ownCpus } from './cpu-state.ts';
import type { CpuTopology } from './cpu-topology.ts';
import { containersOf, exclusiveCount, podExclusiveCount } from './exclusive-count.ts';
import { type AlignmentPolicy, type MergedHint, mergeHints } from './merge-hints.ts';
import { takeCpus } from './take-cpus.ts';
import { allNodes, cpuHints, cpusOnNodes, type NodeMask, type TopologyHint } from './topology-hints.ts';

/** What CPUs are given out by. */
export interface CpuPolicy {
  readonly topology: CpuTopology;
  /** CPUs that are nobody's own. */
  readonly reserved: CpuSet;
  readonly alignment: AlignmentPolicy;
  /** Whether each container is aligned, or the pod as a whole. */
  readonly scope: AgentConfig['topologyManagerScope'];
}

/** The state with the pod in it, or why the pod cannot be. */
export type PodAllocation =
  | { readonly kind: 'allocated'; readonly state: CpuState }
  | { readonly kind: 'refused'; readonly reason: string; readonly message: string };

/**
 * Gives the containers of a pod their own CPUs, as far as they are to have some and have none yet. What an init
 * container had is used again by those after it. Reasons and messages are release 1.20's.
 */
export function allocatePod(
  pod: Pod,
  state: CpuState,
  policy: CpuPolicy,
  otherHints: OtherHints = () => [],
): PodAllocation {
  const { alignment, scope } = policy;
  const allocation = new Allocation(pod, state, { policy, otherHints });
  const whole = alignment !== 'none' && scope === 'pod' ? allocation.align(alignment) : undefined;
  if (whole?.isAdmitted === false) return misaligned;
  for (const container of containersOf(pod)) {
    const hint = whole ?? (alignment === 'none' ? undefined : allocation.align(alignment, container));
    if (hint?.isAdmitted === false) return misaligned;
    if (!allocation.give(container, hint?.nodes)) return shortage;
  }
  return { kind: 'allocated', state: allocation.state };
}

/** Nodes that a container, or a whole pod, could have its CPUs from; undefined when it has none to itself. */
export function podCpuHints(
  pod: Pod,
  container: Container | undefined,
  { state, policy }: { readonly state: CpuState; readonly policy: CpuPolicy },
): readonly TopologyHint[] | undefined {
  return new Allocation(pod, state, { policy, otherHints: () => [] }).hints(container);
}

/** Hints of other resources than CPUs, such as devices, for a container or a whole pod: a list for each. */
export type OtherHints = (
  pod: Pod,
  container?: Container,
) => readonly (readonly TopologyHint[] | undefined)[];

const misaligned: PodAllocation = {
  kind: 'refused',
  reason: 'TopologyAffinityError',
  message: 'Resources cannot be allocated with Topology locality',
};

const shortage: PodAllocation = {
  kind: 'refused',
  reason: 'UnexpectedAdmissionError',
  message: 'Allocate failed due to not enough cpus available to satisfy request, which is unexpected',
};

/** One pod on its way through its containers. */
class Allocation {
  readonly #pod: Pod;
  readonly #podUid: string;
  readonly #policy: CpuPolicy;
  readonly #otherHints: OtherHints;
  #state: CpuState;
  /** What init containers have had and no container after them has taken. */
  #reusable: CpuSet = new Set();

  constructor(
    pod: Pod,
    state: CpuState,
    { policy, otherHints }: { readonly policy: CpuPolicy; readonly otherHints: OtherHints },
  ) {
    this.#pod = pod;
    this.#podUid = pod.metadata.uid ?? '';
    this.#state = state;
    this.#policy = policy;
    this.#otherHints = otherHints;
  }

  get state(): CpuState {
    return this.#state;
  }

  /** Nodes for one container, or for all when none is given. */
  align(policy: Exclude<AlignmentPolicy, 'none'>, container?: Container): MergedHint {
    const others = this.#otherHints(this.#pod, container);
    const hints = [...others, this.hints(container)];
    return mergeHints({ policy, allNodes: allNodes(this.#policy.topology), hints });
  }

  /** Those of CPUs. */
  hints(container: Container | undefined): readonly TopologyHint[] | undefined {
    return container === undefined ? this.#podHints() : this.#containerHints(container);
  }

  /** Gives a container what it is to have; false when there is not enough. */
  give(container: Container, nodes: NodeMask | undefined): boolean {
    const count = exclusiveCount(this.#pod, container);
    if (count === 0) return true;
    const known = ownCpus(this.#state, this.#podUid, container.name);
    const cpus = known ?? this.#take(count, nodes);
    if (cpus === undefined) return false;
    if (known === undefined) {
      this.#state = giveCpus(this.#state, { podUid: this.#podUid, container: container.name, cpus });
    }
    const isInit = this.#pod.spec.initContainers?.includes(container) === true;
    this.#reusable = isInit ? this.#reusable.union(cpus) : this.#reusable.difference(cpus);
    return true;
  }

  #take(count: number, nodes: NodeMask | undefined): CpuSet | undefined {
    const { topology } = this.#policy;
    const available = this.#assignable().union(this.#reusable);
    const near = nodes === undefined ? new Set<number>() : cpusOnNodes(topology, available, nodes);
    const nearCount = Math.min(count, near.size);
    const first = takeCpus({ topology, available: near, count: nearCount }) ?? new Set();
    const rest = takeCpus({ topology, available: available.difference(first), count: count - first.size });
    return rest && first.union(rest);
  }

  /** Those that nobody has. */
  #assignable(): CpuSet {
    return this.#state.shared.difference(this.#policy.reserved);
  }

  #containerHints(container: Container): readonly TopologyHint[] | undefined {
    const count = exclusiveCount(this.#pod, container);
    if (count === 0) return undefined;
    const known = ownCpus(this.#state, this.#podUid, container.name);
    if (known !== undefined) return known.size === count ? this.#hintsFor(count, known) : [];
    return this.#hintsFor(count, this.#assignable(), this.#reusable);
  }

  #podHints(): readonly TopologyHint[] | undefined {
    const count = podExclusiveCount(this.#pod);
    if (count === 0) return undefined;
    let known: CpuSet = new Set();
    for (const container of containersOf(this.#pod)) {
      const cpus = ownCpus(this.#state, this.#podUid, container.name);
      if (cpus === undefined) continue;
      if (cpus.size !== exclusiveCount(this.#pod, container)) return [];
      known = known.union(cpus);
    }
    return known.size === count
      ? this.#hintsFor(count, known)
      : this.#hintsFor(count, this.#assignable(), known);
  }

  #hintsFor(count: number, available: CpuSet, reusable: CpuSet = new Set()): readonly TopologyHint[] {
    return cpuHints({ topology: this.#policy.topology, available, reusable, count });
  }
}
