import { expect } from 'chai';
import type { RuleContext } from '../../../src/apis/index.ts';
import { kindRules } from '../../../src/apis/index.ts';
import { defaultGates } from '../../support/default-gates.ts';
import { qualifiedPart } from './core-pod/wording.ts';
import { create, makeContext, makeObject, update } from './rule-fixture.ts';

type Case = readonly [
  what: string,
  kind: string,
  fields: Record<string, unknown>,
  errors: readonly string[],
  context?: Partial<RuleContext>,
];
const container = {
  name: 'c',
  image: 'x',
  resources: {},
  terminationMessagePolicy: 'File',
  imagePullPolicy: 'Always',
};
const b64 = (text: string): string => Buffer.from(text).toString('base64');

const cases: readonly Case[] = [
  [
    'keys that are in both maps',
    'v1.ConfigMap',
    { data: { a: 'x' }, binaryData: { a: b64('y') } },
    ['data[a]: Invalid value: "a": duplicate of key present in binaryData'],
  ],
  [
    'ranges of a node of which one is none',
    'v1.Node',
    { spec: { podCIDR: '10.1.0.0/24', podCIDRs: ['10.1.0.0/24', '10.2.0.0'] } },
    [
      'spec.podCIDRs[1]: Invalid value: []string{"10.1.0.0/24", "10.2.0.0"}: must be valid CIDR',
      'spec.podCIDRs: Internal error: invalid PodCIDRs. failed to check with dual stack with error:invalid CIDR address: 10.2.0.0',
      'spec.podCIDRs: Invalid value: []string{"10.1.0.0/24", "10.2.0.0"}: may specify no more than one CIDR for each IP family',
    ],
    { gates: defaultGates({ IPv6DualStack: true }) },
  ],
  [
    'topology keys that are no labels',
    'v1.Service',
    {
      spec: {
        type: 'ClusterIP',
        sessionAffinity: 'None',
        ports: [{ port: 1, protocol: 'TCP', targetPort: 1 }],
        topologyKeys: ['*', 'a b'],
      },
    },
    [
      'spec.topologyKeys[0]: Invalid value: "*": "*" must be the last value specified',
      `spec.topologyKeys[1]: Invalid value: []string{"*", "a b"}: ${qualifiedPart}`,
    ],
    { gates: defaultGates({ ServiceTopology: true }) },
  ],
  [
    'a ConfigMap above 1 MiB',
    'v1.ConfigMap',
    { data: { a: 'x'.repeat(1_048_577) } },
    ['[]: Too long: must have at most 1048576 bytes'],
  ],
  [
    'registry credentials that are no JSON',
    'v1.Secret',
    { type: 'orch.io/dockerconfigjson', stringData: { '.dockerconfigjson': 'nope' } },
    [
      `data[.dockerconfigjson]: Invalid value: "<secret contents redacted>": invalid character 'o' in literal null (expecting 'u')`,
    ],
  ],
  [
    'a secret whose JSON is a list',
    'v1.Secret',
    { type: 'orch.io/dockercfg', stringData: { '.dockercfg': '[1]' } },
    [
      'data[.dockercfg]: Invalid value: "<secret contents redacted>": json: cannot unmarshal array into Go value of type map[string]interface {}',
    ],
  ],
  [
    'a TLS secret without its keys',
    'v1.Secret',
    { type: 'orch.io/tls' },
    ['data[tls.crt]: Required value', 'data[tls.key]: Required value'],
  ],
  [
    'endpoints without addresses',
    'v1.Endpoints',
    { subsets: [{}] },
    ['subsets[0]: Required value: must specify `addresses` or `notReadyAddresses`'],
  ],
  [
    'an event of another namespace',
    'v1.Event',
    { involvedObject: { namespace: 'other' } },
    ['involvedObject.namespace: Invalid value: "other": does not match event.namespace'],
  ],
  [
    'a strict event without time and type',
    'v1.Event',
    { involvedObject: { namespace: 'n' } },
    ['eventTime: Required value', 'type: Invalid value: "": has invalid value: '],
    { requestApiVersion: 'events.orch.io/v1' },
  ],
  [
    'taints that repeat',
    'v1.Node',
    {
      spec: {
        taints: [
          { key: 'b', effect: 'NoSchedule' },
          { key: 'b', effect: 'NoSchedule' },
        ],
      },
    },
    [
      'metadata.taints[1]: Duplicate value: core.Taint{Key:"b", Value:"", Effect:"NoSchedule", TimeAdded:(*v1.Time)(nil)}: taints must be unique by key and effect pair',
    ],
  ],
  [
    'a volume without a source',
    'v1.PersistentVolume',
    { spec: {} },
    [
      'spec.accessModes: Required value',
      'spec.capacity: Required value',
      'spec.capacity: Unsupported value: core.ResourceList(nil): supported values: "storage"',
      'spec: Required value: must specify a volume type',
    ],
  ],
  [
    'a claim for nothing',
    'v1.PersistentVolumeClaim',
    { spec: { accessModes: ['X'], resources: { requests: { storage: '0' } } } },
    [
      'spec.accessModes: Unsupported value: "X": supported values: "ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce"',
      'spec.resources[storage]: Invalid value: "0": must be greater than zero',
    ],
  ],
  [
    'limits for claims without storage',
    'v1.LimitRange',
    { spec: { limits: [{ type: 'PersistentVolumeClaim' }] } },
    [
      'spec.limits[0].limits: Required value: either minimum or maximum storage value is required, but neither was provided',
    ],
  ],
  [
    'quota scopes that exclude each other',
    'v1.ResourceQuota',
    { spec: { scopes: ['BestEffort', 'NotBestEffort'] } },
    [
      'spec.scopes: Invalid value: []core.ResourceQuotaScope{"BestEffort", "NotBestEffort"}: conflicting scopes',
    ],
  ],
  [
    'an ingress without rules',
    'networking.orch.io/v1beta1.Ingress',
    { spec: {} },
    [
      'spec: Invalid value: []networking.IngressRule(nil): either `defaultBackend` or `rules` must be specified',
    ],
    { requestApiVersion: 'networking.orch.io/v1' },
  ],
  [
    'an ingress in the words of the older version',
    'networking.orch.io/v1beta1.Ingress',
    { spec: { backend: { serviceName: '1a', servicePort: 80 } } },
    [
      "spec.backend.serviceName: Invalid value: \"1a\": a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')",
    ],
  ],
  [
    'a network policy with a range outside',
    'networking.orch.io/v1.NetworkPolicy',
    {
      spec: {
        podSelector: {},
        ingress: [{ from: [{}, { ipBlock: { cidr: '10.0.0.0/8', except: ['11.0.0.0/16'] } }] }],
      },
    },
    [
      'spec.ingress[0].from[0]: Required value: must specify a peer',
      'spec.ingress[0].from[1].ipBlock.except[0]: Invalid value: "11.0.0.0/16": must be a strict subset of `cidr`',
    ],
  ],
  [
    'a budget above all',
    'policy/v1beta1.PodDisruptionBudget',
    { spec: { minAvailable: '101%' } },
    [
      'spec.minAvailable: Invalid value: intstr.IntOrString{Type:1, IntVal:0, StrVal:"101%"}: must not be greater than 100%',
    ],
  ],
  [
    'a role for paths',
    'rbac.authorization.orch.io/v1.Role',
    { rules: [{ nonResourceURLs: ['/x'] }] },
    [
      'rules[0].verbs: Required value: verbs must contain at least one value',
      'rules[0].nonResourceURLs: Invalid value: []string{"/x"}: namespaced rules cannot apply to non-resource URLs',
    ],
  ],
  [
    'a cluster role binding to a role',
    'rbac.authorization.orch.io/v1.ClusterRoleBinding',
    {
      roleRef: { apiGroup: 'rbac.authorization.orch.io', kind: 'Role', name: 'a' },
      subjects: [{ kind: 'ServiceAccount', name: 'a' }],
    },
    [
      'roleRef.kind: Unsupported value: "Role": supported values: "ClusterRole"',
      'subjects[0].namespace: Required value',
    ],
  ],
  [
    'a class of the system',
    'scheduling.orch.io/v1.PriorityClass',
    { metadata: { name: 'system-x' }, value: 1 },
    [
      "metadata.name: Forbidden: priority class names with 'system-' prefix are reserved for system use only. error: system-x is not a known system priority class",
    ],
  ],
  [
    'a lease of no time',
    'coordination.orch.io/v1beta1.Lease',
    { spec: { leaseDurationSeconds: 0 } },
    ['spec.leaseDurationSeconds: Invalid value: 0: must be greater than 0'],
  ],
  [
    'a storage class without a provisioner',
    'storage.orch.io/v1.StorageClass',
    { volumeBindingMode: 'Immediate' },
    ['provisioner: Required value'],
  ],
  [
    'a webhook without side effects said',
    'admissionregistration.orch.io/v1beta1.MutatingWebhookConfiguration',
    { webhooks: [{ name: 'a', clientConfig: {}, sideEffects: 'Some' }] },
    [
      'webhooks[0].name: Invalid value: "a": should be a domain with at least three segments separated by dots',
      'webhooks[0].sideEffects: Unsupported value: "Some": supported values: "None", "NoneOnDryRun"',
      'webhooks[0].clientConfig: Required value: exactly one of url or service is required',
      'webhooks[0].admissionReviewVersions: Required value: must specify one of v1, v1beta1',
    ],
    { requestApiVersion: 'admissionregistration.orch.io/v1' },
  ],
  [
    'a level without limits',
    'flowcontrol.apiserver.orch.io/v1beta1.PriorityLevelConfiguration',
    { spec: { type: 'Limited' } },
    ['spec.limited: Required value: must not be empty when type is Limited'],
  ],
  [
    'a schema that is not structural',
    'apiextensions.orch.io/v1beta1.CustomResourceDefinition',
    {
      metadata: { name: 'widgets.example.com' },
      spec: {
        group: 'example.com',
        version: 'v1',
        scope: 'Namespaced',
        preserveUnknownFields: false,
        names: { plural: 'widgets', singular: 'widget', kind: 'Widget', listKind: 'WidgetList' },
        versions: [{ name: 'v1', served: true, storage: true }],
        validation: {
          openAPIV3Schema: { type: 'object', properties: { a: { anyOf: [{ type: 'string' }] } } },
        },
      },
    },
    [
      'spec.validation.openAPIV3Schema.properties[a].anyOf[0].type: Forbidden: must be empty to be structural',
      'spec.validation.openAPIV3Schema.properties[a].type: Required value: must not be empty for specified object fields',
    ],
  ],
];

