import { type Evaluator, evaluatorFor, resourcesOfNames } from '../../apis/quota/index.ts';
import type { ResourceQuota } from '../../apis/types/core-v1.ts';
import { deepEqual } from '../../apis/validation/index.ts';
import { pause } from '../../base/index.ts';
import { resourcePath } from '../../client/rest/index.ts';
import { createWorkQueue, type WorkQueue } from '../../client/work-queue/index.ts';
import { isReason } from '../../machinery/errors/index.ts';
import { formatGroupResource, type GroupResource } from '../../machinery/schema/index.ts';
import type { Controller, ControllerContext } from '../controller.ts';
import { keyOf, type SharedInformer } from '../shared-informers.ts';
import { CountedResources } from './counted-resources.ts';
import { decideQuotaStatus, needsStatus } from './decide.ts';

const resource = { group: '', version: 'v1', resource: 'resourcequotas' };
const retries = { firstRetryMs: 50, maxRetryMs: 30_000 };
/** Many objects often go at once: then their quota is recalculated once. */
const releaseDelayMs = 100;

/**
 * Fills in what quotas bound and what is used of it, when a quota changes, when objects go, and every now and then. Charges
 * of admission compete with it for the status, whose version decides.
 */
export const resourceQuotaController: Controller = {
  name: 'resourcequota',
  run: (context) => new QuotaLoop(context).run(),
};

class QuotaLoop {
  readonly #context: ControllerContext;
  readonly #quotas: SharedInformer<ResourceQuota>;
  readonly #counted: CountedResources;
  readonly #evaluators = new Map<string, Evaluator>();
  /** Quotas that bound nothing yet do not wait for those that are only looked at again. */
  readonly #urgent: WorkQueue<string>;
  readonly #ordinary: WorkQueue<string>;

  constructor(context: ControllerContext) {
    this.#context = context;
    this.#urgent = this.#createQueue();
    this.#ordinary = this.#createQueue();
    this.#counted = new CountedResources({
      context,
      onRelease: (released, namespace) => this.#release(released, namespace),
    });
    this.#quotas = context.informers.resourceQuotas();
  }

  async run(): Promise<void> {
    this.#quotas.listen({
      onAdd: (quota) => this.#add(quota),
      onUpdate: (quota, previous) => {
        // A charge changes the status only, and must not be recalculated before its object is stored.
        if (!deepEqual(quota.spec.hard, previous.spec.hard)) this.#add(quota);
      },
      onDelete: () => this.#counted.retain(this.#quotas.list().flatMap((quota) => this.#resourcesOf(quota))),
    });
    await Promise.all([this.#resync(), this.#urgent.done, this.#ordinary.done]);
    await this.#counted.ended();
  }

  /** Recalculates all quotas every now and then: what was charged for writes that failed comes back so. */
  async #resync(): Promise<void> {
    const { clock, signal, settings } = this.#context;
    if (settings.resourceQuotaSyncPeriodMs === 0) return;
    while (await pause(clock, settings.resourceQuotaSyncPeriodMs, signal)) {
      for (const quota of this.#quotas.list()) this.#ordinary.add(keyOf(quota));
    }
  }

  #add(quota: ResourceQuota): void {
    (needsStatus(quota) ? this.#urgent : this.#ordinary).add(keyOf(quota));
  }

  #release(released: GroupResource, namespace: string): void {
    const evaluator = this.#evaluatorOf(released);
    for (const quota of this.#quotas.listIn(namespace)) {
      // Also what is not in the status yet: it may be on its way, with a count of before.
      const { spec, status } = quota;
      if (!Object.keys({ ...spec.hard, ...status.hard }).some((name) => evaluator.matches(name))) continue;
      this.#ordinary.addAfter(keyOf(quota), releaseDelayMs);
    }
  }

  async #recalculate(key: string): Promise<void> {
    await this.#quotas.whenSynced;
    const [namespace = '', name = ''] = key.split('/');
    const quota = this.#quotas.get(namespace, name);
    if (quota === undefined) return;
    const objects = new Map(
      await Promise.all(
        this.#resourcesOf(quota).map(
          async (each) =>
            [formatGroupResource(each), await this.#counted.objectsIn(each, namespace)] as const,
        ),
      ),
    );
    const status = decideQuotaStatus(quota, {
      evaluatorOf: (each) => this.#evaluatorOf(each),
      objectsOf: (each) => objects.get(formatGroupResource(each)),
    });
    if (status === undefined) return;
    const { client, signal } = this.#context;
    const path = `${resourcePath({ ...resource, namespace, name })}/status`;
    try {
      await client.send({ method: 'PUT', path, body: { ...quota, status }, signal });
    } catch (error) {
      if (!isReason(error, 'NotFound')) throw error; // deleted meanwhile
    }
  }

  #resourcesOf({ spec }: ResourceQuota): GroupResource[] {
    return resourcesOfNames(Object.keys(spec.hard ?? {}), (each) => this.#evaluatorOf(each));
  }

  #evaluatorOf(of: GroupResource): Evaluator {
    const key = formatGroupResource(of);
    let evaluator = this.#evaluators.get(key);
    if (evaluator === undefined) {
      const { dialect, clock } = this.#context;
      evaluator = evaluatorFor(of, { dialect, nowMs: () => clock.nowMs() });
      this.#evaluators.set(key, evaluator);
    }
    return evaluator;
  }

  #createQueue(): WorkQueue<string> {
    const { clock, random, signal, logger, settings } = this.#context;
    return createWorkQueue<string>({
      work: (key) => this.#recalculate(key),
      concurrency: settings.concurrentResourceQuotaSyncs,
      ...retries,
      metrics: this.#context.queueMetrics,
      random,
      clock,
      signal,
      onError(error, quota) {
        if (signal.aborted) return;
        // A charge of admission was faster: the quota comes again.
        if (isReason(error, 'Conflict')) logger.debug('quota recalculation postponed', { quota });
        else logger.error('quota recalculation failed', { quota, error });
      },
    });
  }
}
