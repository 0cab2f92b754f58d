import type {
  NodeSelectorRequirement,
  PersistentVolume,
  PersistentVolumeSpec,
} from '../../../apis/types/core-v1.ts';
import type { Dialect } from '../../../machinery/dialect.ts';
import type { PluginSources } from '../options.ts';
import { type AdmissionPlugin, onOperations } from '../plugin.ts';
import { objectsOf } from '../pod-attributes.ts';
import { refuse } from '../refusal.ts';

/**
 * PersistentVolumeLabel (deprecated): zone and region of a cloud's volume become its labels and its node affinity. There is no
 * provider of a cloud here, so that, as in release 1.20 without one, volumes of clouds are refused unless whoever provisioned
 * them labelled them. Source: `plugin/pkg/admission/storage/persistentvolume/label`.
 */
export function persistentVolumeLabel({ dialect }: PluginSources): AdmissionPlugin {
  return {
    name: 'PersistentVolumeLabel',
    handles: onOperations('CREATE'),
    admit(attributes) {
      const { resource } = attributes;
      if (resource.resource !== 'persistentvolumes' || resource.group !== '') return;
      const { object: volume } = objectsOf<PersistentVolume>(attributes);
      if (volume === undefined) return;
      const labels = givenLabels(volume, dialect);
      if (labels === undefined) {
        const problem = findUnknownDisk(volume.spec);
        if (problem !== undefined) throw refuse(attributes, problem);
        return;
      }
      const requirements = Object.entries(labels).map(([key, value]): NodeSelectorRequirement => {
        const values = key.endsWith('/zone') ? zonesOf(value) : [value];
        if (values !== undefined) return { key, operator: 'In', values };
        throw refuse(attributes, `failed to convert label string for Zone: ${value} to a Set`);
      });
      requireNodes(volume.spec, requirements);
    },
  };
}

/** Zone and region of a volume that was made for a claim. */
function givenLabels({ metadata }: PersistentVolume, dialect: Dialect): Record<string, string> | undefined {
  const { labels = {}, annotations = {} } = metadata;
  if (annotations[dialect.domain('pv', 'provisioned-by')] === undefined) return undefined;
  for (const domain of ['topology', 'failure-domain.beta']) {
    const names = ['zone', 'region'].map((name) => dialect.domain(domain, name));
    if (names.every((name) => labels[name] !== undefined)) {
      return Object.fromEntries(names.map((name) => [name, labels[name] ?? '']));
    }
  }
  return undefined;
}

interface CloudDisk {
  readonly what: string;
  /** As messages name it. */
  readonly provider: string;
  readonly idOf: (spec: PersistentVolumeSpec) => string | undefined;
  /** One that is being provisioned is asked about, too. */
  readonly isAlwaysAsked?: boolean;
}

const disks: readonly CloudDisk[] = [
  {
    what: 'AWS EBS volume',
    provider: 'AWS cloud provider for EBS',
    idOf: ({ awsElasticBlockStore: disk }) => disk && (disk.volumeID ?? ''),
  },
  {
    what: 'GCE PD volume',
    provider: 'GCE cloud provider for PD',
    idOf: ({ gcePersistentDisk: disk }) => disk && (disk.pdName ?? ''),
  },
  {
    what: 'AzureDisk volume',
    provider: 'Azure cloud provider for AzureDisk',
    idOf: ({ azureDisk: disk }) => disk && (disk.diskName ?? ''),
  },
  {
    what: 'Cinder volume',
    provider: 'OpenStack cloud provider for Cinder disk',
    idOf: ({ cinder: disk }) => disk && (disk.volumeID ?? ''),
  },
  {
    what: 'vSphere Volume',
    provider: 'vSphere cloud provider',
    idOf: ({ vsphereVolume: disk }) => disk && (disk.volumePath ?? ''),
    isAlwaysAsked: true,
  },
];

/** The name of a disk that does not exist yet (`cloud-provider/volume`, `ProvisionedVolumeName`). */
const placeholder = 'placeholder-for-provisioning';

function findUnknownDisk(spec: PersistentVolumeSpec): string | undefined {
  for (const { what, provider, idOf, isAlwaysAsked } of disks) {
    const id = idOf(spec);
    if (id === undefined) continue;
    if (id === placeholder && isAlwaysAsked !== true) return undefined;
    return `error querying ${what} ${id}: unable to build ${provider}`;
  }
  return undefined;
}

/** `a__b`: the zones in order; undefined when one has no name. */
function zonesOf(text: string): string[] | undefined {
  const zones = text.split('__').map((zone) => zone.trim());
  return zones.includes('') ? undefined : [...new Set(zones)].sort();
}

/** Adds to each term, unless one of them speaks of the same labels already. */
function requireNodes(spec: PersistentVolumeSpec, requirements: readonly NodeSelectorRequirement[]): void {
  const { required } = spec.nodeAffinity ?? {};
  const given = required?.nodeSelectorTerms ?? [];
  const terms = given.length === 0 ? [{}] : given;
  const keys = new Set(requirements.map(({ key }) => key));
  if (terms.some(({ matchExpressions = [] }) => matchExpressions.some(({ key }) => keys.has(key)))) return;
  spec.nodeAffinity = {
    ...spec.nodeAffinity,
    required: {
      ...required,
      nodeSelectorTerms: terms.map((term) => ({
        ...term,
        matchExpressions: [...(term.matchExpressions ?? []), ...requirements],
      })),
    },
  };
}
