import { configMap, deployment, inNamespace, pod, service } from '../../../support/objects.ts';

/** A request as it would be right; mutations start from it. */
export interface SeedRequest {
  readonly method: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON value; undefined sends no body. */
  readonly body: unknown;
}

const json = { 'content-type': 'application/json' };
const mergePatch = { 'content-type': 'application/merge-patch+json' };
const jsonPatch = { 'content-type': 'application/json-patch+json' };
const strategicPatch = { 'content-type': 'application/strategic-merge-patch+json' };
const applyPatch = { 'content-type': 'application/apply-patch+yaml' };
const table = { accept: 'application/json;as=Table;v=v1;g=meta.orch.io' };
const metadataOnly = { accept: 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.orch.io' };

const maps = inNamespace('default', 'configmaps');
const pods = inNamespace('default', 'pods');
const services = inNamespace('default', 'services');
const secrets = inNamespace('default', 'secrets');
const deployments = '/apis/apps/v1/namespaces/default/deployments';
const roles = '/apis/rbac.authorization.orch.io/v1/clusterroles';
const ingresses = '/apis/networking.orch.io/v1/namespaces/default/ingresses';
const scalers = '/apis/autoscaling/v1/namespaces/default/horizontalpodautoscalers';
const jobs = '/apis/batch/v1/namespaces/default/jobs';

const request = (method: string, path: string, rest: Partial<SeedRequest> = {}): SeedRequest => ({
  method,
  path,
  query: {},
  headers: rest.body === undefined ? {} : json,
  body: undefined,
  ...rest,
});

const template = { metadata: { labels: { app: 'x' } }, spec: { containers: [{ name: 'c', image: 'i' }] } };

/** What exists before the first hostile request. */
export const presentObjects: readonly SeedRequest[] = [
  request('POST', maps, { body: configMap('m', { a: '1' }, { labels: { colour: 'red' } }) }),
  request('POST', pods, { body: pod('p', { labels: { app: 'x' } }) }),
  request('POST', services, { body: service('s') }),
  request('POST', deployments, { body: deployment('d', { replicas: 2 }) }),
];

/** Right requests of many kinds. */
export const seedRequests: readonly SeedRequest[] = [
  request('GET', maps, {
    query: { limit: '2', labelSelector: 'colour in (red,blue),!shape', fieldSelector: 'metadata.name=m' },
  }),
  request('GET', pods, {
    headers: table,
    query: { includeObject: 'Object', fieldSelector: 'spec.nodeName!=n' },
  }),
  request('GET', '/api/v1/services', { headers: metadataOnly, query: { resourceVersion: '0', limit: '5' } }),
  request('GET', maps, {
    query: { watch: '1', resourceVersion: '1', allowWatchBookmarks: 'true', timeoutSeconds: '1' },
  }),
  request('GET', pods, {
    headers: table,
    query: { watch: 'true', labelSelector: 'app=x', timeoutSeconds: '1' },
  }),
  request('GET', `${maps}/m`, { headers: { accept: 'application/yaml' } }),
  request('GET', `${deployments}/d/status`),
  request('GET', '/apis'),
  request('GET', '/apis/apps/v1'),
  request('GET', '/readyz/etcd', { query: { verbose: '', exclude: 'ping' } }),
  request('POST', maps, {
    body: configMap('new', { a: '1' }, { annotations: { b: '2' }, finalizers: ['example.org/x'] }),
    query: { dryRun: 'All', fieldManager: 'me' },
  }),
  request('POST', maps, {
    body: {
      kind: 'ConfigMap',
      apiVersion: 'v1',
      metadata: { generateName: 'g-' },
      binaryData: { b: 'AAEC' },
      immutable: true,
    },
  }),
  request('POST', pods, {
    body: {
      ...pod('new'),
      spec: {
        ...pod('x').spec,
        initContainers: [
          {
            name: 'i',
            image: 'i',
            command: ['sh'],
            env: [{ name: 'A', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } }],
          },
        ],
        containers: [
          {
            name: 'c',
            image: 'i',
            ports: [{ containerPort: 80, hostPort: 81 }],
            resources: { requests: { cpu: '100m', memory: '1Gi' } },
            livenessProbe: { httpGet: { path: '/', port: 80 } },
            volumeMounts: [{ name: 'v', mountPath: '/v' }],
          },
        ],
        volumes: [{ name: 'v', emptyDir: { sizeLimit: '1Mi' } }],
        tolerations: [{ key: 'a', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 5 }],
        affinity: {
          nodeAffinity: {
            requiredDuringSchedulingIgnoredDuringExecution: {
              nodeSelectorTerms: [{ matchExpressions: [{ key: 'a', operator: 'In', values: ['b'] }] }],
            },
          },
        },
        securityContext: { runAsUser: 1, sysctls: [{ name: 'a.b', value: '1' }] },
        topologySpreadConstraints: [
          {
            maxSkew: 1,
            topologyKey: 'z',
            whenUnsatisfiable: 'DoNotSchedule',
            labelSelector: { matchLabels: { a: 'b' } },
          },
        ],
      },
    },
  }),
  request('POST', services, {
    body: service('new', {
      type: 'NodePort',
      clusterIP: 'None',
      selector: { a: 'b' },
      externalIPs: ['1.2.3.4'],
      ports: [{ name: 'a', port: 80, targetPort: 'web', nodePort: 30001, protocol: 'UDP' }],
    }),
    query: { dryRun: 'All' },
  }),
  request('POST', deployments, {
    body: deployment('new', {
      replicas: 2,
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: '25%', maxUnavailable: 1 } },
    }),
  }),
  request('POST', secrets, {
    body: {
      kind: 'Secret',
      apiVersion: 'v1',
      metadata: { name: 'new' },
      type: 'Opaque',
      data: { a: 'AAEC' },
      stringData: { b: 'c' },
    },
  }),
  request('POST', ingresses, {
    body: {
      kind: 'Ingress',
      apiVersion: 'networking.orch.io/v1',
      metadata: { name: 'new' },
      spec: {
        rules: [
          {
            host: 'a.example.org',
            http: {
              paths: [
                { path: '/', pathType: 'Prefix', backend: { service: { name: 's', port: { number: 80 } } } },
              ],
            },
          },
        ],
      },
    },
  }),
  request('POST', scalers, {
    body: {
      kind: 'HorizontalPodAutoscaler',
      apiVersion: 'autoscaling/v1',
      metadata: { name: 'new' },
      spec: {
        maxReplicas: 3,
        minReplicas: 1,
        scaleTargetRef: { kind: 'Deployment', name: 'd', apiVersion: 'apps/v1' },
      },
    },
  }),
  request('POST', jobs, {
    body: {
      kind: 'Job',
      apiVersion: 'batch/v1',
      metadata: { name: 'new' },
      spec: {
        completions: 1,
        backoffLimit: 2,
        template: { ...template, spec: { ...template.spec, restartPolicy: 'Never' } },
      },
    },
  }),
  request('POST', roles, {
    body: {
      kind: 'ClusterRole',
      apiVersion: 'rbac.authorization.orch.io/v1',
      metadata: { name: 'new' },
      rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['get'], resourceNames: ['a'] }],
    },
  }),
  request('PUT', `${maps}/m`, { body: configMap('m', { a: '2' }) }),
  request('PUT', `${pods}/p/status`, {
    body: {
      ...pod('p'),
      status: {
        phase: 'Running',
        conditions: [{ type: 'Ready', status: 'True', lastTransitionTime: '2021-01-01T00:00:00Z' }],
      },
    },
  }),
  request('PUT', `${deployments}/d/scale`, {
    body: {
      kind: 'Scale',
      apiVersion: 'autoscaling/v1',
      metadata: { name: 'd', namespace: 'default' },
      spec: { replicas: 3 },
    },
  }),
  request('PATCH', `${maps}/m`, {
    headers: mergePatch,
    body: { metadata: { labels: { colour: null } }, data: { a: '3' } },
  }),
  request('PATCH', `${maps}/m`, {
    headers: jsonPatch,
    body: [
      { op: 'add', path: '/data/b', value: 'x' },
      { op: 'move', from: '/data/b', path: '/data/c' },
      { op: 'copy', from: '/data/c', path: '/data/a~1b' },
    ],
  }),
  request('PATCH', `${deployments}/d`, {
    headers: strategicPatch,
    body: {
      spec: {
        template: { spec: { containers: [{ name: 'main', $patch: 'delete' }], $setElementOrder: [] } },
      },
    },
  }),
  request('PATCH', `${pods}/p`, {
    headers: strategicPatch,
    body: { metadata: { $retainKeys: ['a'] }, spec: { $patch: 'replace' } },
  }),
  request('PATCH', `${maps}/applied`, {
    headers: applyPatch,
    query: { fieldManager: 'me', force: 'true' },
    body: configMap('applied', { a: '1' }),
  }),
  request('PATCH', `${deployments}/applied`, {
    headers: applyPatch,
    query: { fieldManager: 'me' },
    body: deployment('applied'),
  }),
  request('DELETE', `${maps}/gone`, {
    body: {
      kind: 'DeleteOptions',
      apiVersion: 'v1',
      gracePeriodSeconds: 0,
      preconditions: { uid: 'x' },
      propagationPolicy: 'Foreground',
      dryRun: ['All'],
    },
  }),
  request('DELETE', maps, {
    query: { labelSelector: 'colour=none', gracePeriodSeconds: '0', propagationPolicy: 'Orphan' },
  }),
  request('POST', `${pods}/p/binding`, {
    body: { kind: 'Binding', apiVersion: 'v1', metadata: { name: 'p' }, target: { kind: 'Node', name: 'n' } },
    query: { dryRun: 'All' },
  }),
  request('POST', `${pods}/p/eviction`, {
    body: { kind: 'Eviction', apiVersion: 'policy/v1beta1', metadata: { name: 'p' } },
    query: { dryRun: 'All' },
  }),
  request('POST', '/apis/authorization.orch.io/v1/subjectaccessreviews', {
    body: {
      kind: 'SubjectAccessReview',
      apiVersion: 'authorization.orch.io/v1',
      spec: { user: 'u', groups: ['g'], resourceAttributes: { verb: 'get', resource: 'pods' } },
    },
  }),
  request('POST', '/api/v1/namespaces', {
    body: { kind: 'Namespace', apiVersion: 'v1', metadata: { name: 'new' } },
    query: { dryRun: 'All' },
  }),
];
