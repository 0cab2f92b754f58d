import { type DefaultCase, podDefaults } from './default-cases.ts';

/** Objects of the group as they are sent, and what is set in them. */
export const coreDefaults: readonly DefaultCase[] = [
  [
    { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, data: {}, binaryData: {} },
    { '/data': undefined, '/binaryData': undefined },
  ],
  [
    { apiVersion: 'v1', kind: 'Event', metadata: { name: 'a' } },
    {
      '/involvedObject': {},
      '/source': {},
      '/firstTimestamp': null,
      '/lastTimestamp': null,
      '/eventTime': null,
      '/reportingComponent': '',
      '/reportingInstance': '',
    },
  ],
  [
    {
      apiVersion: 'v1',
      kind: 'LimitRange',
      metadata: { name: 'a' },
      spec: {
        limits: [{ type: 'Container', max: { cpu: '2', memory: '1Gi' }, min: {}, defaultRequest: {} }],
      },
    },
    {
      '/spec/limits/0/min': undefined,
      '/spec/limits/0/defaultRequest/cpu': '2',
      '/spec/limits/0/defaultRequest/memory': '1Gi',
      '/spec/limits/0/default': { cpu: '2', memory: '1Gi' },
    },
  ],
  [
    {
      apiVersion: 'v1',
      kind: 'LimitRange',
      metadata: { name: 'a' },
      spec: { limits: [{ type: 'Container', max: { memory: '1Gi' }, default: {} }] },
    },
    { '/spec/limits/0/default/memory': '1Gi', '/spec/limits/0/defaultRequest': { memory: '1Gi' } },
  ],
  [
    {
      apiVersion: 'v1',
      kind: 'LimitRange',
      metadata: { name: 'a' },
      spec: {
        limits: [
          {
            type: 'PersistentVolumeClaim',
            max: { storage: '10Gi' },
            defaultRequest: { memory: 1048576, cpu: 0.25 },
          },
        ],
      },
    },
    { '/spec/limits/0/defaultRequest/memory': '1048576', '/spec/limits/0/defaultRequest/cpu': '250m' },
  ],
  [
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'a' }, spec: {} },
    { '/spec/finalizers': ['orch'] },
  ],
  [
    {
      apiVersion: 'v1',
      kind: 'PersistentVolume',
      metadata: { name: 'a' },
      spec: { capacity: { storage: '10Gi' }, accessModes: ['ReadWriteOnce'], flocker: { datasetName: 'ds' } },
    },
    { '/spec/persistentVolumeReclaimPolicy': 'Retain', '/spec/volumeMode': 'Filesystem' },
  ],
  [
    {
      apiVersion: 'v1',
      kind: 'PersistentVolume',
      metadata: { name: 'a' },
      spec: {
        capacity: { storage: '10Gi' },
        accessModes: ['ReadWriteMany'],
        azureDisk: { diskName: 'd', diskURI: 'https://blob.example.com/d' },
      },
    },
    {
      '/spec/azureDisk/cachingMode': 'ReadWrite',
      '/spec/azureDisk/fsType': 'ext4',
      '/spec/azureDisk/readOnly': false,
      '/spec/azureDisk/kind': 'Shared',
      '/spec/persistentVolumeReclaimPolicy': 'Retain',
      '/spec/volumeMode': 'Filesystem',
    },
  ],
  [
    {
      apiVersion: 'v1',
      kind: 'PersistentVolume',
      metadata: { name: 'a' },
      spec: {
        capacity: { storage: '10Gi' },
        accessModes: ['ReadWriteOnce'],
        glusterfs: { endpoints: 'g', path: 'v' },
        storageos: null,
      },
    },
    {
      '/spec/storageos': undefined,
      '/spec/persistentVolumeReclaimPolicy': 'Retain',
      '/spec/volumeMode': 'Filesystem',
    },
  ],
  [
    {
      apiVersion: 'v1',
      kind: 'PersistentVolume',
      metadata: { name: 'a' },
      spec: {
        capacity: { storage: '10Gi' },
        accessModes: ['ReadWriteOnce'],
        glusterfs: { endpoints: 'g', path: 'v' },
        vsphereVolume: null,
      },
    },
    {
      '/spec/vsphereVolume': undefined,
      '/spec/persistentVolumeReclaimPolicy': 'Retain',
      '/spec/volumeMode': 'Filesystem',
    },
  ],
  [
    {
      apiVersion: 'v1',
      kind: 'PersistentVolume',
      metadata: { name: 'a' },
      spec: {
        capacity: { storage: '10Gi' },
        accessModes: ['ReadWriteOnce'],
        cinder: { volumeID: 'c', noSuchField: {} },
      },
    },
    {
      '/spec/cinder/noSuchField': undefined,
      '/spec/persistentVolumeReclaimPolicy': 'Retain',
      '/spec/volumeMode': 'Filesystem',
    },
  ],
  [
    {
      apiVersion: 'v1',
      kind: 'PersistentVolume',
      metadata: { name: 'a' },
      spec: {
        capacity: { storage: '10Gi' },
        accessModes: ['ReadWriteOnce'],
        quobyte: { registry: 'reg:1', volume: 'v' },
        azureFile: null,
      },
    },
    {
      '/spec/azureFile': undefined,
      '/spec/persistentVolumeReclaimPolicy': 'Retain',
      '/spec/volumeMode': 'Filesystem',
    },
  ],
  [
    {
      apiVersion: 'v1',
      kind: 'PersistentVolume',
      metadata: { name: 'a' },
      spec: {
        capacity: { storage: '10Gi' },
        accessModes: ['ReadWriteOnce'],
        scaleIO: { gateway: 'https://g', system: 'UpperCase', volumeName: 'v' },
      },
    },
    {
      '/spec/scaleIO/secretRef': null,
      '/spec/scaleIO/storageMode': 'ThinProvisioned',
      '/spec/scaleIO/fsType': 'xfs',
      '/spec/persistentVolumeReclaimPolicy': 'Retain',
      '/spec/volumeMode': 'Filesystem',
    },
  ],
  [
    {
      apiVersion: 'v1',
      kind: 'PersistentVolume',
      metadata: { name: 'a' },
      spec: {
        capacity: { storage: '10Gi' },
        accessModes: ['ReadWriteOnce'],
        rbd: { monitors: ['10.0.1.1:6789'], image: 'img' },
        noSuchField: {},
      },
    },
    {
      '/spec/rbd/pool': 'rbd',
      '/spec/rbd/user': 'admin',
      '/spec/rbd/keyring': '/etc/ceph/keyring',
      '/spec/noSuchField': undefined,
      '/spec/persistentVolumeReclaimPolicy': 'Retain',
      '/spec/volumeMode': 'Filesystem',
    },
  ],
  [
    {
      apiVersion: 'v1',
      kind: 'PersistentVolume',
      metadata: { name: 'a' },
      spec: {
        capacity: { storage: '10Gi' },
        accessModes: ['ReadWriteOnce'],
        iscsi: {
          targetPortal: '10.2.3.4:3260',
          iqn: 'iqn.2001-04.com.example:storage.disk1',
          initiatorName: null,
        },
      },
    },
    {
      '/spec/iscsi/initiatorName': undefined,
      '/spec/iscsi/lun': 0,
      '/spec/iscsi/iscsiInterface': 'default',
      '/spec/persistentVolumeReclaimPolicy': 'Retain',
      '/spec/volumeMode': 'Filesystem',
    },
  ],
  [
    {
      apiVersion: 'v1',
      kind: 'PersistentVolume',
      metadata: { name: 'a' },
      spec: {
        capacity: { storage: '10Gi' },
        accessModes: ['ReadWriteOnce'],
        csi: { driver: 'csi.example.com', volumeHandle: 'h' },
        nodeAffinity: null,
      },
    },
    {
      '/spec/nodeAffinity': undefined,
      '/spec/persistentVolumeReclaimPolicy': 'Retain',
      '/spec/volumeMode': 'Filesystem',
    },
  ],
  [
    {
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: { name: 'a' },
      spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '5Gi' } }, dataSource: {} },
    },
    { '/spec/dataSource': undefined, '/spec/volumeMode': 'Filesystem' },
  ],
  [
    {
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: { name: 'a' },
      spec: {
        accessModes: ['ReadWriteOnce'],
        selector: { matchExpressions: [] },
        resources: { requests: { storage: '5Gi' } },
      },
    },
    { '/spec/selector/matchExpressions': undefined, '/spec/volumeMode': 'Filesystem' },
  ],
  [
    {
      apiVersion: 'v1',
      kind: 'PodTemplate',
      metadata: { name: 'a' },
      template: {
        metadata: {},
        spec: { containers: [{ name: 'main', image: 'registry.example.com/web:1.2' }] },
      },
    },
    podDefaults('/template', { '/template/metadata/creationTimestamp': null }),
  ],
  [
    {
      apiVersion: 'v1',
      kind: 'PodTemplate',
      metadata: { name: 'a' },
      template: {
        metadata: { resourceVersion: null },
        spec: { containers: [{ name: 'main', image: 'registry.example.com/web:1.2' }] },
      },
    },
    podDefaults('/template', {
      '/template/metadata/resourceVersion': undefined,
      '/template/metadata/creationTimestamp': null,
    }),
  ],
  [
    {
      apiVersion: 'v1',
      kind: 'PodTemplate',
      metadata: { name: 'a' },
      template: {
        metadata: { deletionTimestamp: '2020-02-03T04:05:06.123456789Z' },
        spec: { containers: [{ name: 'main', image: 'registry.example.com/web:1.2' }] },
      },
    },
    podDefaults('/template', {
      '/template/metadata/deletionTimestamp': '2020-02-03T04:05:06Z',
      '/template/metadata/creationTimestamp': null,
    }),
  ],
  [
    {
      apiVersion: 'v1',
      kind: 'ReplicationController',
      metadata: { name: 'a' },
      spec: {
        template: {
          metadata: { labels: { tier: 'front' } },
          spec: { containers: [{ name: 'main', image: 'registry.example.com/web:1.2' }] },
        },
      },
    },
    podDefaults('/spec/template', {
      '/spec/template/metadata/creationTimestamp': null,
      '/spec/replicas': 1,
      '/spec/selector': { tier: 'front' },
    }),
  ],
  [{ apiVersion: 'v1', kind: 'ResourceQuota', metadata: { name: 'a' } }, { '/spec': {} }],
  [
    { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'a' }, data: {} },
    { '/data': undefined, '/type': 'Opaque' },
  ],
  [
    { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'a' }, data: {}, stringData: { extra: 'plain' } },
    { '/data/extra': 'cGxhaW4=', '/stringData': undefined, '/type': 'Opaque' },
  ],
  [
    { apiVersion: 'v1', kind: 'Service', metadata: { name: 'a' }, spec: { clusterIP: 'None' } },
    { '/spec/clusterIPs': ['None'], '/spec/type': 'ClusterIP', '/spec/sessionAffinity': 'None' },
  ],
  [
    { apiVersion: 'v1', kind: 'Service', metadata: { name: 'a' }, spec: { ports: [{ port: 80 }] } },
    {
      '/spec/ports/0/protocol': 'TCP',
      '/spec/ports/0/targetPort': 80,
      '/spec/type': 'ClusterIP',
      '/spec/sessionAffinity': 'None',
    },
  ],
  [
    {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'a' },
      spec: { topologyKeys: [], ports: [{ port: 80 }] },
    },
    {
      '/spec/topologyKeys': undefined,
      '/spec/ports/0/protocol': 'TCP',
      '/spec/ports/0/targetPort': 80,
      '/spec/type': 'ClusterIP',
      '/spec/sessionAffinity': 'None',
    },
  ],
  [
    {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'a' },
      spec: { clusterIP: '10.0.0.1', ports: [{ port: 80 }] },
    },
    {
      '/spec/ports/0/protocol': 'TCP',
      '/spec/ports/0/targetPort': 80,
      '/spec/clusterIPs': ['10.0.0.1'],
      '/spec/type': 'ClusterIP',
      '/spec/sessionAffinity': 'None',
    },
  ],
  [
    {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'a' },
      spec: { clusterIP: '10.0.0.77', ports: [{ port: 80 }] },
    },
    {
      '/spec/ports/0/protocol': 'TCP',
      '/spec/ports/0/targetPort': 80,
      '/spec/clusterIPs': ['10.0.0.77'],
      '/spec/type': 'ClusterIP',
      '/spec/sessionAffinity': 'None',
    },
  ],
  [
    {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'a' },
      spec: { clusterIP: '10.0.0.255', ports: [{ port: 80 }] },
    },
    {
      '/spec/ports/0/protocol': 'TCP',
      '/spec/ports/0/targetPort': 80,
      '/spec/clusterIPs': ['10.0.0.255'],
      '/spec/type': 'ClusterIP',
      '/spec/sessionAffinity': 'None',
    },
  ],
  [
    {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'a' },
      spec: { clusterIP: '192.168.0.1', ports: [{ port: 80 }] },
    },
    {
      '/spec/ports/0/protocol': 'TCP',
      '/spec/ports/0/targetPort': 80,
      '/spec/clusterIPs': ['192.168.0.1'],
      '/spec/type': 'ClusterIP',
      '/spec/sessionAffinity': 'None',
    },
  ],
  [
    {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'a' },
      spec: { ipFamilyPolicy: 'PreferDualStack', ports: [{ port: 80 }] },
    },
    {
      '/spec/ipFamilyPolicy': undefined,
      '/spec/ports/0/protocol': 'TCP',
      '/spec/ports/0/targetPort': 80,
      '/spec/type': 'ClusterIP',
      '/spec/sessionAffinity': 'None',
    },
  ],
  [
    {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'a' },
      spec: { allocateLoadBalancerNodePorts: true, ports: [{ port: 80 }] },
    },
    {
      '/spec/allocateLoadBalancerNodePorts': undefined,
      '/spec/ports/0/protocol': 'TCP',
      '/spec/ports/0/targetPort': 80,
      '/spec/type': 'ClusterIP',
      '/spec/sessionAffinity': 'None',
    },
  ],
  [
    {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'a' },
      spec: { sessionAffinity: 'ClientIP', sessionAffinityConfig: {}, ports: [{ port: 80 }] },
    },
    {
      '/spec/sessionAffinityConfig/clientIP': { timeoutSeconds: 10800 },
      '/spec/ports/0/protocol': 'TCP',
      '/spec/ports/0/targetPort': 80,
      '/spec/type': 'ClusterIP',
    },
  ],
  [
    {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'a' },
      spec: { type: 'ExternalName', externalName: 'db.example.com', healthCheckNodePort: null },
    },
    { '/spec/healthCheckNodePort': undefined, '/spec/sessionAffinity': 'None' },
  ],
  [
    { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'a' }, secrets: [{ kind: 'Secret' }] },
    { '/secrets/0/kind': undefined },
  ],
  [
    { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'a' }, secrets: [{ namespace: 'n' }] },
    { '/secrets/0/namespace': undefined },
  ],
  [
    {
      apiVersion: 'v1',
      kind: 'ServiceAccount',
      metadata: { name: 'a' },
      secrets: [{ resourceVersion: 'a/b' }],
    },
    { '/secrets/0/resourceVersion': undefined },
  ],
];
