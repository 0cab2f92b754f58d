import type { Endpoints } from '../../apis/types/core-v1.ts';
import type { WorkQueue } from '../../client/work-queue/index.ts';
import type { ApiObject } from '../../machinery/meta/index.ts';
import type { Controller, ControllerContext } from '../controller.ts';
import { type ControllerEvents, createControllerEvents } from '../controller-events.ts';
import { sliceLabels } from '../endpoint-slices/decide.ts';
import { type FollowedSlices, followSlices, serviceKeyOf } from '../endpoint-slices/follow-slices.ts';
import { SliceWrites } from '../endpoint-slices/slice-writes.ts';
import { isNamespaceTerminating } from '../ensure-in-namespaces.ts';
import { keyOf } from '../shared-informers.ts';
import { createOwnerQueue } from '../workloads/owner-queue.ts';
import { decideMirror } from './decide.ts';

/** Slices for endpoints that somebody wrote by hand, so that who reads slices sees them too. */
export const endpointMirroringController: Controller = {
  name: 'endpointslicemirroring',
  run: (context) => new MirrorLoop(context).run(),
};

class MirrorLoop {
  readonly #context: ControllerContext;
  readonly #followed: FollowedSlices;
  readonly #events: ControllerEvents;
  readonly #writes: SliceWrites;
  readonly #queue: WorkQueue<string>;

  constructor(context: ControllerContext) {
    const { informers, dialect, settings } = context;
    this.#context = context;
    this.#events = createControllerEvents(context, 'endpoint-slice-mirroring-controller');
    this.#writes = new SliceWrites(context);
    this.#queue = createOwnerQueue(context, {
      informers: [informers.endpoints(), informers.services(), informers.endpointSlices()],
      concurrency: settings.mirroringConcurrentServiceEndpointSyncs,
      sync: (namespace, name) => this.#sync(namespace, name),
    });
    const labels = sliceLabels(dialect);
    this.#followed = { labels, manager: labels.mirroring, writes: this.#writes, queue: this.#queue };
  }

  async run(): Promise<void> {
    const { informers, settings } = this.#context;
    const add = (object: ApiObject): void =>
      this.#queue.addAfter(keyOf(object), settings.mirroringEndpointsliceUpdatesBatchPeriodMs);
    informers.endpoints().listen({ onAdd: add, onUpdate: add, onDelete: add });
    informers.services().listen({
      onAdd: add,
      onUpdate: (service, previous) => {
        // Whether it selects pods is all that counts.
        if ((service.spec.selector == null) !== (previous.spec.selector == null)) add(service);
      },
      onDelete: add,
    });
    followSlices(this.#context, this.#followed);
    await this.#queue.done;
  }

  async #sync(namespace: string, name: string): Promise<void> {
    const { informers, dialect, settings } = this.#context;
    const key = `${namespace}/${name}`;
    const endpoints = informers.endpoints().get(namespace, name);
    if (endpoints === undefined) this.#writes.forget(key);
    if (!this.#writes.isSeen(key)) return;
    const slices = informers
      .endpointSlices()
      .listIn(namespace)
      .filter((slice) => serviceKeyOf(slice, this.#followed) === key && !slice.metadata.deletionTimestamp);
    const plan = decideMirror({
      endpoints,
      service: informers.services().get(namespace, name),
      slices,
      maxAddresses: settings.mirroringMaxEndpointsPerSubset,
      dialect,
    });
    if (endpoints !== undefined && plan.skipped > 0) this.#tellSkipped(endpoints, plan.skipped);
    try {
      await this.#writes.carryOut(key, plan);
    } catch (error) {
      if (!isNamespaceTerminating(error)) throw error;
    }
  }

  #tellSkipped({ metadata }: Endpoints, skipped: number): void {
    const { namespace = '', name = '', uid = '', resourceVersion } = metadata;
    const about = { apiVersion: 'v1', kind: 'Endpoints', namespace, name, uid, resourceVersion };
    const { mirroringMaxEndpointsPerSubset: limit } = this.#context.settings;
    const message = `A max of ${limit} addresses can be mirrored to EndpointSlices per Endpoints subset. ${skipped} addresses were skipped`;
    this.#events.record(about, 'Warning', 'TooManyAddressesToMirror', message);
  }
}
