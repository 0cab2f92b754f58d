import { expect } from 'chai';
import type { ApiClient, JsonObject } from '../../support/api-client.ts';
import { eventually, untilNone } from '../../support/eventually.ts';
import { startTestServer } from '../../support/test-server.ts';

const core = '/api/v1/namespaces/default';
const apps = '/apis/apps/v1/namespaces/default';
const labels = { app: 'a' };
const template = { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'i' }] } };
const metadata = { name: 'x' };
const selector = { matchLabels: labels };
const target = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'x' };
const job = { template: { spec: { ...template.spec, restartPolicy: 'Never' } } };
const rbac = 'rbac.authorization.orch.io/v1';
const discovery = '/apis/discovery.orch.io/v1beta1/namespaces/default/endpointslices';
const storage = { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'] };

/** What is created, in this order. */
const objects: readonly [string, JsonObject][] = [
  [
    `${apps}/deployments`,
    { kind: 'Deployment', apiVersion: 'apps/v1', metadata, spec: { selector, template } },
  ],
  [
    `${apps}/statefulsets`,
    { kind: 'StatefulSet', apiVersion: 'apps/v1', metadata, spec: { serviceName: 'x', selector, template } },
  ],
  [
    `${apps}/daemonsets`,
    { kind: 'DaemonSet', apiVersion: 'apps/v1', metadata, spec: { selector, template } },
  ],
  ['/apis/batch/v1/namespaces/default/jobs', { kind: 'Job', apiVersion: 'batch/v1', metadata, spec: job }],
  [
    `${core}/replicationcontrollers`,
    { kind: 'ReplicationController', apiVersion: 'v1', metadata, spec: { selector: labels, template } },
  ],
  [
    `${core}/services`,
    { kind: 'Service', apiVersion: 'v1', metadata, spec: { selector: labels, ports: [{ port: 80 }] } },
  ],
  [
    `${core}/services`,
    { kind: 'Service', apiVersion: 'v1', metadata: { name: 'y' }, spec: { ports: [{ port: 80 }] } },
  ],
  [
    `${core}/endpoints`,
    {
      ...{ kind: 'Endpoints', apiVersion: 'v1', metadata: { name: 'y' } },
      subsets: [{ addresses: [{ ip: '10.9.9.9' }], ports: [{ port: 80 }] }],
    },
  ],
  [
    '/apis/policy/v1beta1/namespaces/default/poddisruptionbudgets',
    {
      kind: 'PodDisruptionBudget',
      apiVersion: 'policy/v1beta1',
      metadata,
      spec: { selector, minAvailable: 1 },
    },
  ],
  [
    '/apis/autoscaling/v1/namespaces/default/horizontalpodautoscalers',
    {
      ...{ kind: 'HorizontalPodAutoscaler', apiVersion: 'autoscaling/v1', metadata },
      spec: { maxReplicas: 2, scaleTargetRef: target },
    },
  ],
  ['/api/v1/namespaces', { kind: 'Namespace', apiVersion: 'v1', metadata }],
  ['/api/v1/namespaces', { kind: 'Namespace', apiVersion: 'v1', metadata: { name: 'doomed' } }],
  [`${core}/serviceaccounts`, { kind: 'ServiceAccount', apiVersion: 'v1', metadata }],
  [
    `/apis/${rbac}/clusterroles`,
    {
      ...{ kind: 'ClusterRole', apiVersion: rbac, metadata, rules: [] },
      aggregationRule: {
        clusterRoleSelectors: [{ matchLabels: { 'rbac.authorization.orch.io/aggregate-to-view': 'true' } }],
      },
    },
  ],
  [
    `${core}/resourcequotas`,
    { kind: 'ResourceQuota', apiVersion: 'v1', metadata, spec: { hard: { pods: '9' } } },
  ],
  [
    '/api/v1/nodes',
    { kind: 'Node', apiVersion: 'v1', metadata: { name: 'x', labels: { 'orch.io/os': 'linux' } } },
  ],
  [
    '/api/v1/persistentvolumes',
    { kind: 'PersistentVolume', apiVersion: 'v1', metadata, spec: { ...storage, hostPath: { path: '/x' } } },
  ],
  [
    `${core}/persistentvolumeclaims`,
    {
      ...{ kind: 'PersistentVolumeClaim', apiVersion: 'v1', metadata },
      spec: {
        ...{ accessModes: ['ReadWriteMany'], storageClassName: '' },
        resources: { requests: { storage: '1Gi' } },
      },
    },
  ],
  [
    `${core}/configmaps`,
    {
      ...{ kind: 'ConfigMap', apiVersion: 'v1' },
      metadata: {
        name: 'x',
        ownerReferences: [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'gone', uid: 'u' }],
      },
    },
  ],
];

