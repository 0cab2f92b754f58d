import { expect } from 'chai';
import { podRules } from '../../../../src/apis/core/pod.ts';
import data from '../../../../src/apis/core/pod-spec/volume-sources.json' with { type: 'json' };
import { createDialect } from '../../../../src/machinery/dialect.ts';
import { createErrors, makePod, ruleContext, withGates } from './rule-bench.ts';
import { label1123, subdomain1123 } from './wording.ts';

const fileMode = 'must be a number between 0 and 0777 (octal), both inclusive';
const lun = 'must be between 0 and 255, inclusive';

/** A volume source and its errors without `spec.volumes[0].` in front. */
const cases: readonly (readonly [source: object, ...errors: string[]])[] = [
  [
    { emptyDir: { sizeLimit: '-1' } },
    'emptyDir.sizeLimit: Forbidden: SizeLimit field must be a valid resource quantity',
  ],
  [{ emptyDir: { medium: 'Memory', sizeLimit: '1Gi' } }],
  [{ hostPath: { path: '' } }, 'hostPath.path: Required value'],
  [{ hostPath: { path: '/a/..' } }, 'hostPath.path: Invalid value: "/a/..": must not contain \'..\''],
  [
    { hostPath: { path: '/a', type: 'Q' } },
    'hostPath.type: Unsupported value: "Q": supported values: "", "BlockDevice", "CharDevice", "Directory", "DirectoryOrCreate", "File", "FileOrCreate", "Socket"',
  ],
  [
    { gitRepo: { repository: '', directory: '/a' } },
    'gitRepo.repository: Required value',
    'gitRepo.directory: Invalid value: "/a": must be a relative path',
  ],
  [
    { gcePersistentDisk: { pdName: '', partition: 256 } },
    'persistentDisk.pdName: Required value',
    'persistentDisk.partition: Invalid value: 256: must be between 1 and 255, inclusive',
  ],
  [
    { awsElasticBlockStore: { volumeID: '', partition: -1 } },
    'awsElasticBlockStore.volumeID: Required value',
    'awsElasticBlockStore.partition: Invalid value: -1: must be between 1 and 255, inclusive',
  ],
  [
    {
      secret: {
        defaultMode: -1,
        items: [
          { key: '', path: '', mode: 512 },
          { key: 'k', path: '..x' },
          { key: 'k', path: '/a' },
        ],
      },
    },
    'secret.secretName: Required value',
    `secret.defaultMode: Invalid value: -1: ${fileMode}`,
    'secret.items[0].key: Required value',
    'secret.items[0].path: Required value',
    `secret.items[0].mode: Invalid value: 512: ${fileMode}`,
    'secret.items[1].path: Invalid value: "..x": must not start with \'..\'',
    'secret.items[2].path: Invalid value: "/a": must be a relative path',
  ],
  [
    { configMap: { items: [{ key: 'k', path: '../a' }] } },
    'configMap.name: Required value',
    'configMap.items[0].path: Invalid value: "../a": must not contain \'..\'',
  ],
  [
    { nfs: { server: '', path: '' } },
    'nfs.server: Required value',
    'nfs.path: Required value',
    'nfs.path: Invalid value: "": must be an absolute path',
  ],
  [
    { iscsi: { targetPortal: '', iqn: '', lun: 256 } },
    'iscsi.targetPortal: Required value',
    'iscsi.iqn: Required value',
    `iscsi.lun: Invalid value: 256: ${lun}`,
  ],
  [
    { iscsi: { targetPortal: 'a', iqn: 'x', lun: 0 } },
    'iscsi.iqn: Invalid value: "x": must be valid format starting with iqn, eui, or naa',
  ],
  [
    { iscsi: { targetPortal: 'a', iqn: 'eui.1', lun: 0, chapAuthSession: true, initiatorName: 'iqn.x' } },
    'iscsi.iqn: Invalid value: "eui.1": must be valid format',
    'iscsi.secretRef: Required value',
    'iscsi.initiatorname: Invalid value: "iqn.x": must be valid format',
  ],
  [
    {
      iscsi: {
        targetPortal: 'a'.repeat(64),
        iqn: 'iqn.2001-04.com.example:x',
        lun: 0,
        initiatorName: 'iqn.2001-04.com.example:x',
      },
    },
    'name: Invalid value: "v": Total length of <volume name>:<iscsi.targetPortal> must be under 64 characters if iscsi.initiatorName is specified.',
  ],
  [
    { glusterfs: { endpoints: '', path: '' } },
    'glusterfs.endpoints: Required value',
    'glusterfs.path: Required value',
  ],
  [{ flocker: {} }, 'flocker: Required value: one of datasetName and datasetUUID is required'],
  [
    { flocker: { datasetName: 'a/b', datasetUUID: 'c' } },
    'flocker: Invalid value: "resource": datasetName and datasetUUID can not be specified simultaneously',
    'flocker.datasetName: Invalid value: "a/b": must not contain \'/\'',
  ],
  [{ persistentVolumeClaim: { claimName: '' } }, 'persistentVolumeClaim.claimName: Required value'],
  [{ rbd: { monitors: [], image: '' } }, 'rbd.monitors: Required value', 'rbd.image: Required value'],
  [
    { cinder: { volumeID: '', secretRef: {} } },
    'cinder.volumeID: Required value',
    'cinder.secretRef.name: Required value',
  ],
  [{ cephfs: { monitors: [] } }, 'cephfs.monitors: Required value'],
  [
    { quobyte: { registry: '', volume: '' } },
    'quobyte.registry: Required value: must be a host:port pair or multiple pairs separated by commas',
    'quobyte.volume: Required value',
  ],
  [
    { quobyte: { registry: 'a:1,b', volume: 'v' } },
    'quobyte.registry: Invalid value: "a:1,b": must be a host:port pair or multiple pairs separated by commas',
  ],
  [
    { quobyte: { registry: 'a:1', volume: 'v', tenant: 't'.repeat(65) } },
    'quobyte.tenant: Required value: must be a UUID and may not exceed a length of 64 characters',
  ],
  [
    {
      downwardAPI: {
        items: [
          {
            path: '',
            fieldRef: { fieldPath: 'metadata.name' },
            resourceFieldRef: { resource: 'limits.cpu' },
          },
          { path: 'a', fieldRef: { fieldPath: 'spec.nodeName' }, mode: 512 },
          { path: 'b', resourceFieldRef: { resource: 'limits.cpu' } },
          { path: 'c' },
        ],
      },
    },
    'downwardAPI.path: Required value',
    'downwardAPI: Invalid value: "resource": fieldRef and resourceFieldRef can not be specified simultaneously',
    'downwardAPI.fieldRef.fieldPath: Unsupported value: "spec.nodeName": supported values: "metadata.annotations", "metadata.labels", "metadata.name", "metadata.namespace", "metadata.uid"',
    `downwardAPI.mode: Invalid value: 512: ${fileMode}`,
    'downwardAPI.resourceFieldRef.containerName: Required value',
    'downwardAPI: Required value: one of fieldRef and resourceFieldRef is required',
  ],
  [{ fc: {} }, 'fc.targetWWNs: Required value: must specify either targetWWNs or wwids, but not both'],
  [
    { fc: { targetWWNs: ['a'], wwids: ['b'] } },
    'fc.targetWWNs: Invalid value: []string{"a"}: targetWWNs and wwids can not be specified simultaneously',
    'fc.lun: Required value: lun is required if targetWWNs is specified',
  ],
  [{ fc: { targetWWNs: ['a'], lun: 256 } }, `fc.lun: Invalid value: 256: ${lun}`],
  [{ fc: { wwids: ['b'] } }],
  [
    { flexVolume: { driver: '', options: { 'x.orch.io/a': '', 'example.com/a': '' } } },
    'flexVolume.driver: Required value',
    'flexVolume.options[x.orch.io/a]: Invalid value: "x.orch.io/a": orch.io and orch.io namespaces are reserved',
  ],
  [
    { azureFile: { secretName: '', shareName: '' } },
    'azureFile.secretName: Required value',
    'azureFile.shareName: Required value',
  ],
  [{ vsphereVolume: { volumePath: '' } }, 'vsphereVolume.volumePath: Required value'],
  [{ photonPersistentDisk: { pdID: '' } }, 'photonPersistentDisk.pdID: Required value'],
  [{ portworxVolume: { volumeID: '' } }, 'portworxVolume.volumeID: Required value'],
  [
    { azureDisk: { diskName: '', diskURI: '', cachingMode: 'Q', kind: 'Z' } },
    'azureDisk.diskName: Required value',
    'azureDisk.diskURI: Required value',
    'azureDisk.cachingMode: Unsupported value: "Q": supported values: "None", "ReadOnly", "ReadWrite"',
    'azureDisk.kind: Unsupported value: "Z": supported values: "Dedicated", "Managed", "Shared"',
    'azureDisk.diskURI: Unsupported value: "": supported values: "https://{account-name}.blob.core.windows.net/{container-name}/{disk-name}.vhd"',
  ],
  [
    { azureDisk: { diskName: 'a', diskURI: 'https://a', kind: 'Managed' } },
    'azureDisk.diskURI: Unsupported value: "https://a": supported values: "/subscriptions/{sub-id}/resourcegroups/{group-name}/providers/microsoft.compute/disks/{disk-id}"',
  ],
  [
    { storageos: { volumeName: '', volumeNamespace: 'N', secretRef: {} } },
    'storageos.volumeName: Required value',
    `storageos.volumeNamespace: Invalid value: "N": ${label1123}`,
    'storageos.secretRef.name: Required value',
  ],
  [
    { scaleIO: { gateway: '', system: '', volumeName: '', secretRef: {} } },
    'scaleIO.gateway: Required value',
    'scaleIO.system: Required value',
    'scaleIO.volumeName: Required value',
  ],
  [
    {
      projected: {
        sources: [
          {
            secret: { name: '', items: [{ key: 'k', path: 'a' }] },
            configMap: { name: 'm', items: [{ key: 'k', path: 'a' }] },
          },
          { downwardAPI: { items: [{ path: 'a', fieldRef: { fieldPath: 'metadata.name' } }] } },
        ],
      },
    },
    'projected.sources[0].secret.name: Required value',
    'projected: Invalid value: "m": conflicting duplicate paths',
    'projected.sources[0]: Forbidden: may not specify more than 1 volume type',
    'projected: Invalid value: "a": conflicting duplicate paths',
  ],
  [
    { csi: { driver: 'D'.repeat(64), nodePublishSecretRef: {} } },
    'csi.driver: Too long: must have at most 63 bytes',
    'csi.nodePublishSecretRef .name: Required value',
  ],
  [
    { csi: { driver: 'd', nodePublishSecretRef: { name: 'A_' } } },
    `csi.name: Invalid value: "A_": ${subdomain1123}`,
  ],
  [{ emptyDir: {}, hostPath: { path: '' } }, 'hostPath: Forbidden: may not specify more than 1 volume type'],
];