describe('kindRules', () => {
  for (const [what, kind, fields, errors, context] of cases) {
    it(`refuses ${what}`, () => expect(create(kind, fields, context).errors).to.deep.equal(errors));
  }
  it('can say something about the name of every kind', () => {
    for (const [kind, rules] of Object.entries(kindRules)) {
      // The object is of the kind that the rules are for.
      const object = makeObject(kind, { metadata: { name: 'a/b' } }) as never;
      const errors = rules.validateName('a/b', false, object);
      const lastErrors = rules.validateLast?.(object, undefined, makeContext()) ?? [];
      expect([...errors, ...lastErrors], kind).to.not.deep.equal([]);
    }
  });
  it('gives new namespaces their phase and finalizer', () => {
    const { object } = create('v1.Namespace', { spec: { finalizers: ['example.com/x'] } });
    expect(object).to.have.nested.property('status.phase', 'Active');
    expect(object).to.have.deep.nested.property('spec.finalizers', ['example.com/x', 'orch']);
  });
  it('lets only finalize change the finalizers of a namespace', () => {
    const old = { spec: { finalizers: ['orch'] } };
    expect(update('v1.Namespace', old, { spec: {} }).object).to.have.deep.nested.property('spec.finalizers', [
      'orch',
    ]);
    const { errors } = update('v1.Namespace', old, { spec: { finalizers: ['mine'] } }, { way: 'finalize' });
    expect(errors).to.deep.equal([
      'spec.finalizers[0]: Invalid value: "mine": name is neither a standard finalizer name nor is it fully qualified',
    ]);
  });
  it('keeps what is immutable', () => {
    const old = { immutable: true, data: { k: 'v' } };
    expect(update('v1.ConfigMap', old, { data: { k: 'w' } }).errors).to.deep.equal([
      'immutable: Forbidden: field is immutable when `immutable` is set',
      'data: Forbidden: field is immutable when `immutable` is set',
    ]);
    const empty = { immutable: true, data: {} };
    for (const kind of ['v1.ConfigMap', 'v1.Secret']) {
      expect(update(kind, { immutable: true }, { immutable: true }).errors).to.deep.equal([]);
      expect(update(kind, { immutable: true }, empty).errors).to.deep.equal([
        'data: Forbidden: field is immutable when `immutable` is set',
      ]);
    }
    expect(update('v1.Secret', { type: 'x/y' }, { type: 'x/z' }).errors).to.deep.equal([
      'type: Invalid value: "x/z": field is immutable',
    ]);
  });
  it('refuses updates that would lose what a replication controller could not keep', () => {
    const prefix = 'non-convertible.orch.io';
    const make = (labels: object) => ({
      metadata: { annotations: { [`${prefix}/selector`]: '{}', [`${prefix}/a/b`]: 'x', [prefix]: 'x' } },
      spec: {
        replicas: 1,
        selector: labels,
        template: {
          metadata: { labels: { a: 'b', c: 'd' } },
          spec: { containers: [container], restartPolicy: 'Always', dnsPolicy: 'Default' },
        },
      },
    });
    const old = make({ a: 'b' });
    expect(update('v1.ReplicationController', old, make({ a: 'b' })).errors).to.deep.equal([]);
    expect(update('v1.ReplicationController', old, make({ c: 'd' })).errors).to.deep.equal([
      'spec.selector: Invalid value: map[string]string{"c":"d"}: cannot update non-convertible selector',
    ]);
    const other = { ...old, metadata: { annotations: { [`${prefix}/more`]: 'x' } } };
    expect(update('v1.ReplicationController', other, old).errors).to.deep.equal([
      'more: Not found: "x": unknown non-convertible field',
    ]);
  });
  it('tells what changed of a claim that may not grow', () => {
    const make = (storage: string, more: object = {}) => ({
      ...more,
      spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage } } },
    });
    const gates = defaultGates({ ExpandPersistentVolumes: false });
    const [error, ...others] = update('v1.PersistentVolumeClaim', make('1Gi'), make('2Gi'), { gates }).errors;
    expect(others).to.deep.equal([]);
    expect(error).to.match(/^spec: Forbidden: field is immutable after creation\n- resources: /);
  });
  it('lets the class of a claim move from its annotation to its field', () => {
    const annotation = 'volume.beta.orch.io/storage-class';
    const make = (name: string, storageClassName?: string) => ({
      metadata: { annotations: { [annotation]: name } },
      spec: {
        accessModes: ['ReadWriteOnce'],
        resources: { requests: { storage: '1Gi' } },
        ...(storageClassName !== undefined && { storageClassName }),
      },
    });
    for (const name of ['fast', '']) {
      expect(update('v1.PersistentVolumeClaim', make(name), make(name, name)).errors).to.deep.equal([]);
    }
    expect(update('v1.PersistentVolumeClaim', make('fast'), make('slow')).errors).to.deep.equal([
      `metadata.annotations.${annotation}: Invalid value: "slow": field is immutable`,
    ]);
  });
  it('lets the configuration of a node change that it had before its gate went off', () => {
    const make = (name: string) => ({
      spec: { configSource: { configMap: { name, namespace: 'n', nodeAgentConfigKey: 'k' } } },
    });
    const gates = defaultGates({ DynamicNodeAgentConfig: false });
    expect(update('v1.Node', make('a'), make('b'), { gates }).errors).to.deep.equal([]);
  });
  it('keeps the address range of a node', () => {
    const { errors } = update(
      'v1.Node',
      { spec: { podCIDR: '10.1.0.0/24', podCIDRs: ['10.1.0.0/24'] } },
      { spec: { podCIDR: '10.2.0.0/24' } },
    );
    const [first, second] = errors;
    expect(first).to.equal(
      'spec.podCIDRs: Forbidden: node updates may not change podCIDR except from "" to valid',
    );
    expect(second).to.match(/^\[\]: Forbidden: node updates may only change labels, taints, or capacity/);
  });
});
