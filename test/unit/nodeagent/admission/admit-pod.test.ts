import { expect } from 'chai';
import { describe, it } from 'mocha';
import type { ContainerPort, NodeSelectorTerm, Pod } from '../../../../src/apis/types/core-v1.ts';
import { admit, asking, podNamed, verdictOn } from './subject.ts';

/** What release 1.20 recorded of pods that it refused. */
const withSysctl = podNamed('p', {
  securityContext: { sysctls: [{ name: 'kernel.msgmax', value: '65536' }] },
});

function withTerms(...nodeSelectorTerms: NodeSelectorTerm[]): Pod {
  const required = { nodeSelectorTerms };
  return podNamed('p', {
    affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: required } },
  });
}

function withPorts(name: string, ...ports: ContainerPort[]): Pod {
  return podNamed(name, { containers: [asking({}, { ports })] });
}

describe('admitPod', () => {
  it('takes a pod that fits', () => {
    const pod = podNamed('p', {
      nodeName: 'node1',
      nodeSelector: { disk: 'ssd' },
      containers: [asking({ cpu: '2' })],
    });
    expect(admit(pod)).to.deep.include({ kind: 'admitted', preempts: [] });
  });

  it('runs ephemeral containers where the gate is on', () => {
    const runsEphemeral = (EphemeralContainers: boolean): unknown => {
      const admission = admit(podNamed('p'), { gates: { EphemeralContainers } });
      return admission.kind === 'admitted' && admission.terms?.runsEphemeral;
    };
    expect([runsEphemeral(true), runsEphemeral(false)]).to.deep.equal([true, false]);
  });

  it('says what is missing in numbers of the smallest unit', () => {
    const others = [podNamed('o', { containers: [asking({ cpu: '150m', memory: '1Gi' })] })];
    expect(admit(podNamed('p', { containers: [asking({ cpu: '100' })] }), { others })).to.deep.equal({
      kind: 'refused',
      reason: 'OutOfcpu',
      message: "Node didn't have enough resource: cpu, requested: 100000, used: 150, capacity: 2000",
      statusMessage:
        "Pod Node didn't have enough resource: cpu, requested: 100000, used: 150, capacity: 2000",
    });
    expect(admit(podNamed('p', { containers: [asking({ memory: '4Ti' })] }), { others })).to.include({
      reason: 'OutOfmemory',
      message:
        "Node didn't have enough resource: memory, requested: 4398046511104, used: 1073741824, capacity: 4294967296",
    });
  });

  const small = asking({ cpu: '1' });
  const amounts: [string, Pod, string][] = [
    ['containers together', podNamed('p', { containers: [small, small] }), 'admitted'],
    ['containers together beyond', podNamed('p', { containers: [small, small, small] }), 'OutOfcpu'],
    [
      'init containers alone',
      podNamed('p', { containers: [small], initContainers: [asking({ cpu: '2' }), small] }),
      'admitted',
    ],
    ['a large init container', podNamed('p', { initContainers: [asking({ cpu: '2001m' })] }), 'OutOfcpu'],
    [
      'the overhead on top',
      podNamed('p', { containers: [asking({ cpu: '2' })], overhead: { cpu: '1m' } }),
      'OutOfcpu',
    ],
    [
      'local storage',
      podNamed('p', { containers: [asking({ 'ephemeral-storage': '11Gi' })] }),
      'OutOfephemeral-storage',
    ],
    ['huge pages', podNamed('p', { containers: [asking({ 'hugepages-2Mi': '2Mi' })] }), 'OutOfhugepages-2Mi'],
    [
      'devices that the node does not know',
      podNamed('p', { containers: [asking({ 'example.test/dev': '1' })] }),
      'admitted',
    ],
    [
      'names that mean nothing on nodes',
      podNamed('p', { containers: [asking({ storage: '1Ei' })] }),
      'admitted',
    ],
  ];
  for (const [what, pod, verdict] of amounts) {
    it(`counts ${what}: ${verdict}`, () => expect(verdictOn(pod)).to.equal(verdict));
  }

  it('counts devices that the node knows', () => {
    const node = { allocatable: { cpu: '2', memory: '4Gi', pods: '10', 'example.test/dev': '1' } };
    const pod = podNamed('p', { containers: [asking({ 'example.test/dev': '1' })] });
    expect(verdictOn(pod, { node })).to.equal('admitted');
    expect(verdictOn(pod, { node, others: [pod] })).to.equal('OutOfexample.test/dev');
  });

  it('counts pods, also those that ask for nothing', () => {
    const others = Array.from({ length: 10 }, (_, index) => podNamed(`o${index}`));
    expect(admit(podNamed('p'), { others })).to.include({
      reason: 'OutOfpods',
      message: "Node didn't have enough resource: pods, requested: 1, used: 10, capacity: 10",
    });
    expect(verdictOn(podNamed('p'), { others: others.slice(1) })).to.equal('admitted');
  });

  it('takes a pod that asks for nothing however full the node is', () => {
    const others = [podNamed('o', { containers: [asking({ cpu: '9', memory: '9Gi' })] })];
    expect(verdictOn(podNamed('p'), { others })).to.equal('admitted');
    expect(verdictOn(podNamed('p', { containers: [asking({ memory: '1' })] }), { others })).to.equal(
      'OutOfcpu',
    );
  });

  it('leaves out what features do not count', () => {
    const storage = podNamed('p', { containers: [asking({ 'ephemeral-storage': '11Gi' })] });
    expect(verdictOn(storage, { gates: { LocalStorageCapacityIsolation: false } })).to.equal('admitted');
    const heavy = podNamed('p', { overhead: { cpu: '3' } });
    expect(verdictOn(heavy, { gates: { PodOverhead: false } })).to.equal('admitted');
  });

  const terms: [string, NodeSelectorTerm[], boolean][] = [
    [
      'a value that is asked for',
      [{ matchExpressions: [{ key: 'zone', operator: 'In', values: ['z1'] }] }],
      true,
    ],
    [
      'a value that is not wanted',
      [{ matchExpressions: [{ key: 'zone', operator: 'NotIn', values: ['z1'] }] }],
      false,
    ],
    [
      'a label that is not there',
      [{ matchExpressions: [{ key: 'x', operator: 'NotIn', values: ['1'] }] }],
      true,
    ],
    ['one term of several', [{}, { matchExpressions: [{ key: 'disk', operator: 'Exists' }] }], true],
    ['no condition at all', [{}], false],
    ['a larger number', [{ matchExpressions: [{ key: 'cores', operator: 'Gt', values: ['7'] }] }], true],
    [
      'a number that is no number',
      [{ matchExpressions: [{ key: 'zone', operator: 'Lt', values: ['7'] }] }],
      false,
    ],
    ['an operator that there is not', [{ matchExpressions: [{ key: 'zone', operator: 'toString' }] }], false],
    ['its name', [{ matchFields: [{ key: 'metadata.name', operator: 'In', values: ['node1'] }] }], true],
    [
      'another name',
      [{ matchFields: [{ key: 'metadata.name', operator: 'NotIn', values: ['node1'] }] }],
      false,
    ],
    [
      'two conditions of which one fails',
      [
        {
          matchExpressions: [{ key: 'disk', operator: 'Exists' }],
          matchFields: [{ key: 'metadata.name', operator: 'In', values: ['other'] }],
        },
      ],
      false,
    ],
  ];
  for (const [what, list, fits] of terms) {
    it(`${fits ? 'takes' : 'refuses'} by node affinity: ${what}`, () => {
      expect(verdictOn(withTerms(...list))).to.equal(fits ? 'admitted' : 'NodeAffinity');
    });
  }

  it('refuses by labels and by the name of the node', () => {
    const selecting = podNamed('p', { nodeSelector: { disk: 'hdd' } });
    expect(admit(selecting)).to.deep.include({
      reason: 'NodeAffinity',
      message: 'Predicate NodeAffinity failed',
      statusMessage: 'Pod Predicate NodeAffinity failed',
    });
    expect(verdictOn(podNamed('p', { nodeSelector: { constructor: 'x' } }))).to.equal('NodeAffinity');
    expect(verdictOn(podNamed('p', { nodeName: 'other' }))).to.equal('NodeName');
  });

  const taken = withPorts('o', { containerPort: 80, hostPort: 8080, protocol: 'TCP', hostIP: '192.0.2.1' });
  const ports: [string, ContainerPort, string][] = [
    ['the same', { containerPort: 1, hostPort: 8080, hostIP: '192.0.2.1' }, 'NodePorts'],
    ['the same on any address', { containerPort: 1, hostPort: 8080 }, 'NodePorts'],
    ['on another address', { containerPort: 1, hostPort: 8080, hostIP: '192.0.2.2' }, 'admitted'],
    ['of another protocol', { containerPort: 1, hostPort: 8080, protocol: 'UDP' }, 'admitted'],
    ['another', { containerPort: 80, hostPort: 8081 }, 'admitted'],
    ['none of the node', { containerPort: 80 }, 'admitted'],
  ];
  for (const [what, port, verdict] of ports) {
    it(`compares host ports: ${what} is ${verdict}`, () => {
      expect(verdictOn(withPorts('p', port), { others: [taken] })).to.equal(verdict);
    });
  }

  it('refuses kernel parameters unless they are allowed', () => {
    expect(admit(withSysctl)).to.deep.include({
      reason: 'SysctlForbidden',
      message: 'forbidden sysctl: "kernel.msgmax" not whitelisted',
      statusMessage: 'Pod forbidden sysctl: "kernel.msgmax" not whitelisted',
    });
    expect(verdictOn(withSysctl, { allowedUnsafeSysctls: ['kernel.msg*'] })).to.equal('admitted');
    expect(verdictOn(withSysctl, { gates: { Sysctls: false } })).to.equal('admitted');
  });

  it('refuses a pod that cannot have processors of its own, before it looks at amounts', () => {
    const resourceRefusal = { reason: 'TopologyAffinityError', message: 'no room' };
    const pod = podNamed('p', { containers: [asking({ cpu: '100' })] });
    expect(admit(pod, { resourceRefusal })).to.deep.equal({
      kind: 'refused',
      ...resourceRefusal,
      statusMessage: 'Pod no room',
    });
    expect(verdictOn(withSysctl, { resourceRefusal })).to.equal('SysctlForbidden');
  });

  describe('under pressure', () => {
    const calm = { memory: false, disk: false, pid: false };
    const burstable = podNamed('p', { containers: [asking({ memory: '1Mi' })] });

    it('of memory refuses only pods that ask for nothing', () => {
      const node = { pressure: { ...calm, memory: true } };
      expect(admit(podNamed('p'), { node })).to.deep.include({
        reason: 'Evicted',
        message: 'The node had condition: [MemoryPressure]. ',
        statusMessage: 'Pod The node had condition: [MemoryPressure]. ',
      });
      expect(verdictOn(burstable, { node })).to.equal('admitted');
    });

    it('of memory takes pods that tolerate it', () => {
      const node = { pressure: { ...calm, memory: true } };
      const key = 'node.orch.io/memory-pressure';
      const tolerating = (toleration: object) => podNamed('p', { tolerations: [toleration] });
      expect(verdictOn(tolerating({ key, operator: 'Exists', effect: 'NoSchedule' }), { node })).to.equal(
        'admitted',
      );
      expect(verdictOn(tolerating({ operator: 'Exists' }), { node })).to.equal('admitted');
      expect(verdictOn(tolerating({ key }), { node })).to.equal('admitted');
      expect(verdictOn(tolerating({ key, value: 'x' }), { node })).to.equal('Evicted');
      expect(verdictOn(tolerating({ key, operator: 'Exists', effect: 'NoExecute' }), { node })).to.equal(
        'Evicted',
      );
    });

    it('of anything else refuses all but critical pods', () => {
      const node = { pressure: { ...calm, memory: true, disk: true, pid: true } };
      expect(admit(burstable, { node })).to.include({
        message: 'The node had condition: [MemoryPressure DiskPressure PIDPressure]. ',
      });
      expect(verdictOn(podNamed('p'), { node, statics: ['p'] })).to.equal('admitted');
      expect(verdictOn(podNamed('p', { priority: 2_000_000_000 }), { node })).to.equal('admitted');
      expect(verdictOn(podNamed('p', { priority: 1_999_999_999 }), { node })).to.equal('Evicted');
    });
  });
});
