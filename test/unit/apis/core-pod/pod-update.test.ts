import { expect } from 'chai';
import { podRules } from '../../../../src/apis/core/pod.ts';
import type { Pod } from '../../../../src/apis/types/core-v1.ts';
import { makePod, ruleContext, statusErrors, texts, updateErrors, withGates } from './rule-bench.ts';

const containers = (image: string, ...more: string[]): object => ({
  containers: [
    { name: 'c', image, imagePullPolicy: 'Always' },
    ...more.map((name) => ({ name, image: 'x' })),
  ],
});

/** Before, after, and the errors. */
const cases: readonly (readonly [about: string, old: object, spec: object, errors: readonly string[]])[] = [
  ['another image', containers('a'), containers('b'), []],
  [
    'no image',
    containers('a'),
    containers(''),
    ['containers[0].image: Required value', 'containers[0].image: Required value'],
  ],
  [
    'one more container',
    {},
    containers('x', 'd'),
    ['containers: Forbidden: pod updates may not add or remove containers'],
  ],
  [
    'one init container less',
    { initContainers: [{ name: 'i', image: 'x' }] },
    {},
    ['initContainers: Forbidden: pod updates may not add or remove containers'],
  ],
  [
    'the same amounts in other units',
    {
      containers: [{ name: 'c', image: 'a', resources: { limits: { memory: '1Ki' } } }],
      overhead: { cpu: '1' },
    },
    {
      containers: [{ name: 'c', image: 'a', resources: { limits: { memory: '1024' } } }],
      overhead: { cpu: '1e0' },
    },
    [],
  ],
  ['a first deadline', {}, { activeDeadlineSeconds: 9 }, []],
  ['an earlier deadline', { activeDeadlineSeconds: 9 }, { activeDeadlineSeconds: 8 }, []],
  [
    'a later deadline',
    { activeDeadlineSeconds: 9 },
    { activeDeadlineSeconds: 10 },
    ['activeDeadlineSeconds: Invalid value: 10: must be less than or equal to previous value'],
  ],
  [
    'no deadline any more',
    { activeDeadlineSeconds: 9 },
    {},
    ['activeDeadlineSeconds: Invalid value: "null": must not update from a positive integer to nil value'],
  ],
  [
    'a negative deadline',
    {},
    { activeDeadlineSeconds: -1 },
    [
      'activeDeadlineSeconds: Invalid value: -1: must be between 1 and 2147483647, inclusive',
      'activeDeadlineSeconds: Invalid value: -1: must be between 0 and 2147483647, inclusive',
    ],
  ],
  ['one more toleration', { tolerations: [{ key: 'a' }] }, { tolerations: [{ key: 'b' }, { key: 'a' }] }, []],
  [
    'another time for a toleration',
    { tolerations: [{ key: 'a', effect: 'NoExecute' }] },
    { tolerations: [{ key: 'a', effect: 'NoExecute', tolerationSeconds: 5 }] },
    [],
  ],
  [
    'a toleration less',
    { tolerations: [{ key: 'a' }] },
    {},
    ['tolerations: Forbidden: existing toleration can not be modified except its tolerationSeconds'],
  ],
];

