import { expect } from 'chai';
import { createTypeCatalog } from '../../../../src/apis/catalog.ts';
import { createTablePrinters } from '../../../../src/apis/tables/index.ts';
import { orchDialect } from '../../../../src/machinery/dialect.ts';
import type { ApiObject } from '../../../../src/machinery/meta/index.ts';
import { parseGroupVersion } from '../../../../src/machinery/schema/index.ts';

const catalog = createTypeCatalog(orchDialect);
const printers = createTablePrinters({ dialect: orchDialect, gates: new Set() });
const nowMs = Date.UTC(2021, 0, 1, 0, 0, 30);
const created = '2021-01-01T00:00:00Z';
const ageText = '30s';

/** Row of an object given in short: a missing name is `a`, the time of creation is always the same. */
function cellsOf(version: string, kind: string, resource: string, value: object): unknown[] {
  const { metadata, ...rest } = value as { metadata?: object };
  const decoded = catalog
    .type(`${version}.${kind}`)
    .decode({ metadata: { name: 'a', creationTimestamp: created, ...metadata }, ...rest });
  const group = parseGroupVersion(version)?.group ?? '';
  // A kind's decoder gives an object of the kind.
  return printers({ group, resource }).row(decoded as unknown as ApiObject, nowMs).cells ?? [];
}

const template = {
  metadata: { labels: { z: '1', b: '2' } },
  spec: {
    nodeSelector: { disk: 'ssd' },
    containers: [
      { name: 'c', image: 'x:1' },
      { name: 'd', image: 'y:2' },
    ],
  },
};
const selector = {
  matchLabels: { b: '2' },
  matchExpressions: [
    { key: 'z', operator: 'In', values: ['2', '1'] },
    { key: 'a', operator: 'NotIn', values: ['x'] },
    { key: 'e', operator: 'Exists' },
    { key: 'f', operator: 'DoesNotExist' },
  ],
};
const selectorText = 'a notin (x),b=2,e,!f,z in (1,2)';
const hpaTarget = { scaleTargetRef: { kind: 'Deployment', name: 'd' }, maxReplicas: 5 };

const cases: ReadonlyArray<
  readonly [version: string, kind: string, resource: string, value: object, cells: unknown[]]
