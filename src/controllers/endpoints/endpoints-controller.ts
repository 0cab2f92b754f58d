import type { Endpoints, Service } from '../../apis/types/core-v1.ts';
import { errorText } from '../../base/index.ts';
import { resourcePath } from '../../client/rest/index.ts';
import type { WorkQueue } from '../../client/work-queue/index.ts';
import { isReason } from '../../machinery/errors/index.ts';
import type { Controller, ControllerContext } from '../controller.ts';
import { type ControllerEvents, createControllerEvents } from '../controller-events.ts';
import { isNamespaceTerminating } from '../ensure-in-namespaces.ts';
import { keyOf } from '../shared-informers.ts';
import { createOwnerQueue } from '../workloads/owner-queue.ts';
import { decideEndpoints, type EndpointNames, endpointNames } from './decide.ts';
import { followSelected, isSelected } from './follow-selected.ts';
import { TriggerTimes } from './trigger-times.ts';

const resource = { group: '', version: 'v1', resource: 'endpoints' };

/** The addresses of the pods behind services. Endpoints of services without a selector are left alone. */
export const endpointsController: Controller = {
  name: 'endpoint',
  run: (context) => new EndpointsLoop(context).run(),
};

class EndpointsLoop {
  readonly #context: ControllerContext;
  readonly #names: EndpointNames;
  readonly #events: ControllerEvents;
  readonly #triggerTimes: TriggerTimes;
  readonly #queue: WorkQueue<string>;

  constructor(context: ControllerContext) {
    const { informers, dialect, settings } = context;
    this.#context = context;
    this.#names = endpointNames(dialect);
    this.#events = createControllerEvents(context, 'endpoint-controller');
    this.#triggerTimes = new TriggerTimes(dialect);
    this.#queue = createOwnerQueue(context, {
      informers: [informers.services(), informers.pods(), informers.endpoints()],
      concurrency: settings.concurrentEndpointSyncs,
      sync: (namespace, name) => this.#sync(namespace, name),
    });
  }

  async run(): Promise<void> {
    const { informers } = this.#context;
    followSelected(informers, (service) => this.#queue.add(keyOf(service)));
    // Somebody deleted them: they come again, or the service is gone.
    informers.endpoints().listen({ onDelete: (endpoints) => this.#queue.add(keyOf(endpoints)) });
    await this.#queue.done;
  }

  async #sync(namespace: string, name: string): Promise<void> {
    const { informers, client, signal } = this.#context;
    const service = informers.services().get(namespace, name);
    const path = resourcePath({ ...resource, namespace, name });
    if (service === undefined) {
      this.#triggerTimes.forget(`${namespace}/${name}`);
      try {
        await client.send({ method: 'DELETE', path, signal });
      } catch (error) {
        if (!isReason(error, 'NotFound')) throw error;
      }
      return;
    }
    const current = informers.endpoints().get(namespace, name);
    const pods = informers.pods().listIn(namespace);
    const selected = pods.filter((pod) => isSelected(service, pod));
    const changedAt = this.#triggerTimes.look(service, selected);
    const decided = decideEndpoints(service, selected, { current, names: this.#names });
    if (decided === undefined) return;
    const endpoints = { ...decided, metadata: this.#triggerTimes.stamp(decided.metadata, changedAt) };
    try {
      if (current !== undefined) await client.send({ method: 'PUT', path, body: endpoints, signal });
      else {
        const collection = resourcePath({ ...resource, namespace });
        await client.send({ method: 'POST', path: collection, body: endpoints, signal });
      }
    } catch (error) {
      // The namespace goes, and the service with it.
      if (current === undefined && isNamespaceTerminating(error)) return;
      this.#tellFailure(service, current, error);
      throw error;
    }
  }

  #tellFailure({ metadata }: Service, current: Endpoints | undefined, error: unknown): void {
    const { namespace = '', name = '' } = metadata;
    const isCreation = current === undefined;
    // What is to be created has no namespace yet: that event is in the default one.
    const { uid = '', resourceVersion } = current?.metadata ?? {};
    const where = isCreation ? '' : namespace;
    const about = { apiVersion: 'v1', kind: 'Endpoints', namespace: where, name, uid, resourceVersion };
    const [reason, action] = isCreation
      ? ['FailedToCreateEndpoint', 'create endpoint for service']
      : ['FailedToUpdateEndpoint', 'update endpoint'];
    const message = `Failed to ${action} ${namespace}/${name}: ${errorText(error)}`;
    this.#events.record(about, 'Warning', reason, message);
  }
}