const hasItems = ({ items }: JsonObject): boolean => items.length > 0;
const ownedBy =
  (kind: string) =>
  ({ items }: JsonObject): boolean =>
    items.some((item: JsonObject) => item.metadata.ownerReferences?.[0]?.kind === kind);
const isFinalized = (body: JsonObject): boolean => (body.metadata.finalizers ?? []).length > 0;

/** A controller, what it would change, and how one sees that it did. */
const effects: readonly [string, string, (body: JsonObject) => boolean][] = [
  ['deployment', `${apps}/replicasets`, ownedBy('Deployment')],
  ['statefulset', `${apps}/controllerrevisions`, ownedBy('StatefulSet')],
  ['daemonset', `${apps}/controllerrevisions`, ownedBy('DaemonSet')],
  ['job', `${core}/pods`, ownedBy('Job')],
  ['replicationcontroller', `${core}/pods`, ownedBy('ReplicationController')],
  ['endpoint', `${core}/endpoints/x`, ({ kind }) => kind === 'Endpoints'],
  ['endpointslice', `${discovery}?labelSelector=orch.io/service-name=x`, hasItems],
  ['endpointslicemirroring', `${discovery}?labelSelector=orch.io/service-name=y`, ownedBy('Endpoints')],
  [
    'disruption',
    '/apis/policy/v1beta1/namespaces/default/poddisruptionbudgets/x',
    ({ status }) => status.observedGeneration !== undefined,
  ],
  [
    'horizontalpodautoscaling',
    '/apis/autoscaling/v2beta2/namespaces/default/horizontalpodautoscalers/x',
    ({ status }) => (status.conditions ?? []).length > 0,
  ],
  ['serviceaccount', '/api/v1/namespaces/x/serviceaccounts', hasItems],
  ['root-ca-cert-publisher', '/api/v1/namespaces/x/configmaps', hasItems],
  ['namespace', '/api/v1/namespaces/doomed', ({ kind }) => kind === 'Status'],
  ['serviceaccount-token', `${core}/serviceaccounts/x`, ({ secrets }) => secrets !== undefined],
  ['clusterrole-aggregation', `/apis/${rbac}/clusterroles/x`, ({ rules }) => (rules ?? []).length > 0],
  ['resourcequota', `${core}/resourcequotas/x`, ({ status }) => status.used !== undefined],
  ['ttl', '/api/v1/nodes/x', (node) => node.metadata.annotations?.['node.alpha.orch.io/ttl'] !== undefined],
  ['nodelifecycle', '/api/v1/nodes/x', (node) => node.metadata.labels['beta.orch.io/os'] !== undefined],
  ['persistentvolume-binder', '/api/v1/persistentvolumes/x', ({ status }) => status.phase === 'Available'],
  ['pv-protection', '/api/v1/persistentvolumes/x', isFinalized],
  ['pvc-protection', `${core}/persistentvolumeclaims/x`, isFinalized],
  ['garbagecollector', `${core}/configmaps/x`, ({ kind }) => kind === 'Status'],
];

/** Those of the effects that are seen. */
async function seenIn(client: ApiClient): Promise<string[]> {
  const seen: string[] = [];
  for (const [name, path, isSeen] of effects) if (isSeen((await client.get(path)).body)) seen.push(name);
  return seen;
}

async function withObjects(controllers: string, look: (client: ApiClient) => Promise<void>): Promise<void> {
  const server = await startTestServer({
    flags: [
      `--controllers=${controllers}`,
      // How long a new autoscaler waits.
      '--horizontal-pod-autoscaler-sync-period=100ms',
      '--disable-admission-plugins=ServiceAccount,StorageObjectInUseProtection',
    ],
  });
  try {
    for (const [path, object] of objects) await server.admin.create(path, object);
    await server.admin.expect('DELETE', '/api/v1/namespaces/doomed');
    await look(server.admin);
  } finally {
    await server.stop();
  }
}

const names = effects.map(([name]) => name);

describe('controllers that are switched off', () => {
  it('act on these objects when they are on', () =>
    withObjects('*', (client) =>
      untilNone(async () => {
        const seen = await seenIn(client);
        return names.filter((name) => !seen.includes(name));
      }),
    ));

  it('leave them as they are, while others work', () =>
    withObjects(['*', ...names.map((name) => `-${name}`)].join(), async (client) => {
      // What one controller sees and does, the others had the time for.
      const set = { kind: 'ReplicaSet', apiVersion: 'apps/v1', metadata, spec: { selector, template } };
      await client.create(`${apps}/replicasets`, set);
      await eventually(async () =>
        ownedBy('ReplicaSet')((await client.get(`${core}/pods`)).body) ? true : undefined,
      );
      expect(await seenIn(client)).to.deep.equal([]);
    }));
});
