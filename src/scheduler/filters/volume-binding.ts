import {
  claimsOfPod,
  isMadeFor,
  type NodeMatcher,
  nodeSelectorMatcher,
  storageClassName,
} from '../../apis/core/index.ts';
import { kindOf } from '../../apis/csi-migration/index.ts';
import type { PersistentVolume, PersistentVolumeClaim } from '../../apis/types/core-v1.ts';
import type { StorageClass } from '../../apis/types/storage-v1.ts';
import { ownValue } from '../../base/index.ts';
import { quoteGo } from '../../machinery/errors/index.ts';
import { readAmount } from '../amounts.ts';
import type { Cluster } from '../cluster.ts';
import type { NodeInfo } from '../node-info.ts';
import { compileSelector, type PodInfo } from '../pod-info.ts';
import { type FilterPlugin, type Refusal, unresolvable } from './filter.ts';
import { migratedVolume } from './migrated-volume.ts';

const conflictReason = 'node(s) had volume node affinity conflict';
const noVolumeReason = "node(s) didn't find available persistent volumes to bind";
const lostReason = 'pvc(s) bound to non-existent pv(s)';

/** What becomes of a claim that waits for the node of its first pod. */
export interface ClaimPlan {
  readonly claim: PersistentVolumeClaim;
  /** Undefined: whoever makes volumes of the class makes one there. */
  readonly volume: PersistentVolume | undefined;
}

/** Volumes of a pod's claims, found without a node. */
interface PodClaims {
  /** Undefined: the volume is gone. */
  readonly bound: readonly (PersistentVolume | undefined)[];
  /** Smallest first. */
  readonly waiting: readonly PersistentVolumeClaim[];
}

/**
 * Claims: bound volumes must be reachable from the node, and those that wait for their first pod must find one there. Source:
 * release 1.20, `volumebinding`.
 */
export const volumeBindingFilter: FilterPlugin = (pod, cluster) => {
  const found = findClaims(pod, cluster);
  if (found === undefined) return undefined;
  if ('refusal' in found) return found;
  const bound = found.bound.map((volume) => volume && reachableNodes(volume, cluster));
  return {
    check(node): Refusal | undefined {
      const reasons: string[] = [];
      const wrong = bound.findIndex((isReachable) => isReachable?.(node) !== true);
      if (wrong !== -1) reasons.push(bound[wrong] === undefined ? lostReason : conflictReason);
      if (planClaims(found.waiting, node, cluster) === undefined) reasons.push(noVolumeReason);
      return reasons.length === 0 ? undefined : unresolvable(...reasons);
    },
  };
};

/** What must be written for a pod's claims once it is placed; empty for most pods. */
export function planFor(pod: PodInfo, node: NodeInfo, cluster: Cluster): readonly ClaimPlan[] {
  const found = findClaims(pod, cluster);
  if (found === undefined || 'refusal' in found) return [];
  return planClaims(found.waiting, node, cluster) ?? [];
}

function findClaims(
  { pod, namespace }: PodInfo,
  cluster: Cluster,
): PodClaims | { readonly refusal: Refusal } | undefined {
  const wanted = claimsOfPod(pod);
  if (wanted.length === 0) return undefined;
  const { lookups, dialect } = cluster;
  const { volumes } = lookups;
  const claims: PersistentVolumeClaim[] = [];
  for (const { name, isEphemeral } of wanted) {
    const claim = volumes.claim(namespace, name);
    if (claim === undefined)
      return { refusal: unresolvable(`persistentvolumeclaim ${quoteGo(name)} not found`) };
    if (claim.metadata.deletionTimestamp !== undefined) {
      return { refusal: unresolvable(`persistentvolumeclaim ${quoteGo(name)} is being deleted`) };
    }
    if (isEphemeral && !isMadeFor(claim, pod)) {
      return { refusal: unresolvable(`persistentvolumeclaim ${quoteGo(name)} was not created for the pod`) };
    }
    claims.push(claim);
  }
  const bound: (PersistentVolume | undefined)[] = [];
  const waiting: PersistentVolumeClaim[] = [];
  for (const claim of claims) {
    const { volumeName = '' } = claim.spec;
    const isComplete = claim.metadata.annotations?.[dialect.domain('pv', 'bind-completed')] !== undefined;
    if (volumeName !== '' && isComplete) bound.push(volumes.volume(volumeName));
    else if (volumeName === '' && waitsForConsumer(claim, cluster)) waiting.push(claim);
    else return { refusal: unresolvable('pod has unbound immediate PersistentVolumeClaims') };
  }
  waiting.sort((a, b) => sizeOf(a) - sizeOf(b));
  return { bound, waiting };
}

function waitsForConsumer(claim: PersistentVolumeClaim, cluster: Cluster): boolean {
  return classOf(claim, cluster)?.volumeBindingMode === 'WaitForFirstConsumer';
}

