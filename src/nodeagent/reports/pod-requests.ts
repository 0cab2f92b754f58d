import type { Pod } from '../../apis/types/core-v1.ts';
import { type RestClient, resourcePath } from '../../client/index.ts';
import { StatusError } from '../../machinery/errors/index.ts';
import type { StatusPatch } from './status-patch.ts';

/** Names a pod on the API server. */
export interface PodName {
  readonly namespace: string;
  readonly name: string;
}

/** The requests that reports are made of. All reject with what the client rejects with. */
export interface PodRequests {
  create(pod: Pod): Promise<Pod>;
  /** Undefined when there is none. */
  get(name: PodName): Promise<Pod | undefined>;
  patchStatus(name: PodName, patch: StatusPatch): Promise<Pod>;
  /** Removes this very pod at once; another one of its name, or none, is fine as well. */
  remove(name: PodName, uid: string): Promise<void>;
}

/** Requests with this client, given up when `signal` aborts. */
export function createPodRequests(client: RestClient, signal: AbortSignal): PodRequests {
  const pathOf = ({ namespace, name }: PodName, subresource?: string): string =>
    resourcePath({ group: '', version: 'v1', resource: 'pods', namespace, name, subresource });
  return {
    create(pod) {
      const { namespace } = pod.metadata;
      const path = resourcePath({ group: '', version: 'v1', resource: 'pods', namespace });
      return client.json<Pod>({ method: 'POST', path, body: pod, signal });
    },
    async get(name) {
      try {
        return await client.json<Pod>({ method: 'GET', path: pathOf(name), signal });
      } catch (error) {
        if (isReason(error, 'NotFound')) return undefined;
        throw error;
      }
    },
    patchStatus: (name, patch) =>
      client.json<Pod>({
        method: 'PATCH',
        path: pathOf(name, 'status'),
        contentType: 'application/strategic-merge-patch+json',
        body: patch,
        signal,
      }),
    async remove(name, uid) {
      const options = { gracePeriodSeconds: 0, preconditions: { uid } };
      const body = { apiVersion: 'v1', kind: 'DeleteOptions', ...options };
      try {
        await client.send({ method: 'DELETE', path: pathOf(name), body, signal });
      } catch (error) {
        if (!isReason(error, 'NotFound') && !isReason(error, 'Conflict')) throw error;
      }
    },
  };
}

/** Whether the server refused for this reason. */
export function isReason(error: unknown, reason: string): boolean {
  return error instanceof StatusError && error.reason === reason;
}

/** Where a pod is found on the server. */
export function nameOf({ metadata }: Pod): PodName {
  return { namespace: metadata.namespace ?? '', name: metadata.name ?? '' };
}
