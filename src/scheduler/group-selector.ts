import type { ReplicaSet, StatefulSet } from '../apis/types/apps-v1.ts';
import type { ReplicationController, Service } from '../apis/types/core-v1.ts';
import {
  createLabelSelector,
  type LabelSelector,
  labelSelectorFromSet,
} from '../machinery/selectors/index.ts';
import { compileSelector, type PodInfo } from './pod-info.ts';

/** What pods may belong to. */
export interface PodGroups {
  /** Of all namespaces. */
  readonly services: Iterable<Service>;
  readonly controller: (name: string) => ReplicationController | undefined;
  readonly replicaSet: (name: string) => ReplicaSet | undefined;
  readonly statefulSet: (name: string) => StatefulSet | undefined;
}

/**
 * What selects the pods that belong together with this one: the selectors of its services, and of its controller; undefined
 * when it belongs to nothing. Source: release 1.20, `plugins/helper/spread.go`.
 */
export function groupSelector(pod: PodInfo, groups: PodGroups): LabelSelector | undefined {
  const labels: Record<string, string> = {};
  for (const { metadata, spec } of groups.services) {
    const { selector } = spec;
    if (metadata.namespace !== pod.namespace || selector === undefined) continue;
    const wanted = Object.entries(selector);
    if (wanted.length === 0 || !wanted.every(([key, value]) => pod.labels[key] === value)) continue;
    Object.assign(labels, selector);
  }
  const owner = pod.pod.metadata.ownerReferences?.find(({ controller }) => controller === true);
  if (owner?.kind === 'ReplicationController')
    Object.assign(labels, groups.controller(owner.name)?.spec.selector);
  const requirements = [...labelSelectorFromSet(labels).requirements];
  if (owner?.kind === 'ReplicaSet' || owner?.kind === 'StatefulSet') {
    const found =
      owner.kind === 'ReplicaSet' ? groups.replicaSet(owner.name) : groups.statefulSet(owner.name);
    if (found !== undefined) requirements.push(...compileSelector(found.spec.selector).requirements);
  }
  return requirements.length === 0 ? undefined : createLabelSelector(requirements);
}
