import type { RowCase } from './row-cases.ts';

/** Objects of the group in short, and what they look like in a table. */
export const coreRows: readonly RowCase[] = [
  [
    'v1.ConfigMap',
    'configmaps',
    { data: { 'a.conf': 'x=1\n', b: '2' }, binaryData: { bin: 'AAEC' } },
    ['a', 3, '30s'],
  ],
  ['v1.ConfigMap', 'configmaps', {}, ['a', 0, '30s']],
  ['v1.ConfigMap', 'configmaps', { data: { b: '2' }, binaryData: { bin: 'AAEC' } }, ['a', 2, '30s']],
  [
    'v1.Endpoints',
    'endpoints',
    { subsets: [{ addresses: [{ ip: '10.1.1.2' }], ports: [{ port: 53 }] }] },
    ['a', '10.1.1.2:53', '30s'],
  ],
  ['v1.Endpoints', 'endpoints', {}, ['a', '<none>', '30s']],
  [
    'v1.Endpoints',
    'endpoints',
    { subsets: [{ addresses: [{ ip: '10.1.1.2' }], ports: [{ port: 80 }, { port: 53 }] }] },
    ['a', '10.1.1.2:80,10.1.1.2:53', '30s'],
  ],
  ['v1.Endpoints', 'endpoints', { subsets: [{ addresses: [{ ip: '10.1.1.2' }] }] }, ['a', '10.1.1.2', '30s']],
  [
    'v1.Endpoints',
    'endpoints',
    {
      subsets: [{ addresses: [{ ip: '10.1.1.2' }, { ip: '10.1.1.1' }], ports: [{ port: 80 }, { port: 53 }] }],
    },
    ['a', '10.1.1.2:80,10.1.1.1:80,10.1.1.2:53 + 1 more...', '30s'],
  ],
  [
    'v1.Endpoints',
    'endpoints',
    { subsets: [{ addresses: [{ ip: '10.1.1.2' }, { ip: '10.1.1.1' }], ports: [{ port: 80 }] }] },
    ['a', '10.1.1.2:80,10.1.1.1:80', '30s'],
  ],
  [
    'v1.Endpoints',
    'endpoints',
    { subsets: [{ addresses: [{ ip: '10.1.1.2' }, { ip: '10.1.1.1' }] }] },
    ['a', '10.1.1.2,10.1.1.1', '30s'],
  ],
  [
    'v1.Event',
    'events',
    {
      involvedObject: { kind: 'Pod', name: 'p', fieldPath: 'spec' },
      reason: 'Unschedulable',
      message: 'it started',
      source: { component: 'agent' },
      firstTimestamp: '2020-01-01T00:00:00Z',
      type: 'Normal',
    },
    ['366d', 'Normal', 'Unschedulable', 'pod/p', 'spec', 'agent', 'it started', '366d', 1, 'a'],
  ],
  [
    'v1.Event',
    'events',
    {
      involvedObject: { kind: 'Pod', name: 'p', fieldPath: 'spec' },
      reason: 'Started',
      message: 'it started',
      source: { host: 'n1' },
      firstTimestamp: '2020-01-01T00:00:00Z',
      lastTimestamp: '2020-01-02T00:00:00Z',
      type: 'Normal',
    },
    ['365d', 'Normal', 'Started', 'pod/p', 'spec', ', n1', 'it started', '366d', 1, 'a'],
  ],
  [
    'v1.Event',
    'events',
    {
      involvedObject: { kind: 'Pod', name: 'p', fieldPath: 'spec' },
      reason: 'Started',
      source: { component: 'agent', host: 'n1' },
      firstTimestamp: '2020-01-01T00:00:00Z',
      lastTimestamp: '2020-01-02T00:00:00Z',
      type: 'Normal',
    },
    ['365d', 'Normal', 'Started', 'pod/p', 'spec', 'agent, n1', '', '366d', 1, 'a'],
  ],
  [
    'v1.Event',
    'events',
    {
      involvedObject: { kind: 'Pod', name: 'p', fieldPath: 'spec' },
      reason: 'Started',
      firstTimestamp: '2020-01-01T00:00:00Z',
      count: 3,
      type: 'Normal',
    },
    ['366d', 'Normal', 'Started', 'pod/p', 'spec', '', '', '366d', 3, 'a'],
  ],
  [
    'v1.Event',
    'events',
    {
      involvedObject: { kind: 'Pod', name: 'p', fieldPath: 'spec' },
      reason: 'Started',
      message: 'it started',
      source: { component: 'agent', host: 'n1' },
      firstTimestamp: '2020-01-01T00:00:00Z',
      lastTimestamp: '2020-01-02T00:00:00Z',
      type: 'Normal',
    },
    ['365d', 'Normal', 'Started', 'pod/p', 'spec', 'agent, n1', 'it started', '366d', 1, 'a'],
  ],
  [
    'v1.Event',
    'events',
    {
      involvedObject: { kind: 'Pod', name: 'p', fieldPath: 'spec' },
      reason: 'Started',
      message: 'it started',
      firstTimestamp: '2020-01-01T00:00:00Z',
      lastTimestamp: '2020-01-02T00:00:00Z',
      count: 3,
      type: 'Normal',
    },
    ['365d', 'Normal', 'Started', 'pod/p', 'spec', '', 'it started', '366d', 3, 'a'],
  ],
  [
    'v1.Event',
    'events',
    {
      involvedObject: { kind: 'Pod', name: 'p', fieldPath: 'spec' },
      source: { component: 'agent', host: 'n1' },
      firstTimestamp: '2020-01-01T00:00:00Z',
      lastTimestamp: '2020-01-02T00:00:00Z',
      type: 'Normal',
    },
    ['365d', 'Normal', '', 'pod/p', 'spec', 'agent, n1', '', '366d', 1, 'a'],
  ],
  [
    'v1.Event',
    'events',
    {
      involvedObject: { kind: 'Pod', name: 'p', fieldPath: 'spec' },
      reason: 'Started',
      message: 'it started',
      source: { component: 'agent' },
      firstTimestamp: '2020-01-01T00:00:00Z',
      lastTimestamp: '2020-01-02T00:00:00Z',
      count: 3,
      type: 'Normal',
    },
    ['365d', 'Normal', 'Started', 'pod/p', 'spec', 'agent', 'it started', '366d', 3, 'a'],
  ],
  [
    'v1.Node',
    'nodes',
    {
      status: {
        addresses: [
          { type: 'InternalIP', address: '192.168.0.1' },
          { type: 'ExternalIP', address: '5.6.7.8' },
        ],
        nodeInfo: {
          kernelVersion: '5.4',
          osImage: 'Linux',
          containerRuntimeVersion: 'cri://1',
          nodeAgentVersion: 'v1.20.2',
        },
      },
    },
    ['a', 'Unknown', '<none>', '30s', 'v1.20.2', '192.168.0.1', '5.6.7.8', 'Linux', '5.4', 'cri://1'],
  ],
  [
    'v1.Node',
    'nodes',
    {
      status: {
        conditions: [{ type: 'Ready', status: 'True' }],
        addresses: [
          { type: 'InternalIP', address: '192.168.0.1' },
          { type: 'ExternalIP', address: '5.6.7.8' },
        ],
      },
    },
    ['a', 'Ready', '<none>', '30s', '', '192.168.0.1', '5.6.7.8', '<unknown>', '<unknown>', '<unknown>'],
  ],
  [
    'v1.Node',
    'nodes',
    {
      spec: { unschedulable: true },
      status: {
        conditions: [{ type: 'Ready', status: 'True' }],
        nodeInfo: {
          kernelVersion: '5.4',
          osImage: 'Linux',
          containerRuntimeVersion: 'cri://1',
          nodeAgentVersion: 'v1.20.2',
        },
      },
    },
    [
      'a',
      'Ready,SchedulingDisabled',
      '<none>',
      '30s',
      'v1.20.2',
      '<none>',
      '<none>',
      'Linux',
      '5.4',
      'cri://1',
    ],
  ],
  [
    'v1.Node',
    'nodes',
    {
      spec: { unschedulable: true },
      status: {
        nodeInfo: {
          kernelVersion: '5.4',
          osImage: 'Linux',
          containerRuntimeVersion: 'cri://1',
          nodeAgentVersion: 'v1.20.2',
        },
      },
    },
    [
      'a',
      'Unknown,SchedulingDisabled',
      '<none>',
      '30s',
      'v1.20.2',
      '<none>',
      '<none>',
      'Linux',
      '5.4',
      'cri://1',
    ],
  ],
  [
    'v1.Node',
    'nodes',
    {},
    ['a', 'Unknown', '<none>', '30s', '', '<none>', '<none>', '<unknown>', '<unknown>', '<unknown>'],
  ],
  [
    'v1.Node',
    'nodes',
    {
      status: {
        conditions: [{ type: 'Ready', status: 'True' }],
        nodeInfo: {
          kernelVersion: '5.4',
          osImage: 'Linux',
          containerRuntimeVersion: 'cri://1',
          nodeAgentVersion: 'v1.20.2',
        },
      },
    },
    ['a', 'Ready', '<none>', '30s', 'v1.20.2', '<none>', '<none>', 'Linux', '5.4', 'cri://1'],
  ],
  [
    'v1.PersistentVolumeClaim',
    'persistentvolumeclaims',
    {
      spec: { volumeName: 'vol', storageClassName: 'fast', volumeMode: 'Filesystem' },
      status: { phase: 'Pending' },
    },
    ['a', 'Pending', 'vol', '0', '', 'fast', '30s', 'Filesystem'],
  ],
  [
    'v1.PersistentVolumeClaim',
    'persistentvolumeclaims',
    { spec: { volumeName: 'vol', volumeMode: 'Filesystem' }, status: { phase: 'Pending' } },
    ['a', 'Pending', 'vol', '0', '', '', '30s', 'Filesystem'],
  ],
  [
    'v1.PersistentVolumeClaim',
    'persistentvolumeclaims',
    { spec: { storageClassName: 'fast', volumeMode: 'Filesystem' }, status: { phase: 'Bound' } },
    ['a', 'Bound', '', '', '', 'fast', '30s', 'Filesystem'],
  ],
  [
    'v1.PersistentVolumeClaim',
    'persistentvolumeclaims',
    {
      spec: { volumeName: 'vol', storageClassName: 'fast', volumeMode: 'Filesystem' },
      status: { phase: 'Lost', accessModes: ['ReadWriteOnce'], capacity: { storage: '5Gi' } },
    },
    ['a', 'Lost', 'vol', '5Gi', 'RWO', 'fast', '30s', 'Filesystem'],
  ],
  [
    'v1.PersistentVolumeClaim',
    'persistentvolumeclaims',
    {
      spec: { volumeName: 'vol', storageClassName: 'fast', volumeMode: 'Filesystem' },
      status: { phase: 'Pending', capacity: { storage: '5Gi' } },
    },
    ['a', 'Pending', 'vol', '5Gi', '', 'fast', '30s', 'Filesystem'],
  ],
  [
    'v1.PersistentVolumeClaim',
    'persistentvolumeclaims',
    { spec: { volumeMode: 'Filesystem' }, status: { phase: 'Bound' } },
    ['a', 'Bound', '', '', '', '', '30s', 'Filesystem'],
  ],
  [
    'v1.PersistentVolumeClaim',
    'persistentvolumeclaims',
    {
      spec: { volumeName: 'vol', volumeMode: 'Filesystem' },
      status: { phase: 'Bound', accessModes: ['ReadWriteOnce'], capacity: { storage: '5Gi' } },
    },
    ['a', 'Bound', 'vol', '5Gi', 'RWO', '', '30s', 'Filesystem'],
  ],
  [
    'v1.PersistentVolume',
    'persistentvolumes',
    {
      spec: {
        capacity: { storage: '10Gi' },
        accessModes: ['ReadOnlyMany'],
        persistentVolumeReclaimPolicy: 'Retain',
        storageClassName: 'fast',
        volumeMode: 'Filesystem',
      },
      status: { phase: 'Unknown', reason: 'R' },
    },
    ['a', '10Gi', 'ROX', 'Retain', 'Unknown', '', 'fast', 'R', '30s', 'Filesystem'],
  ],
  [
    'v1.PersistentVolume',
    'persistentvolumes',
    {
      spec: {
        capacity: { storage: '10Gi' },
        accessModes: ['ReadWriteOnce', 'ReadOnlyMany'],
        claimRef: { namespace: 'default', name: 'c' },
        persistentVolumeReclaimPolicy: 'Retain',
        storageClassName: 'fast',
        volumeMode: 'Filesystem',
      },
      status: { phase: 'Bound', reason: 'OOMKilled' },
    },
    ['a', '10Gi', 'RWO,ROX', 'Retain', 'Bound', 'default/c', 'fast', 'OOMKilled', '30s', 'Filesystem'],
  ],
  [
    'v1.PersistentVolume',
    'persistentvolumes',
    {
      spec: {
        capacity: { storage: '10Gi' },
        accessModes: ['ReadWriteOnce', 'ReadOnlyMany'],
        persistentVolumeReclaimPolicy: 'Retain',
        storageClassName: 'fast',
        volumeMode: 'Filesystem',
      },
      status: { phase: 'Running', reason: 'Evicted' },
    },
    ['a', '10Gi', 'RWO,ROX', 'Retain', 'Running', '', 'fast', 'Evicted', '30s', 'Filesystem'],
  ],
  [
    'v1.PersistentVolume',
    'persistentvolumes',
    {
      spec: {
        capacity: { storage: '10Gi' },
        accessModes: ['ReadWriteOnce', 'ReadOnlyMany'],
        claimRef: { namespace: 'default', name: 'c' },
        persistentVolumeReclaimPolicy: 'Retain',
        volumeMode: 'Filesystem',
      },
      status: { phase: 'Pending', reason: 'ContainerCreating' },
    },
    ['a', '10Gi', 'RWO,ROX', 'Retain', 'Pending', 'default/c', '', 'ContainerCreating', '30s', 'Filesystem'],
  ],
  [
    'v1.PersistentVolume',
    'persistentvolumes',
    {
      spec: {
        capacity: { storage: '10Gi' },
        accessModes: ['ReadWriteOnce'],
        persistentVolumeReclaimPolicy: 'Retain',
        storageClassName: 'fast',
        volumeMode: 'Filesystem',
      },
      status: { phase: 'Pending' },
    },
    ['a', '10Gi', 'RWO', 'Retain', 'Pending', '', 'fast', '', '30s', 'Filesystem'],
  ],
  [
    'v1.PersistentVolume',
    'persistentvolumes',
    {
      spec: {
        capacity: { storage: '10Gi' },
        accessModes: ['ReadWriteOnce'],
        claimRef: { name: 'c' },
        persistentVolumeReclaimPolicy: 'Retain',
        volumeMode: 'Filesystem',
      },
      status: { phase: 'Pending', reason: 'NodeLost' },
    },
    ['a', '10Gi', 'RWO', 'Retain', 'Pending', '/c', '', 'NodeLost', '30s', 'Filesystem'],
  ],
  [
    'v1.PersistentVolume',
    'persistentvolumes',
    {
      spec: {
        capacity: { storage: '10Gi' },
        accessModes: ['ReadWriteOnce', 'ReadOnlyMany'],
        persistentVolumeReclaimPolicy: 'Retain',
        volumeMode: 'Filesystem',
      },
      status: { phase: 'Bound', reason: 'Unschedulable' },
    },
    ['a', '10Gi', 'RWO,ROX', 'Retain', 'Bound', '', '', 'Unschedulable', '30s', 'Filesystem'],
  ],
  [
    'v1.PersistentVolume',
    'persistentvolumes',
    {
      spec: {
        capacity: { storage: '10Gi' },
        accessModes: ['ReadWriteOnce'],
        claimRef: { namespace: 'default', name: 'c' },
        persistentVolumeReclaimPolicy: 'Retain',
        storageClassName: 'fast',
        volumeMode: 'Filesystem',
      },
      status: { phase: 'Bound', reason: 'Evicted' },
    },
    ['a', '10Gi', 'RWO', 'Retain', 'Bound', 'default/c', 'fast', 'Evicted', '30s', 'Filesystem'],
  ],
  [
    'v1.PersistentVolume',
    'persistentvolumes',
    {
      spec: {
        capacity: { storage: '10Gi' },
        accessModes: ['ReadWriteOnce', 'ReadOnlyMany'],
        claimRef: { name: 'c' },
        persistentVolumeReclaimPolicy: 'Retain',
        storageClassName: 'fast',
        volumeMode: 'Filesystem',
      },
      status: { phase: 'Pending', reason: 'R' },
    },
    ['a', '10Gi', 'RWO,ROX', 'Retain', 'Pending', '/c', 'fast', 'R', '30s', 'Filesystem'],
  ],
  [
    'v1.PersistentVolume',
    'persistentvolumes',
    {
      spec: {
        capacity: { storage: '10Gi' },
        accessModes: ['ReadOnlyMany'],
        claimRef: { name: 'c' },
        persistentVolumeReclaimPolicy: 'Retain',
        storageClassName: 'fast',
        volumeMode: 'Filesystem',
      },
      status: { phase: 'Terminating' },
    },
    ['a', '10Gi', 'ROX', 'Retain', 'Terminating', '/c', 'fast', '', '30s', 'Filesystem'],
  ],
  [
    'v1.PersistentVolume',
    'persistentvolumes',
    {
      spec: {
        capacity: { storage: '10Gi' },
        accessModes: ['ReadOnlyMany'],
        claimRef: { namespace: 'default', name: 'c' },
        persistentVolumeReclaimPolicy: 'Retain',
        volumeMode: 'Filesystem',
      },
      status: { phase: 'Running', reason: 'R' },
    },
    ['a', '10Gi', 'ROX', 'Retain', 'Running', 'default/c', '', 'R', '30s', 'Filesystem'],
  ],
  [
    'v1.PersistentVolume',
    'persistentvolumes',
    {
      spec: {
        capacity: { storage: '10Gi' },
        accessModes: ['ReadWriteOnce', 'ReadOnlyMany'],
        persistentVolumeReclaimPolicy: 'Retain',
        volumeMode: 'Filesystem',
      },
      status: { phase: 'Pending' },
    },
    ['a', '10Gi', 'RWO,ROX', 'Retain', 'Pending', '', '', '', '30s', 'Filesystem'],
  ],
  [
    'v1.PersistentVolume',
    'persistentvolumes',
    {
      spec: {
        capacity: { storage: '10Gi' },
        accessModes: ['ReadOnlyMany'],
        persistentVolumeReclaimPolicy: 'Retain',
        volumeMode: 'Filesystem',
      },
      status: { phase: 'Bound' },
    },
    ['a', '10Gi', 'ROX', 'Retain', 'Bound', '', '', '', '30s', 'Filesystem'],
  ],
  [
    'v1.PersistentVolume',
    'persistentvolumes',
    {
      spec: {
        capacity: { storage: '10Gi' },
        accessModes: ['ReadWriteOnce'],
        persistentVolumeReclaimPolicy: 'Retain',
        volumeMode: 'Filesystem',
      },
      status: { phase: 'Unknown', reason: 'R' },
    },
    ['a', '10Gi', 'RWO', 'Retain', 'Unknown', '', '', 'R', '30s', 'Filesystem'],
  ],
  [
    'v1.Pod',
    'pods',
    {
      spec: { containers: [{}], nodeName: 'node-1' },
      status: {
        phase: 'Succeeded',
        nominatedNodeName: 'nn',
        podIPs: [{ ip: '10.244.0.9' }],
        containerStatuses: [{ restartCount: 2 }, { restartCount: 2 }],
      },
    },
    ['a', '0/1', 'Succeeded', 4, '30s', '10.244.0.9', 'node-1', 'nn', '<none>'],
  ],
  [
    'v1.Pod',
    'pods',
    { spec: { containers: [{}], nodeName: 'node-1' }, status: { phase: 'Pending' } },
    ['a', '0/1', 'Pending', 0, '30s', '<none>', 'node-1', '<none>', '<none>'],
  ],
  [
    'v1.Pod',
    'pods',
    {
      spec: { initContainers: [{}], containers: [{}, {}], nodeName: 'node-1', readinessGates: [{}] },
      status: {
        nominatedNodeName: 'nn',
        podIPs: [{ ip: '10.244.0.9' }],
        initContainerStatuses: [{ restartCount: 3 }],
      },
    },
    ['a', '0/2', 'Init:0/1', 3, '30s', '10.244.0.9', 'node-1', 'nn', '0/1'],
  ],
  [
    'v1.Pod',
    'pods',
    {
      spec: { containers: [{}], nodeName: 'node-1' },
      status: {
        nominatedNodeName: 'nn',
        podIPs: [{ ip: '10.244.0.9' }],
        initContainerStatuses: [{ state: { waiting: { reason: 'CrashLoopBackOff' } }, restartCount: 3 }],
      },
    },
    ['a', '0/1', 'Init:CrashLoopBackOff', 3, '30s', '10.244.0.9', 'node-1', 'nn', '<none>'],
  ],
  [
    'v1.Pod',
    'pods',
    {
      spec: { containers: [{}], nodeName: 'node-1' },
      status: { podIPs: [{ ip: '10.244.0.9' }], initContainerStatuses: [{ restartCount: 3 }] },
    },
    ['a', '0/1', 'Init:0/0', 3, '30s', '10.244.0.9', 'node-1', '<none>', '<none>'],
  ],
  [
    'v1.PodTemplate',
    'podtemplates',
    {
      template: {
        metadata: { labels: { app: 'web', tier: 'front' } },
        spec: { containers: [{ name: 'main', image: 'registry.example.com/web:1.2' }] },
      },
    },
    ['a', 'main', 'registry.example.com/web:1.2', 'app=web,tier=front'],
  ],
  [
    'v1.ReplicationController',
    'replicationcontrollers',
    {
      spec: {
        replicas: 3,
        selector: { app: 'web' },
        template: { spec: { containers: [{ name: 'main', image: 'registry.example.com/web:1.2' }] } },
      },
      status: { replicas: 2, readyReplicas: 1 },
    },
    ['a', 3, 2, 1, '30s', 'main', 'registry.example.com/web:1.2', 'app=web'],
  ],
  [
    'v1.ReplicationController',
    'replicationcontrollers',
    {
      spec: {
        selector: { app: 'web' },
        template: { spec: { containers: [{ name: 'main', image: 'registry.example.com/web:1.2' }] } },
      },
    },
    ['a', 0, 0, 0, '30s', 'main', 'registry.example.com/web:1.2', 'app=web'],
  ],
  [
    'v1.ResourceQuota',
    'resourcequotas',
    { status: { hard: { pods: '10' } } },
    ['a', '30s', 'pods: 0/10', ''],
  ],
  ['v1.ResourceQuota', 'resourcequotas', {}, ['a', '30s', '', '']],
  [
    'v1.Secret',
    'secrets',
    { data: { extra: 'cGxhaW4=', user: 'YWRtaW4=' }, type: 'example.com/custom' },
    ['a', 'example.com/custom', 2, '30s'],
  ],
  [
    'v1.Secret',
    'secrets',
    { data: { extra: 'cGxhaW4=' }, type: 'example.com/custom' },
    ['a', 'example.com/custom', 1, '30s'],
  ],
  [
    'v1.Secret',
    'secrets',
    { data: { 'tls.crt': 'YQ==', 'tls.key': 'Yg==' }, type: 'orch.io/tls' },
    ['a', 'orch.io/tls', 2, '30s'],
  ],
  [
    'v1.Secret',
    'secrets',
    { data: { '.dockerconfigjson': 'e30=' }, type: 'orch.io/dockerconfigjson' },
    ['a', 'orch.io/dockerconfigjson', 1, '30s'],
  ],
  [
    'v1.Secret',
    'secrets',
    { data: { username: 'YQ==' }, type: 'orch.io/basic-auth' },
    ['a', 'orch.io/basic-auth', 1, '30s'],
  ],
  [
    'v1.Secret',
    'secrets',
    { data: { 'ssh-privatekey': 'YQ==' }, type: 'orch.io/ssh-auth' },
    ['a', 'orch.io/ssh-auth', 1, '30s'],
  ],
  [
    'v1.Secret',
    'secrets',
    { type: 'orch.io/service-account-token' },
    ['a', 'orch.io/service-account-token', 0, '30s'],
  ],
  ['v1.ServiceAccount', 'serviceaccounts', {}, ['a', 0, '30s']],
  ['v1.ServiceAccount', 'serviceaccounts', { secrets: [{}, {}] }, ['a', 2, '30s']],
  [
    'v1.Service',
    'services',
    { spec: { ports: [{ protocol: 'SCTP', port: 1 }], clusterIPs: ['None'], type: 'ClusterIP' } },
    ['a', 'ClusterIP', 'None', '<none>', '1/SCTP', '30s', '<none>'],
  ],
  [
    'v1.Service',
    'services',
    { spec: { ports: [{ protocol: 'TCP', port: 80 }], type: 'ClusterIP' } },
    ['a', 'ClusterIP', '<none>', '<none>', '80/TCP', '30s', '<none>'],
  ],
  [
    'v1.Service',
    'services',
    { spec: { type: 'ExternalName', externalName: 'x.example.com' } },
    ['a', 'ExternalName', '<none>', 'x.example.com', '<none>', '30s', '<none>'],
  ],
  [
    'v1.Service',
    'services',
    { spec: { ports: [{ protocol: 'TCP', port: 80, nodePort: 31999 }], type: 'LoadBalancer' } },
    ['a', 'LoadBalancer', '<none>', '<pending>', '80:31999/TCP', '30s', '<none>'],
  ],
];
