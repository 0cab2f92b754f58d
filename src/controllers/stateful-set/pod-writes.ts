import type { PersistentVolumeClaim } from '../../apis/types/core-v1.ts';
import { errorText } from '../../base/index.ts';
import { resourcePath } from '../../client/rest/index.ts';
import { isReason } from '../../machinery/errors/index.ts';
import type { ControllerContext } from '../controller.ts';
import { type ControllerEvents, createControllerEvents } from '../controller-events.ts';
import type { PodOwner } from '../workloads/pod-control.ts';
import type { StatefulAction } from './decide.ts';

const pods = { group: '', version: 'v1', resource: 'pods' };
const persistentVolumeClaims = { group: '', version: 'v1', resource: 'persistentvolumeclaims' };

/** Reasons of events, by what was done and whether it succeeded. */
const reasons = {
  create: ['SuccessfulCreate', 'FailedCreate'],
  update: ['SuccessfulUpdate', 'FailedUpdate'],
  delete: ['SuccessfulDelete', 'FailedDelete'],
} as const;

/** Carries out what was decided, and says so in events. Texts: release 1.20, `realStatefulPodControl`. */
export class StatefulPodWrites {
  readonly #context: ControllerContext;
  readonly #events: ControllerEvents;

  constructor(context: ControllerContext) {
    this.#context = context;
    this.#events = createControllerEvents(context, 'statefulset-controller');
  }

  /** @throws StatusError or TransportError */
  async write(
    action: StatefulAction,
    claims: readonly PersistentVolumeClaim[],
    owner: PodOwner,
  ): Promise<void> {
    const { kind, pod } = action;
    const { name = '' } = pod.metadata;
    const about = `Pod ${name} in StatefulSet ${owner.name}`;
    if (action.isRecreated === true) {
      const text = `StatefulSet ${owner.namespace}/${owner.name} is recreating failed Pod ${name}`;
      this.#events.record(owner, 'Warning', 'RecreatingFailedPod', text);
    }
    try {
      if (kind !== 'delete') await this.#createClaims(claims, name, owner);
      await this.#send(action, owner.namespace);
    } catch (error) {
      // A name that is taken is no news: it may be our own pod that was not seen yet.
      if (!(kind === 'create' && isReason(error, 'AlreadyExists'))) {
        this.#events.record(
          owner,
          'Warning',
          reasons[kind][1],
          `${kind} ${about} failed error: ${errorText(error)}`,
        );
      }
      throw error;
    }
    this.#events.record(owner, 'Normal', reasons[kind][0], `${kind} ${about} successful`);
  }

  async #send({ kind, pod }: StatefulAction, namespace: string): Promise<void> {
    const { client, signal } = this.#context;
    const { name, uid } = pod.metadata;
    if (kind === 'create') {
      const path = resourcePath({ ...pods, namespace });
      await client.send({ method: 'POST', path, body: pod, signal });
      return;
    }
    const path = resourcePath({ ...pods, namespace, name });
    if (kind === 'update') await client.send({ method: 'PUT', path, body: pod, signal });
    else {
      // Names come again: a cache that lags must not cost the next pod of the name.
      const body = { apiVersion: 'v1', kind: 'DeleteOptions', preconditions: { uid } };
      await client.send({ method: 'DELETE', path, body, signal });
    }
  }

  async #createClaims(claims: readonly PersistentVolumeClaim[], pod: string, owner: PodOwner): Promise<void> {
    const { client, signal, informers } = this.#context;
    const { namespace } = owner;
    const path = resourcePath({ ...persistentVolumeClaims, namespace });
    const failures: string[] = [];
    for (const claim of claims) {
      const { name = '' } = claim.metadata;
      if (informers.persistentVolumeClaims().get(namespace, name) !== undefined) continue;
      try {
        await client.send({ method: 'POST', path, body: claim, signal });
        const text = `create Claim ${name} Pod ${pod} in StatefulSet ${owner.name} success`;
        this.#events.record(owner, 'Normal', 'SuccessfulCreate', text);
      } catch (error) {
        if (isReason(error, 'AlreadyExists')) continue; // not seen yet
        const text = `create Claim ${name} for Pod ${pod} in StatefulSet ${owner.name} failed error: ${errorText(error)}`;
        this.#events.record(owner, 'Warning', 'FailedCreate', text);
        failures.push(`failed to create PVC ${name}: ${errorText(error)}`);
      }
    }
    const [first, ...others] = new Set(failures);
    if (first !== undefined)
      throw new Error(others.length === 0 ? first : `[${[first, ...others].join(', ')}]`);
  }
}
