import { expect } from 'chai';
import { after, before, describe, it } from 'mocha';
import type { JsonObject } from '../../support/api-client.ts';
import { startTestServer, type TestServer } from '../../support/test-server.ts';

const core = '/api/v1/namespaces/default';
const apps = '/apis/apps/v1/namespaces/default';
const labels = { app: 'x' };
const containers = [{ name: 'c', image: 'example/image' }];
const template = { metadata: { labels }, spec: { containers } };
const selector = { matchLabels: labels };

/** What the smallest object of a kind becomes: JSON pointers to values. */
const cases: readonly {
  readonly what: string;
  readonly path: string;
  readonly object: JsonObject;
  readonly becomes: Readonly<Record<string, unknown>>;
}[] = [
  {
    what: 'a pod',
    path: `${core}/pods`,
    object: { kind: 'Pod', apiVersion: 'v1', spec: { containers } },
    becomes: {
      '/spec/restartPolicy': 'Always',
      '/spec/terminationGracePeriodSeconds': 30,
      '/spec/dnsPolicy': 'ClusterFirst',
      '/spec/schedulerName': 'default-scheduler',
      '/spec/securityContext': {},
      '/spec/enableServiceLinks': true,
      '/spec/priority': 0,
      '/spec/preemptionPolicy': 'PreemptLowerPriority',
      '/spec/containers/0/imagePullPolicy': 'Always',
      '/spec/containers/0/terminationMessagePath': '/dev/termination-log',
      '/spec/containers/0/terminationMessagePolicy': 'File',
      '/spec/containers/0/resources': {},
      '/status': { phase: 'Pending', qosClass: 'BestEffort' },
    },
  },
  {
    what: 'a pod with a tagged image, a port, a probe and limits',
    path: `${core}/pods`,
    object: {
      kind: 'Pod',
      apiVersion: 'v1',
      spec: {
        containers: [
          {
            name: 'c',
            image: 'example/image:1',
            ports: [{ containerPort: 80 }],
            livenessProbe: { httpGet: { port: 80 } },
            resources: { limits: { cpu: '0.5', memory: '1024Ki' } },
          },
        ],
        volumes: [{ name: 'v', configMap: { name: 'm' } }, { name: 'e' }],
      },
    },
    becomes: {
      '/spec/containers/0/imagePullPolicy': 'IfNotPresent',
      '/spec/containers/0/ports/0': { containerPort: 80, protocol: 'TCP' },
      '/spec/containers/0/livenessProbe': {
        httpGet: { path: '/', port: 80, scheme: 'HTTP' },
        timeoutSeconds: 1,
        periodSeconds: 10,
        successThreshold: 1,
        failureThreshold: 3,
      },
      '/spec/containers/0/resources': {
        limits: { cpu: '500m', memory: '1Mi' },
        requests: { cpu: '500m', memory: '1Mi' },
      },
      '/spec/volumes/0/configMap/defaultMode': 420,
      '/spec/volumes/1/emptyDir': {},
      '/status/qosClass': 'Guaranteed',
    },
  },
  {
    what: 'a service',
    path: `${core}/services`,
    object: { kind: 'Service', apiVersion: 'v1', spec: { ports: [{ port: 80 }] } },
    becomes: {
      '/spec/type': 'ClusterIP',
      '/spec/sessionAffinity': 'None',
      '/spec/ports/0': { port: 80, targetPort: 80, protocol: 'TCP' },
      '/status': { loadBalancer: {} },
    },
  },
  {
    what: 'a service for outside',
    path: `${core}/services`,
    object: {
      kind: 'Service',
      apiVersion: 'v1',
      spec: { type: 'LoadBalancer', sessionAffinity: 'ClientIP', ports: [{ port: 80, targetPort: 'web' }] },
    },
    becomes: {
      '/spec/externalTrafficPolicy': 'Cluster',
      '/spec/sessionAffinityConfig': { clientIP: { timeoutSeconds: 10_800 } },
      '/spec/ports/0/targetPort': 'web',
    },
  },
  {
    what: 'a secret of text',
    path: `${core}/secrets`,
    object: { kind: 'Secret', apiVersion: 'v1', stringData: { a: 'text' } },
    becomes: { '/type': 'Opaque', '/data': { a: 'dGV4dA==' }, '/stringData': undefined },
  },
  {
    what: 'a namespace',
    path: '/api/v1/namespaces',
    object: { kind: 'Namespace', apiVersion: 'v1' },
    becomes: { '/spec/finalizers': ['orch'], '/status/phase': 'Active' },
  },
  {
    what: 'a claim',
    path: `${core}/persistentvolumeclaims`,
    object: {
      kind: 'PersistentVolumeClaim',
      apiVersion: 'v1',
      spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
    },
    becomes: {
      '/spec/volumeMode': 'Filesystem',
      '/status/phase': 'Pending',
      '/metadata/finalizers': ['orch.io/pvc-protection'],
    },
  },
  {
    what: 'a deployment',
    path: `${apps}/deployments`,
    object: { kind: 'Deployment', apiVersion: 'apps/v1', spec: { selector, template } },
    becomes: {
      '/metadata/generation': 1,
      '/spec/replicas': 1,
      '/spec/revisionHistoryLimit': 10,
      '/spec/progressDeadlineSeconds': 600,
      '/spec/strategy': { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: '25%', maxSurge: '25%' } },
      '/spec/template/spec/restartPolicy': 'Always',
      '/status': {},
    },
  },
  {
    what: 'a replica set',
    path: `${apps}/replicasets`,
    object: { kind: 'ReplicaSet', apiVersion: 'apps/v1', spec: { selector, template } },
    becomes: { '/spec/replicas': 1, '/status': { replicas: 0 } },
  },
  {
    what: 'a daemon set',
    path: `${apps}/daemonsets`,
    object: { kind: 'DaemonSet', apiVersion: 'apps/v1', spec: { selector, template } },
    becomes: {
      '/spec/updateStrategy': { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 1 } },
      '/spec/revisionHistoryLimit': 10,
    },
  },
  {
    what: 'a stateful set',
    path: `${apps}/statefulsets`,
    object: { kind: 'StatefulSet', apiVersion: 'apps/v1', spec: { selector, template, serviceName: 's' } },
    becomes: {
      '/spec/replicas': 1,
      '/spec/podManagementPolicy': 'OrderedReady',
      '/spec/updateStrategy': { type: 'RollingUpdate', rollingUpdate: { partition: 0 } },
    },
  },
  {
    what: 'a job',
    path: '/apis/batch/v1/namespaces/default/jobs',
    object: {
      kind: 'Job',
      apiVersion: 'batch/v1',
      spec: { template: { spec: { containers, restartPolicy: 'Never' } } },
    },
    becomes: { '/spec/parallelism': 1, '/spec/completions': 1, '/spec/backoffLimit': 6, '/status': {} },
  },
  {
    what: 'a cron job',
    path: '/apis/batch/v1beta1/namespaces/default/cronjobs',
    object: {
      kind: 'CronJob',
      apiVersion: 'batch/v1beta1',
      spec: {
        schedule: '* * * * *',
        jobTemplate: { spec: { template: { spec: { containers, restartPolicy: 'Never' } } } },
      },
    },
    becomes: {
      '/spec/concurrencyPolicy': 'Allow',
      '/spec/suspend': false,
      '/spec/successfulJobsHistoryLimit': 3,
      '/spec/failedJobsHistoryLimit': 1,
    },
  },
  {
    what: 'an autoscaler',
    path: '/apis/autoscaling/v1/namespaces/default/horizontalpodautoscalers',
    object: {
      kind: 'HorizontalPodAutoscaler',
      apiVersion: 'autoscaling/v1',
      spec: { maxReplicas: 5, scaleTargetRef: { kind: 'Deployment', name: 'd' } },
    },
    becomes: { '/spec/minReplicas': 1, '/spec/targetCPUUtilizationPercentage': 80 },
  },
  {
    what: 'a network policy',
    path: '/apis/networking.orch.io/v1/namespaces/default/networkpolicies',
    object: {
      kind: 'NetworkPolicy',
      apiVersion: 'networking.orch.io/v1',
      spec: { podSelector: {}, egress: [{ ports: [{ port: 53 }] }] },
    },
    becomes: { '/spec/policyTypes': ['Ingress', 'Egress'], '/spec/egress/0/ports/0/protocol': 'TCP' },
  },
  {
    what: 'a role binding',
    path: '/apis/rbac.authorization.orch.io/v1/namespaces/default/rolebindings',
    object: {
      kind: 'RoleBinding',
      apiVersion: 'rbac.authorization.orch.io/v1',
      roleRef: { kind: 'ClusterRole', name: 'view', apiGroup: 'rbac.authorization.orch.io' },
      subjects: [{ kind: 'User', name: 'alice' }],
    },
    becomes: { '/subjects/0/apiGroup': 'rbac.authorization.orch.io' },
  },
  {
    what: 'a storage class',
    path: '/apis/storage.orch.io/v1/storageclasses',
    object: { kind: 'StorageClass', apiVersion: 'storage.orch.io/v1', provisioner: 'example.org/disk' },
    becomes: { '/reclaimPolicy': 'Delete', '/volumeBindingMode': 'Immediate' },
  },
];

describe('default values', () => {
  let server: TestServer;
  before(async () => {
    server = await startTestServer();
  });
  after(() => server.stop());

  cases.forEach(({ what, path, object, becomes }, index) => {
    it(`of ${what} are filled in, kept, and the same when it is read back`, async () => {
      const name = `defaulted-${index}`;
      const created = await server.admin.create(path, { ...object, metadata: { name } });
      const actual = Object.fromEntries(
        Object.keys(becomes).map((pointer) => [pointer, valueAt(created, pointer)]),
      );
      expect(actual).to.deep.equal(becomes);
      const again = await server.admin.expect('PUT', `${path}/${name}`, { body: created });
      expect(again, 'an object with its defaults needs no others').to.deep.equal(created);
    });
  });
});

/** The value at a JSON pointer; undefined when there is none. */
function valueAt(object: unknown, pointer: string): unknown {
  return pointer
    .split('/')
    .slice(1)
    .reduce<unknown>((value, key) => (value as JsonObject | undefined)?.[key], object); // reads of anything are safe
}
