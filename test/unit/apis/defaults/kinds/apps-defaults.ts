import { type DefaultCase, podDefaults } from './default-cases.ts';

/** Objects of the group as they are sent, and what is set in them. */
export const appsDefaults: readonly DefaultCase[] = [
  [
    { apiVersion: 'apps/v1', kind: 'ControllerRevision', metadata: { name: 'a' }, data: {} },
    { '/revision': 0 },
  ],
  [
    {
      apiVersion: 'apps/v1',
      kind: 'DaemonSet',
      metadata: { name: 'a' },
      spec: {
        selector: { matchLabels: { app: 'web' } },
        template: {
          metadata: { labels: { app: 'web' } },
          spec: { containers: [{ name: 'main', image: 'registry.example.com/web:1.2' }] },
        },
      },
    },
    podDefaults('/spec/template', {
      '/spec/template/metadata/creationTimestamp': null,
      '/spec/updateStrategy': { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 1 } },
      '/spec/revisionHistoryLimit': 10,
    }),
  ],
  [
    {
      apiVersion: 'apps/v1',
      kind: 'DaemonSet',
      metadata: { name: 'a' },
      spec: {
        selector: { matchLabels: { app: 'web' } },
        template: {
          metadata: { labels: { app: 'web' } },
          spec: { containers: [{ name: 'main', image: 'registry.example.com/web:1.2' }] },
        },
        updateStrategy: {},
      },
    },
    podDefaults('/spec/template', {
      '/spec/template/metadata/creationTimestamp': null,
      '/spec/updateStrategy/type': 'RollingUpdate',
      '/spec/updateStrategy/rollingUpdate': { maxUnavailable: 1 },
      '/spec/revisionHistoryLimit': 10,
    }),
  ],
  [
    {
      apiVersion: 'apps/v1',
      kind: 'DaemonSet',
      metadata: { name: 'a' },
      spec: {
        selector: { matchLabels: { app: 'web' } },
        template: {
          metadata: { labels: { app: 'web' }, annotations: {} },
          spec: { containers: [{ name: 'main', image: 'registry.example.com/web:1.2' }] },
        },
      },
    },
    podDefaults('/spec/template', {
      '/spec/template/metadata/annotations': undefined,
      '/spec/template/metadata/creationTimestamp': null,
      '/spec/updateStrategy': { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 1 } },
      '/spec/revisionHistoryLimit': 10,
    }),
  ],
  [
    {
      apiVersion: 'apps/v1',
      kind: 'DaemonSet',
      metadata: { name: 'a' },
      spec: {
        selector: { matchExpressions: [{ key: 'tier', operator: 'In', values: ['front'] }] },
        template: {
          metadata: { labels: { tier: 'front' } },
          spec: { containers: [{ name: 'main', image: 'registry.example.com/web:1.2', command: [] }] },
        },
      },
    },
    podDefaults('/spec/template', {
      '/spec/template/metadata/creationTimestamp': null,
      '/spec/template/spec/containers/0/command': undefined,
      '/spec/updateStrategy': { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 1 } },
      '/spec/revisionHistoryLimit': 10,
    }),
  ],
  [
    {
      apiVersion: 'apps/v1',
      kind: 'DaemonSet',
      metadata: { name: 'a' },
      spec: {
        selector: { matchExpressions: [{ key: 'tier', operator: 'In', values: ['front'] }] },
        template: {
          metadata: { labels: { tier: 'front' } },
          spec: { containers: [{ name: 'main', image: 'registry.example.com/web:1.2', volumeMounts: [] }] },
        },
      },
    },
    podDefaults('/spec/template', {
      '/spec/template/metadata/creationTimestamp': null,
      '/spec/template/spec/containers/0/volumeMounts': undefined,
      '/spec/updateStrategy': { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 1 } },
      '/spec/revisionHistoryLimit': 10,
    }),
  ],
  [
    {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'a' },
      spec: {
        selector: { matchLabels: { app: 'web' } },
        template: {
          metadata: { labels: { app: 'web' } },
          spec: { containers: [{ name: 'main', image: 'registry.example.com/web:1.2' }] },
        },
      },
    },
    podDefaults('/spec/template', {
      '/spec/template/metadata/creationTimestamp': null,
      '/spec/replicas': 1,
      '/spec/strategy': { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: '25%', maxSurge: '25%' } },
      '/spec/revisionHistoryLimit': 10,
      '/spec/progressDeadlineSeconds': 600,
    }),
  ],
  [
    {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'a' },
      spec: {
        selector: { matchLabels: { app: 'web' } },
        template: {
          metadata: { labels: { app: 'web' }, annotations: {} },
          spec: { containers: [{ name: 'main', image: 'registry.example.com/web:1.2' }] },
        },
        strategy: {},
      },
    },
    podDefaults('/spec/template', {
      '/spec/template/metadata/annotations': undefined,
      '/spec/template/metadata/creationTimestamp': null,
      '/spec/strategy/type': 'RollingUpdate',
      '/spec/strategy/rollingUpdate': { maxUnavailable: '25%', maxSurge: '25%' },
      '/spec/replicas': 1,
      '/spec/revisionHistoryLimit': 10,
      '/spec/progressDeadlineSeconds': 600,
    }),
  ],
  [
    {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'a' },
      spec: {
        selector: { matchExpressions: [{ key: 'tier', operator: 'In', values: ['front'] }] },
        template: {
          metadata: { labels: { tier: 'front' } },
          spec: { containers: [{ name: 'main', image: 'registry.example.com/web:1.2' }] },
        },
        paused: false,
      },
    },
    podDefaults('/spec/template', {
      '/spec/template/metadata/creationTimestamp': null,
      '/spec/paused': undefined,
      '/spec/replicas': 1,
      '/spec/strategy': { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: '25%', maxSurge: '25%' } },
      '/spec/revisionHistoryLimit': 10,
      '/spec/progressDeadlineSeconds': 600,
    }),
  ],
  [
    {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'a' },
      spec: {
        selector: { matchExpressions: [{ key: 'tier', operator: 'In', values: ['front'] }] },
        template: {
          metadata: { labels: { tier: 'front' } },
          spec: { containers: [{ name: 'main', image: 'registry.example.com/web:1.2' }], overhead: {} },
        },
      },
    },
    podDefaults('/spec/template', {
      '/spec/template/metadata/creationTimestamp': null,
      '/spec/template/spec/overhead': undefined,
      '/spec/replicas': 1,
      '/spec/strategy': { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: '25%', maxSurge: '25%' } },
      '/spec/revisionHistoryLimit': 10,
      '/spec/progressDeadlineSeconds': 600,
    }),
  ],
  [
    {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'a' },
      spec: {
        selector: { matchExpressions: [{ key: 'tier', operator: 'In', values: ['front'] }] },
        template: {
          metadata: { labels: { tier: 'front' }, finalizers: [] },
          spec: { containers: [{ name: 'main', image: 'registry.example.com/web:1.2' }] },
        },
      },
    },
    podDefaults('/spec/template', {
      '/spec/template/metadata/finalizers': undefined,
      '/spec/template/metadata/creationTimestamp': null,
      '/spec/replicas': 1,
      '/spec/strategy': { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: '25%', maxSurge: '25%' } },
      '/spec/revisionHistoryLimit': 10,
      '/spec/progressDeadlineSeconds': 600,
    }),
  ],
  [
    {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'a' },
      spec: {
        selector: { matchExpressions: [{ key: 'tier', operator: 'In', values: ['front'] }] },
        template: {
          metadata: { labels: { tier: 'front' } },
          spec: {
            containers: [{ name: 'main', image: 'registry.example.com/web:1.2' }],
            automountServiceAccountToken: null,
          },
        },
      },
    },
    podDefaults('/spec/template', {
      '/spec/template/metadata/creationTimestamp': null,
      '/spec/template/spec/automountServiceAccountToken': undefined,
      '/spec/replicas': 1,
      '/spec/strategy': { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: '25%', maxSurge: '25%' } },
      '/spec/revisionHistoryLimit': 10,
      '/spec/progressDeadlineSeconds': 600,
    }),
  ],
  [
    {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'a' },
      spec: {
        selector: { matchExpressions: [{ key: 'tier', operator: 'In', values: ['front'] }] },
        template: {
          metadata: { labels: { tier: 'front' } },
          spec: { containers: [{ name: 'main', image: 'registry.example.com/web:1.2', volumeDevices: [] }] },
        },
      },
    },
    podDefaults('/spec/template', {
      '/spec/template/metadata/creationTimestamp': null,
      '/spec/template/spec/containers/0/volumeDevices': undefined,
      '/spec/replicas': 1,
      '/spec/strategy': { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: '25%', maxSurge: '25%' } },
      '/spec/revisionHistoryLimit': 10,
      '/spec/progressDeadlineSeconds': 600,
    }),
  ],
  [
    {
      apiVersion: 'apps/v1',
      kind: 'ReplicaSet',
      metadata: { name: 'a' },
      spec: {
        selector: { matchLabels: { app: 'web' } },
        template: {
          metadata: { labels: { app: 'web' } },
          spec: { containers: [{ name: 'main', image: 'registry.example.com/web:1.2' }] },
        },
      },
    },
    podDefaults('/spec/template', { '/spec/template/metadata/creationTimestamp': null, '/spec/replicas': 1 }),
  ],
  [
    {
      apiVersion: 'apps/v1',
      kind: 'ReplicaSet',
      metadata: { name: 'a' },
      spec: {
        selector: { matchLabels: { app: 'web' } },
        template: {
          metadata: { labels: { app: 'web' }, annotations: {} },
          spec: { containers: [{ name: 'main', image: 'registry.example.com/web:1.2' }] },
        },
      },
    },
    podDefaults('/spec/template', {
      '/spec/template/metadata/annotations': undefined,
      '/spec/template/metadata/creationTimestamp': null,
      '/spec/replicas': 1,
    }),
  ],
  [
    {
      apiVersion: 'apps/v1',
      kind: 'ReplicaSet',
      metadata: { name: 'a' },
      spec: {
        selector: { matchExpressions: [{ key: 'tier', operator: 'In', values: ['front'] }] },
        template: {
          metadata: { labels: { tier: 'front' } },
          spec: {
            containers: [{ name: 'main', image: 'registry.example.com/web:1.2' }],
            volumes: [{ name: 'sample' }],
          },
        },
      },
    },
    podDefaults('/spec/template', {
      '/spec/template/metadata/creationTimestamp': null,
      '/spec/template/spec/volumes/0/emptyDir': {},
      '/spec/replicas': 1,
    }),
  ],
  [
    {
      apiVersion: 'apps/v1',
      kind: 'ReplicaSet',
      metadata: { name: 'a' },
      spec: {
        selector: { matchExpressions: [{ key: 'tier', operator: 'In', values: ['front'] }] },
        template: {
          metadata: { labels: { tier: 'front' }, namespace: '' },
          spec: { containers: [{ name: 'main', image: 'registry.example.com/web:1.2' }] },
        },
      },
    },
    podDefaults('/spec/template', {
      '/spec/template/metadata/namespace': undefined,
      '/spec/template/metadata/creationTimestamp': null,
      '/spec/replicas': 1,
    }),
  ],
  [
    {
      apiVersion: 'apps/v1',
      kind: 'StatefulSet',
      metadata: { name: 'a' },
      spec: { selector: { matchLabels: { app: 'web' } }, template: { metadata: { labels: { app: 'web' } } } },
    },
    {
      '/spec/template/metadata/creationTimestamp': null,
      '/spec/template/spec': {
        containers: null,
        restartPolicy: 'Always',
        terminationGracePeriodSeconds: 30,
        dnsPolicy: 'ClusterFirst',
        securityContext: {},
        schedulerName: 'default-scheduler',
      },
      '/spec/replicas': 1,
      '/spec/serviceName': '',
      '/spec/podManagementPolicy': 'OrderedReady',
      '/spec/updateStrategy': { type: 'RollingUpdate', rollingUpdate: { partition: 0 } },
      '/spec/revisionHistoryLimit': 10,
    },
  ],
  [
    {
      apiVersion: 'apps/v1',
      kind: 'StatefulSet',
      metadata: { name: 'a' },
      spec: {
        selector: { matchLabels: { app: 'web' } },
        template: { metadata: { labels: { app: 'web' }, annotations: {} } },
        volumeClaimTemplates: [{ metadata: { labels: {} }, spec: {} }],
      },
    },
    {
      '/spec/template/metadata/annotations': undefined,
      '/spec/template/metadata/creationTimestamp': null,
      '/spec/template/spec': {
        containers: null,
        restartPolicy: 'Always',
        terminationGracePeriodSeconds: 30,
        dnsPolicy: 'ClusterFirst',
        securityContext: {},
        schedulerName: 'default-scheduler',
      },
      '/spec/volumeClaimTemplates/0/metadata/labels': undefined,
      '/spec/volumeClaimTemplates/0/metadata/creationTimestamp': null,
      '/spec/volumeClaimTemplates/0/spec/resources': {},
      '/spec/volumeClaimTemplates/0/spec/volumeMode': 'Filesystem',
      '/spec/volumeClaimTemplates/0/kind': 'PersistentVolumeClaim',
      '/spec/volumeClaimTemplates/0/apiVersion': 'v1',
      '/spec/volumeClaimTemplates/0/status': { phase: 'Pending' },
      '/spec/replicas': 1,
      '/spec/serviceName': '',
      '/spec/podManagementPolicy': 'OrderedReady',
      '/spec/updateStrategy': { type: 'RollingUpdate', rollingUpdate: { partition: 0 } },
      '/spec/revisionHistoryLimit': 10,
    },
  ],
  [
    {
      apiVersion: 'apps/v1',
      kind: 'StatefulSet',
      metadata: { name: 'a' },
      spec: {
        selector: { matchLabels: { app: 'web' }, matchExpressions: null },
        template: { metadata: { labels: { app: 'web' } } },
      },
    },
    {
      '/spec/selector/matchExpressions': undefined,
      '/spec/template/metadata/creationTimestamp': null,
      '/spec/template/spec': {
        containers: null,
        restartPolicy: 'Always',
        terminationGracePeriodSeconds: 30,
        dnsPolicy: 'ClusterFirst',
        securityContext: {},
        schedulerName: 'default-scheduler',
      },
      '/spec/replicas': 1,
      '/spec/serviceName': '',
      '/spec/podManagementPolicy': 'OrderedReady',
      '/spec/updateStrategy': { type: 'RollingUpdate', rollingUpdate: { partition: 0 } },
      '/spec/revisionHistoryLimit': 10,
    },
  ],
  [
    {
      apiVersion: 'apps/v1',
      kind: 'StatefulSet',
      metadata: { name: 'a' },
      spec: {
        selector: { matchExpressions: [{ key: 'tier', operator: 'In', values: ['front'] }] },
        template: { metadata: { labels: { tier: 'front' } }, spec: { containers: [{ image: 'a/b' }] } },
      },
    },
    {
      '/spec/template/metadata/creationTimestamp': null,
      '/spec/template/spec/containers/0/name': '',
      '/spec/template/spec/containers/0/resources': {},
      '/spec/template/spec/containers/0/terminationMessagePath': '/dev/termination-log',
      '/spec/template/spec/containers/0/terminationMessagePolicy': 'File',
      '/spec/template/spec/containers/0/imagePullPolicy': 'Always',
      '/spec/template/spec/restartPolicy': 'Always',
      '/spec/template/spec/terminationGracePeriodSeconds': 30,
      '/spec/template/spec/dnsPolicy': 'ClusterFirst',
      '/spec/template/spec/securityContext': {},
      '/spec/template/spec/schedulerName': 'default-scheduler',
      '/spec/replicas': 1,
      '/spec/serviceName': '',
      '/spec/podManagementPolicy': 'OrderedReady',
      '/spec/updateStrategy': { type: 'RollingUpdate', rollingUpdate: { partition: 0 } },
      '/spec/revisionHistoryLimit': 10,
    },
  ],
  [
    {
      apiVersion: 'apps/v1',
      kind: 'StatefulSet',
      metadata: { name: 'a' },
      spec: {
        selector: { matchExpressions: [{ key: 'tier', operator: 'In', values: ['front'] }] },
        template: { metadata: { labels: { tier: 'front' }, annotations: { k: null } } },
      },
    },
    {
      '/spec/template/metadata/annotations/k': '',
      '/spec/template/metadata/creationTimestamp': null,
      '/spec/template/spec': {
        containers: null,
        restartPolicy: 'Always',
        terminationGracePeriodSeconds: 30,
        dnsPolicy: 'ClusterFirst',
        securityContext: {},
        schedulerName: 'default-scheduler',
      },
      '/spec/replicas': 1,
      '/spec/serviceName': '',
      '/spec/podManagementPolicy': 'OrderedReady',
      '/spec/updateStrategy': { type: 'RollingUpdate', rollingUpdate: { partition: 0 } },
      '/spec/revisionHistoryLimit': 10,
    },
  ],
  [
    {
      apiVersion: 'apps/v1',
      kind: 'StatefulSet',
      metadata: { name: 'a' },
      spec: {
        selector: { matchExpressions: [{ key: 'tier', operator: 'In', values: ['front'] }] },
        template: { metadata: { labels: { tier: 'front' } }, spec: { serviceAccount: 'a/b' } },
      },
    },
    {
      '/spec/template/metadata/creationTimestamp': null,
      '/spec/template/spec/containers': null,
      '/spec/template/spec/restartPolicy': 'Always',
      '/spec/template/spec/terminationGracePeriodSeconds': 30,
      '/spec/template/spec/dnsPolicy': 'ClusterFirst',
      '/spec/template/spec/serviceAccountName': 'a/b',
      '/spec/template/spec/securityContext': {},
      '/spec/template/spec/schedulerName': 'default-scheduler',
      '/spec/replicas': 1,
      '/spec/serviceName': '',
      '/spec/podManagementPolicy': 'OrderedReady',
      '/spec/updateStrategy': { type: 'RollingUpdate', rollingUpdate: { partition: 0 } },
      '/spec/revisionHistoryLimit': 10,
    },
  ],
  [
    {
      apiVersion: 'apps/v1',
      kind: 'StatefulSet',
      metadata: { name: 'a' },
      spec: {
        selector: { matchExpressions: [{ key: 'tier', operator: 'In', values: ['front'] }] },
        template: { metadata: { labels: { tier: 'front' } }, spec: { setHostnameAsFQDN: null } },
      },
    },
    {
      '/spec/template/metadata/creationTimestamp': null,
      '/spec/template/spec/setHostnameAsFQDN': undefined,
      '/spec/template/spec/containers': null,
      '/spec/template/spec/restartPolicy': 'Always',
      '/spec/template/spec/terminationGracePeriodSeconds': 30,
      '/spec/template/spec/dnsPolicy': 'ClusterFirst',
      '/spec/template/spec/securityContext': {},
      '/spec/template/spec/schedulerName': 'default-scheduler',
      '/spec/replicas': 1,
      '/spec/serviceName': '',
      '/spec/podManagementPolicy': 'OrderedReady',
      '/spec/updateStrategy': { type: 'RollingUpdate', rollingUpdate: { partition: 0 } },
      '/spec/revisionHistoryLimit': 10,
    },
  ],
  [
    {
      apiVersion: 'apps/v1',
      kind: 'StatefulSet',
      metadata: { name: 'a' },
      spec: {
        selector: { matchExpressions: [{ key: 'tier', operator: 'In', values: ['front'] }] },
        template: { metadata: { labels: { tier: 'front' } } },
        volumeClaimTemplates: [{ spec: { dataSource: {} } }],
      },
    },
    {
      '/spec/template/metadata/creationTimestamp': null,
      '/spec/template/spec': {
        containers: null,
        restartPolicy: 'Always',
        terminationGracePeriodSeconds: 30,
        dnsPolicy: 'ClusterFirst',
        securityContext: {},
        schedulerName: 'default-scheduler',
      },
      '/spec/volumeClaimTemplates/0/spec/dataSource/apiGroup': null,
      '/spec/volumeClaimTemplates/0/spec/dataSource/kind': '',
      '/spec/volumeClaimTemplates/0/spec/dataSource/name': '',
      '/spec/volumeClaimTemplates/0/spec/resources': {},
      '/spec/volumeClaimTemplates/0/spec/volumeMode': 'Filesystem',
      '/spec/volumeClaimTemplates/0/kind': 'PersistentVolumeClaim',
      '/spec/volumeClaimTemplates/0/apiVersion': 'v1',
      '/spec/volumeClaimTemplates/0/metadata': { creationTimestamp: null },
      '/spec/volumeClaimTemplates/0/status': { phase: 'Pending' },
      '/spec/replicas': 1,
      '/spec/serviceName': '',
      '/spec/podManagementPolicy': 'OrderedReady',
      '/spec/updateStrategy': { type: 'RollingUpdate', rollingUpdate: { partition: 0 } },
      '/spec/revisionHistoryLimit': 10,
    },
  ],
  [
    {
      apiVersion: 'apps/v1',
      kind: 'StatefulSet',
      metadata: { name: 'a' },
      spec: {
        selector: { matchExpressions: [{ key: 'tier', operator: 'In', values: ['front'] }] },
        template: { metadata: { labels: { tier: 'front' } } },
        updateStrategy: {},
      },
    },
    {
      '/spec/template/metadata/creationTimestamp': null,
      '/spec/template/spec': {
        containers: null,
        restartPolicy: 'Always',
        terminationGracePeriodSeconds: 30,
        dnsPolicy: 'ClusterFirst',
        securityContext: {},
        schedulerName: 'default-scheduler',
      },
      '/spec/updateStrategy/type': 'RollingUpdate',
      '/spec/updateStrategy/rollingUpdate': { partition: 0 },
      '/spec/replicas': 1,
      '/spec/serviceName': '',
      '/spec/podManagementPolicy': 'OrderedReady',
      '/spec/revisionHistoryLimit': 10,
    },
  ],
];
