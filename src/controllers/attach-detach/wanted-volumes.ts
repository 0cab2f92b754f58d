import { isPodTerminated } from '../../apis/core/index.ts';
import type { Node, Pod } from '../../apis/types/core-v1.ts';
import type { Dialect } from '../../machinery/dialect.ts';
import { type AttachableVolume, attachableOfPod, attaches, type VolumeSources } from './attachable-volume.ts';

/** A volume that pods need on a node. */
export interface WantedVolume {
  readonly volume: AttachableVolume;
  readonly node: string;
  readonly pods: readonly Pod[];
}

/** What pods were found to need before, by uid and the volume's name in the pod. */
export type KnownVolumes = ReadonlyMap<string, ReadonlyMap<string, AttachableVolume>>;

/** What is asked to find out what is to be attached. */
export interface WantedSources extends VolumeSources {
  readonly node: (name: string) => Node | undefined;
}

/** A volume and a node as one text. */
export const placeKey = (key: string, node: string): string => `${node}/${key}`;

/**
 * What is to be attached where, by `placeKey`. What was found of a pod stays so until the pod ends or goes, also when its claim,
 * its volume or its node go first. Pure.
 */
export function wantedVolumes(
  pods: readonly Pod[],
  known: KnownVolumes,
  sources: WantedSources,
): { readonly wanted: ReadonlyMap<string, WantedVolume>; readonly known: KnownVolumes } {
  const wanted = new Map<string, WantedVolume & { readonly pods: Pod[] }>();
  const found = new Map<string, ReadonlyMap<string, AttachableVolume>>();
  for (const pod of pods) {
    const { uid = '' } = pod.metadata;
    const volumes = volumesOf(pod, known.get(uid), sources);
    if (volumes.size === 0) continue;
    found.set(uid, volumes);
    const node = pod.spec.nodeName ?? '';
    for (const volume of volumes.values()) {
      const place = placeKey(volume.key, node);
      const other = wanted.get(place);
      if (other === undefined) wanted.set(place, { volume, node, pods: [pod] });
      else if (!other.pods.includes(pod)) other.pods.push(pod);
    }
  }
  return { wanted, known: found };
}

function volumesOf(
  pod: Pod,
  known: ReadonlyMap<string, AttachableVolume> | undefined,
  sources: WantedSources,
): ReadonlyMap<string, AttachableVolume> {
  const volumes = new Map<string, AttachableVolume>();
  const { nodeName } = pod.spec;
  if (!nodeName) return volumes;
  const node = sources.node(nodeName);
  if (isPodTerminated(pod) && !keepsVolumes(node, sources.dialect)) return volumes;
  const isManaged = isManagedNode(node, sources.dialect);
  for (const podVolume of pod.spec.volumes ?? []) {
    const current = isManaged ? attachableOfPod(podVolume, pod, sources) : undefined;
    const volume = current ?? known?.get(podVolume.name);
    if (volume !== undefined && attaches(volume.key, sources)) volumes.set(podVolume.name, volume);
  }
  return volumes;
}

/** Whether the node leaves attaching to this controller. */
const isManagedNode = (node: Node | undefined, dialect: Dialect): boolean =>
  node?.metadata.annotations?.[dialect.domain('volumes', 'controller-managed-attach-detach')] === 'true';

/** Whether the node wants the volumes of pods that have ended to stay. */
const keepsVolumes = (node: Node | undefined, dialect: Dialect): boolean =>
  node?.metadata.annotations?.[dialect.domain('volumes', 'keep-terminated-pod-volumes')] === 'true';