describe('podRules.validateUpdate', () => {
  for (const [about, old, spec, errors] of cases) {
    it(errors.length === 0 ? `accepts ${about}` : `refuses ${about}`, () => {
      const expected = errors.map((text) => `spec.${text}`);
      expect(updateErrors(podRules, makePod(spec), makePod(old))).to.deep.equal(expected);
    });
  }

  it('refuses any other change and says what it is', () => {
    const [error, ...others] = updateErrors(podRules, makePod({ nodeName: 'n1' }), makePod());
    expect(others).to.deep.equal([]);
    const [first, ...lines] = (error ?? '').split('\n');
    expect(first).to.equal(
      'spec: Forbidden: pod updates may not change fields other than `spec.containers[*].image`, `spec.initContainers[*].image`, `spec.activeDeadlineSeconds` or `spec.tolerations` (only additions to existing tolerations)',
    );
    expect(lines).to.include('- \tNodeName: "n1",');
    expect(lines).to.include('+ \tNodeName: nil,');
  });

  it('says so beside what else is wrong with the change', () => {
    const old = makePod({ tolerations: [{ key: 'a' }] });
    const [first, second, ...others] = updateErrors(podRules, makePod({ nodeName: 'n1' }), old);
    expect(others).to.deep.equal([]);
    expect(first).to.include('spec.tolerations: Forbidden: existing toleration');
    expect(second).to.include('spec: Forbidden: pod updates may not change fields');
  });

  it('refuses changes of annotations that the agent relies on', () => {
    const prefix = 'container.apparmor.security.beta.orch.io/c';
    const mirror = 'orch.io/config.mirror';
    const make = (annotations: object): Pod => makePod({ nodeName: 'n' }, { annotations });
    const change = (before: object, after: object): string[] =>
      updateErrors(podRules, make(after), make(before));
    const profile = { [prefix]: 'runtime/default' };
    expect(change(profile, { a: 'b', ...profile })).to.deep.equal([]);
    expect(change({}, profile)).to.deep.equal([
      `metadata.annotations[${prefix}]: Forbidden: may not add AppArmor annotations`,
    ]);
    expect(change(profile, {})).to.deep.equal([
      `metadata.annotations[${prefix}]: Forbidden: may not remove or update AppArmor annotations`,
    ]);
    expect(change({}, { [mirror]: 'm' })).to.deep.equal([
      `metadata.annotations[${mirror}]: Forbidden: may not add mirror pod annotation`,
    ]);
    expect(change({ [mirror]: 'm' }, { [mirror]: 'n' })).to.deep.equal([
      `metadata.annotations[${mirror}]: Forbidden: may not remove or update mirror pod annotation`,
    ]);
  });

  it('keeps the status', () => {
    const old = makePod();
    old.status = { phase: 'Running' };
    const pod = makePod();
    updateErrors(podRules, pod, old);
    expect(pod.status).to.equal(old.status);
  });

  it('keeps gated fields that the old pod had', () => {
    const ephemeralContainers = [{ name: 'e', image: 'x', resources: {} }];
    const pod = makePod({ ephemeralContainers });
    podRules.prepareForUpdate?.(pod, makePod({ ephemeralContainers }), ruleContext);
    expect(pod.spec.ephemeralContainers).to.have.length(1);
    podRules.prepareForUpdate?.(pod, makePod(), ruleContext);
    expect(pod.spec).not.to.have.property('ephemeralContainers');
  });
});

describe('podRules.status', () => {
  const withStatus = (status: object, spec: object = {}): Pod => {
    const pod = makePod(spec);
    // Enough of a status for the test.
    pod.status = status as Pod['status'];
    return pod;
  };
  const ended = (exitCode: number): object => ({
    containerStatuses: [{ name: 'c', state: { terminated: { exitCode } } }],
  });
  const running = { containerStatuses: [{ name: 'c', state: { running: {} } }] };

  it('changes nothing but the status and what belongs to the client', () => {
    const old = makePod({}, { ownerReferences: [{ apiVersion: 'v1', kind: 'K', name: 'o', uid: 'u' }] });
    const pod = makePod({ nodeName: 'x' }, { labels: { a: 'b' } });
    pod.status = { phase: 'Running' };
    expect(statusErrors(podRules, pod, old)).to.deep.equal([]);
    expect(pod.spec).to.equal(old.spec);
    expect(pod.metadata.ownerReferences).to.equal(old.metadata.ownerReferences);
    expect(pod.metadata.labels).to.deep.equal({ a: 'b' });
    expect(pod.status.phase).to.equal('Running');
  });

  it('refuses a nominated node and conditions with bad names', () => {
    const pod = withStatus({ nominatedNodeName: 'N_', conditions: [{ type: 'Ready' }, { type: 'a b' }] });
    const errors = statusErrors(podRules, pod, makePod());
    expect(errors.map((text) => text.split(': ').slice(0, 3).join(': '))).to.deep.equal([
      'metadata.conditions[1].Type: Invalid value: "a b"',
      'status.nominatedNodeName: Invalid value: "N_"',
    ]);
  });

  it('refuses to bring back containers that ended for good', () => {
    const forbidden =
      'status.containerStatuses[0].state: Forbidden: may not be transitioned to non-terminated state';
    for (const [restartPolicy, exitCode, errors] of [
      ['Never', 1, [forbidden]],
      ['OnFailure', 0, [forbidden]],
      ['OnFailure', 1, []],
      ['Always', 0, []],
    ] as const) {
      const spec = { restartPolicy };
      expect(
        statusErrors(podRules, withStatus(running, spec), withStatus(ended(exitCode), spec)),
      ).to.deep.equal(errors);
    }
  });

  it('allows one address of each family', () => {
    const ipErrors = (...ips: string[]): string[] =>
      statusErrors(podRules, withStatus({ podIPs: ips.map((ip) => ({ ip })) }), makePod());
    expect(ipErrors('1.2.3.4', '::1')).to.deep.equal([]);
    expect(ipErrors('x')).to.deep.equal([
      'status.podIPs[0]: Invalid value: "x": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)',
    ]);
    expect(ipErrors('1.2.3.4', '1.2.3.4')).to.deep.equal([
      'status.podIPs: Invalid value: []core.PodIP{core.PodIP{IP:"1.2.3.4"}, core.PodIP{IP:"1.2.3.4"}}: may specify no more than one IP for each IP family',
      'status.podIPs[1]: Duplicate value: core.PodIP{IP:"1.2.3.4"}',
    ]);
    expect(ipErrors('1.2.3.4', 'x')).to.deep.equal([
      'status.podIPs[1]: Invalid value: "x": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)',
      'status.podIPs: Internal error: failed to check for dual stack with error:ip <nil> is invalid',
      'status.podIPs: Invalid value: []core.PodIP{core.PodIP{IP:"1.2.3.4"}, core.PodIP{IP:"x"}}: may specify no more than one IP for each IP family',
    ]);
    expect(ipErrors('1.2.3.4', '::ffff:1.2.3.5')).to.have.length(1);
  });

  it('lets addresses be wrong that were wrong before', () => {
    const wrong = withStatus({ podIPs: [{ ip: 'x' }] });
    expect(statusErrors(podRules, withStatus({ podIPs: [{ ip: 'y' }] }), wrong)).to.deep.equal([]);
  });
});

