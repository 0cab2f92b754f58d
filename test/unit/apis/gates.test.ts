import { expect } from 'chai';
import { kindRules } from '../../../src/apis/index.ts';
import { canonical, createErrors, updateErrors, withGates } from './core-pod/rule-bench.ts';

/** A gate, an object, and a text that the outcome of a creation (the object, what is wrong with it) has with the gate only. */
type Case = readonly [gate: string, type: string, body: object, shown: string | RegExp];

const claim = (spec: object) => ({
  metadata: { name: 'x' },
  spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } }, ...spec },
});
const driver = (spec: object) => ({ metadata: { name: 'x' }, spec });
const slice = (endpoint: object) => ({
  metadata: { name: 'x' },
  addressType: 'IPv4',
  endpoints: [{ addresses: ['10.0.0.1'], ...endpoint }],
});
const service = (spec: object) => ({
  metadata: { name: 'x' },
  spec: { ports: [{ name: 'a', port: 1 }], ...spec },
});
const ephemeralField = { resource: 'limits.hugepages-2Mi', containerName: 'c' };
const metrics = JSON.stringify([
  {
    type: 'ContainerResource',
    containerResource: { name: 'cpu', container: 'c', targetAverageUtilization: 5 },
  },
]);

const growingVolume = {
  metadata: { name: 'x' },
  spec: {
    capacity: { storage: '1Gi' },
    accessModes: ['ReadWriteOnce'],
    csi: { driver: 'd', volumeHandle: 'h', controllerExpandSecretRef: { name: 'a', namespace: 'b' } },
  },
};

const cases: readonly Case[] = [
  ['ExpandCSIVolumes', 'v1.PersistentVolume', growingVolume, 'controllerExpandSecretRef'],
  [
    'AnyVolumeDataSource',
    'v1.PersistentVolumeClaim',
    claim({ dataSource: { apiGroup: 'a.example.com', kind: 'Foo', name: 'f' } }),
    'Foo',
  ],
  [
    'CSIVolumeFSGroupPolicy',
    'storage.orch.io/v1beta1.CSIDriver',
    driver({ fsGroupPolicy: 'File' }),
    'fsGroupPolicy',
  ],
  [
    'CSIInlineVolume',
    'storage.orch.io/v1beta1.CSIDriver',
    driver({ volumeLifecycleModes: ['Ephemeral'] }),
    'Ephemeral',
  ],
  [
    'CSIMigration',
    'storage.orch.io/v1.VolumeAttachment',
    {
      metadata: { name: 'x' },
      spec: {
        attacher: 'a',
        nodeName: 'n',
        source: { inlineVolumeSpec: { accessModes: ['ReadWriteOnce'] } },
      },
    },
    'inlineVolumeSpec.csi: Required value',
  ],
  [
    'CSIServiceAccountToken',
    'storage.orch.io/v1beta1.CSIDriver',
    driver({ requiresRepublish: true }),
    'requiresRepublish',
  ],
  [
    'CSIServiceAccountToken',
    'storage.orch.io/v1beta1.CSIDriver',
    driver({ tokenRequests: [{ audience: 'a' }] }),
    'tokenRequests',
  ],
  [
    'CSIStorageCapacity',
    'storage.orch.io/v1beta1.CSIDriver',
    driver({ storageCapacity: true }),
    'storageCapacity',
  ],
  [
    'CSIMigration',
    'storage.orch.io/v1.VolumeAttachment',
    { metadata: { name: 'x' }, spec: { attacher: 'a', nodeName: 'n', source: {} } },
    'must specify exactly one of',
  ],
  [
    'DownwardAPIHugePages',
    'v1.Pod',
    {
      metadata: { name: 'x' },
      spec: {
        containers: [
          { name: 'c', image: 'i', env: [{ name: 'E', valueFrom: { resourceFieldRef: ephemeralField } }] },
        ],
      },
    },
    /^(?!.*Unsupported value: "limits.hugepages-2Mi")/,
  ],
  [
    'DynamicNodeAgentConfig',
    'v1.Node',
    { metadata: { name: 'x' }, spec: { configSource: { configMap: { name: 'c' } } } },
    'configSource',
  ],
  ['EndpointSliceNodeName', 'discovery.orch.io/v1beta1.EndpointSlice', slice({ nodeName: 'n1' }), 'nodeName'],
  [
    'EndpointSliceTerminatingCondition',
    'discovery.orch.io/v1beta1.EndpointSlice',
    slice({ conditions: { serving: true } }),
    'serving',
  ],
  [
    'EndpointSliceTerminatingCondition',
    'discovery.orch.io/v1beta1.EndpointSlice',
    slice({ conditions: { terminating: true } }),
    'terminating',
  ],
  [
    'HPAScaleToZero',
    'autoscaling/v1.HorizontalPodAutoscaler',
    {
      metadata: { name: 'x' },
      spec: { minReplicas: 0, maxReplicas: 1, scaleTargetRef: { kind: 'Deployment', name: 'd' } },
    },
    /^(?!.*must be greater than or equal to 1)/,
  ],
  [
    'HPAContainerMetrics',
    'autoscaling/v1.HorizontalPodAutoscaler',
    {
      metadata: { name: 'x', annotations: { 'autoscaling.alpha.orch.io/metrics': metrics } },
      spec: { maxReplicas: 1, scaleTargetRef: { kind: 'Deployment', name: 'd' } },
    },
    /container\\":/,
  ],
  ['IPv6DualStack', 'v1.Service', service({ ipFamilies: ['IPv6', 'IPv4'] }), 'ipFamilies'],
  ['IPv6DualStack', 'v1.Service', service({ ipFamilyPolicy: 'PreferDualStack' }), 'PreferDualStack'],
  [
    'ServiceLBNodePortControl',
    'v1.Service',
    service({ type: 'LoadBalancer', allocateLoadBalancerNodePorts: false }),
    'allocateLoadBalancerNodePorts',
  ],
  ['ServiceTopology', 'v1.Service', service({ topologyKeys: ['*'] }), 'topologyKeys'],
  [
    'MixedProtocolLBService',
    'v1.Service',
    service({
      type: 'LoadBalancer',
      ports: [
        { name: 'a', port: 1 },
        { name: 'b', port: 1, protocol: 'UDP' },
      ],
    }),
    /^(?!.*may not contain more than 1 protocol)/,
  ],
  [
    'ProcMountType',
    'policy/v1beta1.PodSecurityPolicy',
    { metadata: { name: 'x' }, spec: { allowedProcMountTypes: ['Default', 'Other'] } },
    'spec.allowedProcMountTypes\\[1\\]: Unsupported value: "Other": supported values: "Default", "Unmasked"',
  ],
];

