import type { Job } from '../../apis/types/batch-v1.ts';
import type { CronJob, CronJobStatus } from '../../apis/types/batch-v1beta1.ts';
import type { ObjectReference } from '../../apis/types/core-v1.ts';
import { errorText, pause } from '../../base/index.ts';
import { resourcePath } from '../../client/rest/index.ts';
import { formatTime } from '../../machinery/values/index.ts';
import type { Controller, ControllerContext } from '../controller.ts';
import { type ControllerEvents, createControllerEvents } from '../controller-events.ts';
import { isNamespaceTerminating } from '../ensure-in-namespaces.ts';
import { keyOf, type SharedInformer } from '../shared-informers.ts';
import { controllerOf } from '../workloads/claims.ts';
import { Expectations } from '../workloads/expectations.ts';
import { logSyncError } from '../workloads/owner-queue.ts';
import type { PodOwner } from '../workloads/pod-control.ts';
import { Written } from '../written.ts';
import { type CronJobEvent, decideCleanup, decideStart, jobFor, observeJobs, withActive } from './decide.ts';
import { localOffset } from './next-time.ts';

const cronJobs = { group: 'batch', version: 'v1beta1', resource: 'cronjobs' };
const jobResource = { group: 'batch', version: 'v1', resource: 'jobs' };

/** Source: release 1.20, `Run` of the first controller of cron jobs. */
const pollPeriodMs = 10_000;

/** Makes jobs of cron jobs at their times, and deletes old ones. It looks every ten seconds, and starts only the latest time of several. */
export const cronJobController: Controller = {
  name: 'cronjob',
  run: (context) => new CronJobLoop(context).run(),
};

class CronJobLoop {
  readonly #context: ControllerContext;
  /** As this controller wrote them, where the informer does not show it yet. */
  readonly #cronJobs: Written<CronJob>;
  readonly #jobs: SharedInformer<Job>;
  readonly #events: ControllerEvents;
  /** Jobs that were made and that the informer does not show yet: they would seem to be missing. */
  readonly #expectations: Expectations;
  /** Until when nothing is due, in milliseconds: most rounds find nothing to do. */
  readonly #quietUntilMs = new WeakMap<CronJob, number>();

  constructor(context: ControllerContext) {
    this.#context = context;
    this.#cronJobs = new Written(context.informers.cronJobs());
    this.#expectations = new Expectations(context.clock);
    this.#jobs = context.informers.jobs();
    this.#events = createControllerEvents(context, 'cronjob-controller');
  }

