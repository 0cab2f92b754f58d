import { label1123, qualifiedPart, subdomain1123 } from '../core-pod/wording.ts';
import type { WriteCases } from '../write-cases.ts';

/** What new and changed objects of this kind may say. */
export const persistentVolumeWrites: readonly WriteCases[] = [
  {
    body: {
      apiVersion: 'v1',
      kind: 'PersistentVolume',
      metadata: { name: 'pv-hostpath', labels: { app: 'web' }, annotations: { note: 'one' } },
      spec: {
        capacity: { storage: '10Gi' },
        accessModes: ['ReadWriteOnce', 'ReadOnlyMany'],
        hostPath: { path: '/var/data', type: 'Directory' },
        persistentVolumeReclaimPolicy: 'Retain',
        storageClassName: 'fast',
        mountOptions: ['ro', 'soft'],
        volumeMode: 'Filesystem',
        claimRef: { kind: 'PersistentVolumeClaim', namespace: 'default', name: 'c', uid: 'u-1' },
      },
    },
    status: { phase: 'Bound', message: 'm', reason: 'R' },
    accepted: [
      { '/spec/claimRef/fieldPath': 'naïve' },
      { '/spec/mountOptions': ['ro', 'soft', 'ro'] },
      { '/spec/mountOptions/0': '-abc' },
      { '/spec/claimRef/name': ' lead' },
      { '/spec/hostPath/type': 'BlockDevice' },
      { '/spec/hostPath/path': '/abs' },
      { '/spec/claimRef/kind': 'a/b' },
    ],
    refused: [
      [
        { '/spec/capacity': { '': '1500m' } },
        ['spec.capacity: Unsupported value: <any>: supported values: "storage"'],
      ],
      [
        { '/spec/accessModes': ['a b', ' '] },
        [
          'spec.accessModes: Unsupported value: "a b": supported values: "ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce"',
          'spec.accessModes: Unsupported value: " ": supported values: "ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce"',
        ],
      ],
      [
        { '/spec/nfs': { noSuchField: { a: [1] } } },
        ['spec.nfs: Forbidden: may not specify more than 1 volume type'],
      ],
      [
        { '/spec/rbd': { monitors: ['sample'], image: 'sample' } },
        ['spec.rbd: Forbidden: may not specify more than 1 volume type'],
      ],
      [{ '/metadata/name': undefined }, ['metadata.name: Required value: name or generateName is required']],
      [{ '/spec/flexVolume': { noSuchField: { a: [1] } } }, ['spec.flexVolume.driver: Required value']],
      [
        { '/spec/nodeAffinity': { noSuchField: { a: [1] } } },
        ['spec.nodeAffinity.required: Required value: must specify required node constraints'],
      ],
      [{ '/metadata': null }, ['metadata.name: Required value: name or generateName is required']],
      [
        { '/spec/hostPath/path': '/a/..', '/spec/persistentVolumeReclaimPolicy': 'Recycle' },
        [
          'spec.hostPath.path: Invalid value: "/a/..": must not contain \'..\'',
          "spec.persistentVolumeReclaimPolicy: Forbidden: may not be 'recycle' for a hostPath mount of '/'",
        ],
      ],
      [{ '/metadata/name': 'a/b' }, [`metadata.name: Invalid value: "a/b": ${subdomain1123}`]],
      [
        {
          '/spec/scaleIO': {
            gateway: 'sample',
            system: 'sample',
            secretRef: { name: 'sample', namespace: 'sample' },
          },
          '/spec/azureFile': {},
        },
        [
          'spec.azureFile: Forbidden: may not specify more than 1 volume type',
          'spec.scaleIO: Forbidden: may not specify more than 1 volume type',
        ],
      ],
    ],
    changed: [{ '/spec/mountOptions/1': '../x' }],
    kept: [
      [
        { '/spec/accessModes/1': 'Not_Valid!' },
        [
          'spec.accessModes: Unsupported value: "Not_Valid!": supported values: "ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce"',
          'spec.accessModes: Unsupported value: "Not_Valid!": supported values: "ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce"',
        ],
      ],
      [
        { '/spec/hostPath': undefined },
        [
          'spec: Required value: must specify a volume type',
          'spec: Required value: must specify a volume type',
          'spec.persistentvolumesource: Forbidden: spec.persistentvolumesource is immutable after creation\n<any>',
        ],
      ],
      [
        { '/spec/hostPath/type': 'a/b' },
        [
          'spec.hostPath.type: Unsupported value: "a/b": supported values: "", "BlockDevice", "CharDevice", "Directory", "DirectoryOrCreate", "File", "FileOrCreate", "Socket"',
          'spec.hostPath.type: Unsupported value: "a/b": supported values: "", "BlockDevice", "CharDevice", "Directory", "DirectoryOrCreate", "File", "FileOrCreate", "Socket"',
          'spec.persistentvolumesource: Forbidden: spec.persistentvolumesource is immutable after creation\n<any>',
        ],
      ],
      [
        { '/spec/persistentVolumeReclaimPolicy': 'changed' },
        [
          'spec.persistentVolumeReclaimPolicy: Unsupported value: "changed": supported values: "Delete", "Recycle", "Retain"',
          'spec.persistentVolumeReclaimPolicy: Unsupported value: "changed": supported values: "Delete", "Recycle", "Retain"',
        ],
      ],
      [
        { '/spec/cinder': {} },
        [
          'spec.cinder: Forbidden: may not specify more than 1 volume type',
          'spec.cinder: Forbidden: may not specify more than 1 volume type',
          'spec.persistentvolumesource: Forbidden: spec.persistentvolumesource is immutable after creation\n<any>',
        ],
      ],
    ],
    statusChanged: [
      { '/status/phase': '' },
      { '/status': { phase: 'Bound', message: 'm', reason: 'R', noSuchField: { a: [1] } } },
    ],
  },
  {
    body: {
      apiVersion: 'v1',
      kind: 'PersistentVolume',
      metadata: { name: 'pv-gcepersistentdisk', labels: { app: 'web' }, annotations: { note: 'one' } },
      spec: {
        capacity: { storage: '10Gi' },
        accessModes: ['ReadWriteOnce', 'ReadOnlyMany'],
        gcePersistentDisk: { pdName: 'pd', fsType: 'ext4', partition: 1, readOnly: true },
      },
    },
    refused: [[{ '/spec/csi': {} }, ['spec.csi: Forbidden: may not specify more than 1 volume type']]],
  },
  {
    body: {
      apiVersion: 'v1',
      kind: 'PersistentVolume',
      metadata: { name: 'pv-awselasticblockstore', labels: { app: 'web' }, annotations: { note: 'one' } },
      spec: {
        capacity: { storage: '10Gi' },
        accessModes: ['ReadWriteOnce', 'ReadOnlyMany'],
        awsElasticBlockStore: { volumeID: 'vol-1', fsType: 'ext4', partition: 1 },
      },
    },
    accepted: [{ '/spec/mountOptions': ['a b', ' '] }, { '/metadata/name': '1a' }],
    refused: [
      [
        { '/spec/volumeMode': 'UpperCase' },
        ['spec.volumeMode: Unsupported value: "UpperCase": supported values: "Block", "Filesystem"'],
      ],
      [
        { '/spec/accessModes/0': 'changed' },
        [
          'spec.accessModes: Unsupported value: "changed": supported values: "ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce"',
        ],
      ],
      [
        { '/spec/hostPath': {} },
        [
          'spec.hostPath.path: Required value',
          'spec.awsElasticBlockStore: Forbidden: may not specify more than 1 volume type',
        ],
      ],
    ],
  },
  {
    body: {
      apiVersion: 'v1',
      kind: 'PersistentVolume',
      metadata: { name: 'pv-nfs', labels: { app: 'web' }, annotations: { note: 'one' } },
      spec: {
        capacity: { storage: '10Gi' },
        accessModes: ['ReadWriteOnce', 'ReadOnlyMany'],
        nfs: { server: 'nfs.example.com', path: '/export', readOnly: true },
      },
    },
    status: { phase: 'Bound', message: 'm', reason: 'R' },
    accepted: [{ '/spec/accessModes/0': undefined }],
    refused: [
      [
        { '/metadata/labels': { [`${'a'.repeat(260)}/a`]: 'sample' } },
        [
          `metadata.labels: Invalid value: "${'a'.repeat(260)}/a": prefix part must be no more than 253 characters`,
        ],
      ],
      [
        {
          '/spec/vsphereVolume': { volumePath: 'sample' },
          '/spec/csi': { driver: 'sample', volumeHandle: 'sample' },
          '/metadata/labels': { ['a'.repeat(64)]: 'sample' },
          '/spec/rbd': {},
        },
        [
          `metadata.labels: Invalid value: "${'a'.repeat(64)}": name part must be no more than 63 characters`,
          'spec.rbd: Forbidden: may not specify more than 1 volume type',
          'spec.vsphereVolume: Forbidden: may not specify more than 1 volume type',
          'spec.csi: Forbidden: may not specify more than 1 volume type',
        ],
      ],
    ],
    kept: [
      [
        { '/spec/nfs/readOnly': undefined },
        [
          'spec.persistentvolumesource: Forbidden: spec.persistentvolumesource is immutable after creation\n<any>',
        ],
      ],
    ],
    statusChanged: [
      { '/status/reason': 'a'.repeat(300) },
      { '/status/message': undefined },
      { '/status/reason': 'UpperCase' },
    ],
  },
  {
    body: {
      apiVersion: 'v1',
      kind: 'PersistentVolume',
      metadata: { name: 'pv-vspherevolume', labels: { app: 'web' }, annotations: { note: 'one' } },
      spec: {
        capacity: { storage: '10Gi' },
        accessModes: ['ReadWriteOnce', 'ReadOnlyMany'],
        vsphereVolume: { volumePath: '[ds] vol', fsType: 'ext4' },
      },
    },
    accepted: [{ '/metadata/name': 'a'.repeat(253) }],
    refused: [
      [
        { '/spec/rbd': { monitors: ['sample'], image: 'sample' } },
        ['spec.vsphereVolume: Forbidden: may not specify more than 1 volume type'],
      ],
    ],
  },
  {
    body: {
      apiVersion: 'v1',
      kind: 'PersistentVolume',
      metadata: { name: 'pv-quobyte', labels: { app: 'web' }, annotations: { note: 'one' } },
      spec: {
        capacity: { storage: '10Gi' },
        accessModes: ['ReadWriteOnce', 'ReadOnlyMany'],
        quobyte: { registry: 'reg:1', volume: 'v', readOnly: true, user: 'u', group: 'g' },
      },
    },
    refused: [
      [{ '/spec/cephfs': {} }, ['spec.cephFS: Forbidden: may not specify more than 1 volume type']],
      [
        { '/metadata/name': 'a'.repeat(254) },
        [`metadata.name: Invalid value: "${'a'.repeat(254)}": must be no more than 253 characters`],
      ],
    ],
  },
  {
    body: {
      apiVersion: 'v1',
      kind: 'PersistentVolume',
      metadata: { name: 'pv-azuredisk', labels: { app: 'web' }, annotations: { note: 'one' } },
      spec: {
        capacity: { storage: '10Gi' },
        accessModes: ['ReadWriteOnce', 'ReadOnlyMany'],
        azureDisk: { diskName: 'd', diskURI: 'https://blob.example.com/d' },
      },
    },
    accepted: [{ '/spec/accessModes/0': 'ReadWriteMany' }],
    refused: [
      [
        { '/spec/storageos': { noSuchField: { a: [1] } } },
        ['spec.storageos: Forbidden: may not specify more than 1 volume type'],
      ],
      [
        { '/spec/glusterfs': { endpoints: 'sample', path: 'sample' } },
        ['spec.azureDisk: Forbidden: may not specify more than 1 volume type'],
      ],
      [
        { '/spec/accessModes/0': 'Bogus', '/metadata/labels': { 'a/b/c': 'v' } },
        [
          "metadata.labels: Invalid value: \"a/b/c\": a qualified name must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]') with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')",
          'spec.accessModes: Unsupported value: "Bogus": supported values: "ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce"',
        ],
      ],
      [
        { '/spec/azureDisk/cachingMode': 'a'.repeat(300) },
        [
          `spec.azureDisk.cachingMode: Unsupported value: "${'a'.repeat(300)}": supported values: "None", "ReadOnly", "ReadWrite"`,
        ],
      ],
    ],
  },
  {
    body: {
      apiVersion: 'v1',
      kind: 'PersistentVolume',
      metadata: { name: 'pv-photonpersistentdisk', labels: { app: 'web' }, annotations: { note: 'one' } },
      spec: {
        capacity: { storage: '10Gi' },
        accessModes: ['ReadWriteOnce', 'ReadOnlyMany'],
        photonPersistentDisk: { pdID: 'ph' },
      },
    },
    refused: [
      [
        { '/metadata/finalizers': ['a b', ' '] },
        [
          `metadata.finalizers: Invalid value: "a b": ${qualifiedPart}`,
          `metadata.finalizers: Invalid value: " ": ${qualifiedPart}`,
          'metadata.finalizers[0]: Invalid value: "a b": name is neither a standard finalizer name nor is it fully qualified',
          'metadata.finalizers[1]: Invalid value: " ": name is neither a standard finalizer name nor is it fully qualified',
        ],
      ],
    ],
  },
  {
    body: {
      apiVersion: 'v1',
      kind: 'PersistentVolume',
      metadata: { name: 'pv-portworxvolume', labels: { app: 'web' }, annotations: { note: 'one' } },
      spec: {
        capacity: { storage: '10Gi' },
        accessModes: ['ReadWriteOnce', 'ReadOnlyMany'],
        portworxVolume: { volumeID: 'pw', fsType: 'ext4' },
      },
    },
    accepted: [{ '/metadata/name': 'a'.repeat(64) }],
    refused: [
      [
        { '/spec/awsElasticBlockStore': { noSuchField: { a: [1] } } },
        [
          'spec.awsElasticBlockStore.volumeID: Required value',
          'spec.portworxVolume: Forbidden: may not specify more than 1 volume type',
        ],
      ],
      [
        {
          '/spec/storageClassName': 'Not_Valid!',
          '/metadata/labels': { k: 'a'.repeat(70) },
          '/spec/accessModes/1': '-abc',
        },
        [
          `metadata.labels: Invalid value: "${'a'.repeat(70)}": must be no more than 63 characters`,
          'spec.accessModes: Unsupported value: "-abc": supported values: "ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce"',
          `spec.storageClassName: Invalid value: "Not_Valid!": ${subdomain1123}`,
        ],
      ],
    ],
  },
  {
    body: {
      apiVersion: 'v1',
      kind: 'PersistentVolume',
      metadata: { name: 'pv-fc', labels: { app: 'web' }, annotations: { note: 'one' } },
      spec: {
        capacity: { storage: '10Gi' },
        accessModes: ['ReadWriteOnce', 'ReadOnlyMany'],
        fc: { targetWWNs: ['500a'], lun: 2, fsType: 'ext4' },
      },
    },
    accepted: [{ '/spec/claimRef': {} }],
  },
  {
    body: {
      apiVersion: 'v1',
      kind: 'PersistentVolume',
      metadata: { name: 'pv-flocker', labels: { app: 'web' }, annotations: { note: 'one' } },
      spec: {
        capacity: { storage: '10Gi' },
        accessModes: ['ReadWriteOnce', 'ReadOnlyMany'],
        flocker: { datasetName: 'ds' },
      },
    },
    refused: [
      [
        { '/spec/photonPersistentDisk': { noSuchField: { a: [1] } } },
        ['spec.photonPersistentDisk: Forbidden: may not specify more than 1 volume type'],
      ],
      [
        { '/metadata/annotations': { 'a/b/c': 'v' } },
        [
          "metadata.annotations: Invalid value: \"a/b/c\": a qualified name must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]') with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')",
        ],
      ],
    ],
  },
  {
    body: {
      apiVersion: 'v1',
      kind: 'PersistentVolume',
      metadata: { name: 'pv-iscsi', labels: { app: 'web' }, annotations: { note: 'one' } },
      spec: {
        capacity: { storage: '10Gi' },
        accessModes: ['ReadWriteOnce', 'ReadOnlyMany'],
        iscsi: {
          targetPortal: '10.2.3.4:3260',
          iqn: 'iqn.2001-04.com.example:storage.disk1',
          lun: 0,
          iscsiInterface: 'default',
          fsType: 'ext4',
          portals: ['10.2.3.5'],
          chapAuthDiscovery: true,
          secretRef: { name: 'chap', namespace: 'ns1' },
          initiatorName: 'iqn.2001-04.com.example:init',
        },
      },
    },
    status: { phase: 'Bound', message: 'm', reason: 'R' },
    refused: [
      [
        {
          '/metadata/name': 'a'.repeat(64),
          '/spec/iscsi/iqn': 'a/b',
          '/spec/iscsi/lun': 256,
          '/spec/iscsi/secretRef': {},
          '/spec/iscsi/initiatorName': 'eui.1',
        },
        [
          'spec.iscsi.targetportal: Invalid value: "10.2.3.4:3260": Total length of <volume name>:<iscsi.targetPortal> must be under 64 characters if iscsi.initiatorName is specified.',
          'spec.iscsi.iqn: Invalid value: "a/b": must be valid format',
          'spec.iscsi.lun: Invalid value: 256: must be between 0 and 255, inclusive',
          'spec.iscsi.secretRef.name: Required value',
          'spec.iscsi.initiatorname: Invalid value: "eui.1": must be valid format',
        ],
      ],
      [{ '/spec/iscsi/iqn': 'a/b' }, ['spec.iscsi.iqn: Invalid value: "a/b": must be valid format']],
      [
        { '/metadata/name': 'a'.repeat(64) },
        [
          'spec.iscsi.targetportal: Invalid value: "10.2.3.4:3260": Total length of <volume name>:<iscsi.targetPortal> must be under 64 characters if iscsi.initiatorName is specified.',
        ],
      ],
    ],
    kept: [
      [{ '/spec/volumeMode': 'Block' }, ['volumeMode: Invalid value: "Block": field is immutable']],
      [
        { '/spec/capacity': { 'example.com/x': '1.5' } },
        [
          'spec.capacity: Unsupported value: <any>: supported values: "storage"',
          'spec.capacity: Unsupported value: <any>: supported values: "storage"',
        ],
      ],
    ],
    statusChanged: [{ '/status/phase': undefined }, { '/status/message': 'Not_Valid!' }, { '/status': {} }],
  },
  {
    body: {
      apiVersion: 'v1',
      kind: 'PersistentVolume',
      metadata: { name: 'pv-glusterfs', labels: { app: 'web' }, annotations: { note: 'one' } },
      spec: {
        capacity: { storage: '10Gi' },
        accessModes: ['ReadWriteOnce', 'ReadOnlyMany'],
        glusterfs: { endpoints: 'g', path: 'v', endpointsNamespace: 'gns' },
      },
    },
    refused: [
      [
        { '/metadata/generateName': ' lead' },
        [`metadata.generateName: Invalid value: " lead": ${subdomain1123}`],
      ],
      [
        { '/spec/glusterfs': { endpoints: '', path: '', endpointsNamespace: '' } },
        [
          'spec.glusterfs.endpoints: Required value',
          'spec.glusterfs.path: Required value',
          'spec.glusterfs.endpointsNamespace: Invalid value: "": if the endpointnamespace is set, it must be a valid namespace name',
        ],
      ],
      [
        { '/spec/accessModes/0': 'Bogus', '/spec/quobyte': { registry: 'sample', volume: 'sample' } },
        [
          'spec.accessModes: Unsupported value: "Bogus": supported values: "ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce"',
          'spec.quobyte: Forbidden: may not specify more than 1 volume type',
        ],
      ],
    ],
  },
  {
    body: {
      apiVersion: 'v1',
      kind: 'PersistentVolume',
      metadata: { name: 'pv-rbd', labels: { app: 'web' }, annotations: { note: 'one' } },
      spec: {
        capacity: { storage: '10Gi' },
        accessModes: ['ReadWriteOnce', 'ReadOnlyMany'],
        rbd: {
          monitors: ['10.0.1.1:6789'],
          image: 'img',
          pool: 'p',
          user: 'u',
          keyring: '/k',
          fsType: 'ext4',
          secretRef: { name: 's', namespace: 'n' },
        },
      },
    },
    accepted: [
      { '/spec/rbd/secretRef/namespace': 'UpperCase' },
      {
        '/spec': {
          capacity: { storage: '10Gi' },
          accessModes: ['ReadWriteOnce', 'ReadOnlyMany'],
          rbd: {
            monitors: ['10.0.1.1:6789'],
            image: 'img',
            pool: 'p',
            user: 'u',
            keyring: '/k',
            fsType: 'ext4',
            secretRef: { name: 's', namespace: 'n' },
          },
          noSuchField: { a: [1] },
        },
      },
    ],
    refused: [
      [
        { '/spec/storageClassName': '../x' },
        [`spec.storageClassName: Invalid value: "../x": ${subdomain1123}`],
      ],
    ],
  },
  {
    body: {
      apiVersion: 'v1',
      kind: 'PersistentVolume',
      metadata: { name: 'pv-cinder', labels: { app: 'web' }, annotations: { note: 'one' } },
      spec: {
        capacity: { storage: '10Gi' },
        accessModes: ['ReadWriteOnce', 'ReadOnlyMany'],
        cinder: { volumeID: 'c', secretRef: { name: 's', namespace: 'n' } },
      },
    },
    refused: [
      [
        { '/spec/cinder': { volumeID: '', secretRef: {} } },
        [
          'spec.cinder.volumeID: Required value',
          'spec.cinder.secretRef.name: Required value',
          'spec.cinder.secretRef.namespace: Required value',
        ],
      ],
    ],
    accepted: [
      {
        '/spec/cinder': { volumeID: 'c', secretRef: { name: 's', namespace: 'n' }, noSuchField: { a: [1] } },
      },
    ],
  },
  {
    body: {
      apiVersion: 'v1',
      kind: 'PersistentVolume',
      metadata: { name: 'pv-cephfs', labels: { app: 'web' }, annotations: { note: 'one' } },
      spec: {
        capacity: { storage: '10Gi' },
        accessModes: ['ReadWriteOnce', 'ReadOnlyMany'],
        cephfs: {
          monitors: ['10.0.1.1:6789'],
          path: '/p',
          user: 'u',
          secretFile: '/s',
          secretRef: { name: 's', namespace: 'n' },
        },
      },
    },
    refused: [
      [
        { '/spec/nfs': { noSuchField: { a: [1] } } },
        [
          'spec.nfs.server: Required value',
          'spec.nfs.path: Required value',
          'spec.nfs.path: Invalid value: "": must be an absolute path',
          'spec.cephFS: Forbidden: may not specify more than 1 volume type',
        ],
      ],
    ],
  },
  {
    body: {
      apiVersion: 'v1',
      kind: 'PersistentVolume',
      metadata: { name: 'pv-azurefile', labels: { app: 'web' }, annotations: { note: 'one' } },
      spec: {
        capacity: { storage: '10Gi' },
        accessModes: ['ReadWriteOnce', 'ReadOnlyMany'],
        azureFile: { secretName: 's', shareName: 'sh', secretNamespace: 'sns' },
      },
    },
    refused: [
      [
        { '/metadata/labels': { '': 'sample' } },
        [
          'metadata.labels: Invalid value: "": name part must be non-empty',
          `metadata.labels: Invalid value: "": ${qualifiedPart}`,
        ],
      ],
      [
        { '/spec/azureFile': { secretName: '', shareName: '', secretNamespace: '' } },
        [
          'spec.azureFile.secretName: Required value',
          'spec.azureFile.shareName: Required value',
          'spec.azureFile.secretNamespace: Required value',
        ],
      ],
      [
        { '/spec/capacity': {} },
        [
          'spec.capacity: Required value',
          'spec.capacity: Unsupported value: core.ResourceList{}: supported values: "storage"',
        ],
      ],
      [
        { '/spec/capacity': undefined },
        [
          'spec.capacity: Required value',
          'spec.capacity: Unsupported value: core.ResourceList(nil): supported values: "storage"',
        ],
      ],
    ],
  },
  {
    body: {
      apiVersion: 'v1',
      kind: 'PersistentVolume',
      metadata: { name: 'pv-scaleio', labels: { app: 'web' }, annotations: { note: 'one' } },
      spec: {
        capacity: { storage: '10Gi' },
        accessModes: ['ReadWriteOnce', 'ReadOnlyMany'],
        scaleIO: {
          gateway: 'https://g',
          system: 's',
          secretRef: { name: 's', namespace: 'n' },
          volumeName: 'v',
          storageMode: 'ThinProvisioned',
        },
      },
    },
    refused: [
      [{ '/spec/accessModes': undefined }, ['spec.accessModes: Required value']],
      [
        { '/spec/local': { noSuchField: { a: [1] } } },
        ['spec.local: Forbidden: may not specify more than 1 volume type'],
      ],
    ],
  },
  {
    body: {
      apiVersion: 'v1',
      kind: 'PersistentVolume',
      metadata: { name: 'pv-local', labels: { app: 'web' }, annotations: { note: 'one' } },
      spec: {
        capacity: { storage: '10Gi' },
        accessModes: ['ReadWriteOnce', 'ReadOnlyMany'],
        local: { path: '/mnt/d', fsType: 'ext4' },
        nodeAffinity: {
          required: {
            nodeSelectorTerms: [
              { matchExpressions: [{ key: 'orch.io/hostname', operator: 'In', values: ['n1'] }] },
            ],
          },
        },
      },
    },
    status: { phase: 'Bound', message: 'm', reason: 'R' },
    accepted: [
      { '/spec/nodeAffinity/required/nodeSelectorTerms/0/matchExpressions/0/values': ['Not_Valid!', '-x'] },
    ],
    refused: [
      [
        { '/spec/nodeAffinity/required/nodeSelectorTerms/0/matchExpressions/0/operator': '' },
        [
          'spec.nodeAffinity.required.nodeSelectorTerms[0].matchExpressions[0].operator: Invalid value: "": not a valid selector operator',
        ],
      ],
      [
        { '/spec/fc': { noSuchField: { a: [1] } } },
        [
          'spec.fc.targetWWNs: Required value: must specify either targetWWNs or wwids, but not both',
          'spec.local: Forbidden: may not specify more than 1 volume type',
        ],
      ],
      [
        { '/spec/storageClassName': 'a'.repeat(300), '/spec/accessModes/1': 'a'.repeat(300) },
        [
          `spec.accessModes: Unsupported value: "${'a'.repeat(300)}": supported values: "ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce"`,
          `spec.storageClassName: Invalid value: "${'a'.repeat(300)}": must be no more than 253 characters`,
        ],
      ],
    ],
    changed: [{ '/spec/accessModes/1': 'ReadWriteMany' }, { '/spec/accessModes/0': undefined }],
    kept: [
      [
        { '/spec/nodeAffinity': undefined },
        [
          'spec.nodeAffinity: Required value: Local volume requires node affinity',
          'spec.nodeAffinity: Required value: Local volume requires node affinity',
          'nodeAffinity: Invalid value: "null": field is immutable',
        ],
      ],
      [
        { '/spec/gcePersistentDisk': { noSuchField: { a: [1] } } },
        [
          'spec.persistentDisk.pdName: Required value',
          'spec.local: Forbidden: may not specify more than 1 volume type',
          'spec.persistentDisk.pdName: Required value',
          'spec.local: Forbidden: may not specify more than 1 volume type',
          'spec.persistentvolumesource: Forbidden: spec.persistentvolumesource is immutable after creation\n<any>',
        ],
      ],
      [
        {
          '/spec/nodeAffinity/required/nodeSelectorTerms/0/matchExpressions': [
            { key: 'orch.io/hostname', operator: 'In', values: ['n1'] },
            {},
          ],
        },
        [
          'spec.nodeAffinity.required.nodeSelectorTerms[0].matchExpressions[1].operator: Invalid value: "": not a valid selector operator',
          'spec.nodeAffinity.required.nodeSelectorTerms[0].matchExpressions[1].key: Invalid value: "": name part must be non-empty',
          `spec.nodeAffinity.required.nodeSelectorTerms[0].matchExpressions[1].key: Invalid value: "": ${qualifiedPart}`,
          'spec.nodeAffinity.required.nodeSelectorTerms[0].matchExpressions[1].operator: Invalid value: "": not a valid selector operator',
          'spec.nodeAffinity.required.nodeSelectorTerms[0].matchExpressions[1].key: Invalid value: "": name part must be non-empty',
          `spec.nodeAffinity.required.nodeSelectorTerms[0].matchExpressions[1].key: Invalid value: "": ${qualifiedPart}`,
          'nodeAffinity: Invalid value: <any>: field is immutable',
        ],
      ],
    ],
    statusChanged: [
      { '/status/phase': 'Pending' },
      { '/status/reason': ' lead' },
      { '/spec/nodeAffinity/required/nodeSelectorTerms/0/matchExpressions/0/values/0': 'changed' },
    ],
  },
  {
    body: {
      apiVersion: 'v1',
      kind: 'PersistentVolume',
      metadata: { name: 'pv-storageos', labels: { app: 'web' }, annotations: { note: 'one' } },
      spec: {
        capacity: { storage: '10Gi' },
        accessModes: ['ReadWriteOnce', 'ReadOnlyMany'],
        storageos: { volumeName: 'v', secretRef: { name: 's', namespace: 'n' } },
      },
    },
    accepted: [
      { '/spec/storageos/secretRef/uid': 'changed' },
      { '/spec/storageos/secretRef/fieldPath': 'sample' },
      { '/spec/storageos/secretRef/namespace': 'a/b' },
    ],
  },
  {
    body: {
      apiVersion: 'v1',
      kind: 'PersistentVolume',
      metadata: { name: 'pv-csi', labels: { app: 'web' }, annotations: { note: 'one' } },
      spec: {
        capacity: { storage: '10Gi' },
        accessModes: ['ReadWriteOnce', 'ReadOnlyMany'],
        csi: {
          driver: 'csi.example.com',
          volumeHandle: 'h',
          fsType: 'ext4',
          volumeAttributes: { a: 'b' },
          controllerPublishSecretRef: { name: 's', namespace: 'n' },
          nodeStageSecretRef: { name: 's', namespace: 'n' },
          nodePublishSecretRef: { name: 's', namespace: 'n' },
          controllerExpandSecretRef: { name: 's', namespace: 'n' },
        },
      },
    },
    status: { phase: 'Bound', message: 'm', reason: 'R' },
    accepted: [{ '/spec/csi/volumeAttributes': { k: 'a'.repeat(70) } }],
    refused: [
      [
        { '/spec/csi/controllerPublishSecretRef/name': ' lead' },
        [`spec.csi.name: Invalid value: " lead": ${label1123}`],
      ],
      [
        { '/spec/csi/nodePublishSecretRef': {} },
        [
          'spec.csi.nodePublishSecretRef .name: Required value',
          'spec.csi.nodePublishSecretRef .namespace: Required value',
        ],
      ],
    ],
    kept: [
      [
        { '/spec/nfs': { server: 'sample', path: 'sample' } },
        [
          'spec.nfs.path: Invalid value: "sample": must be an absolute path',
          'spec.csi: Forbidden: may not specify more than 1 volume type',
          'spec.nfs.path: Invalid value: "sample": must be an absolute path',
          'spec.csi: Forbidden: may not specify more than 1 volume type',
          'spec.persistentvolumesource: Forbidden: spec.persistentvolumesource is immutable after creation\n<any>',
        ],
      ],
      [
        { '/spec/csi/controllerPublishSecretRef': {} },
        [
          'spec.csi.controllerPublishSecretRef.name: Required value',
          'spec.csi.controllerPublishSecretRef.namespace: Required value',
          'spec.csi.controllerPublishSecretRef.name: Required value',
          'spec.csi.controllerPublishSecretRef.namespace: Required value',
          'spec.persistentvolumesource: Forbidden: spec.persistentvolumesource is immutable after creation\n<any>',
        ],
      ],
    ],
    statusChanged: [
      { '/status': undefined },
      { '/status/message': 'naïve' },
      { '/status/reason': '' },
      { '/status/message': '../x' },
    ],
  },
];
