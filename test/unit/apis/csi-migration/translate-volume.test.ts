import { expect } from 'chai';
import { describe, it } from 'mocha';
import {
  kindOf,
  translatePersistentVolume,
  translatePodVolume,
} from '../../../../src/apis/csi-migration/index.ts';
import type { PersistentVolume, Volume } from '../../../../src/apis/types/core-v1.ts';
import { createDialect } from '../../../../src/machinery/dialect.ts';
import { cpuMsOf } from '../../../support/cpu-time.ts';

const dialect = createDialect('kubernetes');
type Spec = PersistentVolume['spec'];

function translated(spec: Spec, metadata: Partial<PersistentVolume['metadata']> = {}): Spec {
  const kind = kindOf(spec);
  if (kind === undefined) throw new Error('no kind');
  const volume: PersistentVolume = {
    apiVersion: 'v1',
    kind: 'PersistentVolume',
    metadata: { name: 'pv', ...metadata },
    spec,
    status: {},
  };
  const before = structuredClone(volume);
  const made = translatePersistentVolume(volume, kind, dialect);
  expect(volume, 'given').to.deep.equal(before);
  return made.spec;
}

type PodSource = Omit<Volume, 'name' | 'csi' | 'ephemeral'>;

function ofPod(volume: PodSource): PersistentVolume {
  const named = { name: 'v', ...volume };
  const kind = kindOf(named);
  if (kind === undefined) throw new Error('no kind');
  return translatePodVolume(named, kind, { namespace: 'shop', dialect });
}

const problemOf = (run: () => unknown): string => {
  try {
    run();
  } catch (error) {
    return String(error);
  }
  return 'none';
};

/** A PV's source, then what its driver is told; what stands in the second place of a case are labels and annotations. */
const cases: readonly (readonly [
  what: string,
  spec: Spec,
  metadata: Partial<PersistentVolume['metadata']>,
  csi: Spec['csi'],
])[] = [
  [
    'a disk of Amazon',
    {
      awsElasticBlockStore: {
        volumeID: 'aws://us-east-1a/vol-1',
        fsType: 'xfs',
        partition: 2,
        readOnly: true,
      },
    },
    {},
    {
      driver: 'ebs.csi.aws.com',
      volumeHandle: 'vol-1',
      fsType: 'xfs',
      readOnly: true,
      volumeAttributes: { partition: '2' },
    },
  ],
  [
    'a disk of Amazon by its bare name',
    { awsElasticBlockStore: { volumeID: 'vol-2' } },
    {},
    {
      driver: 'ebs.csi.aws.com',
      volumeHandle: 'vol-2',
      fsType: '',
      readOnly: false,
      volumeAttributes: { partition: '0' },
    },
  ],
  [
    'a disk of Google in one zone',
    { gcePersistentDisk: { pdName: 'd', partition: 3 } },
    { labels: { 'failure-domain.beta.kubernetes.io/zone': 'us-central1-a' } },
    {
      driver: 'pd.csi.storage.gke.io',
      volumeHandle: 'projects/UNSPECIFIED/zones/us-central1-a/disks/d',
      fsType: '',
      readOnly: false,
      volumeAttributes: { partition: '3' },
    },
  ],
  [
    'a disk of Google in a region',
    { gcePersistentDisk: { pdName: 'd' } },
    { labels: { 'topology.kubernetes.io/zone': 'us-central1-a__us-central1-b' } },
    {
      driver: 'pd.csi.storage.gke.io',
      volumeHandle: 'projects/UNSPECIFIED/regions/us-central1/disks/d',
      fsType: '',
      readOnly: false,
      volumeAttributes: { partition: '' },
    },
  ],
  [
    'a disk of Google anywhere',
    { gcePersistentDisk: { pdName: 'd' } },
    {},
    {
      driver: 'pd.csi.storage.gke.io',
      volumeHandle: 'projects/UNSPECIFIED/zones/UNSPECIFIED/disks/d',
      fsType: '',
      readOnly: false,
      volumeAttributes: { partition: '' },
    },
  ],
  [
    'a disk of OpenStack',
    { cinder: { volumeID: 'c-1', fsType: 'ext4' } },
    {},
    {
      driver: 'cinder.csi.openstack.org',
      volumeHandle: 'c-1',
      fsType: 'ext4',
      readOnly: false,
      volumeAttributes: {},
    },
  ],
  [
    'a disk of Azure',
    {
      azureDisk: {
        diskName: 'd',
        diskURI: '/subscriptions/s/d',
        cachingMode: 'None',
        fsType: 'ext4',
        kind: 'Dedicated',
      },
    },
    {},
    {
      driver: 'disk.csi.azure.com',
      volumeHandle: '/subscriptions/s/d',
      fsType: 'ext4',
      readOnly: false,
      volumeAttributes: { kind: 'Dedicated', cachingMode: 'None', fsType: 'ext4' },
    },
  ],
  [
    'a disk of Azure of which only the name is known',
    { azureDisk: { diskName: 'd', diskURI: 'u' } },
    {},
    {
      driver: 'disk.csi.azure.com',
      volumeHandle: 'u',
      fsType: '',
      readOnly: false,
      volumeAttributes: { kind: 'Managed' },
    },
  ],
  [
    'a share of Azure',
    {
      azureFile: {
        secretName: 'azure-storage-account-me-secret',
        shareName: 's',
        secretNamespace: 'ns',
        readOnly: true,
      },
    },
    { annotations: { 'kubernetes.io/azure-file-resource-group': 'rg' } },
    {
      driver: 'file.csi.azure.com',
      volumeHandle: 'rg#me#s#',
      fsType: '',
      readOnly: true,
      volumeAttributes: { sharename: 's' },
      nodeStageSecretRef: { name: 'azure-storage-account-me-secret', namespace: 'ns' },
    },
  ],
  [
    'a share of Azure whose secret is named after nothing',
    { azureFile: { secretName: 'key', shareName: 's' } },
    {},
    {
      driver: 'file.csi.azure.com',
      volumeHandle: '#key#s#',
      fsType: '',
      readOnly: false,
      volumeAttributes: { sharename: 's' },
      nodeStageSecretRef: { name: 'key', namespace: 'default' },
    },
  ],
  [
    'a disk of vSphere',
    { vsphereVolume: { volumePath: '[ds] dir/a.vmdk', fsType: 'ext4', storagePolicyName: 'gold' } },
    {},
    {
      driver: 'csi.vsphere.vmware.com',
      volumeHandle: '[ds] dir/a.vmdk',
      fsType: 'ext4',
      readOnly: false,
      volumeAttributes: { storagepolicyname: 'gold' },
    },
  ],
];

