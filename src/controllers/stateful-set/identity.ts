import type { StatefulSet } from '../../apis/types/apps-v1.ts';
import type { PersistentVolumeClaim, Pod, PodTemplateSpec, Volume } from '../../apis/types/core-v1.ts';
import type { Owner } from '../workloads/claims.ts';
import { podFromTemplate } from '../workloads/pod-control.ts';

/** On pods: the name of their revision. */
const revisionLabel = 'controller-revision-hash';

/** What a pod of a set is made of. */
export interface PodIdentity {
  readonly ordinal: number;
  readonly template: PodTemplateSpec;
  /** The name of the template's revision. */
  readonly revision: string;
  readonly owner: Owner;
  /** The label by which services find one pod. */
  readonly nameLabel: string;
}

/** The number at the end of a pod's name; undefined for a pod that cannot be of this set. */
export function ordinalOf({ metadata: { name = '' } }: Pod, set: string): number | undefined {
  const ordinal = name.slice(set.length + 1);
  return name.startsWith(`${set}-`) && /^\d{1,10}$/.test(ordinal) ? Number(ordinal) : undefined;
}

export const revisionOf = ({ metadata }: Pod): string => metadata.labels?.[revisionLabel] ?? '';

const claimName = (claim: string, set: string, ordinal: number): string => `${claim}-${set}-${ordinal}`;

/** The volume claims of one pod, which stay when it goes. Source: release 1.20, `getPersistentVolumeClaims`. */
export function claimsOf({ metadata, spec }: StatefulSet, ordinal: number): PersistentVolumeClaim[] {
  return (spec.volumeClaimTemplates ?? []).map((claim) => ({
    ...claim,
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: {
      ...claim.metadata,
      name: claimName(claim.metadata.name ?? '', metadata.name ?? '', ordinal),
      namespace: metadata.namespace,
      labels: { ...claim.metadata.labels, ...spec.selector?.matchLabels },
    },
  }));
}

/**
 * The set as its status is written once it has pods. Nobody stores its claims then, but who owns them is seen by it: release 1.20
 * gives templates that have labels those of the selector as well.
 */
export function asStatusWriter(set: StatefulSet, { replicas }: { readonly replicas: number }): StatefulSet {
  const { volumeClaimTemplates: templates, selector } = set.spec;
  if (replicas === 0 || templates === undefined) return set;
  const volumeClaimTemplates = templates.map((claim) => {
    const { labels } = claim.metadata;
    if (labels === undefined) return claim;
    return { ...claim, metadata: { ...claim.metadata, labels: { ...labels, ...selector?.matchLabels } } };
  });
  return { ...set, spec: { ...set.spec, volumeClaimTemplates } };
}

/** The volumes of a pod: those of its claims, and the others of the template. */
function volumesOf({ metadata, spec }: StatefulSet, ordinal: number, others: readonly Volume[]): Volume[] {
  const claimed = (spec.volumeClaimTemplates ?? []).map(({ metadata: { name = '' } }) => ({
    name,
    persistentVolumeClaim: { claimName: claimName(name, metadata.name ?? '', ordinal), readOnly: false },
  }));
  const names = new Set(claimed.map(({ name }) => name));
  return [...claimed, ...others.filter(({ name }) => !names.has(name))];
}

/** A pod with its name, its place in the network and its volumes. Source: release 1.20, `newStatefulSetPod`. */
export function newStatefulPod(set: StatefulSet, identity: PodIdentity): Pod {
  const { ordinal, template, revision, owner, nameLabel } = identity;
  const name = `${owner.name}-${ordinal}`;
  const pod = podFromTemplate(template, owner);
  const { metadata, spec } = pod;
  return {
    ...pod,
    metadata: {
      ...metadata,
      name,
      namespace: owner.namespace,
      labels: { ...metadata.labels, [nameLabel]: name, [revisionLabel]: revision },
    },
    spec: {
      ...spec,
      hostname: name,
      subdomain: set.spec.serviceName,
      volumes: volumesOf(set, ordinal, spec.volumes ?? []),
    },
  };
}

/** The pod with the label of its name and its volume claims; itself when it has them. */
export function withIdentity(set: StatefulSet, pod: Pod, ordinal: number, nameLabel: string): Pod {
  const { name = '', labels } = pod.metadata;
  const volumes = pod.spec.volumes ?? [];
  const hasClaims = (set.spec.volumeClaimTemplates ?? []).every((claim) =>
    volumes.some(
      (volume) =>
        volume.name === claim.metadata.name &&
        volume.persistentVolumeClaim?.claimName === claimName(volume.name, set.metadata.name ?? '', ordinal),
    ),
  );
  if (labels?.[nameLabel] === name && hasClaims) return pod;
  return {
    ...pod,
    metadata: { ...pod.metadata, labels: { ...labels, [nameLabel]: name } },
    spec: { ...pod.spec, volumes: hasClaims ? volumes : volumesOf(set, ordinal, volumes) },
  };
}
