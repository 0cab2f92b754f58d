import type { Pod } from '../../apis/types/core-v1.ts';
import type { PodDisruptionBudget, PodDisruptionBudgetStatus } from '../../apis/types/policy-v1beta1.ts';
import { deepEqual } from '../../apis/validation/index.ts';
import { errorText, pause } from '../../base/index.ts';
import { resourcePath } from '../../client/rest/index.ts';
import type { WorkQueue } from '../../client/work-queue/index.ts';
import { isReason } from '../../machinery/errors/index.ts';
import { labelSelectorFromObject } from '../../machinery/selectors/index.ts';
import type { Controller, ControllerContext } from '../controller.ts';
import { type ControllerEvents, createControllerEvents } from '../controller-events.ts';
import { keyOf, type SharedInformer } from '../shared-informers.ts';
import { createOwnerQueue } from '../workloads/owner-queue.ts';
import {
  type BudgetEvent,
  decideBudget,
  failedCount,
  needsControllers,
  type ScaledController,
  statusWithoutDisruptions,
} from './decide.ts';
import { PodControllers } from './pod-controllers.ts';

const policyVersion = 'policy/v1beta1';
const budgets = { group: 'policy', version: 'v1beta1', resource: 'poddisruptionbudgets' };

/** What nobody is told of, such as another size of a custom resource, is seen so often. */
const resyncPeriodMs = 30_000;

/** How many pods each disruption budget lets go. Evictions themselves are the server's: they take from what is written here. */
export const disruptionController: Controller = {
  name: 'disruption',
  run: (context) => new DisruptionLoop(context).run(),
};

class DisruptionLoop {
  readonly #context: ControllerContext;
  readonly #budgets: SharedInformer<PodDisruptionBudget>;
  readonly #pods: SharedInformer<Pod>;
  readonly #events: ControllerEvents;
  readonly #podControllers: PodControllers;
  readonly #queue: WorkQueue<string>;

  constructor(context: ControllerContext) {
    const { informers } = context;
    this.#context = context;
    this.#budgets = informers.podDisruptionBudgets();
    this.#pods = informers.pods();
    this.#events = createControllerEvents(context, 'controllermanager');
    this.#podControllers = new PodControllers(context);
    this.#queue = createOwnerQueue(context, {
      informers: [
        this.#budgets,
        this.#pods,
        informers.replicationControllers(),
        informers.replicaSets(),
        informers.deployments(),
        informers.statefulSets(),
      ],
      concurrency: 1,
      sync: (namespace, name) => this.#sync(namespace, name),
    });
  }

  async run(): Promise<void> {
    const add = (budget: PodDisruptionBudget): void => this.#queue.add(keyOf(budget));
    this.#budgets.listen({ onAdd: add, onUpdate: add });
    const addBudgetsOf = (pod: Pod): void => this.#addBudgetsOf(pod);
    this.#pods.listen({
      onAdd: addBudgetsOf,
      onUpdate: (pod, previous) => {
        addBudgetsOf(pod);
        if (!deepEqual(pod.metadata.labels, previous.metadata.labels)) this.#queueBudgetsOf(previous);
      },
      onDelete: addBudgetsOf,
    });
    const { clock, signal } = this.#context;
    while (await pause(clock, resyncPeriodMs, signal)) for (const budget of this.#budgets.list()) add(budget);
    await this.#queue.done;
  }

  #addBudgetsOf(pod: Pod): void {
    const [first, ...others] = this.#queueBudgetsOf(pod);
    if (first === undefined || others.length === 0) return;
    const { namespace, name } = pod.metadata;
    const chosen = first.metadata.name;
    this.#record(pod, {
      type: 'Warning',
      reason: 'MultiplePodDisruptionBudgets',
      message: `Pod "${namespace}"/"${name}" matches multiple PodDisruptionBudgets.  Chose "${chosen}" arbitrarily.`,
    });
  }

  #queueBudgetsOf({ metadata }: Pod): PodDisruptionBudget[] {
    const matching = this.#budgets.listIn(metadata.namespace ?? '').filter(({ spec }) => {
      const selector = labelSelectorFromObject(spec.selector);
      return !selector.isEmpty && selector.matches(metadata.labels);
    });
    for (const budget of matching) this.#queue.add(keyOf(budget));
    return matching;
  }

  async #sync(namespace: string, name: string): Promise<void> {
    const budget = this.#budgets.get(namespace, name);
    if (budget === undefined) return;
    try {
      await this.#decide(budget);
    } catch (error) {
      // Somebody else wrote it: it comes again. After anything else nobody knows what may go.
      if (isReason(error, 'Conflict')) throw error;
      this.#context.logger.error('sync failed, no disruption allowed', { object: keyOf(budget), error });
      await this.#writeStatus(budget, statusWithoutDisruptions(budget));
    }
  }

  async #decide(budget: PodDisruptionBudget): Promise<void> {
    const selector = labelSelectorFromObject(budget.spec.selector);
    const pods = selector.isEmpty
      ? []
      : this.#pods
          .listIn(budget.metadata.namespace ?? '')
          .filter(({ metadata }) => selector.matches(metadata.labels));
    const controllers = await this.#controllersOf(budget, pods);
    const nowMs = this.#context.clock.nowMs();
    const { status, events, recheckAtMs } = decideBudget({ budget, pods, controllers, nowMs });
    for (const event of events) this.#record(event.pod ?? budget, event);
    await this.#writeStatus(budget, status);
    if (recheckAtMs !== undefined) this.#queue.addAfter(keyOf(budget), recheckAtMs - nowMs + 1);
  }

  async #controllersOf(
    budget: PodDisruptionBudget,
    pods: readonly Pod[],
  ): Promise<ReadonlyMap<string, ScaledController>> {
    if (!needsControllers(budget)) return new Map();
    try {
      return await this.#podControllers.of(pods);
    } catch (error) {
      this.#record(budget, failedCount(errorText(error)));
      throw error;
    }
  }

  async #writeStatus(
    budget: PodDisruptionBudget,
    status: PodDisruptionBudgetStatus | undefined,
  ): Promise<void> {
    if (status === undefined) return;
    const { client, signal } = this.#context;
    const { namespace, name } = budget.metadata;
    const path = `${resourcePath({ ...budgets, namespace, name })}/status`;
    try {
      await client.send({ method: 'PUT', path, body: { ...budget, status }, signal });
    } catch (error) {
      if (!isReason(error, 'NotFound')) throw error; // deleted meanwhile
    }
  }

  #record(about: Pod | PodDisruptionBudget, { type, reason, message }: BudgetEvent): void {
    const { namespace = '', name = '', uid = '', resourceVersion } = about.metadata;
    const isBudget = !('containers' in about.spec);
    const apiVersion = isBudget ? policyVersion : 'v1';
    const kind = isBudget ? 'PodDisruptionBudget' : 'Pod';
    this.#events.record({ apiVersion, kind, namespace, name, uid, resourceVersion }, type, reason, message);
  }
}
