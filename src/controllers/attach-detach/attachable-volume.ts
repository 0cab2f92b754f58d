import { createHash } from 'node:crypto';
import {
  kindOf,
  type MigratedKind,
  translatePersistentVolume,
  translatePodVolume,
} from '../../apis/csi-migration/index.ts';
import type { PersistentVolume, PersistentVolumeClaim, Pod, Volume } from '../../apis/types/core-v1.ts';
import type { CSIDriver, VolumeAttachmentSource } from '../../apis/types/storage-v1.ts';
import type { Dialect } from '../../machinery/dialect.ts';

/** A volume that a driver attaches to nodes. */
export interface AttachableVolume {
  /** As status of nodes names it, such as `orch.io/csi/DRIVER^HANDLE`. */
  readonly key: string;
  /** As events name it. */
  readonly name: string;
  /** Several nodes may have it at once. */
  readonly isShared: boolean;
  /** What its attachment says of it. */
  readonly source: VolumeAttachmentSource;
}

/** A volume of a driver, and where it is or is to be. */
export interface AttachmentPlace {
  readonly driver: string;
  readonly handle: string;
  readonly node: string;
}

/** What volumes of pods are found out by. */
export interface VolumeSources {
  readonly dialect: Dialect;
  readonly claim: (namespace: string, name: string) => PersistentVolumeClaim | undefined;
  readonly volume: (name: string) => PersistentVolume | undefined;
  readonly driver: (name: string) => CSIDriver | undefined;
  /** Built-in kinds of volumes that drivers serve on a node. */
  readonly migratedOn: (node: string) => readonly MigratedKind[];
}

/** Name of the attachment of a volume (release 1.20); the agent looks for the same. */
export const attachmentNameOf = ({ driver, handle, node }: AttachmentPlace): string =>
  `csi-${createHash('sha256').update(`${handle}${driver}${node}`).digest('hex')}`;

/** The names in status of nodes begin with this when a driver attaches the volume. */
export const keyPrefix = (dialect: Dialect): string => `${dialect.label('csi')}/`;

/** Driver and handle in a name of a node's status; undefined when no driver attaches that volume. */
export function readKey(key: string, dialect: Dialect): Omit<AttachmentPlace, 'node'> | undefined {
  const prefix = keyPrefix(dialect);
  const separator = key.indexOf('^');
  if (!key.startsWith(prefix) || separator < 0) return undefined;
  return { driver: key.slice(prefix.length, separator), handle: key.slice(separator + 1) };
}

/** Whether a driver has its volumes attached: all do that do not say otherwise. */
export const attaches = (key: string, { dialect, driver }: VolumeSources): boolean =>
  driver(readKey(key, dialect)?.driver ?? '')?.spec.attachRequired !== false;

/** A volume of a pod as its driver attaches it; undefined while it is not bound, and when no driver serves it. */
export function attachableOfPod(
  podVolume: Volume,
  { metadata, spec }: Pod,
  sources: VolumeSources,
): AttachableVolume | undefined {
  const { namespace = '', name } = metadata;
  const { persistentVolumeClaim: named, ephemeral } = podVolume;
  const node = spec.nodeName ?? '';
  if (named || ephemeral) {
    const volume = boundVolume(namespace, named ? named.claimName : `${name}-${podVolume.name}`, sources);
    return volume && attachableOf(volume, node, sources);
  }
  const kind = kindOf(podVolume, sources.migratedOn(node));
  const translated = translateOrNone(
    () => kind && translatePodVolume(podVolume, kind, { namespace, dialect: sources.dialect }),
  );
  return translated && describe(translated, { inlineVolumeSpec: translated.spec }, sources.dialect);
}

/** A persistent volume as its driver attaches it to a node; undefined when no driver serves it there. */
export function attachableOf(
  volume: PersistentVolume,
  node: string,
  { dialect, migratedOn }: VolumeSources,
): AttachableVolume | undefined {
  const source = { persistentVolumeName: volume.metadata.name ?? '' };
  if (volume.spec.csi) return describe(volume, source, dialect);
  const kind = kindOf(volume.spec, migratedOn(node));
  const translated = translateOrNone(() => kind && translatePersistentVolume(volume, kind, dialect));
  return translated && describe(translated, source, dialect);
}

function boundVolume(
  namespace: string,
  claimName: string,
  sources: VolumeSources,
): PersistentVolume | undefined {
  const claim = sources.claim(namespace, claimName);
  if (claim?.status.phase !== 'Bound' || !claim.spec.volumeName) return undefined;
  const volume = sources.volume(claim.spec.volumeName);
  return volume?.spec.claimRef?.uid === claim.metadata.uid ? volume : undefined;
}

function describe(
  { metadata, spec: { csi, accessModes } }: PersistentVolume,
  source: VolumeAttachmentSource,
  dialect: Dialect,
): AttachableVolume | undefined {
  if (!csi) return undefined;
  const modes = accessModes ?? [];
  return {
    key: `${keyPrefix(dialect)}${csi.driver}^${csi.volumeHandle}`,
    name: metadata.name ?? '',
    // Without modes nothing is known: the driver refuses what it cannot do.
    isShared: modes.length === 0 || modes.some((mode) => mode === 'ReadWriteMany' || mode === 'ReadOnlyMany'),
    source,
  };
}

/** Names that make no sense are told to the pod on its node. */
function translateOrNone(translate: () => PersistentVolume | undefined): PersistentVolume | undefined {
  try {
    return translate();
  } catch {
    return undefined; // said above
  }
}
