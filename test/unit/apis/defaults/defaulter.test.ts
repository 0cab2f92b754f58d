import { expect } from 'chai';
import { createTypeCatalog } from '../../../../src/apis/catalog.ts';
import { createDefaulter } from '../../../../src/apis/defaults/index.ts';
import { createDialect, orchDialect } from '../../../../src/machinery/dialect.ts';
import { defaultGates } from '../../../support/default-gates.ts';

const catalog = createTypeCatalog(orchDialect);
const usualGates = defaultGates();

/** The canonical form of `value` with defaults. */
function withDefaults(type: string, value: object, gates: ReadonlySet<string> = usualGates): unknown {
  const apply = createDefaulter({ dialect: orchDialect, catalog, gates });
  const compiled = catalog.type(type);
  const object = compiled.decode(value);
  apply(type, object);
  return compiled.canonicalize(object);
}

const container = {
  name: 'c',
  resources: {},
  terminationMessagePath: '/dev/termination-log',
  terminationMessagePolicy: 'File',
  imagePullPolicy: 'IfNotPresent',
};
const podDefaults = {
  restartPolicy: 'Always',
  terminationGracePeriodSeconds: 30,
  dnsPolicy: 'ClusterFirst',
  securityContext: {},
  schedulerName: 'default-scheduler',
};
const template = { metadata: { labels: { app: 'a' } }, spec: { containers: [{ name: 'c', image: 'i:1' }] } };
const templateWithDefaults = {
  metadata: { creationTimestamp: null, labels: { app: 'a' } },
  spec: { containers: [{ ...container, image: 'i:1' }], ...podDefaults },
};

/** Cases: type, what is given, what the field at `at` must be afterwards. */
interface Case {
  readonly type: string;
  readonly given: object;
  readonly at: string;
  readonly wanted: unknown;
  readonly gates?: readonly string[];
}

const inPod = (spec: object): object => ({ spec: { containers: [], ...spec } });
const hpa = 'autoscaling/v2beta2.HorizontalPodAutoscaler';
const driver = 'storage.orch.io/v1.CSIDriver';
const binding = 'rbac.authorization.orch.io/v1.RoleBinding';
const bindingAlpha = 'rbac.authorization.orch.io/v1alpha1.RoleBinding';
const definition = 'apiextensions.orch.io/v1beta1.CustomResourceDefinition';
const policy = 'networking.orch.io/v1.NetworkPolicy';

