import type { Job } from '../../apis/types/batch-v1.ts';
import { resourcePath } from '../../client/rest/index.ts';
import type { WorkQueue } from '../../client/work-queue/index.ts';
import { isReason } from '../../machinery/errors/index.ts';
import type { Controller, ControllerContext } from '../controller.ts';
import { endConditionOf } from '../job/decide.ts';
import { keyOf } from '../shared-informers.ts';
import { createOwnerQueue } from '../workloads/owner-queue.ts';

const jobs = { group: 'batch', version: 'v1', resource: 'jobs' };

/** Timers cannot be set for any length; a later end is looked at again. */
const maxTimerMs = 3_600_000;

/** Deletes jobs, with their pods, some time after they have ended. */
export const ttlAfterFinishedController: Controller = {
  name: 'ttl-after-finished',
  run: (context) => new TtlLoop(context).run(),
};

/**
 * When a job is to be deleted, in milliseconds; undefined for one that has not ended, stays, or is being deleted. Pure. Source: release
 * 1.20, `processTTL`.
 */
export function expiryOf(job: Job): number | undefined {
  const { ttlSecondsAfterFinished } = job.spec;
  if (ttlSecondsAfterFinished === undefined || job.metadata.deletionTimestamp) return undefined;
  const { lastTransitionTime } = endConditionOf(job) ?? {};
  return lastTransitionTime ? Date.parse(lastTransitionTime) + ttlSecondsAfterFinished * 1000 : undefined;
}

class TtlLoop {
  readonly #context: ControllerContext;
  readonly #queue: WorkQueue<string>;

  constructor(context: ControllerContext) {
    this.#context = context;
    this.#queue = createOwnerQueue(context, {
      informers: [context.informers.jobs()],
      concurrency: context.settings.concurrentTtlAfterFinishedSyncs,
      sync: (namespace, name) => this.#sync(namespace, name),
    });
  }

  async run(): Promise<void> {
    const add = (job: Job): void => {
      if (expiryOf(job) !== undefined) this.#queue.add(keyOf(job));
    };
    this.#context.informers.jobs().listen({ onAdd: add, onUpdate: add });
    await this.#queue.done;
  }

  async #sync(namespace: string, name: string): Promise<void> {
    const { client, signal, informers } = this.#context;
    const known = informers.jobs().get(namespace, name);
    if (known === undefined || !this.#isOver(known)) return;
    const path = resourcePath({ ...jobs, namespace, name });
    try {
      // It may have been given more time meanwhile.
      const job = await client.json<Job>({ method: 'GET', path, signal });
      if (!this.#isOver(job)) return;
      const { uid, resourceVersion } = job.metadata;
      const body = { propagationPolicy: 'Foreground', preconditions: { uid, resourceVersion } };
      await client.send({ method: 'DELETE', path, body, signal });
    } catch (error) {
      if (!isReason(error, 'NotFound')) throw error;
    }
  }

  /** Otherwise the job comes again when its time is over. */
  #isOver(job: Job): boolean {
    const expiryMs = expiryOf(job);
    if (expiryMs === undefined) return false;
    const leftMs = expiryMs - this.#context.clock.nowMs();
    if (leftMs > 0) this.#queue.addAfter(keyOf(job), Math.min(leftMs, maxTimerMs));
    return leftMs <= 0;
  }
}
