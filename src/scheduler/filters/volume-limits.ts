import type { PersistentVolumeSpec, Volume } from '../../apis/types/core-v1.ts';
import type { Cluster } from '../cluster.ts';
import type { NodeInfo } from '../node-info.ts';
import type { PodInfo } from '../pod-info.ts';
import { type FilterPlugin, resolvable } from './filter.ts';

const refusal = resolvable('node(s) exceed max volume count');

/** What volumes of pods and volumes of claims both name. */
type Disks = Pick<Volume, 'awsElasticBlockStore' | 'gcePersistentDisk' | 'azureDisk'>;

/** Volumes of one kind, of which a node takes a limited number. */
interface LimitedVolumes {
  /** The name of the limit among a node's allocatable resources. */
  readonly resource: string;
  /** Where the node says nothing; undefined: no limit. */
  readonly usual: number | undefined;
  idOf(volume: Disks): string | undefined;
}

/** Source: release 1.20, `nodevolumelimits/non_csi.go`, `volume/util/attach_limit.go`. */
const limited: readonly LimitedVolumes[] = [
  {
    resource: 'attachable-volumes-aws-ebs',
    usual: 39,
    idOf: ({ awsElasticBlockStore: disk }) => disk?.volumeID,
  },
  { resource: 'attachable-volumes-gce-pd', usual: 16, idOf: ({ gcePersistentDisk: disk }) => disk?.pdName },
  { resource: 'attachable-volumes-azure-disk', usual: 16, idOf: ({ azureDisk: disk }) => disk?.diskName },
];

/** Numbers of volumes that can be attached to a node. */
export const volumeLimitFilter: FilterPlugin = (pod, cluster) => {
  const wanted = idsOf(pod, cluster);
  if (wanted.size === 0) return undefined;
  return {
    check(node) {
      const all = new Set(wanted);
      const taken = new Set<string>();
      for (const other of node.pods()) for (const id of idsOf(other, cluster)) taken.add(id);
      for (const id of taken) all.add(id);
      for (const kind of new Set([...wanted].map(kindOf))) {
        const ofKind = (ids: ReadonlySet<string>) => [...ids].filter((id) => kindOf(id) === kind).length;
        // What is there already needs no more room.
        if (ofKind(all) > ofKind(taken) && ofKind(all) > limitOf(kind, node, cluster)) return refusal;
      }
      return undefined;
    },
  };
};

const kindOf = (id: string): string => id.slice(0, id.indexOf('\0'));

/** Volumes of a pod that are limited, as `KIND\0ID`. */
function idsOf({ pod, namespace }: PodInfo, { lookups: { volumes } }: Cluster): ReadonlySet<string> {
  const ids = new Set<string>();
  for (const volume of pod.spec.volumes ?? []) {
    const { persistentVolumeClaim: claimed } = volume;
    if (claimed === undefined) {
      const { csi: _ofPod, ...disks } = volume;
      addId(ids, disks);
      continue;
    }
    const claim = volumes.claim(namespace, claimed.claimName);
    const bound = claim?.spec.volumeName ? volumes.volume(claim.spec.volumeName) : undefined;
    if (bound !== undefined) addId(ids, bound.spec);
    else if (claim?.spec.storageClassName) {
      // It will be a volume of its class, which is known by who makes those.
      const { provisioner = '' } = volumes.storageClass(claim.spec.storageClassName) ?? {};
      if (provisioner !== '')
        ids.add(`attachable-volumes-csi-${provisioner}\0${namespace}/${claimed.claimName}`);
    }
  }
  return ids;
}

function addId(ids: Set<string>, volume: Disks & Pick<PersistentVolumeSpec, 'csi'>): void {
  for (const { resource, idOf } of limited) {
    const id = idOf(volume);
    if (id !== undefined) ids.add(`${resource}\0${id}`);
  }
  if (volume.csi !== undefined) {
    ids.add(`attachable-volumes-csi-${volume.csi.driver}\0${volume.csi.volumeHandle}`);
  }
}

function limitOf(kind: string, node: NodeInfo, { lookups: { volumes } }: Cluster): number {
  const given = node.allocatable.get(kind);
  if (given !== undefined) return given;
  const driver = volumes
    .csiNode(node.name)
    ?.spec.drivers?.find(({ name }) => kind === `attachable-volumes-csi-${name}`);
  const usual = limited.find(({ resource }) => resource === kind)?.usual;
  return driver?.allocatable?.count ?? usual ?? Number.POSITIVE_INFINITY;
}
