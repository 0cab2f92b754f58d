import type { Job, JobStatus } from '../../apis/types/batch-v1.ts';
import type { Pod } from '../../apis/types/core-v1.ts';
import { resourcePath } from '../../client/rest/index.ts';
import type { WorkQueue } from '../../client/work-queue/index.ts';
import { isReason } from '../../machinery/errors/index.ts';
import type { OwnerReference } from '../../machinery/meta/index.ts';
import { labelSelectorFromObject } from '../../machinery/selectors/index.ts';
import { formatTime } from '../../machinery/values/index.ts';
import type { Controller, ControllerContext } from '../controller.ts';
import { type ControllerEvents, createControllerEvents } from '../controller-events.ts';
import { comparePodsForDeletion } from '../replica-set/deletion-order.ts';
import { keyOf, type SharedInformer } from '../shared-informers.ts';
import { carryOutClaims, decideClaims } from '../workloads/claims.ts';
import { Expectations } from '../workloads/expectations.ts';
import { ExpectedPods } from '../workloads/expected-pods.ts';
import { followOwned } from '../workloads/follow-owned.ts';
import { createOwnerQueue, logSyncError } from '../workloads/owner-queue.ts';
import { PodControl, type PodOwner, podFromTemplate } from '../workloads/pod-control.ts';
import {
  countPods,
  deadlineOf,
  decideCompletion,
  decideDifference,
  decideFailure,
  decideJobStatus,
  hasNewFailure,
  isJobFinished,
  type JobCounts,
  type JobFailure,
} from './decide.ts';

const jobs = { group: 'batch', version: 'v1', resource: 'jobs' };

/** Pauses after failures of pods. Source: release 1.20, `DefaultJobBackOff` and `MaxJobBackOff`. */
const firstPauseMs = 10_000;
const maxPauseMs = 360_000;
/** Timers cannot be set for any length; a later deadline is looked at again. */
const maxTimerMs = 3_600_000;
/** Writes of a status that lose against others are repeated so often. */
const maxStatusWrites = 3;

/** Runs pods until as many of them have succeeded as a job asks for. */
export const jobController: Controller = {
  name: 'job',
  run: (context) => new JobLoop(context).run(),
};

/** After `progress` earlier failures count no more; after `failed` the next try waits longer than the last one. */
type Outcome = 'progress' | 'same' | 'failed';

/** What became of the pods: how many are active now, and what went wrong. */
interface Managed {
  readonly active: number;
  readonly error?: unknown;
}

class JobLoop {
  readonly #context: ControllerContext;
  readonly #jobs: SharedInformer<Job>;
  readonly #pods: SharedInformer<Pod>;
  readonly #events: ControllerEvents;
  readonly #writes: ExpectedPods;
  readonly #expectations: Expectations;
  readonly #queue: WorkQueue<string>;
  /** How often in a row each job had to be tried again: its limit counts these, and pauses grow by them. */
  readonly #retries = new Map<string, number>();

  constructor(context: ControllerContext) {
    this.#context = context;
    this.#jobs = context.informers.jobs();
    this.#pods = context.informers.pods();
    this.#events = createControllerEvents(context, 'job-controller');
    this.#expectations = new Expectations(context.clock);
    this.#writes = new ExpectedPods(new PodControl(context, this.#events), this.#expectations);
    this.#queue = createOwnerQueue(context, {
      informers: [this.#jobs, this.#pods],
      concurrency: context.settings.concurrentJobSyncs,
      sync: (namespace, name) => this.#try(namespace, name),
      rests: { owners: this.#jobs, dependents: this.#pods },
    });
  }

