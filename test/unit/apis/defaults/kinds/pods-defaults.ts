import { type DefaultCase, podDefaults } from './default-cases.ts';

/** Objects of the group as they are sent, and what is set in them. */
export const podsDefaults: readonly DefaultCase[] = [
  [
    {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'a' },
      spec: { containers: [{ name: 'main', image: 'registry.example.com/web:1.2' }] },
    },
    podDefaults(''),
  ],
  [
    {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'a' },
      spec: {
        containers: [{ name: 'main', image: 'registry.example.com/web:1.2' }],
        volumes: [{ name: 'v', downwardAPI: {} }],
      },
    },
    podDefaults('', { '/spec/volumes/0/downwardAPI/defaultMode': 420 }),
  ],
  [
    {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'a' },
      spec: {
        containers: [{ name: 'main', image: 'registry.example.com/web:1.2' }],
        volumes: [{ name: 'v', azureDisk: { diskName: 'd', diskURI: 'https://blob.example.com/d' } }],
      },
    },
    podDefaults('', {
      '/spec/volumes/0/azureDisk/cachingMode': 'ReadWrite',
      '/spec/volumes/0/azureDisk/fsType': 'ext4',
      '/spec/volumes/0/azureDisk/readOnly': false,
      '/spec/volumes/0/azureDisk/kind': 'Shared',
    }),
  ],
  [
    {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'a' },
      spec: {
        containers: [{ name: 'main', image: 'registry.example.com/web:1.2' }],
        volumes: [
          {
            name: 'v',
            iscsi: { targetPortal: '10.2.3.4:3260', iqn: 'iqn.2001-04.com.example:storage.disk1' },
          },
        ],
      },
    },
    podDefaults('', { '/spec/volumes/0/iscsi/lun': 0, '/spec/volumes/0/iscsi/iscsiInterface': 'default' }),
  ],
  [
    {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'a' },
      spec: {
        containers: [{ name: 'main', image: 'registry.example.com/web:1.2' }],
        volumes: [
          {
            name: 'v',
            downwardAPI: {
              items: [
                { path: 'labels', fieldRef: { fieldPath: 'metadata.labels' } },
                { path: 'mem', resourceFieldRef: { containerName: 'main', resource: 'requests.memory' } },
              ],
            },
          },
        ],
      },
    },
    podDefaults('', {
      '/spec/volumes/0/downwardAPI/items/0/fieldRef/apiVersion': 'v1',
      '/spec/volumes/0/downwardAPI/items/1/resourceFieldRef/divisor': '0',
      '/spec/volumes/0/downwardAPI/defaultMode': 420,
    }),
  ],
  [
    {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'a' },
      spec: {
        containers: [{ name: 'main', image: 'registry.example.com/web:1.2', resources: { limits: {} } }],
      },
    },
    {
      '/spec/containers/0/resources/limits': undefined,
      '/spec/containers/0/terminationMessagePath': '/dev/termination-log',
      '/spec/containers/0/terminationMessagePolicy': 'File',
      '/spec/containers/0/imagePullPolicy': 'IfNotPresent',
      '/spec/restartPolicy': 'Always',
      '/spec/terminationGracePeriodSeconds': 30,
      '/spec/dnsPolicy': 'ClusterFirst',
      '/spec/securityContext': {},
      '/spec/schedulerName': 'default-scheduler',
      '/spec/enableServiceLinks': true,
    },
  ],
  [
    {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'a' },
      spec: {
        serviceAccountName: 'runner',
        containers: [{ name: 'main', image: 'registry.example.com/web:1.2' }],
        volumes: [
          {
            name: 'v-projected',
            projected: {
              sources: [
                { downwardAPI: { items: [{ path: 'name', fieldRef: { fieldPath: 'metadata.name' } }] } },
              ],
            },
          },
          { name: 'v-scaleio', scaleIO: { gateway: 'https://g', system: 's', volumeName: 'v' } },
        ],
      },
    },
    podDefaults('', {
      '/spec/volumes/0/projected/sources/0/downwardAPI/items/0/fieldRef/apiVersion': 'v1',
      '/spec/volumes/0/projected/defaultMode': 420,
      '/spec/volumes/1/scaleIO/secretRef': null,
      '/spec/volumes/1/scaleIO/storageMode': 'ThinProvisioned',
      '/spec/volumes/1/scaleIO/fsType': 'xfs',
      '/spec/serviceAccount': 'runner',
    }),
  ],
  [
    {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'a' },
      spec: {
        serviceAccountName: 'runner',
        containers: [{ name: 'main', image: 'registry.example.com/web:1.2' }],
        volumes: [{ name: 'v-gcepersistentdisk', gcePersistentDisk: { pdName: 'pd', fsType: '' } }],
      },
    },
    podDefaults('', {
      '/spec/volumes/0/gcePersistentDisk/fsType': undefined,
      '/spec/serviceAccount': 'runner',
    }),
  ],
  [
    {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'a' },
      spec: {
        serviceAccountName: 'runner',
        containers: [{ name: 'main', image: 'registry.example.com/web:1.2' }],
        volumes: [{ name: 'v-cephfs', cephfs: { monitors: ['10.0.1.1:6789'], user: '' } }],
      },
    },
    podDefaults('', { '/spec/volumes/0/cephfs/user': undefined, '/spec/serviceAccount': 'runner' }),
  ],
  [
    {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'a' },
      spec: {
        serviceAccountName: 'runner',
        containers: [{ name: 'main', image: 'registry.example.com/web:1.2' }],
        volumes: [
          { name: 'v-projected', projected: { sources: [{ configMap: { name: 'c', items: null } }] } },
        ],
      },
    },
    podDefaults('', {
      '/spec/volumes/0/projected/sources/0/configMap/items': undefined,
      '/spec/volumes/0/projected/defaultMode': 420,
      '/spec/serviceAccount': 'runner',
    }),
  ],
  [
    {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'a' },
      spec: {
        serviceAccountName: 'runner',
        containers: [{ name: 'main', image: 'registry.example.com/web:1.2' }],
        volumes: [{ name: 'v-photonpersistentdisk', cinder: null }],
      },
    },
    podDefaults('', {
      '/spec/volumes/0/cinder': undefined,
      '/spec/volumes/0/emptyDir': {},
      '/spec/serviceAccount': 'runner',
    }),
  ],
  [
    {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'a' },
      spec: {
        serviceAccountName: 'runner',
        containers: [{ name: 'main', image: 'registry.example.com/web:1.2' }],
        volumes: [{ name: 'v-configmap', configMap: { name: 'cm' }, ephemeral: {} }],
      },
    },
    podDefaults('', {
      '/spec/volumes/0/configMap/defaultMode': 420,
      '/spec/volumes/0/ephemeral': undefined,
      '/spec/serviceAccount': 'runner',
    }),
  ],
  [
    {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'a' },
      spec: {
        serviceAccountName: 'runner',
        containers: [{ name: 'main', image: 'registry.example.com/web:1.2' }],
        volumes: [{ name: 'v-iscsi', storageos: null }],
      },
    },
    podDefaults('', {
      '/spec/volumes/0/storageos': undefined,
      '/spec/volumes/0/emptyDir': {},
      '/spec/serviceAccount': 'runner',
    }),
  ],
  [
    {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'a' },
      spec: {
        serviceAccountName: 'runner',
        containers: [{ name: 'main', image: 'registry.example.com/web:1.2' }],
        volumes: [{ name: 'v-quobyte', azureDisk: null }],
      },
    },
    podDefaults('', {
      '/spec/volumes/0/azureDisk': undefined,
      '/spec/volumes/0/emptyDir': {},
      '/spec/serviceAccount': 'runner',
    }),
  ],
  [
    {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'a' },
      spec: {
        serviceAccountName: 'runner',
        containers: [{ name: 'main', image: 'registry.example.com/web:1.2' }],
        volumes: [{ name: 'v-cephfs', gcePersistentDisk: null }],
      },
    },
    podDefaults('', {
      '/spec/volumes/0/gcePersistentDisk': undefined,
      '/spec/volumes/0/emptyDir': {},
      '/spec/serviceAccount': 'runner',
    }),
  ],
  [
    {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'a' },
      spec: {
        serviceAccountName: 'runner',
        containers: [{ name: 'main', image: 'registry.example.com/web:1.2' }],
        volumes: [{ name: 'v-nfs', persistentVolumeClaim: null }],
      },
    },
    podDefaults('', {
      '/spec/volumes/0/persistentVolumeClaim': undefined,
      '/spec/volumes/0/emptyDir': {},
      '/spec/serviceAccount': 'runner',
    }),
  ],
  [
    {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'a' },
      spec: {
        initContainers: [
          { name: 'init', image: 'registry.example.com/web:1.2', resources: { limits: { cpu: '100m' } } },
        ],
        containers: [
          {
            name: 'main',
            image: 'registry.example.com/web:1.2',
            ports: [{ containerPort: 9090 }],
            env: [{ name: 'NODE', valueFrom: { fieldRef: { fieldPath: 'spec.nodeName' } } }],
            resources: { limits: { cpu: '500m', 'example.com/gpu': '2' }, requests: {} },
            livenessProbe: { httpGet: { port: 'http' } },
            startupProbe: { tcpSocket: { port: 8080 } },
            lifecycle: { preStop: { httpGet: { port: 8080 } } },
          },
        ],
        priorityClassName: '',
      },
    },
    {
      '/spec/initContainers/0/resources/requests': { cpu: '100m' },
      '/spec/initContainers/0/terminationMessagePath': '/dev/termination-log',
      '/spec/initContainers/0/terminationMessagePolicy': 'File',
      '/spec/initContainers/0/imagePullPolicy': 'IfNotPresent',
      '/spec/containers/0/ports/0/protocol': 'TCP',
      '/spec/containers/0/env/0/valueFrom/fieldRef/apiVersion': 'v1',
      '/spec/containers/0/resources/requests/cpu': '500m',
      '/spec/containers/0/resources/requests/example.com~1gpu': '2',
      '/spec/containers/0/livenessProbe/httpGet/path': '/',
      '/spec/containers/0/livenessProbe/httpGet/scheme': 'HTTP',
      '/spec/containers/0/livenessProbe/timeoutSeconds': 1,
      '/spec/containers/0/livenessProbe/periodSeconds': 10,
      '/spec/containers/0/livenessProbe/successThreshold': 1,
      '/spec/containers/0/livenessProbe/failureThreshold': 3,
      '/spec/containers/0/startupProbe/timeoutSeconds': 1,
      '/spec/containers/0/startupProbe/periodSeconds': 10,
      '/spec/containers/0/startupProbe/successThreshold': 1,
      '/spec/containers/0/startupProbe/failureThreshold': 3,
      '/spec/containers/0/lifecycle/preStop/httpGet/path': '/',
      '/spec/containers/0/lifecycle/preStop/httpGet/scheme': 'HTTP',
      '/spec/containers/0/terminationMessagePath': '/dev/termination-log',
      '/spec/containers/0/terminationMessagePolicy': 'File',
      '/spec/containers/0/imagePullPolicy': 'IfNotPresent',
      '/spec/priorityClassName': undefined,
      '/spec/restartPolicy': 'Always',
      '/spec/terminationGracePeriodSeconds': 30,
      '/spec/dnsPolicy': 'ClusterFirst',
      '/spec/securityContext': {},
      '/spec/schedulerName': 'default-scheduler',
      '/spec/enableServiceLinks': true,
    },
  ],
  [
    {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'a' },
      spec: {
        containers: [
          {
            name: 'main',
            image: 'registry.example.com/web:1.2',
            readinessProbe: { exec: { command: ['cat'] } },
          },
        ],
      },
    },
    podDefaults('', {
      '/spec/containers/0/readinessProbe/timeoutSeconds': 1,
      '/spec/containers/0/readinessProbe/periodSeconds': 10,
      '/spec/containers/0/readinessProbe/successThreshold': 1,
      '/spec/containers/0/readinessProbe/failureThreshold': 3,
    }),
  ],
  [
    {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'a' },
      spec: {
        containers: [{ name: 'main', image: 'registry.example.com/web:1.2' }],
        topologySpreadConstraints: [
          { maxSkew: 1, topologyKey: 'zone', whenUnsatisfiable: 'DoNotSchedule', labelSelector: null },
        ],
      },
    },
    podDefaults('', { '/spec/topologySpreadConstraints/0/labelSelector': undefined }),
  ],
  [
    {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'a' },
      spec: {
        containers: [{ name: 'main', image: 'registry.example.com/web:1.2' }],
        dnsConfig: { searches: null },
      },
    },
    podDefaults('', { '/spec/dnsConfig/searches': undefined }),
  ],
  [
    {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'a' },
      spec: { containers: [{ name: 'main', image: 'registry.example.com/web:1.2', stdinOnce: null }] },
    },
    podDefaults('', { '/spec/containers/0/stdinOnce': undefined }),
  ],
  [
    {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'a' },
      spec: {
        containers: [{ name: 'main', image: 'registry.example.com/web:1.2' }],
        securityContext: { supplementalGroups: [null] },
      },
    },
    {
      '/spec/containers/0/resources': {},
      '/spec/containers/0/terminationMessagePath': '/dev/termination-log',
      '/spec/containers/0/terminationMessagePolicy': 'File',
      '/spec/containers/0/imagePullPolicy': 'IfNotPresent',
      '/spec/securityContext/supplementalGroups/0': 0,
      '/spec/restartPolicy': 'Always',
      '/spec/terminationGracePeriodSeconds': 30,
      '/spec/dnsPolicy': 'ClusterFirst',
      '/spec/schedulerName': 'default-scheduler',
      '/spec/enableServiceLinks': true,
    },
  ],
  [
    {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'a' },
      spec: {
        containers: [
          {
            name: 'main',
            image: 'registry.example.com/web:1.2',
            lifecycle: { preStop: { httpGet: { port: 8080 }, exec: null } },
          },
        ],
      },
    },
    podDefaults('', {
      '/spec/containers/0/lifecycle/preStop/httpGet/path': '/',
      '/spec/containers/0/lifecycle/preStop/httpGet/scheme': 'HTTP',
      '/spec/containers/0/lifecycle/preStop/exec': undefined,
    }),
  ],
  [
    {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'a' },
      spec: {
        containers: [{ name: 'main', image: 'registry.example.com/web:1.2' }],
        affinity: {
          nodeAffinity: {
            preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 5, preference: { matchFields: [] } }],
          },
        },
      },
    },
    podDefaults('', {
      '/spec/affinity/nodeAffinity/preferredDuringSchedulingIgnoredDuringExecution/0/preference/matchFields':
        undefined,
    }),
  ],
  [
    {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'a' },
      spec: {
        containers: [{ name: 'main', image: 'registry.example.com/web:1.2' }],
        volumes: [{ name: 'tmp', downwardAPI: null }],
      },
    },
    podDefaults('', { '/spec/volumes/0/downwardAPI': undefined, '/spec/volumes/0/emptyDir': {} }),
  ],
  [
    {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'a' },
      spec: {
        containers: [{ name: 'main', image: 'registry.example.com/web:1.2' }],
        affinity: {
          podAntiAffinity: {
            preferredDuringSchedulingIgnoredDuringExecution: [
              {
                weight: 10,
                podAffinityTerm: { labelSelector: { matchExpressions: [] }, topologyKey: 'orch.io/hostname' },
              },
            ],
          },
        },
      },
    },
    podDefaults('', {
      '/spec/affinity/podAntiAffinity/preferredDuringSchedulingIgnoredDuringExecution/0/podAffinityTerm/labelSelector/matchExpressions':
        undefined,
    }),
  ],
  [
    {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'a' },
      spec: {
        initContainers: [{ name: 'init', image: 'registry.example.com/web:1.2', readinessProbe: null }],
        containers: [{ name: 'main', image: 'registry.example.com/web:1.2' }],
      },
    },
    podDefaults('', {
      '/spec/initContainers/0/readinessProbe': undefined,
      '/spec/initContainers/0/resources': {},
      '/spec/initContainers/0/terminationMessagePath': '/dev/termination-log',
      '/spec/initContainers/0/terminationMessagePolicy': 'File',
      '/spec/initContainers/0/imagePullPolicy': 'IfNotPresent',
    }),
  ],
  [
    {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'a' },
      spec: {
        containers: [
          {
            name: 'main',
            image: 'registry.example.com/web:1.2',
            securityContext: { capabilities: { noSuchField: {} } },
          },
        ],
      },
    },
    podDefaults('', { '/spec/containers/0/securityContext/capabilities/noSuchField': undefined }),
  ],
  [
    {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'a' },
      spec: {
        containers: [{ name: 'main', image: 'registry.example.com/web:1.2' }],
        volumes: [{ name: 'block', persistentVolumeClaim: { claimName: 'raw', noSuchField: {} } }],
      },
    },
    podDefaults('', { '/spec/volumes/0/persistentVolumeClaim/noSuchField': undefined }),
  ],
];
