import type { Deployment, ReplicaSet } from '../../apis/types/apps-v1.ts';
import type { PodTemplateSpec } from '../../apis/types/core-v1.ts';
import { deepEqual } from '../../apis/validation/index.ts';
import type { Dialect } from '../../machinery/dialect.ts';
import { parseInt64 } from '../../machinery/go-values/index.ts';
import { templateHash } from '../template-hash/index.ts';
import { replicasOf, rollingBounds } from './rolling.ts';

/** The label that tells the pods of one template from those of another. */
const hashLabel = 'pod-template-hash';

/** Longest list of earlier revisions, in letters. Source: release 1.20. */
const maxHistoryLength = 2000;

/** Names of the annotations by which a deployment keeps its history. */
export interface DeploymentAnnotations {
  readonly revision: string;
  readonly revisionHistory: string;
  readonly desiredReplicas: string;
  readonly maxReplicas: string;
  /** What asks for an older revision; of the first version of the API. */
  readonly rollbackTo: string;
  readonly lastApplied: string;
}

export const deploymentAnnotations = (dialect: Dialect): DeploymentAnnotations => ({
  revision: dialect.domain('deployment', 'revision'),
  revisionHistory: dialect.domain('deployment', 'revision-history'),
  desiredReplicas: dialect.domain('deployment', 'desired-replicas'),
  maxReplicas: dialect.domain('deployment', 'max-replicas'),
  rollbackTo: 'deprecated.deployment.rollback.to',
  lastApplied: dialect.lastAppliedAnnotation,
});

type Texts = Readonly<Record<string, string>>;

/** The integer of 64 bits that an annotation has; 0 without one, undefined when it is none. */
export const revisionIn = (annotations: Texts | undefined, name: string): bigint | undefined =>
  parseInt64(annotations?.[name] ?? '0');

/** The revision that follows the greatest of the given sets; the smallest of all after the greatest that there is. */
export const nextRevision = (sets: readonly ReplicaSet[], { revision }: DeploymentAnnotations): bigint =>
  BigInt.asIntN(64, 1n + newestRevisions(sets, revision)[0]);

/** The greatest revision of the given sets and that of the set next to it; 0 where there is none. */
export function newestRevisions(sets: readonly ReplicaSet[], name: string): readonly [bigint, bigint] {
  let [first, second] = [0n, 0n];
  for (const { metadata } of sets) {
    const revision = revisionIn(metadata.annotations, name) ?? 0n;
    if (revision >= first) [first, second] = [revision, first];
    else if (revision > second) second = revision;
  }
  return [first, second];
}

/** The size that an annotation has; undefined without one, and when it is no number. */
export function sizeIn(annotations: Texts | undefined, name: string): number | undefined {
  const value = parseInt64(annotations?.[name] ?? '');
  return value === undefined ? undefined : Number(BigInt.asIntN(32, value));
}

/** Whether two templates make the same pods. */
export const hasSameTemplate = (a: PodTemplateSpec, b: PodTemplateSpec): boolean =>
  deepEqual(withoutHash(a), withoutHash(b));

/** A template without the label of a replica set. */
export function withoutHash({ metadata, spec }: PodTemplateSpec): PodTemplateSpec {
  const { [hashLabel]: _, ...labels } = metadata.labels ?? {};
  return { metadata: { ...metadata, labels }, spec };
}

/** Annotations that a deployment and its replica sets have in common. */
export function copiedAnnotations(
  { metadata }: Pick<Deployment, 'metadata'>,
  names: DeploymentAnnotations,
): Record<string, string> {
  const own = new Set(Object.values(names));
  return Object.fromEntries(Object.entries(metadata.annotations ?? {}).filter(([name]) => !own.has(name)));
}

/** The sizes that a replica set was scaled for, as annotations. */
export function sizeAnnotations(
  deployment: Deployment,
  names: DeploymentAnnotations,
): Record<string, string> {
  const replicas = replicasOf(deployment);
  return {
    [names.desiredReplicas]: String(replicas),
    [names.maxReplicas]: String(replicas + rollingBounds(deployment).maxSurge),
  };
}

/**
 * The annotations that the replica set of the current template is to have: those of the deployment, the newest revision, and the
 * revisions that it was before. A set whose revision is no number stays as it is. Source: release 1.20, `SetNewReplicaSetAnnotations`.
 */
export function newSetAnnotations(
  deployment: Deployment,
  current: Texts,
  { revision, names }: { readonly revision: bigint; readonly names: DeploymentAnnotations },
): Record<string, string> {
  const annotations = { ...current, ...copiedAnnotations(deployment, names) };
  const before = current[names.revision];
  const known = parseInt64(before || '0');
  if (known === undefined) return { ...current };
  if (known >= revision) return annotations;
  annotations[names.revision] = String(revision);
  if (before === undefined) return annotations;
  const history = (current[names.revisionHistory] ?? '').split(',').filter((each) => each !== '');
  history.push(before);
  while (history.join(',').length > maxHistoryLength) history.shift();
  annotations[names.revisionHistory] = history.join(',');
  return annotations;
}

/** The replica set of the deployment's template, of no size and without annotations. */
export function newReplicaSet(deployment: Deployment): ReplicaSet {
  const { metadata, spec, status } = deployment;
  const hash = templateHash(spec.template, status.collisionCount);
  const labels = { ...spec.template.metadata.labels, [hashLabel]: hash };
  return {
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    metadata: {
      name: `${metadata.name}-${hash}`,
      namespace: metadata.namespace,
      labels,
      ownerReferences: [
        {
          apiVersion: 'apps/v1',
          kind: 'Deployment',
          name: metadata.name ?? '',
          uid: metadata.uid ?? '',
          controller: true,
          blockOwnerDeletion: true,
        },
      ],
    },
    spec: {
      replicas: 0,
      ...(spec.minReadySeconds !== undefined && { minReadySeconds: spec.minReadySeconds }),
      selector: {
        ...spec.selector,
        matchLabels: { ...spec.selector?.matchLabels, [hashLabel]: hash },
      },
      template: { ...spec.template, metadata: { ...spec.template.metadata, labels } },
    },
    status: { replicas: 0 },
  };
}
