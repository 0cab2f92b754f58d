import type { Pod } from '../../apis/types/core-v1.ts';
import type { Clock, Logger } from '../../base/index.ts';
import type { Dialect } from '../../machinery/dialect.ts';
import { type Admission, type PodTerms, preemptionVerdict } from '../admission/index.ts';
import type { EventRecorder } from '../events/index.ts';
import type { AgentObjects } from '../objects/index.ts';
import type { Prober } from '../probes/index.ts';
import type { Container, PodSandbox } from '../runtime/index.ts';
import { emptyMemory, isOver, type PodVerdict } from '../sync/pod-input.ts';
import { orphanPod } from './orphan-pod.ts';
import type { PodMetrics } from './pod-metrics.ts';
import { type DesiredPodEntry, fullName, type PodTable } from './pod-table.ts';
import type { PodViews, RuntimeListing } from './pod-views.ts';
import type { PodWorker, PodWorkerEvents, PodWorkerRequest } from './pod-worker.ts';
import { RememberedBackOffs } from './remembered-back-offs.ts';

/** The table that the manager writes, and what it does for each pod that comes or goes. */
export interface PodManagerOptions {
  readonly table: PodTable<PodWorker>;
  readonly makeWorker: (request: PodWorkerRequest) => PodWorker;
  readonly views: Pick<PodViews, 'podUidOf'>;
  /** Has a pod given what only asking others can give, before it is judged; undefined: it needs none. Never rejects. */
  readonly prepareAdmission: ((pod: Pod) => Promise<void> | undefined) | undefined;
  /** Whether a pod is run beside the others. */
  readonly admit: (pod: Pod, others: readonly Pod[]) => Admission;
  /** Notified of every pod. Must not throw. */
  readonly onPod: PodWorkerEvents;
  readonly prober: Pick<Prober, 'update'>;
  /** Undefined: there is no API server to ask. */
  readonly objects: Pick<AgentObjects, 'registerPod' | 'unregisterPod'> | undefined;
  readonly metrics: Pick<PodMetrics, 'began' | 'preempted'>;
  readonly events: EventRecorder;
  readonly dialect: Dialect;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** What came of a pod's admission. */
interface Outcome {
  readonly verdict: PodVerdict | undefined;
  readonly terms: PodTerms | undefined;
}

const notAsked: Outcome = { verdict: undefined, terms: undefined };

/**
 * Joins what sources desire and has a worker for each pod. A pod that takes the name of another one begins when that
 * has gone; orphans, which the runtime has but no source desires, are removed once all sources have spoken.
 */
export class PodManager {
  readonly #options: PodManagerOptions;
  readonly #table: PodTable<PodWorker>;
  readonly #backOffs: RememberedBackOffs;
  /** Pods that are not begun yet because they are being prepared, by uid, and whether that is done. */
  readonly #prepared = new Map<string, boolean>();
  #isClosed = false;

  constructor(options: PodManagerOptions) {
    this.#options = options;
    this.#table = options.table;
    this.#backOffs = new RememberedBackOffs(options.clock);
  }

  /** Takes the whole set of pods of one source. */
  setPods(source: string, pods: readonly Pod[]): void {
    if (this.#isClosed) return;
    const uids = new Set(pods.map(uidOf));
    for (const [uid, entry] of this.#table.desired) {
      if (entry.source === source && !uids.has(uid)) this.#drop(uid, entry);
    }
    for (const pod of pods.toSorted(byCreation)) this.#desire(source, pod);
    this.#startPending();
  }

  /** Something of a pod may have changed. `now`: what failed is tried again at once. */
  notify(podUid: string, options?: { readonly now?: boolean }): void {
    this.#table.workerOf(podUid)?.notify(options);
  }

  /** Ends a pod for good; resolves when nothing of it runs. @throws Error when that takes far longer than it should */
  async evict({ metadata }: Pod, verdict: PodVerdict): Promise<void> {
    await this.#table.desired.get(metadata.uid ?? '')?.worker?.evict(verdict);
  }

  /**
   * Removes what a listing shows of orphans: of any once all sources have spoken, before that of those whose name is
   * desired for another pod. Nothing is started before the first listing.
   */
  removeOrphans({ sandboxes, containers }: RuntimeListing): void {
    if (this.#isClosed) return;
    const { views, dialect } = this.#options;
    const table = this.#table;
    const found = Map.groupBy([...sandboxes, ...containers], (each) => views.podUidOf(each));
    const desiredNames = table.desiredNames();
    table.orphans = new Map();
    for (const uid of found.keys()) {
      if (table.knows(uid)) continue;
      const isOf = (each: PodSandbox | Container): boolean => views.podUidOf(each) === uid;
      const pod = orphanPod(sandboxes.filter(isOf), containers.filter(isOf), dialect);
      table.orphans.set(uid, fullName(pod));
      if (table.knowsAllPods || desiredNames.has(fullName(pod))) this.#removeOrphan(uid, pod);
    }
    this.#startPending();
  }

  #removeOrphan(uid: string, pod: Pod): void {
    this.#options.logger.info('orphaned pod removal started', { pod: fullName(pod), uid });
    const worker = this.#makeWorker(pod);
    this.#table.terminating.set(uid, worker);
    worker.remove();
  }

  /** Ends the syncs of all pods, which run on. */
  close(): void {
    this.#isClosed = true;
    for (const worker of this.#table.workers()) worker.close();
  }

  #desire(source: string, pod: Pod): void {
    const uid = uidOf(pod);
    const entry = this.#table.desired.get(uid);
    if (entry === undefined) {
      this.#table.desired.set(uid, { pod, source, worker: undefined });
      this.#options.objects?.registerPod(pod);
      return;
    }
    if (entry.pod === pod || isSameVersion(entry.pod, pod)) return;
    entry.pod = pod;
    this.#options.objects?.registerPod(pod);
    entry.worker?.setPod(pod);
  }

  #drop(uid: string, { worker }: DesiredPodEntry<PodWorker>): void {
    this.#table.desired.delete(uid);
    this.#prepared.delete(uid);
    this.#options.objects?.unregisterPod(uid);
    if (worker === undefined) return;
    this.#table.terminating.set(uid, worker);
    worker.remove();
  }