> = [
  [
    'v1',
    'ComponentStatus',
    'componentstatuses',
    { conditions: [{ type: 'Healthy', status: 'False', message: 'm', error: 'e' }] },
    ['a', 'Unhealthy', 'm', 'e'],
  ],
  ['v1', 'ComponentStatus', 'componentstatuses', {}, ['a', 'Unknown', '', '']],
  ['v1', 'ConfigMap', 'configmaps', { data: { x: '1' }, binaryData: { y: 'eA==' } }, ['a', 2, ageText]],
  [
    'v1',
    'Endpoints',
    'endpoints',
    {
      subsets: [
        { addresses: [{ ip: '10.0.0.1' }, { ip: '::1' }], ports: [{ port: 80 }, { port: 81 }] },
        { addresses: [{ ip: '10.0.0.3' }] },
      ],
    },
    ['a', '10.0.0.1:80,[::1]:80,10.0.0.1:81 + 2 more...', ageText],
  ],
  ['v1', 'Endpoints', 'endpoints', {}, ['a', '<none>', ageText]],
  [
    'v1',
    'Event',
    'events',
    {
      involvedObject: { kind: 'Pod', name: 'p', fieldPath: 'f' },
      reason: 'R',
      type: 'Normal',
      message: ' m\n',
      source: { component: 'c', host: 'h' },
      firstTimestamp: '2021-01-01T00:00:10Z',
      count: 0,
    },
    ['20s', 'Normal', 'R', 'pod/p', 'f', 'c, h', 'm', '20s', 1, 'a'],
  ],
  [
    'events.orch.io/v1',
    'Event',
    'events',
    {
      regarding: { kind: 'Node' },
      note: 'n',
      eventTime: '2021-01-01T00:00:20.000000Z',
      reportingController: 'c',
      series: { count: 4, lastObservedTime: '2021-01-01T00:00:25.000000Z' },
    },
    ['5s', '', '', 'node', '', 'c', 'n', '10s', 5, 'a'],
  ],
  ['v1', 'Namespace', 'namespaces', { status: { phase: 'Active' } }, ['a', 'Active', ageText]],
  [
    'v1',
    'Node',
    'nodes',
    {
      metadata: { labels: { 'node-role.orch.io/b': '', 'node-role.orch.io/': '', 'orch.io/role': 'a' } },
      spec: { unschedulable: true },
      status: {
        conditions: [{ type: 'Ready', status: 'False' }],
        addresses: [{ type: 'InternalIP', address: '10.0.0.1' }],
        nodeInfo: { nodeAgentVersion: 'v1.20.2', kernelVersion: '5' },
      },
    },
    [
      'a',
      'NotReady,SchedulingDisabled',
      'a,b',
      ageText,
      'v1.20.2',
      '10.0.0.1',
      '<none>',
      '<unknown>',
      '5',
      '<unknown>',
    ],
  ],
  [
    'v1',
    'Node',
    'nodes',
    { status: { addresses: [{ type: 'InternalIP', address: '' }] } },
    ['a', 'Unknown', '<none>', ageText, '', '', '<none>', '<unknown>', '<unknown>', '<unknown>'],
  ],
  [
    'v1',
    'PersistentVolume',
    'persistentvolumes',
    {
      metadata: { annotations: { 'volume.beta.orch.io/storage-class': 'old' } },
      spec: {
        capacity: { storage: '1Gi' },
        accessModes: ['ReadWriteMany', 'ReadWriteOnce', 'ReadWriteOnce'],
        persistentVolumeReclaimPolicy: 'Retain',
        claimRef: { namespace: 'n', name: 'c' },
        storageClassName: 'new',
      },
      status: { phase: 'Bound' },
    },
    ['a', '1Gi', 'RWO,RWX', 'Retain', 'Bound', 'n/c', 'old', '', ageText, '<unset>'],
  ],
  [
    'v1',
    'PersistentVolumeClaim',
    'persistentvolumeclaims',
    {
      metadata: { deletionTimestamp: created },
      spec: { volumeMode: 'Block', storageClassName: 's', resources: { requests: { storage: '1Gi' } } },
      status: { phase: 'Pending' },
    },
    ['a', 'Terminating', '', '', '', 's', ageText, 'Block'],
  ],
  [
    'v1',
    'PersistentVolumeClaim',
    'persistentvolumeclaims',
    { spec: { volumeName: 'v' }, status: { phase: 'Bound', accessModes: ['ReadOnlyMany'] } },
    ['a', 'Bound', 'v', '0', 'ROX', '', ageText, '<unset>'],
  ],
  ['v1', 'PodTemplate', 'podtemplates', { template }, ['a', 'c,d', 'x:1,y:2', 'b=2,z=1']],
  [
    'v1',
    'ReplicationController',
    'replicationcontrollers',
    { spec: { replicas: 3, selector: { q: '1' }, template }, status: { replicas: 2, readyReplicas: 1 } },
    ['a', 3, 2, 1, ageText, 'c,d', 'x:1,y:2', 'q=1'],
  ],
  [
    'v1',
    'ResourceQuota',
    'resourcequotas',
    { status: { hard: { pods: '5', 'limits.cpu': '2', configmaps: '1' }, used: { pods: '1' } } },
    ['a', ageText, 'configmaps: 0/1, pods: 1/5', 'limits.cpu: 0/2'],
  ],
  ['v1', 'Secret', 'secrets', { type: 'Opaque', data: { a: '', b: '' } }, ['a', 'Opaque', 2, ageText]],
  ['v1', 'ServiceAccount', 'serviceaccounts', { secrets: [{ name: 's' }] }, ['a', 1, ageText]],
  [
    'v1',
    'Service',
    'services',
    {
      spec: {
        type: 'LoadBalancer',
        clusterIPs: ['10.0.0.9'],
        externalIPs: ['192.0.2.9'],
        ports: [{ port: 80, nodePort: 30080, protocol: 'TCP' }],
      },
      status: { loadBalancer: { ingress: [{ ip: '192.0.2.2' }, { hostname: 'lb.example.com' }] } },
    },
    [
      'a',
      'LoadBalancer',
      '10.0.0.9',
      '192.0.2.2,lb.example.com,192.0.2.9',
      '80:30080/TCP',
      ageText,
      '<none>',
    ],
  ],
  [
    'v1',
    'Service',
    'services',
    { spec: { type: 'LoadBalancer' } },
    ['a', 'LoadBalancer', '<none>', '<pending>', '<none>', ageText, '<none>'],
  ],
  [
    'apiregistration.orch.io/v1',
    'APIService',
    'apiservices',
    {
      spec: { service: { namespace: 'n', name: 's' } },
      status: { conditions: [{ type: 'Available', status: 'False', reason: 'MissingEndpoints' }] },
    },
    ['a', 'n/s', 'False (MissingEndpoints)', ageText],
  ],
  ['apiregistration.orch.io/v1', 'APIService', 'apiservices', {}, ['a', 'Local', 'Unknown', ageText]],
  [
    'apps/v1',
    'ControllerRevision',
    'controllerrevisions',
    {
      metadata: {
        ownerReferences: [
          { apiVersion: 'apps/v1', kind: 'DaemonSet', name: 'd', uid: 'u', controller: true },
        ],
      },
      revision: 7,
    },
    ['a', 'daemonset.apps/d', 7, ageText],
  ],
  [
    'apps/v1',
    'DaemonSet',
    'daemonsets',
    {
      spec: { selector, template },
      status: { desiredNumberScheduled: 4, currentNumberScheduled: 3, numberReady: 2, numberAvailable: 1 },
    },
    ['a', 4, 3, 2, 0, 1, 'disk=ssd', ageText, 'c,d', 'x:1,y:2', selectorText],
  ],
  [
    'apps/v1',
    'Deployment',
    'deployments',
    { spec: { replicas: 3, selector: {}, template }, status: { readyReplicas: 2, updatedReplicas: 1 } },
    ['a', '2/3', 1, 0, ageText, 'c,d', 'x:1,y:2', ''],
  ],
  [
    'apps/v1',
    'ReplicaSet',
    'replicasets',
    { spec: { replicas: 1, selector: {}, template } },
    ['a', 1, 0, 0, ageText, 'c,d', 'x:1,y:2', '<none>'],
  ],
  [
    'apps/v1',
    'StatefulSet',
    'statefulsets',
    { spec: { replicas: 1, selector: {}, template } },
    ['a', '0/1', ageText, 'c,d', 'x:1,y:2'],
  ],
  [
    'autoscaling/v1',
    'HorizontalPodAutoscaler',
    'horizontalpodautoscalers',
    {
      metadata: {
        annotations: {
          'autoscaling.alpha.orch.io/metrics': JSON.stringify([
            { type: 'External', external: { metricName: 'm', targetAverageValue: '2' } },
            { type: 'Odd' },
          ]),
        },
      },
      spec: { ...hpaTarget, targetCPUUtilizationPercentage: 80 },
      status: { currentReplicas: 2 },
    },
    ['a', 'Deployment/d', '<unknown>/2 (avg), <unknown type> + 1 more...', '<unset>', 5, 2, ageText],
  ],
  [
    'autoscaling/v1',
    'HorizontalPodAutoscaler',
    'horizontalpodautoscalers',
    {
      spec: { ...hpaTarget, minReplicas: 1, targetCPUUtilizationPercentage: 80 },
      status: { currentReplicas: 2, currentCPUUtilizationPercentage: 33 },
    },
    ['a', 'Deployment/d', '33%/80%', '1', 5, 2, ageText],
  ],
  [
    'autoscaling/v2beta2',
    'HorizontalPodAutoscaler',
    'horizontalpodautoscalers',
    {
      spec: {
        ...hpaTarget,
        metrics: [
          {
            type: 'Object',
            object: {
              describedObject: { kind: 'S', name: 's' },
              metric: { name: 'm' },
              target: { type: 'Value', value: '10' },
            },
          },
          {
            type: 'Resource',
            resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 50 } },
          },
        ],
      },
      status: {
        currentReplicas: 2,
        currentMetrics: [
          { type: 'Object', object: { metric: { name: 'm' }, describedObject: {}, current: { value: '3' } } },
        ],
      },
    },
    ['a', 'Deployment/d', '3/10, <unknown>/50%', '<unset>', 5, 2, ageText],
  ],
  [
    'batch/v1',
    'Job',
    'jobs',
    {
      spec: { parallelism: 3, template },
      status: { succeeded: 1, startTime: created, completionTime: '2021-01-01T00:00:12Z' },
    },
    ['a', '1/1 of 3', '12s', ageText, 'c,d', 'x:1,y:2', '<none>'],
  ],
  [
    'batch/v1',
    'Job',
    'jobs',
    {
      spec: { completions: 2, selector: { matchLabels: { u: '1' } }, template },
      status: { startTime: created },
    },
    ['a', '0/2', ageText, ageText, 'c,d', 'x:1,y:2', 'u=1'],
  ],
  [
    'batch/v1beta1',
    'CronJob',
    'cronjobs',
    {
      spec: { schedule: '* * * * *', suspend: false, jobTemplate: { spec: { template } } },
      status: { active: [{ name: 'x' }], lastScheduleTime: '2021-01-01T00:00:10Z' },
    },
    ['a', '* * * * *', 'False', 1, '20s', ageText, 'c,d', 'x:1,y:2', '<none>'],
  ],
  [
    'certificates.orch.io/v1',
    'CertificateSigningRequest',
    'certificatesigningrequests',
    {
      spec: { request: '', signerName: 's', username: 'u' },
      status: { certificate: 'eA==', conditions: [{ type: 'Approved', status: 'True' }] },
    },
    ['a', ageText, 's', 'u', 'Approved,Issued'],
  ],
  [
    'networking.orch.io/v1',
    'Ingress',
    'ingresses',
    {
      spec: { tls: [{}], rules: [{ host: 'x' }, { host: 'y' }, { host: 'z' }, { host: 'q' }] },
      status: { loadBalancer: { ingress: [{ ip: '192.0.2.2' }, { ip: '192.0.2.1' }] } },
    },
    ['a', '<none>', 'x,y,z + 1 more...', '192.0.2.1,192.0.2.2', '80, 443', ageText],
  ],
  [
    'networking.orch.io/v1beta1',
    'Ingress',
    'ingresses',
    { spec: { ingressClassName: 'i', rules: [{}] } },
    ['a', 'i', '*', '', '80', ageText],
  ],
  [
    'networking.orch.io/v1',
    'IngressClass',
    'ingressclasses',
    { spec: { controller: 'c', parameters: { apiGroup: 'g.example.com', kind: 'P', name: 'p' } } },
    ['a', 'c', 'P.g.example.com/p', ageText],
  ],
  [
    'networking.orch.io/v1',
    'IngressClass',
    'ingressclasses',
    { spec: { controller: 'c', parameters: { apiGroup: null, kind: 'P', name: 'p' } } },
    ['a', 'c', 'P/p', ageText],
  ],
  [
    'networking.orch.io/v1',
    'NetworkPolicy',
    'networkpolicies',
    { spec: { podSelector: selector } },
    ['a', selectorText, ageText],
  ],
  [
    'networking.orch.io/v1',
    'NetworkPolicy',
    'networkpolicies',
    { spec: { podSelector: { matchExpressions: [{ key: 'a', operator: 'In', values: ['b c'] }] } } },
    ['a', '<error>', ageText],
  ],
  [
    'policy/v1beta1',
    'PodDisruptionBudget',
    'poddisruptionbudgets',
    { spec: { maxUnavailable: '50%' }, status: { disruptionsAllowed: 2 } },
    ['a', 'N/A', '50%', 2, ageText],
  ],
  [
    'policy/v1beta1',
    'PodSecurityPolicy',
    'podsecuritypolicies',
    {
      spec: {
        allowedCapabilities: ['X', 'Y'],
        seLinux: { rule: 'RunAsAny' },
        runAsUser: { rule: 'MustRunAs' },
        fsGroup: { rule: 'RunAsAny' },
        supplementalGroups: { rule: 'MayRunAs' },
        volumes: ['*'],
      },
    },
    ['a', 'false', 'X,Y', 'RunAsAny', 'MustRunAs', 'RunAsAny', 'MayRunAs', false, '*'],
  ],
  [
    'rbac.authorization.orch.io/v1',
    'RoleBinding',
    'rolebindings',
    {
      subjects: [
        { kind: 'User', name: 'u' },
        { kind: 'Group', name: 'g' },
        { kind: 'ServiceAccount', namespace: 'n', name: 's' },
        { kind: 'User', name: 'v' },
      ],
      roleRef: { kind: 'Role', name: 'r' },
    },
    ['a', 'Role/r', ageText, 'u, v', 'g', 'n/s'],
  ],
  [
    'storage.orch.io/v1',
    'CSIDriver',
    'csidrivers',
    { spec: { attachRequired: false, volumeLifecycleModes: ['Persistent', 'Ephemeral'] } },
    ['a', false, false, 'Persistent,Ephemeral', ageText],
  ],
  ['storage.orch.io/v1', 'CSINode', 'csinodes', { spec: { drivers: [] } }, ['a', 0, ageText]],
  [
    'storage.orch.io/v1',
    'StorageClass',
    'storageclasses',
    { metadata: { annotations: { 'storageclass.orch.io/is-default-class': 'true' } }, provisioner: 'p' },
    ['a (default)', 'p', 'Delete', 'Immediate', false, ageText],
  ],
  [
    'storage.orch.io/v1',
    'VolumeAttachment',
    'volumeattachments',
    {
      spec: { attacher: 'x', nodeName: 'n', source: { persistentVolumeName: 'v' } },
      status: { attached: true },
    },
    ['a', 'x', 'v', 'n', true, ageText],
  ],
  [
    'admissionregistration.orch.io/v1',
    'MutatingWebhookConfiguration',
    'mutatingwebhookconfigurations',
    { webhooks: [] },
    ['a', 0, ageText],
  ],
  ['scheduling.orch.io/v1', 'PriorityClass', 'priorityclasses', { value: 9 }, ['a', 9, false, ageText]],
  ['coordination.orch.io/v1', 'Lease', 'leases', { spec: { holderIdentity: 'h' } }, ['a', 'h', ageText]],
  ['node.orch.io/v1', 'RuntimeClass', 'runtimeclasses', { handler: 'h' }, ['a', 'h', ageText]],
  [
    'node.orch.io/v1alpha1',
    'RuntimeClass',
    'runtimeclasses',
    { spec: { runtimeHandler: 'h' } },
    ['a', 'h', ageText],
  ],
  [
    'discovery.orch.io/v1beta1',
    'EndpointSlice',
    'endpointslices',
    {
      addressType: 'IPv4',
      ports: [{ port: 80 }, { name: 'n' }, {}, { port: 1 }],
      endpoints: [{ addresses: ['1', '2'] }, { addresses: ['3', '4'] }],
    },
    ['a', 'IPv4', '80,n,* + 1 more...', '1,2,3 + 1 more...', ageText],
  ],
  [
    'discovery.orch.io/v1beta1',
    'EndpointSlice',
    'endpointslices',
    { addressType: 'FQDN', endpoints: [] },
    ['a', 'FQDN', '<unset>', '<unset>', ageText],
  ],
  [
    'flowcontrol.apiserver.orch.io/v1beta1',
    'FlowSchema',
    'flowschemas',
    {
      spec: { priorityLevelConfiguration: { name: 'p' }, matchingPrecedence: 5 },
      status: { conditions: [{ type: 'Dangling', status: 'False' }] },
    },
    ['a', 'p', 5, '<none>', ageText, 'False'],
  ],
  [
    'flowcontrol.apiserver.orch.io/v1beta1',
    'PriorityLevelConfiguration',
    'prioritylevelconfigurations',
    {
      spec: { type: 'Limited', limited: { assuredConcurrencyShares: 5, limitResponse: { type: 'Reject' } } },
    },
    ['a', 'Limited', 5, '<none>', '<none>', '<none>', ageText],
  ],
  ['rbac.authorization.orch.io/v1', 'Role', 'roles', { rules: [] }, ['a', created]],
  ['v1', 'LimitRange', 'limitranges', { spec: { limits: [] } }, ['a', created]],
  [
    'internal.apiserver.orch.io/v1alpha1',
    'StorageVersion',
    'storageversions',
    { spec: {}, status: { storageVersions: [{ apiServerID: 'x', encodingVersion: 'v1' }] } },
    ['a', '<unset>', 'x=v1', ageText],
  ],
];

