import type { SecretReference } from '../types/core-v1.ts';
import type { MigratedKind, MigratedSources } from './migrated-kinds.ts';

/** A source as its driver knows it. */
export interface TranslatedSource {
  /** What the name of a volume that a pod describes ends with: tells volumes of one driver apart. */
  readonly id: string;
  readonly handle: string;
  readonly fsType?: string | undefined;
  readonly readOnly?: boolean | undefined;
  readonly attributes: Readonly<Record<string, string>>;
  readonly stageSecret?: SecretReference | undefined;
  /** How a volume that a pod describes is used; undefined: by one node, to read and write. */
  readonly accessMode?: 'ReadOnlyMany' | 'ReadWriteMany' | undefined;
}

/** What counts beside the source. */
export interface SourceFacts {
  /** Of the pod that describes the volume; undefined for persistent volumes. */
  readonly namespace?: string | undefined;
  /** Zones that labels of the persistent volume name, joined by `__`. */
  readonly zones: string;
  /** Of a share, as an annotation of the persistent volume names it. */
  readonly resourceGroup: string;
}

type Translator = (sources: MigratedSources, facts: SourceFacts) => TranslatedSource | undefined;

const translators: Readonly<Record<MigratedKind['field'], Translator>> = {
  awsElasticBlockStore({ awsElasticBlockStore: disk }) {
    if (!disk) return undefined;
    const handle = readEbsHandle(disk.volumeID);
    const { fsType, readOnly, partition = 0 } = disk;
    return { id: handle, handle, fsType, readOnly, attributes: { partition: `${partition}` } };
  },
  azureDisk({ azureDisk: disk }) {
    if (!disk) return undefined;
    const { diskName: id, diskURI: handle, fsType, readOnly, cachingMode, kind = 'Managed' } = disk;
    const attributes = { kind, ...(cachingMode && { cachingMode }), ...(fsType !== undefined && { fsType }) };
    return { id, handle, fsType, readOnly, attributes };
  },
  azureFile({ azureFile: share }, { namespace, resourceGroup }) {
    if (!share) return undefined;
    const { secretName, shareName, readOnly } = share;
    const account = between(secretName, 'azure-storage-account-', '-secret') ?? secretName;
    const place = { name: secretName, namespace: namespace || share.secretNamespace || 'default' };
    return {
      // Shares of several accounts may have one name, and accounts are behind secrets.
      id: `${place.namespace}#${secretName}#${shareName}`,
      handle: `${resourceGroup}#${account}#${shareName}#`,
      readOnly,
      attributes: { sharename: shareName },
      stageSecret: place,
      accessMode: 'ReadWriteMany',
    };
  },
  cinder({ cinder: disk }) {
    if (!disk) return undefined;
    const { volumeID: handle, fsType, readOnly } = disk;
    return { id: handle, handle, fsType, readOnly, attributes: {} };
  },
  gcePersistentDisk({ gcePersistentDisk: disk }, { zones }) {
    if (!disk) return undefined;
    const { pdName, fsType, readOnly, partition } = disk;
    const attributes = { partition: partition ? `${partition}` : '' };
    const handle = `projects/${unspecified}/${placeOfZones(zones)}/disks/${pdName}`;
    const accessMode = readOnly ? 'ReadOnlyMany' : undefined;
    return { id: pdName, handle, fsType, readOnly, attributes, accessMode };
  },
  vsphereVolume({ vsphereVolume: disk }) {
    if (!disk) return undefined;
    const { volumePath: handle, fsType, storagePolicyName: policy } = disk;
    return { id: handle, handle, fsType, attributes: policy ? { storagepolicyname: policy } : {} };
  },
};

/** As drivers know it (release 1.20, `csi-translation-lib/plugins`). @throws Error for names that make no sense */
export function translateSource(
  { field }: MigratedKind,
  sources: MigratedSources,
  facts: SourceFacts,
): TranslatedSource {
  const translated = translators[field](sources, facts);
  if (translated === undefined) throw new TypeError(`the volume has no ${field}`);
  return translated;
}

/** What stands between two texts, as much of it as there is; undefined when that is nothing. No pattern: names may be long. */
function between(text: string, before: string, after: string): string | undefined {
  const at = text.indexOf(before);
  return (at < 0 ? '' : text.slice(at + before.length, Math.max(0, text.lastIndexOf(after)))) || undefined;
}

/** `vol-1`, `aws:///vol-1` and `aws://ZONE/vol-1` are the same volume. */
function readEbsHandle(id: string): string {
  if (!id.startsWith('aws://')) return id;
  const path = /^aws:\/\/[^/?#]*([^?#]*)/.exec(id)?.[1] ?? '';
  const names = path.split('/').filter((name) => name !== '');
  const [handle = ''] = names;
  if (names.length === 1 && handle.startsWith('vol-')) return handle;
  throw new Error(`failed to translate Orch ID to EBS Volume ID Invalid format for AWS volume (${id})`);
}

/** What the driver finds out itself. */
const unspecified = 'UNSPECIFIED';

/** A disk in several zones belongs to their region. */
function placeOfZones(text: string): string {
  const zones = text.split('__');
  return zones.length === 1 ? `zones/${text || unspecified}` : `regions/${regionOf(zones)}`;
}

function regionOf(zones: readonly string[]): string {
  const failed = 'failed to get region from zones:';
  const regions = zones.map((zone) => {
    const parts = zone.split('-');
    if (parts.length === 3) return parts.slice(0, 2).join('-');
    const form = '{locale}-{region}-{zone}';
    throw new Error(`${failed} zone in unexpected format, expected: ${form}, got: ${zone}`);
  });
  const [region = '', ...others] = [...new Set(regions)].sort();
  if (others.length === 0) return region;
  const list = [region, ...others].map((one) => `${one}:{}`).join(' ');
  throw new Error(`${failed} multiple or no regions gotten from zones, got: map[${list}]`);
}
