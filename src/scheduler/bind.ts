import type { PersistentVolumeClaim } from '../apis/types/core-v1.ts';
import { type Clock, pause } from '../base/index.ts';
import { type RestClient, resourcePath } from '../client/rest/index.ts';
import type { Dialect } from '../machinery/dialect.ts';
import type { ClaimPlan } from './filters/index.ts';
import type { PodInfo } from './pod-info.ts';

/** What placements are written with. */
export interface BindContext {
  readonly client: Pick<RestClient, 'send'>;
  readonly dialect: Dialect;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Whether the pod is still there and waits. */
  readonly isWanted: () => boolean;
  /** A claim as it is now. */
  readonly claim: (namespace: string, name: string) => PersistentVolumeClaim | undefined;
}

/** How long a pod waits for its claims, and how often they are looked at. Source: release 1.20, `volumebinding`. */
const limits = { boundMs: 600_000, lookMs: 100 };

/** Gives the pod its node; others see it then. @throws StatusError, TransportError */
export async function bindPod(
  { pod }: PodInfo,
  node: string,
  { client, signal }: BindContext,
): Promise<void> {
  const { namespace, name, uid } = pod.metadata;
  await client.send({
    method: 'POST',
    path: resourcePath({
      group: '',
      version: 'v1',
      resource: 'pods',
      namespace,
      name,
      subresource: 'binding',
    }),
    body: {
      kind: 'Binding',
      apiVersion: 'v1',
      metadata: { namespace, name, uid },
      target: { kind: 'Node', name: node },
    },
    signal,
  });
}

/**
 * Promises volumes to the claims of a pod, or asks for new ones on the node, and waits until all are bound.
 *
 * @throws StatusError, TransportError, or Error when they are not bound in time.
 */
export async function bindClaims(
  plans: readonly ClaimPlan[],
  node: string,
  context: BindContext,
): Promise<void> {
  const { clock, signal, dialect, claim: claimNow } = context;
  await Promise.all(plans.map((plan) => writePlan(plan, node, context)));
  const endMs = clock.nowMs() + limits.boundMs;
  const completed = dialect.domain('pv', 'bind-completed');
  const isBound = ({ claim: { metadata } }: ClaimPlan): boolean => {
    const now = claimNow(metadata.namespace ?? '', metadata.name ?? '');
    return !!now?.spec.volumeName && now.metadata.annotations?.[completed] !== undefined;
  };
  while (!plans.every(isBound)) {
    if (clock.nowMs() >= endMs) throw new Error('binding volumes: timed out waiting for the condition');
    await pause(clock, limits.lookMs, signal);
    signal.throwIfAborted();
    if (!context.isWanted()) throw new Error('the pod does not wait any more');
  }
}

async function writePlan({ claim, volume }: ClaimPlan, node: string, context: BindContext): Promise<void> {
  const { client, dialect, signal } = context;
  const { namespace, name, uid, resourceVersion } = claim.metadata;
  const contentType = 'application/merge-patch+json';
  if (volume === undefined) {
    const annotations = { [dialect.domain('volume', 'selected-node')]: node };
    const path = resourcePath({
      group: '',
      version: 'v1',
      resource: 'persistentvolumeclaims',
      namespace,
      name,
    });
    await client.send({
      method: 'PATCH',
      path,
      body: { metadata: { annotations, resourceVersion } },
      contentType,
      signal,
    });
    return;
  }
  const claimRef = { kind: 'PersistentVolumeClaim', apiVersion: 'v1', namespace, name, uid, resourceVersion };
  const annotations = { [dialect.domain('pv', 'bound-by-controller')]: 'yes' };
  await client.send({
    method: 'PATCH',
    path: resourcePath({
      group: '',
      version: 'v1',
      resource: 'persistentvolumes',
      name: volume.metadata.name,
    }),
    // Whoever was faster keeps the volume.
    body: { metadata: { annotations, resourceVersion: volume.metadata.resourceVersion }, spec: { claimRef } },
    contentType,
    signal,
  });
}