  async run(): Promise<void> {
    const { clock, signal, logger, informers } = this.#context;
    this.#jobs.listen({
      onAdd: (job) => this.#expectations.creationObserved(controllerOf(job)?.uid ?? ''),
    });
    informers
      .cronJobs()
      .listen({ onDelete: ({ metadata }) => this.#expectations.forget(metadata.uid ?? '') });
    await Promise.all([informers.cronJobs().whenSynced, this.#jobs.whenSynced]);
    do {
      for (const cronJob of this.#cronJobs.list()) {
        if (signal.aborted) return;
        try {
          await this.#sync(cronJob);
        } catch (error) {
          // What was not done is done in the next round.
          if (!signal.aborted) logSyncError(logger, { object: keyOf(cronJob), failures: 1, error });
        }
      }
    } while (await pause(clock, pollPeriodMs, signal));
  }

  async #sync(stored: CronJob): Promise<void> {
    if (!this.#expectations.isFulfilled(stored.metadata.uid ?? '')) return;
    const jobs = this.#jobs
      .controlledBy(stored.metadata.uid ?? '')
      .filter(({ metadata }) => metadata.namespace === stored.metadata.namespace);
    const { status, events } = observeJobs(stored, jobs);
    for (const event of events) this.#record(stored, event);
    let cronJob = status === undefined ? stored : await this.#writeStatus(stored, status);
    cronJob = await this.#start(cronJob);
    await this.#cleanUp(cronJob, jobs);
  }

  /** Starts what is due; returns the cron job as it is then. */
  async #start(cronJob: CronJob): Promise<CronJob> {
    const nowMs = this.#context.clock.nowMs();
    if (nowMs < (this.#quietUntilMs.get(cronJob) ?? 0)) return cronJob;
    const start = decideStart(cronJob, { nowMs, zone: localOffset });
    if (start.kind === 'none') {
      if (start.untilMs !== undefined) this.#quietUntilMs.set(cronJob, start.untilMs);
      return cronJob;
    }
    if (start.kind === 'refused') {
      this.#record(cronJob, start.event);
      return cronJob;
    }
    for (const reference of start.replaced) {
      if (!(await this.#replace(cronJob, reference))) return cronJob;
    }
    const created = await this.#create(cronJob, start.scheduledMs);
    if (created === undefined) return cronJob;
    const replaced = new Set(start.replaced.map(({ uid }) => uid));
    const active = (cronJob.status.active ?? []).filter(({ uid }) => !replaced.has(uid));
    const lastScheduleTime = formatTime(start.scheduledMs);
    return this.#writeStatus(cronJob, withActive({ lastScheduleTime }, [...active, referenceTo(created)]));
  }

  async #create(cronJob: CronJob, scheduledMs: number): Promise<Job | undefined> {
    const { client, signal } = this.#context;
    const owner = ownerOf(cronJob);
    const path = resourcePath({ ...jobResource, namespace: owner.namespace });
    const body = jobFor(cronJob, owner, scheduledMs);
    this.#expectations.expect(owner.uid, { creations: 1 });
    try {
      const created = await client.json<Job>({ method: 'POST', path, body, signal });
      const message = `Created job ${created.metadata.name}`;
      this.#record(cronJob, { type: 'Normal', reason: 'SuccessfulCreate', message });
      return created;
    } catch (error) {
      this.#expectations.creationObserved(owner.uid);
      if (isNamespaceTerminating(error)) return undefined;
      const message = `Error creating job: ${errorText(error)}`;
      this.#record(cronJob, { type: 'Warning', reason: 'FailedCreate', message });
      return undefined;
    }
  }

  /** Deletes an active job before the next one starts; false when it could not. */
  async #replace(cronJob: CronJob, { name = '', uid = '' }: ObjectReference): Promise<boolean> {
    const { client, signal } = this.#context;
    const path = resourcePath({ ...jobResource, namespace: cronJob.metadata.namespace, name });
    try {
      await client.send({ method: 'GET', path, signal });
    } catch (error) {
      const message = `Get job: ${errorText(error)}`;
      this.#record(cronJob, { type: 'Warning', reason: 'FailedGet', message });
      return false;
    }
    return this.#delete(cronJob, { name, uid });
  }

  async #delete(cronJob: CronJob, { name, uid }: JobName): Promise<boolean> {
    const { client, signal } = this.#context;
    const path = resourcePath({ ...jobResource, namespace: cronJob.metadata.namespace, name });
    // Another job may have the name by now.
    const body = { propagationPolicy: 'Background', preconditions: { uid } };
    try {
      await client.send({ method: 'DELETE', path, body, signal });
      this.#record(cronJob, { type: 'Normal', reason: 'SuccessfulDelete', message: `Deleted job ${name}` });
      return true;
    } catch (error) {
      const message = `Deleted job: ${errorText(error)}`;
      this.#record(cronJob, { type: 'Warning', reason: 'FailedDelete', message });
      return false;
    }
  }

  async #cleanUp(cronJob: CronJob, jobs: readonly Job[]): Promise<void> {
    for (const { metadata } of decideCleanup(cronJob, jobs)) {
      const { name = '', uid = '' } = metadata;
      await this.#delete(cronJob, { name, uid });
    }
  }

  /** @throws StatusError Conflict when somebody else wrote it, NotFound when it is gone */
  async #writeStatus(cronJob: CronJob, status: CronJobStatus): Promise<CronJob> {
    const { client, signal } = this.#context;
    const { namespace, name } = cronJob.metadata;
    const path = `${resourcePath({ ...cronJobs, namespace, name })}/status`;
    const body = { ...cronJob, status };
    const written = await client.json<CronJob>({ method: 'PUT', path, body, signal });
    this.#cronJobs.set(written);
    return written;
  }

  #record(cronJob: CronJob, { type, reason, message }: CronJobEvent): void {
    this.#events.record(ownerOf(cronJob), type, reason, message);
  }
}

interface JobName {
  readonly name: string;
  readonly uid: string;
}

function ownerOf({ metadata }: CronJob): PodOwner {
  const { namespace = '', name = '', uid = '', resourceVersion, deletionTimestamp } = metadata;
  const isBeingDeleted = Boolean(deletionTimestamp);
  const apiVersion = 'batch/v1beta1';
  return { apiVersion, kind: 'CronJob', namespace, name, uid, resourceVersion, isBeingDeleted };
}

function referenceTo({ metadata }: Job): ObjectReference {
  const { namespace, name, uid, resourceVersion } = metadata;
  return { apiVersion: 'batch/v1', kind: 'Job', namespace, name, uid, resourceVersion };
}