const cases: readonly Case[] = [
  { type: 'v1.Pod', given: inPod({}), at: 'spec.enableServiceLinks', wanted: true },
  {
    type: 'v1.Pod',
    given: inPod({ enableServiceLinks: false }),
    at: 'spec.enableServiceLinks',
    wanted: false,
  },
  {
    type: 'v1.Pod',
    given: inPod({ terminationGracePeriodSeconds: 0 }),
    at: 'spec.terminationGracePeriodSeconds',
    wanted: 0,
  },
  { type: 'v1.Pod', given: inPod({ volumes: [{ name: 'v' }] }), at: 'spec.volumes.0.emptyDir', wanted: {} },
  {
    type: 'v1.Pod',
    given: inPod({ volumes: [{ name: 'v', hostPath: { path: '/p' } }] }),
    at: 'spec.volumes.0',
    wanted: { name: 'v', hostPath: { path: '/p', type: '' } },
  },
  {
    type: 'v1.Pod',
    given: inPod({ volumes: [{ name: 'v', secret: { secretName: 's' } }] }),
    at: 'spec.volumes.0.secret.defaultMode',
    wanted: 420,
  },
  {
    type: 'v1.Pod',
    given: inPod({
      volumes: [{ name: 'v', projected: { sources: [{ serviceAccountToken: { path: 't' } }] } }],
    }),
    at: 'spec.volumes.0.projected',
    wanted: { sources: [{ serviceAccountToken: { expirationSeconds: 3600, path: 't' } }], defaultMode: 420 },
  },
  {
    type: 'v1.Pod',
    given: inPod({ containers: [{ name: 'c', readinessProbe: { httpGet: { port: 80 } } }] }),
    at: 'spec.containers.0.readinessProbe',
    wanted: {
      httpGet: { path: '/', port: 80, scheme: 'HTTP' },
      timeoutSeconds: 1,
      periodSeconds: 10,
      successThreshold: 1,
      failureThreshold: 3,
    },
  },
  {
    type: 'v1.Pod',
    given: inPod({ containers: [{ name: 'c', resources: { limits: { cpu: '1', memory: '1Gi' } } }] }),
    at: 'spec.containers.0.resources.requests',
    wanted: { cpu: '1', memory: '1Gi' },
  },
  {
    type: 'v1.Pod',
    given: inPod({
      initContainers: [{ name: 'c', resources: { limits: { cpu: '2' }, requests: { cpu: '1' } } }],
    }),
    at: 'spec.initContainers.0.resources.requests',
    wanted: { cpu: '1' },
  },
  {
    type: 'v1.Pod',
    given: inPod({ containers: [{ name: 'c', resources: { requests: { cpu: '100u', memory: '1' } } }] }),
    at: 'spec.containers.0.resources.requests',
    wanted: { cpu: '1m', memory: '1' },
  },
  {
    type: 'v1.Pod',
    given: inPod({ overhead: { cpu: '0.0015' } }),
    at: 'spec.overhead',
    wanted: { cpu: '2m' },
  },
  {
    type: 'v1.Pod',
    given: inPod({ hostNetwork: true, containers: [{ name: 'c', ports: [{ containerPort: 80 }] }] }),
    at: 'spec.containers.0.ports.0',
    wanted: { hostPort: 80, containerPort: 80, protocol: 'TCP' },
  },
  {
    type: 'v1.Pod',
    given: inPod({ serviceAccount: 'old' }),
    at: 'spec.serviceAccountName',
    wanted: 'old',
  },
  {
    type: 'v1.Pod',
    given: inPod({ serviceAccountName: 'new', serviceAccount: 'old' }),
    at: 'spec.serviceAccount',
    wanted: 'new',
  },
  {
    type: 'v1.Pod',
    given: {
      metadata: { annotations: { 'pod.beta.orch.io/init-containers': '[]', keep: 'k' } },
      ...inPod({}),
    },
    at: 'metadata.annotations',
    wanted: { keep: 'k' },
  },
  {
    type: 'v1.Pod',
    given: { ...inPod({}), status: { podIP: '10.0.0.1' } },
    at: 'status.podIPs',
    wanted: [{ ip: '10.0.0.1' }],
  },
  {
    type: 'v1.Pod',
    given: { ...inPod({}), status: { podIPs: [{ ip: '10.0.0.2' }, { ip: '::2' }] } },
    at: 'status.podIP',
    wanted: '10.0.0.2',
  },
  {
    type: 'v1.Pod',
    given: inPod({ ephemeralContainers: [{ name: 'e', image: 'i' }] }),
    at: 'spec.ephemeralContainers.0.imagePullPolicy',
    wanted: 'Always',
  },
  {
    type: 'v1.Node',
    given: { spec: { podCIDR: '10.1.0.0/24' } },
    at: 'spec.podCIDRs',
    wanted: ['10.1.0.0/24'],
  },
  {
    type: 'v1.Node',
    given: { status: { capacity: { cpu: '4' } } },
    at: 'status.allocatable',
    wanted: { cpu: '4' },
  },
  { type: 'v1.Namespace', given: {}, at: 'status.phase', wanted: 'Active' },
  { type: 'v1.Secret', given: {}, at: 'type', wanted: 'Opaque' },
  {
    type: 'v1.Secret',
    given: { data: { a: 'eA==', b: 'eQ==' }, stringData: { b: 'ü', c: 'z' } },
    at: 'data',
    wanted: { a: 'eA==', b: 'w7w=', c: 'eg==' },
  },
  { type: 'v1.Secret', given: { stringData: { a: 'b' } }, at: 'stringData', wanted: undefined },
  {
    type: 'v1.LimitRange',
    given: { spec: { limits: [{ type: 'Container', max: { cpu: '2' }, min: { cpu: '1', memory: '1' } }] } },
    at: 'spec.limits.0',
    wanted: {
      type: 'Container',
      max: { cpu: '2' },
      min: { cpu: '1', memory: '1' },
      default: { cpu: '2' },
      defaultRequest: { cpu: '2', memory: '1' },
    },
  },
  {
    type: 'v1.LimitRange',
    given: { spec: { limits: [{ type: 'Pod', max: { cpu: '2' } }] } },
    at: 'spec.limits.0',
    wanted: { type: 'Pod', max: { cpu: '2' } },
  },
  {
    type: 'v1.Service',
    given: { spec: { ports: [{ port: 80 }, { port: 81, targetPort: 'web' }] } },
    at: 'spec',
    wanted: {
      ports: [
        { protocol: 'TCP', port: 80, targetPort: 80 },
        { protocol: 'TCP', port: 81, targetPort: 'web' },
      ],
      type: 'ClusterIP',
      sessionAffinity: 'None',
    },
  },
  {
    type: 'v1.Service',
    given: { spec: { type: 'NodePort', sessionAffinity: 'ClientIP' } },
    at: 'spec',
    wanted: {
      type: 'NodePort',
      sessionAffinity: 'ClientIP',
      externalTrafficPolicy: 'Cluster',
      sessionAffinityConfig: { clientIP: { timeoutSeconds: 10800 } },
    },
  },
  {
    type: 'v1.Service',
    given: { spec: { sessionAffinityConfig: { clientIP: { timeoutSeconds: 5 } } } },
    at: 'spec.sessionAffinityConfig',
    wanted: undefined,
  },
  {
    type: 'v1.Service',
    given: { spec: { ipFamilyPolicy: 'RequireDualStack', ipFamilies: ['IPv6'] } },
    at: 'spec.ipFamilies',
    wanted: ['IPv6', 'IPv4'],
    gates: ['IPv6DualStack'],
  },
  {
    type: 'v1.Service',
    given: { spec: { ipFamilyPolicy: 'RequireDualStack', ipFamilies: ['IPv6'] } },
    at: 'spec.ipFamilies',
    wanted: ['IPv6'],
  },
  {
    type: 'v1.ReplicationController',
    given: { spec: { template } },
    at: 'spec',
    wanted: { replicas: 1, selector: { app: 'a' }, template: templateWithDefaults },
  },
  {
    type: 'v1.ReplicationController',
    given: { spec: { template } },
    at: 'metadata.labels',
    wanted: { app: 'a' },
  },
  {
    type: 'apps/v1.Deployment',
    given: { spec: { selector: { matchLabels: { app: 'a' } }, template } },
    at: 'spec',
    wanted: {
      replicas: 1,
      selector: { matchLabels: { app: 'a' } },
      template: templateWithDefaults,
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: '25%', maxSurge: '25%' } },
      revisionHistoryLimit: 10,
      progressDeadlineSeconds: 600,
    },
  },
  {
    type: 'apps/v1.Deployment',
    given: { spec: { selector: {}, template, strategy: { rollingUpdate: { maxSurge: 0 } } } },
    at: 'spec.strategy.rollingUpdate',
    wanted: { maxUnavailable: '25%', maxSurge: 0 },
  },
  {
    type: 'apps/v1.Deployment',
    given: { spec: { selector: {}, template, strategy: { type: 'Recreate' } } },
    at: 'spec.strategy',
    wanted: { type: 'Recreate' },
  },
  {
    type: 'apps/v1.DaemonSet',
    given: { spec: { selector: {}, template } },
    at: 'spec.updateStrategy',
    wanted: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 1 } },
  },
  {
    type: 'apps/v1.StatefulSet',
    given: { spec: { selector: {}, template, serviceName: 's' } },
    at: 'spec.updateStrategy',
    wanted: { type: 'RollingUpdate', rollingUpdate: { partition: 0 } },
  },
  {
    type: 'apps/v1.StatefulSet',
    given: { spec: { selector: {}, template, serviceName: 's', updateStrategy: { type: 'RollingUpdate' } } },
    at: 'spec.updateStrategy',
    wanted: { type: 'RollingUpdate' },
  },
  {
    type: 'apps/v1.StatefulSet',
    given: { spec: { selector: {}, template, serviceName: 's', volumeClaimTemplates: [{ spec: {} }] } },
    at: 'spec.volumeClaimTemplates.0',
    wanted: {
      kind: 'PersistentVolumeClaim',
      apiVersion: 'v1',
      metadata: { creationTimestamp: null },
      spec: { resources: {}, volumeMode: 'Filesystem' },
      status: { phase: 'Pending' },
    },
  },
  { type: 'batch/v1.Job', given: { spec: { template } }, at: 'spec.completions', wanted: 1 },
  {
    type: 'batch/v1.Job',
    given: { spec: { template, parallelism: 3 } },
    at: 'spec.completions',
    wanted: undefined,
  },
  {
    type: 'batch/v1beta1.CronJob',
    given: { spec: { schedule: '* * * * *', jobTemplate: { spec: { template } } } },
    at: 'spec.jobTemplate.spec',
    wanted: { template: templateWithDefaults },
  },
  {
    type: 'autoscaling/v1.HorizontalPodAutoscaler',
    given: { spec: {} },
    at: 'spec.targetCPUUtilizationPercentage',
    wanted: 80,
  },
  {
    type: 'autoscaling/v1.HorizontalPodAutoscaler',
    given: {
      metadata: { annotations: { 'autoscaling.alpha.orch.io/metrics': '[{"type":"Pods"}]' } },
      spec: {},
    },
    at: 'spec.targetCPUUtilizationPercentage',
    wanted: undefined,
  },
  {
    type: 'autoscaling/v1.HorizontalPodAutoscaler',
    given: { metadata: { annotations: { 'autoscaling.alpha.orch.io/metrics': '{' } }, spec: {} },
    at: 'spec.targetCPUUtilizationPercentage',
    wanted: 80,
  },
  { type: hpa, given: { spec: {} }, at: 'spec.behavior', wanted: undefined },
  {
    type: hpa,
    given: { spec: { behavior: { scaleDown: { selectPolicy: 'Disabled' } } } },
    at: 'spec.behavior',
    wanted: {
      scaleUp: {
        stabilizationWindowSeconds: 0,
        selectPolicy: 'Max',
        policies: [
          { type: 'Pods', value: 4, periodSeconds: 15 },
          { type: 'Percent', value: 100, periodSeconds: 15 },
        ],
      },
      scaleDown: {
        selectPolicy: 'Disabled',
        policies: [{ type: 'Percent', value: 100, periodSeconds: 15 }],
      },
    },
  },
  { type: policy, given: { spec: {} }, at: 'spec.policyTypes', wanted: ['Ingress'] },
  { type: policy, given: { spec: { egress: [{}] } }, at: 'spec.policyTypes', wanted: ['Ingress', 'Egress'] },
  {
    type: policy,
    given: { spec: { policyTypes: ['Egress'], ingress: [{ ports: [{ port: 1 }] }] } },
    at: 'spec',
    wanted: {
      podSelector: {},
      ingress: [{ ports: [{ protocol: 'TCP', port: 1 }] }],
      policyTypes: ['Egress'],
    },
  },
  {
    type: binding,
    given: {
      subjects: [
        { kind: 'User', name: 'u' },
        { kind: 'ServiceAccount', name: 's' },
      ],
      roleRef: {},
    },
    at: 'subjects',
    wanted: [
      { kind: 'User', apiGroup: 'rbac.authorization.orch.io', name: 'u' },
      { kind: 'ServiceAccount', name: 's' },
    ],
  },
  {
    type: bindingAlpha,
    given: {
      subjects: [
        { kind: 'Group', name: 'g' },
        { kind: 'ServiceAccount', name: 's' },
      ],
      roleRef: {},
    },
    at: 'subjects',
    wanted: [
      { kind: 'Group', apiVersion: 'rbac.authorization.orch.io/v1alpha1', name: 'g' },
      { kind: 'ServiceAccount', apiVersion: 'v1', name: 's' },
    ],
  },
  {
    type: driver,
    given: { spec: {} },
    at: 'spec',
    wanted: {
      attachRequired: true,
      podInfoOnMount: false,
      volumeLifecycleModes: ['Persistent'],
      fsGroupPolicy: 'ReadWriteOnceWithFSType',
    },
  },
  {
    type: driver,
    given: { spec: {} },
    at: 'spec',
    wanted: { attachRequired: true, podInfoOnMount: false, storageCapacity: false },
    gates: ['CSIStorageCapacity'],
  },
  {
    type: 'admissionregistration.orch.io/v1.ValidatingWebhookConfiguration',
    given: {
      webhooks: [
        {
          name: 'w',
          clientConfig: { service: { name: 's', namespace: 'n' } },
          rules: [{ operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['pods'] }],
          sideEffects: 'None',
          admissionReviewVersions: ['v1'],
        },
      ],
    },
    at: 'webhooks.0',
    wanted: {
      name: 'w',
      clientConfig: { service: { namespace: 'n', name: 's', port: 443 } },
      rules: [
        { operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['pods'], scope: '*' },
      ],
      failurePolicy: 'Fail',
      matchPolicy: 'Equivalent',
      namespaceSelector: {},
      objectSelector: {},
      sideEffects: 'None',
      timeoutSeconds: 10,
      admissionReviewVersions: ['v1'],
    },
  },
  {
    type: definition,
    given: { spec: { group: 'g.example.com', version: 'v1', names: { plural: 'things', kind: 'Thing' } } },
    at: 'spec',
    wanted: {
      group: 'g.example.com',
      version: 'v1',
      names: { plural: 'things', singular: 'thing', kind: 'Thing', listKind: 'ThingList' },
      scope: 'Namespaced',
      versions: [{ name: 'v1', served: true, storage: true }],
      conversion: { strategy: 'None' },
      preserveUnknownFields: true,
    },
  },
  {
    type: definition,
    given: { spec: { group: 'g', names: {}, versions: [{ name: 'a' }, { name: 'b', storage: true }] } },
    at: 'status.storedVersions',
    wanted: ['b'],
  },
  {
    type: definition,
    given: { spec: { group: 'g', names: {}, conversion: { strategy: 'Webhook' } } },
    at: 'spec.conversion.conversionReviewVersions',
    wanted: ['v1beta1'],
  },
];