describe('translatePersistentVolume', () => {
  for (const [what, spec, metadata, csi] of cases) {
    it(`of ${what}`, () => {
      const common = {
        capacity: { storage: '1Gi' },
        accessModes: ['ReadWriteOnce'],
        mountOptions: ['noatime'],
      };
      const { nodeAffinity: _zones, ...made } = translated({ ...common, ...spec }, metadata);
      expect(made).to.deep.equal({ ...common, csi });
    });
  }

  const modes: readonly (readonly [given: string[] | undefined, made: string[] | undefined])[] = [
    [undefined, undefined],
    [[], ['ReadWriteOnce']],
    [['ReadWriteMany'], ['ReadWriteOnce']],
    [['ReadOnlyMany'], ['ReadOnlyMany']],
    [['ReadWriteOnce', 'ReadOnlyMany'], ['ReadWriteOnce']],
    [['ReadOnlyMany', 'ReadWriteMany'], ['ReadWriteOnce']],
  ];
  for (const [accessModes, made] of modes) {
    it(`gives a disk of Google of the modes ${accessModes} those of ${made}`, () => {
      const spec = { gcePersistentDisk: { pdName: 'd' }, accessModes };
      expect(translated(spec).accessModes).to.deep.equal(made);
      expect(translated({ cinder: { volumeID: 'c' }, accessModes }).accessModes).to.deep.equal(accessModes);
    });
  }

  it('refuses names that no driver knows', () => {
    const failed = 'Error: failed to translate in-tree pv to CSI:';
    const ebs = `${failed} failed to translate Kubernetes ID to EBS Volume ID Invalid format for AWS volume`;
    for (const volumeID of ['aws://us-east-1a/disk-1', 'aws://vol-1', 'aws:///vol-1/x']) {
      const run = () => translated({ awsElasticBlockStore: { volumeID } });
      expect(problemOf(run)).to.equal(`${ebs} (${volumeID})`);
    }
    const inZones = (zone: string) =>
      problemOf(() =>
        translated(
          { gcePersistentDisk: { pdName: 'd' } },
          { labels: { 'topology.kubernetes.io/zone': zone } },
        ),
      );
    expect(inZones('us-a__us-b')).to.equal(
      `${failed} failed to get region from zones: zone in unexpected format, expected: {locale}-{region}-{zone}, got: us-a`,
    );
    expect(inZones('us-west1-a__us-east1-a')).to.equal(
      `${failed} failed to get region from zones: multiple or no regions gotten from zones, got: map[us-east1:{} us-west1:{}]`,
    );
  });

  const zone = (key: string, ...values: string[]) => ({ key, operator: 'In', values });
  const other = zone('disk', 'ssd');
  const beta = 'failure-domain.beta.kubernetes.io/zone';
  const key = 'topology.ebs.csi.aws.com/zone';
  const topologies: readonly (readonly [
    what: string,
    expressions: readonly ReturnType<typeof zone>[] | undefined,
    label: string | undefined,
    made: readonly ReturnType<typeof zone>[] | undefined,
  ])[] = [
    ['nothing', undefined, undefined, undefined],
    ['no zones', [other], undefined, [other]],
    ['labels', undefined, 'b__ a__b__', [zone(key, 'a', 'b')]],
    ['labels beside other conditions', [other], 'a', [other, zone(key, 'a')]],
    ['conditions, whatever labels say', [zone(beta, 'c'), other], 'a', [zone(key, 'c'), other]],
    [
      'conditions of the newer label',
      [zone('topology.kubernetes.io/zone', 'c')],
      undefined,
      [zone(key, 'c')],
    ],
    ['the driver', [zone(key, 'c')], 'a', [zone(key, 'c')]],
  ];
  for (const [what, matchExpressions, label, made] of topologies) {
    it(`tells zones by the label of the driver, from ${what}`, () => {
      const affinityOf = (expressions: typeof matchExpressions) =>
        expressions && { required: { nodeSelectorTerms: [{ matchExpressions: [...expressions] }] } };
      const spec = { awsElasticBlockStore: { volumeID: 'v' }, nodeAffinity: affinityOf(matchExpressions) };
      const labels: Record<string, string> = label === undefined ? {} : { [beta]: label };
      expect(translated(spec, { labels }).nodeAffinity).to.deep.equal(affinityOf(made));
    });
  }

  it('leaves zones alone where the driver tells none', () => {
    const nodeAffinity = { required: { nodeSelectorTerms: [{ matchExpressions: [zone(beta, 'a')] }] } };
    const { nodeAffinity: made } = translated({ azureDisk: { diskName: 'd', diskURI: 'u' }, nodeAffinity });
    expect(made).to.deep.equal(nodeAffinity);
  });
});

