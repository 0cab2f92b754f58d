import { createTypeCatalog } from '../../apis/catalog.ts';
import { createObjectConverter } from '../../apis/conversions/index.ts';
import type { Scale } from '../../apis/types/autoscaling-v1.ts';
import type {
  HorizontalPodAutoscaler,
  HorizontalPodAutoscalerStatus,
} from '../../apis/types/autoscaling-v2beta2.ts';
import type { Pod } from '../../apis/types/core-v1.ts';
import { deepEqual } from '../../apis/validation/index.ts';
import { errorText } from '../../base/index.ts';
import type { DiscoveredResource } from '../../client/discovery/index.ts';
import { resourcePath } from '../../client/rest/index.ts';
import type { WorkQueue } from '../../client/work-queue/index.ts';
import { parseGroupVersion } from '../../machinery/schema/index.ts';
import { parseLabelSelector, SelectorError } from '../../machinery/selectors/index.ts';
import type { Controller, ControllerContext } from '../controller.ts';
import { type ControllerEvents, createControllerEvents } from '../controller-events.ts';
import { explainFailure, Scales } from '../scales.ts';
import { keyOf, type SharedInformer } from '../shared-informers.ts';
import { createOwnerQueue } from '../workloads/owner-queue.ts';
import {
  type AutoscalerEvent,
  type AutoscalerPlan,
  afterRescale,
  decideAutoscaler,
  needsMetrics,
  statusWithoutScale,
} from './decide.ts';
import type { ScaleHistory } from './limits.ts';
import { MetricsClient } from './metrics-client.ts';
import type { Reading } from './readings.ts';

const apiVersion = 'autoscaling/v2beta2';
/** What is written is of this version, as field owners show. */
const writtenVersion = 'autoscaling/v1';
const kind = 'HorizontalPodAutoscaler';
const autoscalers = { group: 'autoscaling', version: 'v1', resource: 'horizontalpodautoscalers' };

/** A metrics API that is slow for one autoscaler does not make all others wait. */
const concurrency = 5;

/** Sizes what autoscalers name by what its pods use, or by what other servers measure. Usage itself comes from the metrics APIs. */
export const podAutoscalerController: Controller = {
  name: 'horizontalpodautoscaling',
  run: (context) => new AutoscalerLoop(context).run(),
};

/** A target as it was found, or why it was not. */
type Target =
  | { readonly kind: 'found'; readonly resource: DiscoveredResource; readonly scale: Scale }
  | { readonly kind: 'failed'; readonly error: string };

class AutoscalerLoop {
  readonly #context: ControllerContext;
  readonly #autoscalers: SharedInformer<HorizontalPodAutoscaler>;
  readonly #pods: SharedInformer<Pod>;
  readonly #events: ControllerEvents;
  readonly #scales: Scales;
  readonly #metrics: MetricsClient;
  readonly #toWritten: (autoscaler: HorizontalPodAutoscaler) => object;
  readonly #queue: WorkQueue<string>;
  readonly #histories = new Map<string, ScaleHistory>();

