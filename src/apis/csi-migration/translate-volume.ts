import { ownValue } from '../../base/index.ts';
import type { Dialect } from '../../machinery/dialect.ts';
import type {
  CSIPersistentVolumeSource,
  NodeSelectorTerm,
  PersistentVolume,
  PersistentVolumeSpec,
  Volume,
} from '../types/core-v1.ts';
import type { MigratedKind } from './migrated-kinds.ts';
import { type TranslatedSource, translateSource } from './translate-source.ts';

/**
 * A persistent volume of a built-in kind as one of the driver that serves it. What is given stays as it is.
 *
 * @throws Error with release 1.20's message for names that make no sense
 */
export function translatePersistentVolume(
  volume: PersistentVolume,
  kind: MigratedKind,
  dialect: Dialect,
): PersistentVolume {
  const { annotations = {} } = volume.metadata;
  const translated = translate(kind, volume.spec, dialect, {
    zones: zonesOfLabels(volume, dialect),
    resourceGroup: annotations[dialect.label('azure-file-resource-group')] ?? '',
  });
  const { [kind.field]: _source, accessModes, ...spec } = volume.spec;
  const nodeAffinity =
    kind.topologyKey === undefined ? spec.nodeAffinity : translateTopology(volume, kind.topologyKey, dialect);
  return {
    ...volume,
    spec: {
      ...spec,
      accessModes: kind.field === 'gcePersistentDisk' ? oneMode(accessModes) : accessModes,
      nodeAffinity,
      csi: csiSource(kind, translated),
    },
  };
}

/**
 * A volume that a pod describes as the persistent volume of its driver, which no server has.
 *
 * @throws Error with release 1.20's message for names that make no sense
 */
export function translatePodVolume(
  volume: Volume,
  kind: MigratedKind,
  { namespace, dialect }: { readonly namespace: string; readonly dialect: Dialect },
): PersistentVolume {
  const translated = translate(kind, volume, dialect, { namespace, zones: '', resourceGroup: '' });
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolume',
    metadata: { name: `${kind.driver}-${translated.id}` },
    spec: {
      csi: csiSource(kind, translated),
      accessModes: [translated.accessMode ?? 'ReadWriteOnce'],
      volumeMode: 'Filesystem',
    },
    status: {},
  };
}

function translate(
  kind: MigratedKind,
  sources: Pick<PersistentVolumeSpec, MigratedKind['field']>,
  dialect: Dialect,
  facts: Parameters<typeof translateSource>[2],
): TranslatedSource {
  try {
    return translateSource(kind, sources, facts);
  } catch (cause) {
    if (!(cause instanceof Error)) throw cause;
    const what = `failed to translate in-tree pv to CSI: ${dialect.spell(cause.message)}`;
    throw new Error(what, { cause });
  }
}

function csiSource({ driver }: MigratedKind, translated: TranslatedSource): CSIPersistentVolumeSource {
  const { handle, fsType, readOnly, attributes, stageSecret } = translated;
  return {
    driver,
    volumeHandle: handle,
    readOnly: readOnly === true,
    fsType: fsType ?? '',
    volumeAttributes: { ...attributes },
    ...(stageSecret && { nodeStageSecretRef: stageSecret }),
  };
}

/**
 * The one access mode that the driver of Google's disks takes: the built-in kind never held volumes to theirs, the driver does
 * (release 1.20, `backwardCompatibleAccessModes`).
 */
function oneMode(modes: PersistentVolumeSpec['accessModes']): PersistentVolumeSpec['accessModes'] {
  if (!modes) return modes;
  const isOnlyRead = modes.includes('ReadOnlyMany') && !modes.some((mode) => /^ReadWrite/.test(mode));
  return [isOnlyRead ? 'ReadOnlyMany' : 'ReadWriteOnce'];
}

type NodeAffinity = PersistentVolume['spec']['nodeAffinity'];
type Terms = readonly NodeSelectorTerm[];

/** Zones that a volume's labels name, joined by `__`; empty without such a label. */
function zonesOfLabels({ metadata }: PersistentVolume, dialect: Dialect): string {
  const { labels = {} } = metadata;
  return (
    zoneLabels(dialect)
      .map((label) => ownValue(labels, label))
      .find(Boolean) ?? ''
  );
}

/**
 * Which nodes reach a volume, by the label with which its driver tells zones: what the volume asks of zones is asked of that
 * label, and where it asks nothing, what its labels say (release 1.20, `translateTopology`).
 */
function translateTopology(volume: PersistentVolume, topologyKey: string, dialect: Dialect): NodeAffinity {
  const { nodeAffinity } = volume.spec;
  const terms = nodeAffinity?.required?.nodeSelectorTerms ?? [];
  if (asksFor(terms, topologyKey)) return nodeAffinity;
  const known = zoneLabels(dialect).find((label) => asksFor(terms, label));
  if (known !== undefined) return { required: { nodeSelectorTerms: replaceKey(terms, known, topologyKey) } };
  const zones = listZones(zonesOfLabels(volume, dialect));
  if (zones.length === 0) return nodeAffinity;
  return { required: { nodeSelectorTerms: addZones(terms, topologyKey, zones) } };
}

/** The older label counts first, as release 1.20 writes it on volumes. */
const zoneLabels = (dialect: Dialect): readonly string[] =>
  ['failure-domain.beta', 'topology'].map((domain) => dialect.domain(domain, 'zone'));

const listZones = (text: string): string[] => {
  const zones = text.split('__').map((zone) => zone.trim());
  return [...new Set(zones.filter((zone) => zone !== ''))].sort();
};

const asksFor = (terms: Terms, label: string): boolean =>
  terms.some(({ matchExpressions = [] }) => matchExpressions.some(({ key }) => key === label));

const replaceKey = (terms: Terms, from: string, to: string): NodeSelectorTerm[] =>
  terms.map(({ matchExpressions = [], ...term }) => ({
    ...term,
    matchExpressions: matchExpressions.map((one) => (one.key === from ? { ...one, key: to } : one)),
  }));

const addZones = (terms: Terms, key: string, values: readonly string[]): NodeSelectorTerm[] =>
  (terms.length === 0 ? [{}] : terms).map(({ matchExpressions = [], ...term }: NodeSelectorTerm) => ({
    ...term,
    matchExpressions: [...matchExpressions, { key, operator: 'In', values: [...values] }],
  }));