  async run(): Promise<void> {
    const add = (job: Job): void => this.#queue.add(keyOf(job));
    this.#jobs.listen({
      onAdd: add,
      onUpdate: add,
      onDelete: (job) => {
        this.#expectations.forget(keyOf(job));
        this.#retries.delete(keyOf(job));
      },
    });
    followOwned(this.#pods, {
      keyOf: (reference, namespace) => this.#keyOfReference(reference, namespace),
      adopters: ({ metadata }) =>
        this.#jobs
          .listIn(metadata.namespace ?? '')
          .filter(({ spec }) => labelSelectorFromObject(spec.selector).matches(metadata.labels))
          .map(keyOf),
      onCreated: (key) => this.#expectations.creationObserved(key),
      onDeleted: (key, uid) => this.#expectations.deletionObserved(key, uid),
      onChange: (key, { status }, previous) => {
        // The next pod after one that failed waits longer each time.
        const isFailure = previous !== undefined && status?.phase === 'Failed';
        this.#queue.addAfter(key, isFailure ? this.#pauseMs(key) : 0);
      },
    });
    await this.#queue.done;
  }

  #keyOfReference({ kind, name, uid }: OwnerReference, namespace: string): string | undefined {
    if (kind !== 'Job') return undefined;
    return this.#jobs.get(namespace, name)?.metadata.uid === uid ? `${namespace}/${name}` : undefined;
  }

  #pauseMs(key: string): number {
    const retries = this.#retries.get(key) ?? 0;
    return retries === 0 ? 0 : Math.min(firstPauseMs * 2 ** (retries - 1), maxPauseMs);
  }

  /** The queue is not told of failures: its pauses are not those of jobs. */
  async #try(namespace: string, name: string): Promise<void> {
    const key = `${namespace}/${name}`;
    const { clock, logger, signal } = this.#context;
    const nowMs = clock.nowMs();
    let outcome: Outcome = 'failed';
    try {
      outcome = await this.#sync(namespace, name, nowMs);
    } catch (error) {
      if (signal.aborted) return;
      logSyncError(logger, { object: key, failures: (this.#retries.get(key) ?? 0) + 1, error });
    }
    if (outcome === 'progress') this.#retries.delete(key);
    if (outcome !== 'failed') return;
    const job = this.#jobs.get(namespace, name);
    if (job === undefined) return;
    this.#retries.set(key, (this.#retries.get(key) ?? 0) + 1);
    this.#queue.addAfter(key, Math.min(this.#pauseMs(key), this.#untilDeadlineMs(job, nowMs)));
  }

  /**
   * A pause may not last beyond the time that the whole job has. What is left counts from when the last sync began: one that
   * ends after the deadline has not seen it yet.
   */
  #untilDeadlineMs(job: Job, nowMs: number): number {
    const leftMs = (deadlineOf(job) ?? Number.POSITIVE_INFINITY) - nowMs;
    return leftMs > 0 ? Math.min(leftMs, maxTimerMs) : maxTimerMs;
  }

  async #sync(namespace: string, name: string, nowMs: number): Promise<Outcome> {
    const stored = this.#jobs.get(namespace, name);
    if (stored === undefined || isJobFinished(stored)) return 'progress';
    const key = keyOf(stored);
    const job: Job = {
      ...stored,
      status: { ...stored.status, startTime: stored.status.startTime ?? formatTime(nowMs) },
    };
    // Asked before the pods are read: what is seen in between must not count as known.
    const mayManage = this.#expectations.isFulfilled(key);
    const owner = ownerOf(job);
    const pods = await this.#claimPods(job, owner);
    const counts = countPods(pods);
    const failure = decideFailure(job, pods, { nowMs, retries: this.#retries.get(key) ?? 0 });
    // A pod that was made and is not seen yet would stay when the job ends without it: it makes the job come again.
    if (failure !== undefined && !mayManage) return 'same';
    const managed = await this.#manage(job, owner, { counts, failure, mayManage });
    const end = failure === undefined ? decideCompletion(job, { ...counts, ...managed }) : undefined;
    for (const { type, reason, message } of failure === undefined
      ? (end?.events ?? [])
      : [{ type: 'Warning' as const, ...failure }]) {
      this.#events.record(owner, type, reason, message);
    }
    const status = decideJobStatus(job, {
      active: managed.active,
      succeeded: counts.succeeded,
      failed: counts.failed + (failure === undefined ? 0 : counts.active.length),
      isComplete: end?.isComplete === true,
      failure,
      nowMs,
    });
    if (status !== undefined) await this.#writeStatus(job, status);
    const isFinished = failure !== undefined || end?.isComplete === true;
    if (status !== undefined && hasNewFailure(job, counts) && !isFinished) return 'failed';
    if (managed.error !== undefined) throw managed.error;
    if (deadlineOf(job) !== undefined && !isFinished)
      this.#queue.addAfter(key, this.#untilDeadlineMs(job, nowMs));
    return status === undefined ? 'same' : 'progress';
  }

  async #claimPods(job: Job, owner: PodOwner): Promise<Pod[]> {
    const { namespace, name, uid } = owner;
    const candidates = [...this.#pods.controlledBy(uid), ...this.#pods.orphansIn(namespace)];
    const selector = labelSelectorFromObject(job.spec.selector);
    return carryOutClaims(owner, decideClaims(owner, selector, candidates), {
      client: this.#context.client,
      signal: this.#context.signal,
      resource: { group: '', version: 'v1', resource: 'pods' },
      ownerPath: resourcePath({ ...jobs, namespace, name }),
    });
  }

  /** Creates pods that are missing, or deletes those that are too many; all of a job that has failed. */
  async #manage(job: Job, owner: PodOwner, { counts, failure, mayManage }: ManageOptions): Promise<Managed> {
    const active = counts.active.length;
    if (failure !== undefined) {
      const { error } = await this.#writes.delete(counts.active, owner);
      return { active: 0, error };
    }
    const difference = mayManage && !owner.isBeingDeleted ? decideDifference(job, counts) : 0;
    if (difference > 0) {
      const pod = podFromTemplate(job.spec.template, owner);
      const { done, error } = await this.#writes.create(pod, owner, difference);
      return { active: active + done, error };
    }
    if (difference === 0) return { active };
    const pods = [...counts.active].sort(comparePodsForDeletion(new Map())).slice(0, -difference);
    const { done, error } = await this.#writes.delete(pods, owner);
    return { active: active - done, error };
  }

  /** Only this controller decides the status: what others changed meanwhile does not change it. */
  async #writeStatus(job: Job, status: JobStatus): Promise<void> {
    const { client, signal } = this.#context;
    const { namespace, name } = job.metadata;
    const path = resourcePath({ ...jobs, namespace, name });
    let current = job;
    for (let write = 1; ; write++) {
      try {
        await client.send({ method: 'PUT', path: `${path}/status`, body: { ...current, status }, signal });
        return;
      } catch (error) {
        if (isReason(error, 'NotFound')) return; // deleted meanwhile
        if (!isReason(error, 'Conflict') || write === maxStatusWrites) throw error;
        current = await client.json<Job>({ method: 'GET', path, signal });
        // Another job of this name.
        if (current.metadata.uid !== job.metadata.uid) return;
      }
    }
  }
}

interface ManageOptions {
  readonly counts: JobCounts;
  readonly failure: JobFailure | undefined;
  readonly mayManage: boolean;
}

function ownerOf({ metadata }: Job): PodOwner {
  const { namespace = '', name = '', uid = '', resourceVersion, deletionTimestamp } = metadata;
  const isBeingDeleted = Boolean(deletionTimestamp);
  return { apiVersion: 'batch/v1', kind: 'Job', namespace, name, uid, resourceVersion, isBeingDeleted };
}
