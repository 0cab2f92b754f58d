import type { StatefulSet, StatefulSetStatus } from '../../apis/types/apps-v1.ts';
import type { Pod, PodTemplateSpec } from '../../apis/types/core-v1.ts';
import type { Owner } from '../workloads/claims.ts';
import { isPodReady } from '../workloads/pod-state.ts';
import { newStatefulPod, ordinalOf, revisionOf, withIdentity } from './identity.ts';

/** A template by the name of its revision. */
export interface NamedTemplate {
  readonly name: string;
  readonly template: PodTemplateSpec;
}

/** What a set is and has. */
export interface StatefulFacts {
  readonly set: StatefulSet;
  readonly owner: Owner;
  readonly pods: readonly Pod[];
  /** What the pods were of before the update that runs. */
  readonly current: NamedTemplate;
  /** What they are to become. */
  readonly update: NamedTemplate;
  readonly collisionCount: number;
  /** The label of a pod that has its name. */
  readonly nameLabel: string;
}

/** One write, of a pod and its volume claims. */
export interface StatefulAction {
  readonly kind: 'create' | 'update' | 'delete';
  readonly ordinal: number;
  readonly pod: Pod;
  /** A deletion that makes room for the same pod. */
  readonly isRecreated?: boolean;
}

/** The writes, in order, and the status when all of them succeeded. */
export interface StatefulPlan {
  readonly actions: readonly StatefulAction[];
  readonly status: StatefulSetStatus;
}

const isTerminating = ({ metadata }: Pod): boolean => Boolean(metadata.deletionTimestamp);
const isRunningAndReady = (pod: Pod): boolean => pod.status?.phase === 'Running' && isPodReady(pod);
const isHealthy = (pod: Pod): boolean => isRunningAndReady(pod) && !isTerminating(pod);

/** A pod that the set has, or is to have. */
interface Place {
  readonly ordinal: number;
  readonly pod: Pod;
  readonly exists: boolean;
}

/** What is to be done now for a set. Pure. Source: release 1.20, `updateStatefulSet`. */
export function decideStatefulSet(facts: StatefulFacts): StatefulPlan {
  return new StatefulDecision(facts).plan();
}

class StatefulDecision {
  readonly #facts: StatefulFacts;
  readonly #actions: StatefulAction[] = [];
  readonly #replicas: Place[] = [];
  /** Beyond the size, lowest first. */
  readonly #condemned: Place[] = [];
  readonly #isOrdered: boolean;
  readonly #counts = { replicas: 0, ready: 0, current: 0, updated: 0 };

  constructor(facts: StatefulFacts) {
    this.#facts = facts;
    const { set, pods } = facts;
    this.#isOrdered = set.spec.podManagementPolicy !== 'Parallel';
    const size = set.spec.replicas ?? 1;
    const byOrdinal = new Map<number, Pod>();
    for (const pod of pods) {
      this.#countPod(pod);
      const ordinal = ordinalOf(pod, set.metadata.name ?? '');
      if (ordinal === undefined) continue;
      if (ordinal < size) byOrdinal.set(ordinal, pod);
      else this.#condemned.push({ ordinal, pod, exists: true });
    }
    for (let ordinal = 0; ordinal < size; ordinal++) {
      const pod = byOrdinal.get(ordinal);
      this.#replicas.push(pod ? { ordinal, pod, exists: true } : this.#newPlace(ordinal));
    }
    this.#condemned.sort((a, b) => a.ordinal - b.ordinal);
  }

  plan(): StatefulPlan {
    // Each step says whether the next may be taken.
    if (!this.#facts.owner.isBeingDeleted && this.#fill() && this.#shrink()) this.#roll();
    return { actions: this.#actions, status: this.#status() };
  }

  #countPod(pod: Pod): void {
    this.#counts.replicas++;
    if (isRunningAndReady(pod)) this.#counts.ready++;
    if (pod.status?.phase && !isTerminating(pod)) this.#countRevision(pod, 1);
  }

  #countRevision(pod: Pod, change: 1 | -1): void {
    const { current, update } = this.#facts;
    if (revisionOf(pod) === current.name) this.#counts.current += change;
    if (revisionOf(pod) === update.name) this.#counts.updated += change;
  }

