import type { Pod, PodStatus } from '../../apis/types/core-v1.ts';
import { type Admission, type PodTerms, preemptionVerdict } from '../admission/index.ts';
import type { BackOffs, PodMemory, PodVerdict } from '../sync/index.ts';
import { emptyMemory, isOver, isTerminal } from '../sync/index.ts';
import { orphanPod } from './orphan-pod.ts';
import { findContainer, type LifecycleParts } from './parts.ts';
import type { PodViews, RuntimeListing } from './pod-views.ts';
import { PodWorker, type PodWorkerEvents } from './pod-worker.ts';

/** How long waits of crash loops outlive their pod: it may come back under the same uid. */
const rememberMs = 600_000;

export interface PodManagerOptions extends Partial<PodWorkerEvents> {
  readonly parts: LifecycleParts;
  readonly views: PodViews;
  /** Whether a pod is run beside the others. */
  readonly admit: (pod: Pod, others: readonly Pod[]) => Admission;
  /** Whether every source has handed over its pods: before that nothing is known not to be wanted. */
  readonly knowsAllPods: () => boolean;
}

/** A pod that a source wants. */
interface Wanted {
  pod: Pod;
  readonly source: string;
  worker: PodWorker | undefined;
}

/** What came of a pod's admission. */
interface Outcome {
  readonly verdict: PodVerdict | undefined;
  readonly terms: PodTerms | undefined;
}

const notAsked: Outcome = { verdict: undefined, terms: undefined };

/**
 * Joins what sources want and has a worker for each pod. A pod that takes the name of another one begins when that has
 * gone; what the runtime has of pods that nobody wants is removed once all sources have spoken.
 */
export class PodManager {
  readonly #options: PodManagerOptions;
  readonly #wanted = new Map<string, Wanted>();
  /** Pods that are being removed, by uid. */
  readonly #leaving = new Map<string, PodWorker>();
  readonly #backOffs = new Map<string, { readonly backOffs: BackOffs; readonly untilMs: number }>();
  /** Names of pods that the runtime has and no source wants, by uid; undefined before it told what it has. */
  #strangers: Map<string, string> | undefined;
  #isClosed = false;

  constructor(options: PodManagerOptions) {
    this.#options = options;
  }