const classOf = (
  claim: PersistentVolumeClaim,
  { lookups: { volumes }, dialect }: Cluster,
): StorageClass | undefined => volumes.storageClass(storageClassName(claim, dialect));

const sizeOf = ({ spec }: PersistentVolumeClaim): number =>
  readAmount('', spec.resources.requests?.storage ?? '0');

/** On nodes where a driver serves the volume, its zones are those that the driver tells. */
function reachableNodes(
  volume: PersistentVolume,
  { lookups: { volumes }, dialect }: Cluster,
): (node: NodeInfo) => boolean {
  const asItIs = volumeNodes(volume);
  const migrated = migratedVolume(volume, volumes.migratedKinds, dialect);
  if (migrated === undefined) return asItIs;
  const asMigrated = volumeNodes(migrated);
  return (node) => {
    const isMigrated = kindOf(volume.spec, volumes.migratedOn(node.name)) !== undefined;
    return isMigrated ? asMigrated(node) : asItIs(node);
  };
}

function volumeNodes({ spec }: PersistentVolume): NodeMatcher {
  const required = spec.nodeAffinity?.required;
  return required === undefined ? () => true : nodeSelectorMatcher(required);
}

function planClaims(
  claims: readonly PersistentVolumeClaim[],
  node: NodeInfo,
  cluster: Cluster,
): readonly ClaimPlan[] | undefined {
  const { dialect } = cluster;
  const selected = dialect.domain('volume', 'selected-node');
  const chosen = new Set<string>();
  const plans: ClaimPlan[] = [];
  for (const claim of claims) {
    const selectedNode = claim.metadata.annotations?.[selected];
    // Its volume is being made for that node.
    if (selectedNode !== undefined && selectedNode !== node.name) return undefined;
    const volume = selectedNode === undefined ? findVolume(claim, node, cluster, chosen) : undefined;
    if (volume !== undefined) chosen.add(volume.metadata.name ?? '');
    else if (!canProvision(claim, node, cluster)) return undefined;
    plans.push({ claim, volume });
  }
  return plans;
}

/** The smallest volume that fits. Source: release 1.20, `persistentvolume/util`, `FindMatchingVolume`. */
function findVolume(
  claim: PersistentVolumeClaim,
  node: NodeInfo,
  { lookups: { volumes }, dialect }: Cluster,
  chosen: ReadonlySet<string>,
): PersistentVolume | undefined {
  const wanted = sizeOf(claim);
  const { namespace = '', name = '' } = claim.metadata;
  const selector = claim.spec.selector === undefined ? undefined : compileSelector(claim.spec.selector);
  let smallest: { readonly volume: PersistentVolume; readonly size: number } | undefined;
  for (const volume of volumes.volumesOfClass(storageClassName(claim, dialect))) {
    const { metadata, spec, status } = volume;
    const size = readAmount('', spec.capacity?.storage ?? '0');
    const owner = spec.claimRef;
    const isOwn = owner?.namespace === namespace && owner.name === name && hasUid(owner.uid, claim);
    const promised = volumes.promisedTo(metadata.name ?? '');
    if (chosen.has(metadata.name ?? '') || metadata.deletionTimestamp !== undefined || size < wanted)
      continue;
    if ((spec.volumeMode ?? 'Filesystem') !== (claim.spec.volumeMode ?? 'Filesystem')) continue;
    if (promised !== undefined && promised !== `${namespace}/${name}`) continue;
    const isReachable = volumeNodes(volume)(node);
    if (isOwn) return isReachable ? volume : undefined;
    if (!isReachable) continue;
    if (owner !== undefined || (status?.phase ?? 'Available') !== 'Available') continue;
    if (selector !== undefined && !selector.matches(metadata.labels ?? {})) continue;
    const modes = spec.accessModes ?? [];
    if (!(claim.spec.accessModes ?? []).every((mode) => modes.includes(mode))) continue;
    if (smallest === undefined || size < smallest.size) smallest = { volume, size };
  }
  return smallest?.volume;
}

const hasUid = (uid: string | undefined, { metadata }: PersistentVolumeClaim): boolean =>
  uid === undefined || uid === '' || uid === metadata.uid;

function canProvision(claim: PersistentVolumeClaim, node: NodeInfo, cluster: Cluster): boolean {
  const found = classOf(claim, cluster);
  if (found === undefined || found.provisioner === '') return false;
  if (found.provisioner === cluster.dialect.label('no-provisioner')) return false;
  const topologies = found.allowedTopologies ?? [];
  return (
    topologies.length === 0 ||
    topologies.some(
      ({ matchLabelExpressions: expressions = [] }) =>
        expressions.length > 0 &&
        expressions.every(({ key, values }) => {
          const value = ownValue(node.labels, key);
          return value !== undefined && values?.includes(value) === true;
        }),
    )
  );
}