describe('podRules.validate of volumes', () => {
  for (const [source, ...errors] of cases) {
    it(`says what is wrong with ${JSON.stringify(source)}`, () => {
      const pod = makePod({ volumes: [{ name: 'v', ...source }] });
      expect(createErrors(podRules, pod)).to.deep.equal(errors.map((text) => `spec.volumes[0].${text}`));
    });
  }

  it('demands names that are labels and differ', () => {
    const volumes = [{ name: '' }, { name: 'B_' }, { name: 'a' }, { name: 'a' }].map((volume) => ({
      ...volume,
      emptyDir: {},
    }));
    expect(createErrors(podRules, makePod({ volumes }))).to.deep.equal([
      'spec.volumes[0].name: Required value',
      `spec.volumes[1].name: Invalid value: "B_": ${label1123}`,
      'spec.volumes[3].name: Duplicate value: "a"',
    ]);
  });

  it('lets a fine volume have the name of a refused one', () => {
    const volumes = [
      { name: 'a', hostPath: { path: '' } },
      { name: 'a', emptyDir: {} },
    ];
    expect(createErrors(podRules, makePod({ volumes }))).to.deep.equal([
      'spec.volumes[0].hostPath.path: Required value',
    ]);
  });

  it('drops ephemeral volumes without their gate and checks them with it', () => {
    const volumes = [
      {
        name: 'e',
        ephemeral: {
          volumeClaimTemplate: {
            metadata: { uid: 'u', name: 'x', finalizers: [], labels: { a: 'b' } },
            spec: { accessModes: ['Q'], dataSource: { kind: 'K', name: 'x' } },
          },
        },
      },
      { name: 'f', ephemeral: {} },
      { name: 'c', persistentVolumeClaim: { claimName: 'p-e' } },
    ];
    const gates = withGates({ GenericEphemeralVolume: true });
    expect(createErrors(podRules, makePod({ volumes }), gates)).to.deep.equal([
      'spec.volumes[0].ephemeral.volumeClaimTemplate.metadata.name: Forbidden: cannot be set for an ephemeral volume',
      'spec.volumes[0].ephemeral.volumeClaimTemplate.metadata.uID: Forbidden: cannot be set for an ephemeral volume',
      'spec.volumes[0].ephemeral.volumeClaimTemplate.metadata.finalizers: Forbidden: cannot be set for an ephemeral volume',
      'spec.volumes[0].ephemeral.volumeClaimTemplate.spec.accessModes: Unsupported value: "Q": supported values: "ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce"',
      'spec.volumes[0].ephemeral.volumeClaimTemplate.spec.resources[storage]: Required value',
      'spec.volumes[0].ephemeral.volumeClaimTemplate.spec.dataSource: Invalid value: "K"',
      'spec.volumes[1].ephemeral.volumeClaimTemplate: Required value',
      'spec.volumes[2].persistentVolumeClaim.claimName: Invalid value: "p-e": must not reference a PVC that gets created for an ephemeral volume',
    ]);
    expect(createErrors(podRules, makePod({ volumes: volumes.slice(0, 1) }))).to.deep.equal([
      'spec.volumes[0]: Required value: must specify a volume type',
    ]);
  });

  it('demands that the claim of an ephemeral volume can have its name, and mounts it as files only', () => {
    const spec = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } };
    const ephemeral = { volumeClaimTemplate: { spec } };
    const containers = [{ name: 'c', image: 'x', volumeDevices: [{ name: 'e', devicePath: '/dev/x' }] }];
    const gates = withGates({ GenericEphemeralVolume: true });
    const name = 'p'.repeat(252);
    const pod = makePod({ volumes: [{ name: 'e', ephemeral }] }, { name });
    expect(createErrors(podRules, pod, gates)).to.deep.equal([
      `spec.volumes[0].name: Invalid value: "e": PVC name "${name}-e": must be no more than 253 characters`,
    ]);
    expect(
      createErrors(podRules, makePod({ containers, volumes: [{ name: 'e', ephemeral }] }), gates),
    ).to.deep.equal([
      'spec.containers[0].volumeDevices[0].name: Invalid value: "e": can only use volume source type of PersistentVolumeClaim for block mode',
    ]);
  });

  it('reserves both domains of the other dialect', () => {
    const dialect = createDialect('kubernetes');
    const group = dialect.group('networking').replace('networking.', '');
    const label = dialect.label('').replace('/', '');
    expect(group).not.to.equal(label);
    const flexVolume = { driver: 'd', options: { [`x.${group}/a`]: '' } };
    const pod = makePod({ volumes: [{ name: 'v', flexVolume }] });
    expect(createErrors(podRules, pod, { ...ruleContext, dialect })).to.deep.equal([
      `spec.volumes[0].flexVolume.options[x.${group}/a]: Invalid value: "x.${group}/a": ${label} and ${group} namespaces are reserved`,
    ]);
  });

  it('knows every source that the type has', () => {
    const names = ruleContext.catalog.type('v1.Volume').fields.map(({ name }) => name);
    expect([...data.order].sort()).to.deep.equal(names.filter((name) => name !== 'name').sort());
  });
});
