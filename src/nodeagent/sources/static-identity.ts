import { createHash } from 'node:crypto';
import type { Pod, Toleration } from '../../apis/types/core-v1.ts';
import type { Dialect } from '../../machinery/dialect.ts';
import type { ManifestOrigin } from './manifest-decoder.ts';
import { podAnnotationNames } from './pod-annotations.ts';

/** What makes a pod of a manifest this node's own. */
export interface IdentityOptions {
  readonly origin: ManifestOrigin;
  readonly nodeName: string;
  readonly dialect: Dialect;
  readonly nowMs: number;
}

const uidLength = 32;

/**
 * Turns the decoded pod of a manifest into a static pod, in place: uid of its content and origin (unless it has one),
 * name of pod and node, default namespace, node, annotations, and the tolerance of a pod that no other node can take
 * over. What only a server says of a pod is dropped. `applyDefaults` is called once the uid is made, so that a uid does
 * not depend on defaults. After `applyDefaults` of release 1.20's sources, release 1.20.
 */
export function giveIdentity(pod: Pod, options: IdentityOptions, applyDefaults: (pod: Pod) => void): void {
  const { origin, nodeName, nowMs } = options;
  const { metadata, spec } = pod;
  delete metadata.deletionTimestamp;
  delete metadata.deletionGracePeriodSeconds;
  delete metadata.resourceVersion;
  delete metadata.selfLink;
  delete metadata.managedFields;
  pod.status = {};
  metadata.uid ||= hashOf(pod, origin, nodeName);
  applyDefaults(pod);
  metadata.name = `${metadata.name ?? ''}-${nodeName.toLowerCase()}`;
  metadata.namespace ||= 'default';
  metadata.selfLink = `/api/v1/namespaces/${metadata.namespace}/pods/${metadata.name}`;
  spec.nodeName = nodeName;
  const names = podAnnotationNames(options.dialect);
  const seen = new Date(nowMs).toISOString();
  metadata.annotations = {
    ...metadata.annotations,
    [names.hash]: metadata.uid,
    [names.seen]: seen,
    [names.source]: origin.source,
  };
  // A pod behind a URL is some controller's to move, as release 1.20 sees it.
  if (origin.source !== 'http') spec.tolerations = tolerateNoExecute(spec.tolerations);
  pod.status.phase = 'Pending';
}

function hashOf(pod: Pod, { source, location }: ManifestOrigin, nodeName: string): string {
  const text = JSON.stringify([source, location, source === 'http' ? '' : nodeName, pod]);
  return createHash('sha256').update(text).digest('hex').slice(0, uidLength);
}

/** Static pods stay when their node is in trouble. */
function tolerateNoExecute(tolerations: readonly Toleration[] | undefined): Toleration[] {
  const own: Toleration = { operator: 'Exists', effect: 'NoExecute' };
  const given = tolerations ?? [];
  const isOwn = ({ key, operator, value, effect }: Toleration): boolean =>
    !key && !value && operator === own.operator && effect === own.effect;
  return [...given.filter((toleration) => !isOwn(toleration)), own];
}