  /** Pods that the update has not reached come back as they were. */
  #newPlace(ordinal: number): Place {
    const { set, owner, current, update, nameLabel } = this.#facts;
    const { type, rollingUpdate } = set.spec.updateStrategy;
    const isCurrent = rollingUpdate
      ? ordinal < (rollingUpdate.partition ?? 0)
      : type === 'RollingUpdate' && ordinal < (set.status.currentReplicas ?? 0);
    const { name: revision, template } = isCurrent ? current : update;
    const pod = newStatefulPod(set, { ordinal, template, revision, owner, nameLabel });
    return { ordinal, pod, exists: false };
  }

  #fill(): boolean {
    const { set, nameLabel } = this.#facts;
    for (const [index, found] of this.#replicas.entries()) {
      let place = found;
      const { ordinal } = place;
      if (place.exists && place.pod.status?.phase === 'Failed') {
        this.#actions.push({ kind: 'delete', ordinal, pod: place.pod, isRecreated: true });
        this.#counts.replicas--;
        this.#countRevision(place.pod, -1);
        place = this.#newPlace(ordinal);
        this.#replicas[index] = place;
      }
      if (!place.exists) {
        this.#actions.push({ kind: 'create', ordinal, pod: place.pod });
        this.#counts.replicas++;
        this.#countRevision(place.pod, 1);
        if (this.#isOrdered) return false;
        continue;
      }
      if (this.#isOrdered && !isHealthy(place.pod)) return false;
      const pod = withIdentity(set, place.pod, ordinal, nameLabel);
      if (pod !== place.pod) this.#actions.push({ kind: 'update', ordinal, pod });
    }
    return true;
  }

  #shrink(): boolean {
    const firstUnhealthy = [...this.#replicas, ...this.#condemned].find(({ pod }) => !isHealthy(pod));
    for (const place of this.#condemned.toReversed()) {
      if (isTerminating(place.pod)) {
        if (this.#isOrdered) return false;
        continue;
      }
      // The one that keeps the others waiting may go.
      if (this.#isOrdered && !isRunningAndReady(place.pod) && place !== firstUnhealthy) return false;
      this.#delete(place);
      this.#countRevision(place.pod, -1);
      if (this.#isOrdered) return false;
    }
    return true;
  }

  /** From the last to the partition, one at a time. */
  #roll(): void {
    const { set, update } = this.#facts;
    const { type, rollingUpdate } = set.spec.updateStrategy;
    if (type === 'OnDelete') return;
    for (const place of this.#replicas.slice(rollingUpdate?.partition ?? 0).toReversed()) {
      if (revisionOf(place.pod) !== update.name && !isTerminating(place.pod)) {
        this.#delete(place);
        this.#counts.current--;
        return;
      }
      if (!isHealthy(place.pod)) return;
    }
  }

  #delete({ ordinal, pod }: Place): void {
    this.#actions.push({ kind: 'delete', ordinal, pod });
  }

  #status(): StatefulSetStatus {
    const { set, current, update, collisionCount } = this.#facts;
    const { replicas, ready, current: currentReplicas, updated } = this.#counts;
    const isComplete =
      set.spec.updateStrategy.type === 'RollingUpdate' && updated === replicas && ready === replicas;
    return {
      ...(set.status.conditions && { conditions: set.status.conditions }),
      observedGeneration: set.metadata.generation,
      replicas,
      readyReplicas: ready,
      currentReplicas: isComplete ? updated : Math.max(0, currentReplicas),
      updatedReplicas: updated,
      currentRevision: isComplete ? update.name : current.name,
      updateRevision: update.name,
      collisionCount,
    };
  }
}

const comparedFields = [
  'replicas',
  'currentReplicas',
  'readyReplicas',
  'updatedReplicas',
  'currentRevision',
  'updateRevision',
] as const;

/** Whether a status says something else than the one that the set has. Source: release 1.20, `inconsistentStatus`. */
export const isNewStatus = ({ status: before }: StatefulSet, after: StatefulSetStatus): boolean =>
  (after.observedGeneration ?? 0) > (before.observedGeneration ?? 0) ||
  comparedFields.some((field) => (before[field] || undefined) !== (after[field] || undefined));