describe('podRules.subresources.ephemeralcontainers', () => {
  const rules = podRules.subresources?.ephemeralcontainers;
  const context = withGates({ EphemeralContainers: true });
  const errorsOf = (after: object[], before: object[]): string[] => {
    const old = makePod({ ephemeralContainers: before });
    const pod = makePod({ ephemeralContainers: after, nodeName: 'x' });
    rules?.prepareForUpdate?.(pod, old, context);
    expect(pod.spec.nodeName).to.equal(undefined);
    return texts(rules?.validateUpdate?.(pod, old, context));
  };

  it('lets a pod have more of them', () => {
    expect(errorsOf([{ name: 'e', image: 'x', targetContainerName: 'c' }], [])).to.deep.equal([]);
  });

  it('refuses to change or remove them', () => {
    const path = 'spec.ephemeralContainers: Forbidden: existing ephemeral containers';
    expect(errorsOf([], [{ name: 'e', image: 'x' }])).to.deep.equal([`${path} "e" may not be removed\n`]);
    expect(errorsOf([{ name: 'e', image: 'y' }], [{ name: 'e', image: 'x' }])).to.deep.equal([
      `${path} "e" may not be changed\n- image: "x"\n+ image: "y"`,
    ]);
  });

  it('refuses names that are missing, taken or unknown, and fields that promise anything', () => {
    const given = [
      { name: '', image: 'x' },
      { name: 'c', image: ' x', targetContainerName: 'nobody' },
      { name: 'e', image: 'x', ports: [{ containerPort: 1 }], resources: { limits: { cpu: '1' } } },
      { name: 'f', image: 'x', ports: [], resources: { requests: {} }, lifecycle: {}, securityContext: {} },
      { name: 'g', image: 'x', volumeDevices: [{ name: 'nowhere', devicePath: '/x' }], resources: {} },
    ];
    expect(errorsOf(given, [])).to.deep.equal([
      'spec.ephemeralContainers[0]: Required value: ephemeralContainer requires a name',
      'spec.ephemeralContainers[1].targetContainerName: Not found: "nobody"',
      'spec.ephemeralContainers[1][0].image: Invalid value: " x": must not have leading or trailing whitespace',
      'spec.ephemeralContainers[1].name: Duplicate value: "c"',
      'spec.ephemeralContainers[2].ports: Forbidden: cannot be set for an Ephemeral Container',
      'spec.ephemeralContainers[2].resources: Forbidden: cannot be set for an Ephemeral Container',
      'spec.ephemeralContainers[3].ports: Forbidden: cannot be set for an Ephemeral Container',
      'spec.ephemeralContainers[3].resources: Forbidden: cannot be set for an Ephemeral Container',
      'spec.ephemeralContainers[3].lifecycle: Forbidden: cannot be set for an Ephemeral Container',
      'spec.ephemeralContainers[3].securityContext: Forbidden: cannot be set for an Ephemeral Container',
      'spec.ephemeralContainers[4][0].volumeDevices[0].name: Not found: "nowhere"',
      'spec.ephemeralContainers[4].volumeDevices: Forbidden: cannot be set for an Ephemeral Container',
    ]);
  });
});
