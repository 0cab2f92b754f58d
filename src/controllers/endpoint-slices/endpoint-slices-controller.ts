import type { Pod, Service } from '../../apis/types/core-v1.ts';
import type { EndpointSlice } from '../../apis/types/discovery-v1beta1.ts';
import { errorText } from '../../base/index.ts';
import type { WorkQueue } from '../../client/work-queue/index.ts';
import type { Controller, ControllerContext } from '../controller.ts';
import { type ControllerEvents, createControllerEvents } from '../controller-events.ts';
import { followSelected, isSelected } from '../endpoints/follow-selected.ts';
import { TriggerTimes } from '../endpoints/trigger-times.ts';
import { isNamespaceTerminating } from '../ensure-in-namespaces.ts';
import { keyOf } from '../shared-informers.ts';
import { createOwnerQueue } from '../workloads/owner-queue.ts';
import { decideSlices, sliceLabels } from './decide.ts';
import { type FollowedSlices, followSlices, serviceKeyOf } from './follow-slices.ts';
import { type SlicePlan, SliceWrites } from './slice-writes.ts';

/** The addresses of the pods behind services, in slices. Slices of services without a selector are somebody else's. */
export const endpointSlicesController: Controller = {
  name: 'endpointslice',
  run: (context) => new SlicesLoop(context).run(),
};

class SlicesLoop {
  readonly #context: ControllerContext;
  readonly #followed: FollowedSlices;
  readonly #events: ControllerEvents;
  readonly #writes: SliceWrites;
  readonly #triggerTimes: TriggerTimes;
  readonly #queue: WorkQueue<string>;

  constructor(context: ControllerContext) {
    const { informers, dialect, settings } = context;
    this.#context = context;
    this.#events = createControllerEvents(context, 'endpoint-slice-controller');
    this.#writes = new SliceWrites(context);
    this.#triggerTimes = new TriggerTimes(dialect);
    this.#queue = createOwnerQueue(context, {
      informers: [informers.services(), informers.pods(), informers.nodes(), informers.endpointSlices()],
      concurrency: settings.concurrentServiceEndpointSyncs,
      sync: (namespace, name) => this.#sync(namespace, name),
    });
    const labels = sliceLabels(dialect);
    this.#followed = { labels, manager: labels.controller, writes: this.#writes, queue: this.#queue };
  }

  async run(): Promise<void> {
    const { informers } = this.#context;
    followSelected(informers, (service) => this.#queue.add(keyOf(service)));
    followSlices(this.#context, this.#followed);
    await this.#queue.done;
  }

  async #sync(namespace: string, name: string): Promise<void> {
    const { informers, dialect, settings } = this.#context;
    const service = informers.services().get(namespace, name);
    const key = `${namespace}/${name}`;
    if (service === undefined) {
      // The slices are the garbage collector's.
      this.#writes.forget(key);
      this.#triggerTimes.forget(key);
      return;
    }
    if (service.spec.selector == null || !this.#writes.isSeen(key)) return;
    const slices = informers.endpointSlices().listIn(namespace);
    const inNamespace = informers.pods().listIn(namespace);
    const pods = inNamespace.filter((pod: Pod) => isSelected(service, pod));
    const changedAt = this.#triggerTimes.look(service, pods);
    const plan = decideSlices({
      service,
      pods,
      nodeOf: (node) => informers.nodes().get('', node),
      slices: slices.filter(
        (slice) => serviceKeyOf(slice, this.#followed) === key && !slice.metadata.deletionTimestamp,
      ),
      maxEndpoints: settings.maxEndpointsPerSlice,
      dialect,
    });
    try {
      await this.#writes.carryOut(key, this.#stamped(plan, changedAt));
    } catch (error) {
      if (isNamespaceTerminating(error)) return;
      this.#tellFailure(service, error);
      throw error;
    }
  }

  #stamped({ creations, updates, deletions }: SlicePlan, changedAt: string | undefined): SlicePlan {
    const stamp = (slice: EndpointSlice): EndpointSlice => ({
      ...slice,
      metadata: this.#triggerTimes.stamp(slice.metadata, changedAt),
    });
    return { creations: creations.map(stamp), updates: updates.map(stamp), deletions };
  }

  #tellFailure({ metadata }: Service, error: unknown): void {
    const { namespace = '', name = '', uid = '', resourceVersion } = metadata;
    const about = { apiVersion: 'v1', kind: 'Service', namespace, name, uid, resourceVersion };
    const message = `Error updating Endpoint Slices for Service ${namespace}/${name}: ${errorText(error)}`;
    this.#events.record(about, 'Warning', 'FailedToUpdateEndpointSlices', message);
  }
}