  /** Takes the whole set of pods of one source. */
  setPods(source: string, pods: readonly Pod[]): void {
    if (this.#isClosed) return;
    const uids = new Set(pods.map(uidOf));
    for (const [uid, wanted] of this.#wanted) {
      if (wanted.source === source && !uids.has(uid)) this.#drop(uid, wanted);
    }
    for (const pod of pods.toSorted(byCreation)) this.#want(source, pod);
    this.#startWaiting();
  }

  /** Pods that sources want, each with its status. */
  pods(): readonly Pod[] {
    return [...this.#wanted.values()].map(({ pod, worker }) => ({
      ...pod,
      status: worker?.status ?? pod.status,
    }));
  }

  /** Pods that sources want, and those that are on their way out. */
  allPods(): readonly Pod[] {
    return [...this.#wanted.values(), ...this.#leaving.values()].map(({ pod }) => pod);
  }

  /** Pods that may still run something. */
  activePods(): readonly Pod[] {
    return [...this.#wanted.values()].flatMap(({ pod, worker }) =>
      worker === undefined || isTerminal(worker.status) ? [] : [{ ...pod, status: worker.status }],
    );
  }

  findPod(namespace: string, name: string): Pod | undefined {
    return this.pods().find(({ metadata }) => metadata.namespace === namespace && metadata.name === name);
  }

  /** Something of a pod may have changed. `now`: what failed is tried again at once. */
  wake(podUid: string, options?: { readonly now?: boolean }): void {
    (this.#wanted.get(podUid)?.worker ?? this.#leaving.get(podUid))?.wake(options);
  }

  wakeAll(): void {
    for (const { worker } of this.#wanted.values()) worker?.wake();
    for (const worker of this.#leaving.values()) worker.wake();
  }

  /** Ends a pod for good; resolves when nothing of it runs. @throws Error when that takes far longer than it should */
  async evict({ metadata }: Pod, verdict: PodVerdict): Promise<void> {
    await this.#wanted.get(metadata.uid ?? '')?.worker?.evict(verdict);
  }

  /** Uids of pods that something is done for. */
  knows(podUid: string): boolean {
    return this.#wanted.has(podUid) || this.#leaving.has(podUid);
  }

  /**
   * Whether a container may need what it was given of the node (`wanted`, also while nobody knows), is ending, or nothing
   * of its pod is left that runs, or the pod has no such container any more.
   */
  standingOf(podUid: string, container: string): 'wanted' | 'leaving' | 'gone' {
    const wanted = this.#wanted.get(podUid);
    if (wanted !== undefined) {
      const { worker, pod } = wanted;
      if (findContainer(pod, container) === undefined) return 'gone';
      if (worker === undefined || !isTerminal(worker.status)) return 'wanted';
      return worker.hasEnded ? 'gone' : 'leaving';
    }
    if (this.#strangers === undefined || !this.#options.knowsAllPods()) return 'wanted';
    return this.#leaving.has(podUid) || this.#strangers.has(podUid) ? 'leaving' : 'gone';
  }

  /**
   * Removes what a listing shows of pods that nobody wants: of any once all sources have spoken, before that of those
   * whose name is wanted for another pod. Nothing is started before the first listing.
   */
  removeOrphans({ sandboxes, containers }: RuntimeListing): void {
    if (this.#isClosed) return;
    const { views, parts, knowsAllPods } = this.#options;
    const found = Map.groupBy([...sandboxes, ...containers], (each) => views.podUidOf(each));
    const areKnown = knowsAllPods();
    const wantedNames = new Set([...this.#wanted.values()].map(({ pod }) => fullName(pod)));
    this.#strangers = new Map();
    for (const uid of found.keys()) {
      if (this.knows(uid)) continue;
      const isOf = (each: (typeof sandboxes)[number] | (typeof containers)[number]): boolean =>
        views.podUidOf(each) === uid;
      const pod = orphanPod(sandboxes.filter(isOf), containers.filter(isOf), parts.dialect);
      this.#strangers.set(uid, fullName(pod));
      if (areKnown || wantedNames.has(fullName(pod))) this.#removeOrphan(uid, pod);
    }
    this.#startWaiting();
  }

  #removeOrphan(uid: string, pod: Pod): void {
    const { parts } = this.#options;
    parts.logger.info('a pod that no source wants is removed', { pod: fullName(pod), uid });
    const worker = this.#makeWorker(pod, {});
    this.#leaving.set(uid, worker);
    worker.remove();
  }

  /** Stops looking after pods, which run on. */
  close(): void {
    this.#isClosed = true;
    for (const { worker } of this.#wanted.values()) worker?.close();
    for (const worker of this.#leaving.values()) worker.close();
  }

  #want(source: string, pod: Pod): void {
    const uid = uidOf(pod);
    const wanted = this.#wanted.get(uid);
    if (wanted === undefined) {
      this.#wanted.set(uid, { pod, source, worker: undefined });
      this.#options.parts.objects?.registerPod(pod);
      return;
    }
    if (wanted.pod === pod || isSameVersion(wanted.pod, pod)) return;
    wanted.pod = pod;
    this.#options.parts.objects?.registerPod(pod);
    wanted.worker?.setPod(pod);
  }

  #drop(uid: string, { worker }: Wanted): void {
    this.#wanted.delete(uid);
    this.#options.parts.objects?.unregisterPod(uid);
    if (worker === undefined) return;
    this.#leaving.set(uid, worker);
    worker.remove();
  }

  /** Starts pods whose name and uid are free. */
  #startWaiting(): void {
    if (this.#strangers === undefined) return;
    const taken = new Set(this.#strangers.values());
    for (const { pod } of this.#leaving.values()) taken.add(fullName(pod));
    for (const { worker, pod } of this.#wanted.values()) if (worker !== undefined) taken.add(fullName(pod));
    for (const [uid, wanted] of this.#wanted) {
      const name = fullName(wanted.pod);
      if (wanted.worker !== undefined || taken.has(name) || this.#leaving.has(uid)) continue;
      taken.add(name);
      this.#start(wanted);
    }
  }

  #start(wanted: Wanted): void {
    const { pod } = wanted;
    const others = [...this.#wanted.values()]
      .filter(({ worker, pod: other }) => worker !== undefined && !isOver(other, worker.status))
      .map((each) => each.pod);
    const { verdict, terms } = isOver(pod, pod.status) ? notAsked : this.#admit(pod, others);
    const backOffs = this.#recall(uidOf(pod));
    const memory = backOffs === undefined ? undefined : { ...emptyMemory, backOffs };
    const worker = this.#makeWorker(pod, { verdict, terms, memory });
    wanted.worker = worker;
    this.#options.parts.prober.update(pod, [], undefined);
    this.#options.parts.measures?.began(pod);
    if (verdict !== undefined) this.#options.onStatus?.(pod, worker.status);
    worker.wake();
  }

  /** Pods that have to make room are ended beside the start of this one, which the runtime bears for that moment. */
  #admit(pod: Pod, others: readonly Pod[]): Outcome {
    const { admit, parts } = this.#options;
    const admission = admit(pod, others);
    if (admission.kind === 'admitted') {
      for (const other of admission.preempts) {
        parts.measures?.preempted(admission.shortage ?? '');
        this.#preempt(other);
      }
      return { verdict: undefined, terms: admission.terms };
    }
    const { reason, message, statusMessage } = admission;
    parts.events.record({ about: { kind: 'pod', pod }, type: 'Warning', reason, message });
    return { verdict: { reason, message: statusMessage }, terms: undefined };
  }

  #preempt(pod: Pod): void {
    const { events } = this.#options.parts;
    events.record({ about: { kind: 'pod', pod }, type: 'Warning', ...preemptionVerdict });
    this.evict(pod, preemptionVerdict).catch((error: unknown) => {
      this.#options.parts.logger.error('a pod that has to make room does not end', {
        pod: fullName(pod),
        error,
      });
    });
  }

  #makeWorker(pod: Pod, more: Partial<Outcome> & { memory?: PodMemory | undefined }): PodWorker {
    const { parts, views, onStatus, onEnded } = this.#options;
    const ignore = (): void => {};
    return new PodWorker({
      pod,
      parts,
      views,
      ...more,
      onStatus: (each: Pod, status: PodStatus) => onStatus?.(each, status),
      onEnded: onEnded ?? ignore,
      onGone: (each) => this.#forget(each),
    });
  }

  #forget(pod: Pod): void {
    const uid = uidOf(pod);
    const worker = this.#leaving.get(uid);
    this.#leaving.delete(uid);
    this.#strangers?.delete(uid);
    const nowMs = this.#options.parts.clock.nowMs();
    if (worker !== undefined && worker.memory.backOffs.size > 0) {
      this.#backOffs.set(uid, { backOffs: worker.memory.backOffs, untilMs: nowMs + rememberMs });
    }
    this.#options.onGone?.(pod);
    if (!this.#isClosed) this.#startWaiting();
  }

  #recall(uid: string): BackOffs | undefined {
    const nowMs = this.#options.parts.clock.nowMs();
    for (const [key, { untilMs }] of this.#backOffs) if (untilMs < nowMs) this.#backOffs.delete(key);
    return this.#backOffs.get(uid)?.backOffs;
  }
}

const uidOf = ({ metadata }: Pod): string => metadata.uid ?? '';
const fullName = ({ metadata }: Pod): string => `${metadata.namespace}/${metadata.name}`;

/** Versions are the API server's; pods of other sources have none, and are other objects when they changed. */
function isSameVersion({ metadata: a }: Pod, { metadata: b }: Pod): boolean {
  return a.resourceVersion !== undefined && a.resourceVersion === b.resourceVersion;
}

function byCreation({ metadata: a }: Pod, { metadata: b }: Pod): number {
  const at = (time: unknown): number => (typeof time === 'string' ? Date.parse(time) : 0);
  return at(a.creationTimestamp) - at(b.creationTimestamp);
}
