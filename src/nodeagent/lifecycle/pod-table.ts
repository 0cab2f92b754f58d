import type { Pod, PodStatus } from '../../apis/types/core-v1.ts';
import { isOver, isTerminal, type PodMemory } from '../sync/pod-input.ts';
import { findContainer } from './find-container.ts';

/** How a pod that was begun stands. */
export interface PodProgress {
  readonly pod: Pod;
  readonly status: PodStatus;
  readonly memory: PodMemory;
  /** Nothing of it runs any more, nor will, and what it held on the node was let go. */
  readonly hasEnded: boolean;
}

/** A pod that a source desires. */
export interface DesiredPodEntry<W extends PodProgress> {
  pod: Pod;
  readonly source: string;
  /** Undefined until the pod was begun. */
  worker: W | undefined;
}

/**
 * Whether a container may need what it was given of the node (`desired`, also while nobody knows), is terminating, or is
 * gone: nothing of its pod is left that runs, or the pod has no such container any more.
 */
export type ContainerStanding = 'desired' | 'terminating' | 'gone';

/** All pods of the node as the agent knows them now. It decides nothing: the pod manager writes it, others read it. */
export class PodTable<W extends PodProgress = PodProgress> {
  /** Pods that sources desire, by uid. */
  readonly desired = new Map<string, DesiredPodEntry<W>>();
  /** Pods that are being removed, by uid. */
  readonly terminating = new Map<string, W>();
  /** Names of pods that the runtime has and no source desires, by uid; undefined before the runtime has told. */
  orphans: Map<string, string> | undefined;
  readonly #knowsAllPods: () => boolean;

  /** `knowsAllPods`: whether every source has handed over its pods; before that no pod is known not to be desired. */
  constructor(knowsAllPods: () => boolean) {
    this.#knowsAllPods = knowsAllPods;
  }

  get knowsAllPods(): boolean {
    return this.#knowsAllPods();
  }

  /** Pods that sources desire, each with its status. */
  pods(): readonly Pod[] {
    return [...this.desired.values()].map(({ pod, worker }) => ({
      ...pod,
      status: worker?.status ?? pod.status,
    }));
  }

  /** Pods that sources desire, and those that are terminating. */
  allPods(): readonly Pod[] {
    return [...this.desired.values(), ...this.terminating.values()].map(({ pod }) => pod);
  }

  /** Pods that may still run something. */
  activePods(): readonly Pod[] {
    return [...this.desired.values()].flatMap(({ pod, worker }) =>
      worker === undefined || isTerminal(worker.status) ? [] : [{ ...pod, status: worker.status }],
    );
  }

  /** Pods that were begun and are not over, as admission counts them. */
  admittedPods(): readonly Pod[] {
    return [...this.desired.values()]
      .filter(({ worker, pod }) => worker !== undefined && !isOver(pod, worker.status))
      .map(({ pod }) => pod);
  }

  findPod(namespace: string, name: string): Pod | undefined {
    return this.pods().find(({ metadata }) => metadata.namespace === namespace && metadata.name === name);
  }

  workerOf(podUid: string): W | undefined {
    return this.desired.get(podUid)?.worker ?? this.terminating.get(podUid);
  }

  workers(): readonly W[] {
    const begun = [...this.desired.values()].flatMap(({ worker }) => worker ?? []);
    return [...begun, ...this.terminating.values()];
  }

  /** Whether something is done for the pod. */
  knows(podUid: string): boolean {
    return this.desired.has(podUid) || this.terminating.has(podUid);
  }

  /** Names that sources desire, whether their pods were begun or not. */
  desiredNames(): ReadonlySet<string> {
    return new Set([...this.desired.values()].map(({ pod }) => fullName(pod)));
  }

  /** Names that no other pod may take now: not those of pods that are being removed and hold nothing any more. */
  takenNames(): Set<string> {
    const hasEnded = (uid: string): boolean => this.terminating.get(uid)?.hasEnded === true;
    const orphans = [...(this.orphans ?? [])].flatMap(([uid, name]) => (hasEnded(uid) ? [] : [name]));
    const terminating = [...this.terminating.values()].filter((worker) => !worker.hasEnded);
    const begun = [...this.desired.values()].flatMap(({ worker }) => worker ?? []);
    return new Set([...orphans, ...[...begun, ...terminating].map(({ pod }) => fullName(pod))]);
  }

  standingOf(podUid: string, container: string): ContainerStanding {
    const entry = this.desired.get(podUid);
    if (entry !== undefined) {
      const { worker, pod } = entry;
      if (findContainer(pod, container) === undefined) return 'gone';
      if (worker === undefined || !isTerminal(worker.status)) return 'desired';
      return worker.hasEnded ? 'gone' : 'terminating';
    }
    if (this.orphans === undefined || !this.knowsAllPods) return 'desired';
    return this.terminating.has(podUid) || this.orphans.has(podUid) ? 'terminating' : 'gone';
  }
}

/** `namespace/name`. */
export const fullName = ({ metadata }: Pick<Pod, 'metadata'>): string =>
  `${metadata.namespace}/${metadata.name}`;
