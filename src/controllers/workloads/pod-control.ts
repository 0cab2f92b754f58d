import type { Pod, PodTemplateSpec } from '../../apis/types/core-v1.ts';
import { errorText } from '../../base/index.ts';
import { resourcePath } from '../../client/rest/index.ts';
import { isReason } from '../../machinery/errors/index.ts';
import type { ControllerContext } from '../controller.ts';
import type { ControllerEvents, EventObject } from '../controller-events.ts';
import { isNamespaceTerminating } from '../ensure-in-namespaces.ts';
import { controllerReference, type Owner } from './claims.ts';

const pods = { group: '', version: 'v1', resource: 'pods' };

const maxNameLength = 253;

/** Whom pods are created and deleted for, with what events need. */
export type PodOwner = Owner & EventObject;

/** A pod of a template, under a name that the server completes. Pure. */
export function podFromTemplate({ metadata, spec }: PodTemplateSpec, owner: Owner): Pod {
  const { labels, annotations, finalizers } = metadata ?? {};
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      ...(labels && { labels }),
      ...(annotations && { annotations }),
      ...(finalizers && { finalizers }),
      // A name that is as long as can be has no room for the dash.
      generateName: owner.name.length < maxNameLength ? `${owner.name}-` : owner.name,
      ownerReferences: [controllerReference(owner)],
    },
    spec,
    status: {},
  };
}

/** Creates and deletes pods for their owners, and says so in events. Texts: release 1.20, `RealPodControl`. */
export class PodControl {
  readonly #context: Pick<ControllerContext, 'client' | 'signal'>;
  readonly #events: ControllerEvents;

  constructor(context: Pick<ControllerContext, 'client' | 'signal'>, events: ControllerEvents) {
    this.#context = context;
    this.#events = events;
  }

  /** @throws StatusError or TransportError */
  async create(pod: Pod, owner: PodOwner): Promise<void> {
    const { client, signal } = this.#context;
    const path = resourcePath({ ...pods, namespace: owner.namespace });
    try {
      const { metadata } = await client.json<Pod>({ method: 'POST', path, body: pod, signal });
      this.#events.record(owner, 'Normal', 'SuccessfulCreate', `Created pod: ${metadata.name}`);
    } catch (error) {
      if (!isNamespaceTerminating(error)) {
        this.#events.record(owner, 'Warning', 'FailedCreate', `Error creating: ${errorText(error)}`);
      }
      throw error;
    }
  }

  /** @throws StatusError or TransportError; NotFound for a pod that is gone. */
  async delete(name: string, owner: PodOwner): Promise<void> {
    const { client, signal } = this.#context;
    const path = resourcePath({ ...pods, namespace: owner.namespace, name });
    try {
      await client.send({ method: 'DELETE', path, signal });
      this.#events.record(owner, 'Normal', 'SuccessfulDelete', `Deleted pod: ${name}`);
    } catch (error) {
      if (!isReason(error, 'NotFound')) {
        this.#events.record(owner, 'Warning', 'FailedDelete', `Error deleting: ${errorText(error)}`);
      }
      throw error;
    }
  }
}

/**
 * Does something with each item, in groups of 1, 2, 4, ...: what fails, fails once rather than a hundred times. Ends after the first
 * group in which something failed. Source: release 1.20, `slowStartBatch`.
 */
export async function startSlowly<T>(
  items: readonly T[],
  act: (item: T) => Promise<void>,
): Promise<{ readonly done: number; readonly error: unknown }> {
  let done = 0;
  for (let begun = 0, size = 1; begun < items.length; size *= 2) {
    const group = items.slice(begun, begun + size);
    begun += group.length;
    const results = await Promise.allSettled(group.map(act));
    const failed = results.filter((result) => result.status === 'rejected');
    done += group.length - failed.length;
    if (failed[0] !== undefined) return { done, error: failed[0].reason };
  }
  return { done, error: undefined };
}