describe('gates of rules', () => {
  for (const [gate, type, body, shown] of cases) {
    it(`${gate}: ${type} ${JSON.stringify(body).slice(0, 100)}`, () => {
      const outcome = (isOn: boolean): string => {
        const object = canonical<object>(type, body);
        const rules = kindRules[type];
        if (rules === undefined) throw new RangeError(`no rules for ${type}`);
        const errors = createErrors(rules as never, object as never, withGates({ [gate]: isOn }));
        return `${JSON.stringify(object)} ${errors.join(' ')}`;
      };
      const pattern = typeof shown === 'string' ? new RegExp(shown) : shown;
      expect(outcome(true)).to.match(pattern);
      expect(outcome(false)).not.to.match(pattern);
    });
  }

  it('ExpandCSIVolumes: a volume that has a secret for its growth keeps it', () => {
    const type = 'v1.PersistentVolume';
    const volume = canonical<object>(type, growingVolume);
    const off = withGates({ ExpandCSIVolumes: false });
    expect(updateErrors(kindRules[type] as never, volume as never, volume as never, off)).to.deep.equal([]);
    expect(JSON.stringify(volume)).to.include('controllerExpandSecretRef');
  });

  it('ExpandPersistentVolumes: a claim that is bound may grow', () => {
    const type = 'v1.PersistentVolumeClaim';
    const make = (storage: string) =>
      canonical<object>(type, {
        ...claim({ volumeName: 'v', resources: { requests: { storage } } }),
        status: { phase: 'Bound' },
      });
    const rules = kindRules[type];
    const grow = (isOn: boolean) =>
      updateErrors(
        rules as never,
        make('2Gi') as never,
        make('1Gi') as never,
        withGates({ ExpandPersistentVolumes: isOn }),
      );
    expect(grow(true)).to.deep.equal([]);
    expect(grow(false).join()).to.include('spec: Forbidden');
  });
});
