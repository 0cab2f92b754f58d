import { storageClassName } from '../../apis/core/index.ts';
import { kindOf, type MigratedKind } from '../../apis/csi-migration/index.ts';
import type { PersistentVolumeSpec, Volume } from '../../apis/types/core-v1.ts';
import type { Cluster } from '../cluster.ts';
import type { NodeInfo } from '../node-info.ts';
import type { PodInfo } from '../pod-info.ts';
import { type FilterPlugin, resolvable } from './filter.ts';
import { migratedVolume } from './migrated-volume.ts';

const refusal = resolvable('node(s) exceed max volume count');

/** What volumes of pods and volumes of claims both name. */
type Disks = Pick<Volume, 'awsElasticBlockStore' | 'gcePersistentDisk' | 'azureDisk'>;

/** Volumes of one kind, of which a node takes a limited number. */
interface LimitedVolumes {
  /** The name of the limit among a node's allocatable resources. */
  readonly resource: string;
  /** Where the node says nothing of it. */
  readonly usual: number;
  /** The same for some types of machines. */
  readonly ofMachines?: { readonly types: RegExp; readonly limit: number };
  /** Who makes such volumes, without the product's domain. */
  readonly plugin: string;
  idOf(volume: Disks): string | undefined;
}

/** Source: release 1.20, `nodevolumelimits/non_csi.go`, `volume/util/attach_limit.go`. */
const limited: readonly LimitedVolumes[] = [
  {
    resource: 'attachable-volumes-aws-ebs',
    usual: 39,
    ofMachines: { types: /^[cmr]5.*|t3|z1d/, limit: 25 },
    plugin: 'aws-ebs',
    idOf: ({ awsElasticBlockStore: disk }) => disk?.volumeID,
  },
  {
    resource: 'attachable-volumes-gce-pd',
    usual: 16,
    plugin: 'gce-pd',
    idOf: ({ gcePersistentDisk: disk }) => disk?.pdName,
  },
  {
    resource: 'attachable-volumes-azure-disk',
    usual: 16,
    plugin: 'azure-disk',
    idOf: ({ azureDisk: disk }) => disk?.diskName,
  },
];

/** Numbers of volumes that can be attached to a node. */
export const volumeLimitFilter: FilterPlugin = (pod, cluster) => {
  const { volumes } = cluster.lookups;
  const usual = idsOf(pod, cluster, []);
  if (usual.size === 0 && idsOf(pod, cluster, volumes.migratedKinds).size === 0) return undefined;
  return {
    check(node) {
      const migrated = volumes.migratedOn(node.name);
      const wanted = migrated.length === 0 ? usual : idsOf(pod, cluster, migrated);
      const all = new Set(wanted);
      const taken = new Set<string>();
      for (const other of node.pods()) for (const id of idsOf(other, cluster, migrated)) taken.add(id);
      for (const id of taken) all.add(id);
      for (const limit of new Set([...wanted].map(limitOfId))) {
        const count = (ids: ReadonlySet<string>) => [...ids].filter((id) => limitOfId(id) === limit).length;
        if (count(all) <= limitOf(limit, node, cluster)) continue;
        // What drivers have there already needs no more room; of built-in kinds no more may be there (release 1.20).
        if (count(all) > count(taken) || !limit.startsWith(driverPrefix)) return refusal;
      }
      return undefined;
    },
  };
};

/** Before the name of a driver, among allocatable resources. */
const driverPrefix = 'attachable-volumes-csi-';

const limitOfId = (id: string): string => id.slice(0, id.indexOf('\0'));

/**
 * Volumes of a pod that are limited, as `LIMIT\0ID`. Those of migrated kinds count as their drivers', but not when pods describe
 * them themselves (release 1.20).
 */
function idsOf(
  { pod, namespace }: PodInfo,
  { lookups: { volumes }, dialect }: Cluster,
  migrated: readonly MigratedKind[],
): ReadonlySet<string> {
  const ids = new Set<string>();
  for (const volume of pod.spec.volumes ?? []) {
    const { persistentVolumeClaim: claimed } = volume;
    if (claimed === undefined) {
      const { csi: _ofPod, ...disks } = volume;
      if (kindOf(disks, migrated) === undefined) addId(ids, disks);
      continue;
    }
    const claim = volumes.claim(namespace, claimed.claimName);
    const bound = claim?.spec.volumeName ? volumes.volume(claim.spec.volumeName) : undefined;
    if (bound !== undefined) addId(ids, (migratedVolume(bound, migrated, dialect) ?? bound).spec);
    else if (claim !== undefined) {
      // It will be a volume of its class, which is known by who makes those.
      const { provisioner = '' } = volumes.storageClass(storageClassName(claim, dialect)) ?? {};
      const isMaker = ({ plugin }: { readonly plugin: string }) => provisioner === dialect.label(plugin);
      const driver = migrated.find(isMaker)?.driver;
      const builtIn = driver === undefined ? limited.find(isMaker)?.resource : undefined;
      const limit = builtIn ?? `${driverPrefix}${driver ?? provisioner}`;
      if (provisioner !== '') ids.add(`${limit}\0${namespace}/${claimed.claimName}`);
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
    ids.add(`${driverPrefix}${volume.csi.driver}\0${volume.csi.volumeHandle}`);
  }
}

function limitOf(kind: string, node: NodeInfo, { lookups: { volumes }, dialect }: Cluster): number {
  const drivers = volumes.csiNode(node.name)?.spec.drivers ?? [];
  const ofDriver = drivers.find(({ name }) => kind === `${driverPrefix}${name}`)?.allocatable?.count;
  const given = ofDriver ?? node.allocatable.get(kind);
  if (given !== undefined) return given;
  const found = limited.find(({ resource }) => resource === kind);
  if (found === undefined) return Number.POSITIVE_INFINITY;
  const ofMachines = found.ofMachines;
  const machine = ['node', 'beta'].map((domain) => node.labels[dialect.domain(domain, 'instance-type')]);
  return ofMachines?.types.test(machine[0] ?? machine[1] ?? '') ? ofMachines.limit : found.usual;
}
