import type { PersistentVolumeClaim } from '../apis/types/core-v1.ts';
import { type Clock, pause } from '../base/index.ts';
import { type RestClient, resourcePath } from '../client/rest/index.ts';
import type { Dialect } from '../machinery/dialect.ts';
import { quoteGo } from '../machinery/errors/index.ts';
import type { ApiObject } from '../machinery/meta/index.ts';
import type { ClaimPlan } from './filters/index.ts';
import type { PodInfo } from './pod-info.ts';

/** What placements are written with. */
export interface BindContext {
  readonly client: Pick<RestClient, 'send' | 'json'>;
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
  const { clock, signal } = context;
  const written = await Promise.all(plans.map((plan) => writePlan(plan, node, context)));
  const isBound = (plan: ClaimPlan, at: number): boolean =>
    isClaimBound(plan, { node, written: written[at] }, context);
  const endMs = clock.nowMs() + limits.boundMs;
  while (!plans.every(isBound)) {
    if (clock.nowMs() >= endMs) throw new Error('binding volumes: timed out waiting for the condition');
    await pause(clock, limits.lookMs, signal);
    signal.throwIfAborted();
    if (!context.isWanted()) throw new Error('the pod does not wait any more');
  }
}

/** @throws Error when whoever was to make the volume has given the node up. */
function isClaimBound(
  { claim, volume }: ClaimPlan,
  { node, written }: { readonly node: string; readonly written: bigint | undefined },
  context: BindContext,
): boolean {
  const { dialect } = context;
  const { namespace = '', name = '' } = claim.metadata;
  const now = context.claim(namespace, name);
  if (now === undefined) return false;
  const { annotations, resourceVersion = '0' } = now.metadata;
  if (volume === undefined && written !== undefined && BigInt(resourceVersion) >= written) {
    const problem = annotations === undefined ? 'selectedNode annotation reset' : 'provisioning failed';
    if (annotations?.[selectedNode(dialect)] !== node)
      throw new Error(`binding volumes: ${problem} for PVC ${quoteGo(name)}`);
  }
  return !!now.spec.volumeName && annotations?.[dialect.domain('pv', 'bind-completed')] !== undefined;
}

/** The annotation of a claim that says on which node its volume is to be made. */
const selectedNode = (dialect: Dialect): string => dialect.domain('volume', 'selected-node');

/** The resource version of what was written. */
async function writePlan({ claim, volume }: ClaimPlan, node: string, context: BindContext): Promise<bigint> {
  const { client, dialect, signal } = context;
  const { namespace, name, uid, resourceVersion } = claim.metadata;
  const contentType = 'application/merge-patch+json';
  if (volume === undefined) {
    const annotations = { [selectedNode(dialect)]: node };
    const path = resourcePath({
      group: '',
      version: 'v1',
      resource: 'persistentvolumeclaims',
      namespace,
      name,
    });
    const body = { metadata: { annotations, resourceVersion } };
    return versionOf(await client.json<ApiObject>({ method: 'PATCH', path, body, contentType, signal }));
  }
  const claimRef = { kind: 'PersistentVolumeClaim', apiVersion: 'v1', namespace, name, uid, resourceVersion };
  const annotations = { [dialect.domain('pv', 'bound-by-controller')]: 'yes' };
  const path = resourcePath({
    group: '',
    version: 'v1',
    resource: 'persistentvolumes',
    name: volume.metadata.name,
  });
  // Whoever was faster keeps the volume.
  const metadata = { annotations, resourceVersion: volume.metadata.resourceVersion };
  const body = { metadata, spec: { claimRef } };
  return versionOf(await client.json<ApiObject>({ method: 'PATCH', path, body, contentType, signal }));
}

const versionOf = ({ metadata }: ApiObject): bigint => BigInt(metadata.resourceVersion ?? '0');