  constructor(context: ControllerContext) {
    this.#context = context;
    this.#autoscalers = context.informers.horizontalPodAutoscalers();
    this.#pods = context.informers.pods();
    this.#events = createControllerEvents(context, 'horizontal-pod-autoscaler');
    this.#scales = new Scales(context);
    this.#metrics = new MetricsClient(context);
    const convert = createObjectConverter(context.dialect, createTypeCatalog(context.dialect));
    const family = { kind, hub: writtenVersion };
    this.#toWritten = (autoscaler) => convert(autoscaler, { family, from: apiVersion, to: writtenVersion });
    this.#queue = createOwnerQueue(context, {
      informers: [this.#autoscalers, this.#pods],
      concurrency,
      sync: (namespace, name) => this.#sync(namespace, name),
    });
  }

  async run(): Promise<void> {
    const add = (autoscaler: HorizontalPodAutoscaler): void => this.#addLater(keyOf(autoscaler));
    this.#autoscalers.listen({
      onAdd: add,
      onUpdate: add,
      onDelete: (autoscaler) => void this.#histories.delete(keyOf(autoscaler)),
    });
    await this.#queue.done;
  }

  /** Each is looked at once in a period, whatever happens to it. */
  #addLater(key: string): void {
    this.#queue.addAfter(key, this.#context.settings.horizontalPodAutoscalerSyncPeriodMs);
  }

  async #sync(namespace: string, name: string): Promise<void> {
    const autoscaler = this.#autoscalers.get(namespace, name);
    if (autoscaler === undefined) return;
    const { logger, signal } = this.#context;
    try {
      await this.#decide(autoscaler);
    } catch (error) {
      // It comes again in any case, with the period as its pause.
      if (!signal.aborted) logger.debug('sync postponed', { object: keyOf(autoscaler), error });
    }
    this.#addLater(keyOf(autoscaler));
  }

  async #decide(autoscaler: HorizontalPodAutoscaler): Promise<void> {
    const nowMs = this.#context.clock.nowMs();
    const target = await this.#findTarget(autoscaler);
    if (target.kind === 'failed') {
      this.#record(autoscaler, { type: 'Warning', reason: 'FailedGetScale', message: target.error });
      await this.#writeStatus(autoscaler, statusWithoutScale(autoscaler, target.error, nowMs));
      return;
    }
    const { scale } = target;
    const key = keyOf(autoscaler);
    const current = scale.spec.replicas ?? 0;
    const first = { recommendations: [{ replicas: current, atMs: nowMs }], added: [], removed: [] };
    const history = this.#histories.get(key) ?? first;
    const { settings } = this.#context;
    const measured = await this.#measure(autoscaler, scale);
    let plan = decideAutoscaler({ autoscaler, scale, ...measured, history, settings, nowMs });
    if (plan.rescale !== undefined) {
      const error = await this.#rescale(autoscaler, target, plan.rescale.replicas);
      plan = afterRescale(plan, autoscaler, { from: current, nowMs, error });
    }
    this.#histories.set(key, plan.history);
    await this.#tell(autoscaler, plan);
  }

  async #tell(autoscaler: HorizontalPodAutoscaler, { events, status }: AutoscalerPlan): Promise<void> {
    for (const event of events) this.#record(autoscaler, event);
    await this.#writeStatus(autoscaler, status);
  }

  async #findTarget({ metadata, spec }: HorizontalPodAutoscaler): Promise<Target> {
    const { apiVersion: version = '', kind, name } = spec.scaleTargetRef;
    const parsed = version === '' ? { group: '' } : parseGroupVersion(version);
    if (parsed === undefined) {
      return { kind: 'failed', error: `unexpected GroupVersion string: ${version}` };
    }
    const { group } = parsed;
    let resource: DiscoveredResource | undefined;
    try {
      resource = await this.#scales.findResource({ group, version: '', kind });
      if (resource === undefined) {
        return { kind: 'failed', error: `no matches for kind "${kind}" in group "${group}"` };
      }
      const scale = await this.#scales.get({ resource, namespace: metadata.namespace ?? '', name });
      return { kind: 'found', resource, scale };
    } catch (error) {
      // Sizes are asked for without naming a group.
      const asked = { group: '', resource: resource?.name ?? '', name };
      return { kind: 'failed', error: explainFailure(error, asked) };
    }
  }

  async #measure(
    autoscaler: HorizontalPodAutoscaler,
    scale: Scale,
  ): Promise<{ readonly pods: readonly Pod[]; readonly readings: readonly Reading[] }> {
    if (!needsMetrics(autoscaler, scale)) return { pods: [], readings: [] };
    const namespace = autoscaler.metadata.namespace ?? '';
    const { selector: text = '' } = scale.status;
    try {
      const selector = parseLabelSelector(text);
      const pods = this.#pods.listIn(namespace).filter(({ metadata }) => selector.matches(metadata.labels));
      const scope = { namespace, selector: selector.toString() };
      const specs = autoscaler.spec.metrics ?? [];
      return { pods, readings: await Promise.all(specs.map((spec) => this.#metrics.read(spec, scope))) };
    } catch (error) {
      if (!(error instanceof SelectorError)) throw error;
      return { pods: [], readings: [] }; // the decision tells of it
    }
  }

  /** Returns what went wrong, as text. */
  async #rescale(
    { metadata, spec }: HorizontalPodAutoscaler,
    { resource, scale }: Extract<Target, { kind: 'found' }>,
    replicas: number,
  ): Promise<string | undefined> {
    const object = { resource, namespace: metadata.namespace ?? '', name: spec.scaleTargetRef.name };
    try {
      await this.#scales.put(object, { ...scale, spec: { ...scale.spec, replicas } });
      return undefined;
    } catch (error) {
      return errorText(error);
    }
  }

  async #writeStatus(
    autoscaler: HorizontalPodAutoscaler,
    status: HorizontalPodAutoscalerStatus,
  ): Promise<void> {
    const { observedGeneration: _, ...before } = autoscaler.status;
    if (deepEqual(before, status)) return;
    const { client, signal } = this.#context;
    const { namespace, name } = autoscaler.metadata;
    const path = `${resourcePath({ ...autoscalers, namespace, name })}/status`;
    try {
      const body = this.#toWritten({ ...autoscaler, status });
      await client.send({ method: 'PUT', path, body, signal });
    } catch (error) {
      this.#record(autoscaler, { type: 'Warning', reason: 'FailedUpdateStatus', message: errorText(error) });
      throw error;
    }
  }

  #record({ metadata }: HorizontalPodAutoscaler, { type, reason, message }: AutoscalerEvent): void {
    const { namespace = '', name = '', uid = '', resourceVersion } = metadata;
    const about = { apiVersion, kind, namespace, name, uid, resourceVersion };
    this.#events.record(about, type, reason, message);
  }
}