/** The value at a path of names and positions between dots. */
function readAt(value: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((current, name) => {
    if (typeof current !== 'object' || current === null) return undefined;
    return (current as Record<string, unknown>)[name];
  }, value);
}

describe('createDefaulter', () => {
  for (const { type, given, at, wanted, gates } of cases) {
    const title = `${type} ${JSON.stringify(given)}: ${at}${gates === undefined ? '' : ` with ${gates}`}`;
    it(title, () => {
      const result = withDefaults(type, given, gates === undefined ? usualGates : new Set(gates));
      expect(readAt(result, at)).to.deep.equal(wanted);
    });

    it(`${title}, repeated`, () => {
      const once = withDefaults(type, given) as object;
      expect(withDefaults(type, once)).to.deep.equal(once);
    });
  }

  it('compiles the rules of every type that has some', () => {
    const apply = createDefaulter({
      dialect: orchDialect,
      catalog,
      gates: new Set([...usualGates, 'IPv6DualStack', 'ServiceLBNodePortControl', 'CSIServiceAccountToken']),
    });
    for (const kind of [
      'v1.PersistentVolume',
      'v1.Endpoints',
      'v1.PodTemplate',
      'policy/v1beta1.PodSecurityPolicy',
    ]) {
      const object = catalog.type(kind).decode({});
      expect(() => apply(kind, object), kind).not.to.throw();
    }
  });

  it('does not share default values between objects', () => {
    const first = withDefaults(policy, { spec: {} });
    const second = withDefaults(policy, { spec: {} });
    expect(readAt(first, 'spec.policyTypes')).not.to.equal(readAt(second, 'spec.policyTypes'));
  });

  it('uses the names of the dialect', () => {
    const dialect = createDialect('kubernetes');
    const other = createTypeCatalog(dialect);
    const type = dialect.spell(binding);
    const object = other.type(type).decode({ roleRef: {} });
    createDefaulter({ dialect, catalog: other, gates: usualGates })(type, object);
    expect(readAt(object, 'roleRef.apiGroup')).to.equal(dialect.group('rbac.authorization'));
  });
});
