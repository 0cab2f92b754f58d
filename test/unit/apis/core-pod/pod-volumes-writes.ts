import type { WriteCases } from '../write-cases.ts';
import { subdomain1123 } from './wording.ts';

/** What new and changed objects of this kind may say. */
export const podVolumesWrites: readonly WriteCases[] = [
  {
    body: {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'pod-vol' },
      spec: {
        serviceAccountName: 'runner',
        containers: [
          {
            name: 'main',
            image: 'registry.example.com/web:1.2',
            volumeMounts: [{ name: 'v-nfs', mountPath: '/a' }],
          },
        ],
        volumes: [
          { name: 'v-hostpath', hostPath: { path: '/var/data', type: 'Directory' } },
          { name: 'v-emptydir', emptyDir: { sizeLimit: '1Gi' } },
          {
            name: 'v-gcepersistentdisk',
            gcePersistentDisk: { pdName: 'pd', fsType: 'ext4', partition: 1, readOnly: true },
          },
          {
            name: 'v-awselasticblockstore',
            awsElasticBlockStore: { volumeID: 'vol-1', fsType: 'ext4', partition: 1 },
          },
          {
            name: 'v-gitrepo',
            gitRepo: { repository: 'https://example.com/r.git', revision: 'abc', directory: 'd' },
          },
          {
            name: 'v-secret',
            secret: {
              secretName: 's1',
              items: [{ key: 'a', path: 'x/a', mode: 256 }],
              defaultMode: 292,
              optional: true,
            },
          },
          { name: 'v-nfs', nfs: { server: 'nfs.example.com', path: '/export', readOnly: true } },
          {
            name: 'v-iscsi',
            iscsi: {
              targetPortal: '10.2.3.4:3260',
              iqn: 'iqn.2001-04.com.example:storage.disk1',
              lun: 0,
              iscsiInterface: 'default',
              fsType: 'ext4',
              portals: ['10.2.3.5'],
              chapAuthDiscovery: true,
              secretRef: { name: 'chap' },
              initiatorName: 'iqn.2001-04.com.example:init',
            },
          },
          { name: 'v-glusterfs', glusterfs: { endpoints: 'glus', path: 'vol' } },
          { name: 'v-persistentvolumeclaim', persistentVolumeClaim: { claimName: 'c' } },
          {
            name: 'v-rbd',
            rbd: {
              monitors: ['10.0.1.1:6789'],
              image: 'img',
              pool: 'p',
              user: 'u',
              keyring: '/k',
              fsType: 'ext4',
            },
          },
          {
            name: 'v-flexvolume',
            flexVolume: { driver: 'example.com/flex', fsType: 'ext4', options: { a: 'b' } },
          },
          { name: 'v-cinder', cinder: { volumeID: 'cin', fsType: 'ext4' } },
          {
            name: 'v-cephfs',
            cephfs: { monitors: ['10.0.1.1:6789'], path: '/p', user: 'u', secretFile: '/s' },
          },
          { name: 'v-flocker', flocker: { datasetName: 'ds' } },
          {
            name: 'v-downwardapi',
            downwardAPI: {
              items: [
                { path: 'labels', fieldRef: { fieldPath: 'metadata.labels' } },
                {
                  path: 'mem',
                  resourceFieldRef: { containerName: 'main', resource: 'requests.memory' },
                  mode: 292,
                },
              ],
              defaultMode: 256,
            },
          },
          { name: 'v-fc', fc: { targetWWNs: ['500a'], lun: 2, fsType: 'ext4' } },
          { name: 'v-azurefile', azureFile: { secretName: 's', shareName: 'sh' } },
          {
            name: 'v-configmap',
            configMap: { name: 'cm', items: [{ key: 'a', path: 'b' }], defaultMode: 420 },
          },
          { name: 'v-vspherevolume', vsphereVolume: { volumePath: '[ds] vol', fsType: 'ext4' } },
          {
            name: 'v-quobyte',
            quobyte: { registry: 'reg:1', volume: 'v', readOnly: true, user: 'u', group: 'g' },
          },
          { name: 'v-azuredisk', azureDisk: { diskName: 'd', diskURI: 'https://blob.example.com/d' } },
          { name: 'v-photonpersistentdisk', photonPersistentDisk: { pdID: 'ph' } },
          {
            name: 'v-projected',
            projected: {
              defaultMode: 288,
              sources: [
                { secret: { name: 's', items: [{ key: 'k', path: 'p1' }] } },
                { configMap: { name: 'c', optional: true } },
                { downwardAPI: { items: [{ path: 'name', fieldRef: { fieldPath: 'metadata.name' } }] } },
                { serviceAccountToken: { audience: 'api', expirationSeconds: 3600, path: 'token' } },
              ],
            },
          },
          { name: 'v-portworxvolume', portworxVolume: { volumeID: 'pw', fsType: 'ext4' } },
          {
            name: 'v-scaleio',
            scaleIO: {
              gateway: 'https://g',
              system: 's',
              secretRef: { name: 'sio' },
              volumeName: 'v',
              storageMode: 'ThinProvisioned',
            },
          },
          { name: 'v-storageos', storageos: { volumeName: 'v', volumeNamespace: 'n', fsType: 'ext4' } },
          {
            name: 'v-csi',
            csi: {
              driver: 'csi.example.com',
              readOnly: true,
              fsType: 'ext4',
              volumeAttributes: { a: 'b' },
              nodePublishSecretRef: { name: 's' },
            },
          },
        ],
      },
    },
    accepted: [
      { '/spec/volumes/6/nfs/path': '/a/../b' },
      { '/spec/volumes/15/ephemeral': { noSuchField: { a: [1] } } },
      { '/spec/volumes/10/rbd/monitors/0': '../x' },
      { '/spec/volumes/18/ephemeral': {} },
      { '/spec/volumes/7/iscsi/readOnly': true },
      { '/spec/volumes/13/cephfs/path': 'a'.repeat(300) },
      { '/spec/volumes/13/cephfs/user': '' },
      { '/spec/volumes/18/configMap/items/0/key': ' lead' },
      { '/spec/volumes/25/scaleIO/gateway': 'naïve' },
      { '/spec/volumes/23/projected/sources/0/secret/items/0/path': '-abc' },
      { '/spec/volumes/15/downwardAPI/items/1/resourceFieldRef/containerName': 'naïve' },
      { '/spec/volumes/8/glusterfs/endpoints': 'Not_Valid!' },
      { '/spec/dnsConfig': {} },
      { '/spec/volumes/2/gcePersistentDisk/fsType': '' },
      { '/spec/volumes/11/flexVolume/driver': ' lead' },
      { '/spec/volumes/19/vsphereVolume/fsType': undefined },
      { '/spec/volumes/17/azureFile/shareName': 'naïve' },
      { '/spec/volumes/12/cinder/fsType': undefined },
    ],
    refused: [
      [
        { '/spec/volumes/12/glusterfs': { endpoints: 'sample', path: 'sample' } },
        ['spec.volumes[12].cinder: Forbidden: may not specify more than 1 volume type'],
      ],
      [
        { '/spec/volumes/0/fc': { noSuchField: { a: [1] } } },
        ['spec.volumes[0].fc: Forbidden: may not specify more than 1 volume type'],
      ],
      [
        { '/spec/volumes/22/photonPersistentDisk/pdID': null },
        ['spec.volumes[22].photonPersistentDisk.pdID: Required value'],
      ],
      [
        { '/spec/volumes/27/fc': {} },
        [
          'spec.volumes[27].fc.targetWWNs: Required value: must specify either targetWWNs or wwids, but not both',
          'spec.volumes[27].csi: Forbidden: may not specify more than 1 volume type',
        ],
      ],
      [
        { '/spec/volumes/10/configMap': { noSuchField: { a: [1] } } },
        ['spec.volumes[10].configMap: Forbidden: may not specify more than 1 volume type'],
      ],
      [
        { '/spec/volumes/15/downwardAPI/items/0/path': '../x' },
        ['spec.volumes[15].downwardAPI.path: Invalid value: "../x": must not contain \'..\''],
      ],
      [
        { '/spec/volumes/21/azureFile': { secretName: 'sample', shareName: 'sample' } },
        ['spec.volumes[21].azureDisk: Forbidden: may not specify more than 1 volume type'],
      ],
      [
        { '/spec/volumes/14/flocker/datasetUUID': '../x' },
        [
          'spec.volumes[14].flocker: Invalid value: "resource": datasetName and datasetUUID can not be specified simultaneously',
        ],
      ],
      [
        { '/spec/volumes/25/name': 'a'.repeat(300) },
        [`spec.volumes[25].name: Invalid value: "${'a'.repeat(300)}": must be no more than 63 characters`],
      ],
      [
        { '/spec/volumes/6/cephfs': {} },
        [
          'spec.volumes[6].cephFS: Forbidden: may not specify more than 1 volume type',
          'spec.containers[0].volumeMounts[0].name: Not found: "v-nfs"',
        ],
      ],
      [
        { '/spec/volumes/11/persistentVolumeClaim': {} },
        [
          'spec.volumes[11].persistentVolumeClaim.claimName: Required value',
          'spec.volumes[11].flexVolume: Forbidden: may not specify more than 1 volume type',
        ],
      ],
      [
        { '/spec/volumes/1/secret': {} },
        ['spec.volumes[1].secret: Forbidden: may not specify more than 1 volume type'],
      ],
      [
        { '/spec/volumes/25/gcePersistentDisk': { pdName: 'sample' } },
        ['spec.volumes[25].scaleIO: Forbidden: may not specify more than 1 volume type'],
      ],
      [
        { '/spec/volumes/8/persistentVolumeClaim': {} },
        ['spec.volumes[8].persistentVolumeClaim: Forbidden: may not specify more than 1 volume type'],
      ],
      [
        { '/spec/volumes/26/downwardAPI': { noSuchField: { a: [1] } } },
        ['spec.volumes[26].storageos: Forbidden: may not specify more than 1 volume type'],
      ],
      [
        { '/spec/volumes/9/iscsi': { targetPortal: 'sample', iqn: 'sample', lun: 7 } },
        [
          'spec.volumes[9].iscsi.iqn: Invalid value: "sample": must be valid format starting with iqn, eui, or naa',
          'spec.volumes[9].persistentVolumeClaim: Forbidden: may not specify more than 1 volume type',
        ],
      ],
      [
        { '/spec/volumes/17/photonPersistentDisk': { noSuchField: { a: [1] } } },
        ['spec.volumes[17].photonPersistentDisk: Forbidden: may not specify more than 1 volume type'],
      ],
      [
        { '/spec/volumes/25/nfs': {} },
        [
          'spec.volumes[25].nfs.server: Required value',
          'spec.volumes[25].nfs.path: Required value',
          'spec.volumes[25].nfs.path: Invalid value: "": must be an absolute path',
          'spec.volumes[25].scaleIO: Forbidden: may not specify more than 1 volume type',
        ],
      ],
      [
        { '/spec/volumes/3/glusterfs': { endpoints: 'sample', path: 'sample' } },
        ['spec.volumes[3].glusterfs: Forbidden: may not specify more than 1 volume type'],
      ],
      [
        {
          '/spec/containers': [
            {
              name: 'main',
              image: 'registry.example.com/web:1.2',
              volumeMounts: [{ name: 'v-nfs', mountPath: '/a' }],
            },
            {
              name: 'main',
              image: 'registry.example.com/web:1.2',
              volumeMounts: [{ name: 'v-nfs', mountPath: '/a' }],
            },
          ],
        },
        ['spec.containers[1].name: Duplicate value: "main"'],
      ],
      [
        { '/spec/volumes/16/secret': {} },
        [
          'spec.volumes[16].secret.secretName: Required value',
          'spec.volumes[16].fc: Forbidden: may not specify more than 1 volume type',
        ],
      ],
      [
        { '/spec/volumes/9/vsphereVolume': { noSuchField: { a: [1] } } },
        ['spec.volumes[9].vsphereVolume: Forbidden: may not specify more than 1 volume type'],
      ],
      [
        { '/metadata/labels': { 'A.b/k': 'v' } },
        [`metadata.labels: Invalid value: "A.b/k": prefix part ${subdomain1123}`],
      ],
      [
        { '/spec/volumes/19/flexVolume': { noSuchField: { a: [1] } } },
        [
          'spec.volumes[19].flexVolume.driver: Required value',
          'spec.volumes[19].vsphereVolume: Forbidden: may not specify more than 1 volume type',
        ],
      ],
      [
        { '/spec/volumes/24/hostPath': {} },
        [
          'spec.volumes[24].hostPath.path: Required value',
          'spec.volumes[24].portworxVolume: Forbidden: may not specify more than 1 volume type',
        ],
      ],
      [
        { '/spec/volumes/1/nfs': { server: 'sample', path: 'sample' } },
        ['spec.volumes[1].nfs: Forbidden: may not specify more than 1 volume type'],
      ],
      [
        { '/spec/volumes/27/flexVolume': {} },
        [
          'spec.volumes[27].flexVolume.driver: Required value',
          'spec.volumes[27].csi: Forbidden: may not specify more than 1 volume type',
        ],
      ],
      [
        { '/spec/volumes/11/iscsi': { targetPortal: 'sample', iqn: 'sample', lun: 7 } },
        [
          'spec.volumes[11].iscsi.iqn: Invalid value: "sample": must be valid format starting with iqn, eui, or naa',
          'spec.volumes[11].flexVolume: Forbidden: may not specify more than 1 volume type',
        ],
      ],
      [
        { '/spec/volumes/2/flocker': {} },
        ['spec.volumes[2].flocker: Forbidden: may not specify more than 1 volume type'],
      ],
      [
        { '/spec/volumes/3/secret': {}, '/spec/volumes/19/name': '' },
        [
          'spec.volumes[3].secret: Forbidden: may not specify more than 1 volume type',
          'spec.volumes[19].name: Required value',
        ],
      ],
      [
        {
          '/spec/volumes/13/flexVolume': { driver: 'sample' },
          '/spec/volumes/13/name': 'a'.repeat(253),
          '/spec/volumes/3/vsphereVolume': { volumePath: 'sample' },
        },
        [
          'spec.volumes[3].vsphereVolume: Forbidden: may not specify more than 1 volume type',
          'spec.volumes[13].flexVolume: Forbidden: may not specify more than 1 volume type',
          `spec.volumes[13].name: Invalid value: "${'a'.repeat(253)}": must be no more than 63 characters`,
        ],
      ],
      [
        {
          '/spec/volumes/16/gcePersistentDisk': {},
          '/spec/volumes/26/persistentVolumeClaim': {},
          '/spec/volumes/14/persistentVolumeClaim': { claimName: 'sample' },
        },
        [
          'spec.volumes[14].persistentVolumeClaim: Forbidden: may not specify more than 1 volume type',
          'spec.volumes[16].persistentDisk.pdName: Required value',
          'spec.volumes[16].fc: Forbidden: may not specify more than 1 volume type',
          'spec.volumes[26].persistentVolumeClaim.claimName: Required value',
          'spec.volumes[26].storageos: Forbidden: may not specify more than 1 volume type',
        ],
      ],
    ],
  },
];
