import type { Pod, Volume } from '../../apis/types/core-v1.ts';
import { ownValue } from '../../base/index.ts';
import type { Cluster } from '../cluster.ts';
import type { PodInfo } from '../pod-info.ts';
import { type FilterPlugin, resolvable, unresolvable } from './filter.ts';

/** Claims that a pod's volumes name. */
const claimNames = ({ spec }: Pod): readonly string[] =>
  (spec.volumes ?? []).flatMap(({ persistentVolumeClaim: claim }) => claim?.claimName ?? []);

const diskRefusal = resolvable('node(s) had no available disk');

/** Disks that only one pod of a node can have. Source: release 1.20, `volumerestrictions`. */
export const diskFilter: FilterPlugin = ({ pod }) => {
  const wanted = (pod.spec.volumes ?? []).filter(isDisk);
  if (wanted.length === 0) return undefined;
  return {
    check(node) {
      for (const other of node.pods()) {
        const taken = other.pod.spec.volumes ?? [];
        if (wanted.some((volume) => taken.some((each) => conflict(volume, each)))) return diskRefusal;
      }
      return undefined;
    },
  };
};

const isDisk = ({ gcePersistentDisk, awsElasticBlockStore, rbd, iscsi }: Volume): boolean =>
  (gcePersistentDisk ?? awsElasticBlockStore ?? rbd ?? iscsi) !== undefined;

function conflict(a: Volume, b: Volume): boolean {
  if (a.gcePersistentDisk && b.gcePersistentDisk) {
    const areRead = a.gcePersistentDisk.readOnly === true && b.gcePersistentDisk.readOnly === true;
    if (a.gcePersistentDisk.pdName === b.gcePersistentDisk.pdName && !areRead) return true;
  }
  if (a.awsElasticBlockStore && b.awsElasticBlockStore) {
    if (a.awsElasticBlockStore.volumeID === b.awsElasticBlockStore.volumeID) return true;
  }
  if (a.iscsi && b.iscsi) {
    const areRead = a.iscsi.readOnly === true && b.iscsi.readOnly === true;
    if (a.iscsi.iqn === b.iscsi.iqn && !areRead) return true;
  }
  if (a.rbd && b.rbd) {
    const isSame = a.rbd.pool === b.rbd.pool && a.rbd.image === b.rbd.image;
    const monitors = b.rbd.monitors ?? [];
    const meets = (a.rbd.monitors ?? []).some((monitor) => monitors.includes(monitor));
    if (isSame && meets && !(a.rbd.readOnly === true && b.rbd.readOnly === true)) return true;
  }
  return false;
}

const zoneRefusal = unresolvable('node(s) had no available volume zone');

/** Zones and regions that labels of bound volumes name. Source: release 1.20, `volumezone`. */
export const zoneFilter: FilterPlugin = (pod, cluster) => {
  const { dialect } = cluster;
  const names = ['topology', 'failure-domain.beta'].flatMap((domain) =>
    ['zone', 'region'].map((name) => dialect.domain(domain, name)),
  );
  const wanted: { readonly name: string; readonly values: ReadonlySet<string> }[] = [];
  for (const volume of boundVolumes(pod, cluster)) {
    for (const name of names) {
      const text = ownValue(volume.metadata.labels ?? {}, name);
      const zones = text?.split('__').map((zone) => zone.trim()) ?? [];
      // A list with gaps says nothing.
      if (zones.length > 0 && !zones.includes('')) wanted.push({ name, values: new Set(zones) });
    }
  }
  if (wanted.length === 0) return undefined;
  return {
    check({ labels }) {
      // Nodes without any of them are of no cloud.
      if (!names.some((name) => ownValue(labels, name) !== undefined)) return undefined;
      const isThere = wanted.every(({ name, values }) => values.has(ownValue(labels, name) ?? ''));
      return isThere ? undefined : zoneRefusal;
    },
  };
};

function* boundVolumes({ pod, namespace }: PodInfo, { lookups: { volumes } }: Cluster) {
  for (const name of claimNames(pod)) {
    const { volumeName = '' } = volumes.claim(namespace, name)?.spec ?? {};
    const volume = volumeName === '' ? undefined : volumes.volume(volumeName);
    if (volume !== undefined) yield volume;
  }
}