  /** Starts pods whose name and uid are free. */
  #startPending(): void {
    if (this.#table.orphans === undefined) return;
    const taken = this.#table.takenNames();
    for (const [uid, entry] of this.#table.desired) {
      const name = fullName(entry.pod);
      if (entry.worker !== undefined || taken.has(name) || this.#table.terminating.has(uid)) continue;
      taken.add(name);
      if (!this.#isPrepared(uid, entry.pod)) continue;
      this.#prepared.delete(uid);
      this.#start(entry);
    }
  }

  /** Whether a pod can be judged; if not, it is begun later, when it can. */
  #isPrepared(uid: string, pod: Pod): boolean {
    const known = this.#prepared.get(uid);
    if (known !== undefined) return known;
    const preparing = isOver(pod, pod.status) ? undefined : this.#options.prepareAdmission?.(pod);
    if (preparing === undefined) return true;
    this.#prepared.set(uid, false);
    void preparing.then(() => {
      if (!this.#prepared.has(uid)) return; // nobody desires it any more
      this.#prepared.set(uid, true);
      if (!this.#isClosed) this.#startPending();
    });
    return false;
  }

  #start(entry: DesiredPodEntry<PodWorker>): void {
    const { prober, metrics, onPod } = this.#options;
    const { pod } = entry;
    const outcome = isOver(pod, pod.status) ? notAsked : this.#admit(pod, this.#table.admittedPods());
    const backOffs = this.#backOffs.recall(uidOf(pod));
    const memory = backOffs === undefined ? undefined : { ...emptyMemory, backOffs };
    const worker = this.#makeWorker(pod, { ...outcome, memory });
    entry.worker = worker;
    prober.update(pod, [], undefined);
    metrics.began(pod);
    if (outcome.verdict !== undefined) onPod.onStatus(pod, worker.status);
    worker.notify();
  }

  /** Pods that have to make room are ended beside the start of this one, which the runtime bears for that moment. */
  #admit(pod: Pod, others: readonly Pod[]): Outcome {
    const { admit, metrics, events } = this.#options;
    const admission = admit(pod, others);
    if (admission.kind === 'admitted') {
      for (const other of admission.preempts) {
        metrics.preempted(admission.shortage ?? '');
        this.#preempt(other);
      }
      return { verdict: undefined, terms: admission.terms };
    }
    const { reason, message, statusMessage } = admission;
    events.record({ about: { kind: 'pod', pod }, type: 'Warning', reason, message });
    return { verdict: { reason, message: statusMessage }, terms: undefined };
  }

  #preempt(pod: Pod): void {
    const { events, logger } = this.#options;
    events.record({ about: { kind: 'pod', pod }, type: 'Warning', ...preemptionVerdict });
    this.evict(pod, preemptionVerdict).catch((error: unknown) => {
      logger.error('pod preemption failed', { pod: fullName(pod), error });
    });
  }

  #makeWorker(pod: Pod, more: Partial<PodWorkerRequest> = {}): PodWorker {
    const { makeWorker, onPod } = this.#options;
    const onEnded = (each: Pod): void => {
      onPod.onEnded(each);
      // One that is being removed gives its name away.
      if (!this.#isClosed && this.#table.terminating.has(uidOf(each))) this.#startPending();
    };
    return makeWorker({ pod, ...more, ...onPod, onEnded, onGone: (each) => this.#forget(each) });
  }

  #forget(pod: Pod): void {
    const uid = uidOf(pod);
    const worker = this.#table.terminating.get(uid);
    this.#table.terminating.delete(uid);
    this.#table.orphans?.delete(uid);
    if (worker !== undefined) this.#backOffs.keep(uid, worker.memory.backOffs);
    this.#options.onPod.onGone(pod);
    if (!this.#isClosed) this.#startPending();
  }
}

const uidOf = ({ metadata }: Pod): string => metadata.uid ?? '';

/** Versions are the API server's; pods of other sources have none, and are other objects when they changed. */
function isSameVersion({ metadata: a }: Pod, { metadata: b }: Pod): boolean {
  return a.resourceVersion !== undefined && a.resourceVersion === b.resourceVersion;
}

function byCreation({ metadata: a }: Pod, { metadata: b }: Pod): number {
  const at = (time: unknown): number => (typeof time === 'string' ? Date.parse(time) : 0);
  return at(a.creationTimestamp) - at(b.creationTimestamp);
}
