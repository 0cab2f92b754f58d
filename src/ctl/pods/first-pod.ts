import type { Pod } from '../../apis/types/core-v1.ts';
import { keepProcessAlive } from '../../base/index.ts';
import { type RestClient, resourcePath, TransportError, watchEvents } from '../../client/rest/index.ts';
import type { Ctl } from '../ctl.ts';
import { CtlError } from '../errors.ts';
import { isWireObject } from '../resource/api-object.ts';
import { isPod } from './pod.ts';
import type { PodOrder } from './pod-order.ts';

/** Pods of a namespace, and which of them is meant. */
export interface PodSearch {
  readonly namespace: string;
  readonly selector: string;
  readonly order: PodOrder;
  /** How long to wait for one when there is none. */
  readonly timeoutMs: number;
}

/** The pod that comes first, and how many there are. */
export interface FirstPod {
  readonly pod: Pod;
  readonly count: number;
}

/** Finds the first pod in an order; waits for one when there is none. @throws CtlError when none came in time. */
export async function findFirstPod(ctl: Ctl, search: PodSearch): Promise<FirstPod> {
  const client = await ctl.client();
  const { pods, resourceVersion } = await listPods(ctl, search);
  const [first] = pods.toSorted(search.order);
  if (first !== undefined) return { pod: first, count: pods.length };
  return { pod: await awaitPod(client, search, { resourceVersion, signal: ctl.io.signal }), count: 1 };
}

/** All pods of a namespace that a selector selects. */
export async function listPods(
  ctl: Ctl,
  { namespace, selector }: Pick<PodSearch, 'namespace' | 'selector'>,
): Promise<{ readonly pods: readonly Pod[]; readonly resourceVersion: string }> {
  const client = await ctl.client();
  const list = await client.json<{
    readonly items?: readonly Omit<Pod, 'kind' | 'apiVersion'>[] | null;
    readonly metadata?: { readonly resourceVersion?: string };
  }>({
    method: 'GET',
    path: podPath(namespace),
    query: { labelSelector: selector },
    signal: ctl.io.signal,
  });
  return {
    // Items of lists leave out what they are.
    pods: (list.items ?? []).map((item) => ({ ...item, kind: 'Pod', apiVersion: 'v1' })),
    resourceVersion: list.metadata?.resourceVersion ?? '',
  };
}

/** Path of the pods of a namespace, or of one of them. */
export function podPath(namespace: string, name?: string, subresource?: string): string {
  return resourcePath({ group: '', version: 'v1', resource: 'pods', namespace, name, subresource });
}

async function awaitPod(
  client: RestClient,
  { namespace, selector, timeoutMs }: PodSearch,
  { resourceVersion, signal }: { readonly resourceVersion: string; readonly signal: AbortSignal },
): Promise<Pod> {
  const late = AbortSignal.timeout(timeoutMs);
  const request = {
    method: 'GET',
    path: podPath(namespace),
    query: { labelSelector: selector, resourceVersion },
    signal: AbortSignal.any([late, signal]),
  } as const;
  const release = keepProcessAlive();
  try {
    for await (const { type, object } of watchEvents(client, request)) {
      const isThere = type === 'ADDED' || type === 'MODIFIED';
      if (isThere && isWireObject(object) && isPod(object)) return object;
    }
  } catch (error) {
    if (!late.aborted || !(error instanceof TransportError)) throw error;
  } finally {
    release();
  }
  throw new CtlError('timed out waiting for the condition');
}