describe('rows', () => {
  for (const [version, kind, resource, value, cells] of cases) {
    it(`of ${resource} in ${version}: ${JSON.stringify(value)}`, () => {
      expect(cellsOf(version, kind, resource, value)).to.deep.equal(cells);
    });
  }

  it('of drivers show the audiences of their tokens, where there are tokens', () => {
    const gates = new Set(['CSIServiceAccountToken']);
    const { columns, row } = createTablePrinters({ dialect: orchDialect, gates })({
      group: 'storage.orch.io',
      resource: 'csidrivers',
    });
    const audiencesOf = (spec: object): unknown => {
      const driver = catalog.type('storage.orch.io/v1.CSIDriver').decode({ metadata: { name: 'a' }, spec });
      // A kind's decoder gives an object of the kind.
      const { cells } = row(driver as unknown as ApiObject, nowMs);
      return cells?.[columns.findIndex(({ name }) => name === 'TokenRequests')];
    };
    expect(audiencesOf({})).to.equal('<unset>');
    expect(audiencesOf({ tokenRequests: [{ audience: '' }] })).to.equal('');
    expect(audiencesOf({ tokenRequests: [{ audience: '' }, { audience: 'b' }] })).to.equal(',b');
  });

  it('have one cell per column', () => {
    for (const [version, kind, resource] of cases) {
      const { columns } = printers({ group: parseGroupVersion(version)?.group ?? '', resource });
      expect(cellsOf(version, kind, resource, {}), resource).to.have.lengthOf(columns.length);
    }
  });
});