describe('translatePodVolume', () => {
  const named: readonly (readonly [volume: PodSource, name: string, mode: string])[] = [
    [{ awsElasticBlockStore: { volumeID: 'aws:///vol-1' } }, 'ebs.csi.aws.com-vol-1', 'ReadWriteOnce'],
    [{ gcePersistentDisk: { pdName: 'd' } }, 'pd.csi.storage.gke.io-d', 'ReadWriteOnce'],
    [{ gcePersistentDisk: { pdName: 'd', readOnly: true } }, 'pd.csi.storage.gke.io-d', 'ReadOnlyMany'],
    [{ cinder: { volumeID: 'c' } }, 'cinder.csi.openstack.org-c', 'ReadWriteOnce'],
    [{ azureDisk: { diskName: 'd', diskURI: 'u' } }, 'disk.csi.azure.com-d', 'ReadWriteOnce'],
    [{ azureFile: { secretName: 'k', shareName: 's' } }, 'file.csi.azure.com-shop#k#s', 'ReadWriteMany'],
    [{ vsphereVolume: { volumePath: '[ds] a.vmdk' } }, 'csi.vsphere.vmware.com-[ds] a.vmdk', 'ReadWriteOnce'],
  ];
  for (const [volume, name, mode] of named) {
    it(`calls ${JSON.stringify(volume)} ${name}, for ${mode}`, () => {
      const { metadata, spec } = ofPod(volume);
      expect(metadata.name).to.equal(name);
      expect(spec).to.include({ volumeMode: 'Filesystem' });
      expect(spec.accessModes).to.deep.equal([mode]);
      expect(spec.csi).to.deep.equal({
        ...translated(volume).csi,
        ...(volume.azureFile && { nodeStageSecretRef: { name: 'k', namespace: 'shop' } }),
      });
    });
  }

  it('takes no time for long names', () => {
    const length = 60_000;
    const ms = cpuMsOf(() => {
      const id = `aws:///${'/'.repeat(length)}x`;
      expect(problemOf(() => ofPod({ awsElasticBlockStore: { volumeID: id } }))).to.contain('Invalid format');
      const secretName = 'azure-storage-account-'.repeat(length / 2);
      ofPod({ azureFile: { secretName, shareName: 's' } });
    });
    expect(ms).to.be.below(300);
  });

  it('reads the account of a share from the name of its secret, as far as that goes', () => {
    const handleOf = (secretName: string) =>
      ofPod({ azureFile: { secretName, shareName: 's' } }).spec.csi?.volumeHandle;
    expect(handleOf('azure-storage-account-a-secret-secret')).to.equal('#a-secret#s#');
    expect(handleOf('azure-storage-account--secret')).to.equal('#azure-storage-account--secret#s#');
    expect(handleOf('x-azure-storage-account-a-secret-2')).to.equal('#a#s#');
    expect(handleOf('-secret')).to.equal('#-secret#s#');
  });
});
