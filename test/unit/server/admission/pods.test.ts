import { expect } from 'chai';
import { alwaysPullImages } from '../../../../src/server/admission/plugins/always-pull-images.ts';
import { expectStatus } from '../../../support/expect-status.ts';
import { pod, run, specOf, write } from './fixtures.ts';

const notReady = {
  key: 'node.orch.io/not-ready',
  operator: 'Exists',
  effect: 'NoExecute',
  tolerationSeconds: 300,
};
const unreachable = { ...notReady, key: 'node.orch.io/unreachable' };

describe('DefaultTolerationSeconds', () => {
  const cases: [string, object[], object[]][] = [
    ['adds both', [], [notReady, unreachable]],
    [
      'keeps one that is there',
      [{ ...notReady, tolerationSeconds: 5 }],
      [{ ...notReady, tolerationSeconds: 5 }, unreachable],
    ],
    ['adds none to a pod that tolerates everything', [{ operator: 'Exists' }], [{ operator: 'Exists' }]],
    [
      'looks at the effect too',
      [{ ...notReady, effect: 'NoSchedule' }],
      [{ ...notReady, effect: 'NoSchedule' }, notReady, unreachable],
    ],
  ];
  for (const [title, given, expected] of cases) {
    it(title, async () => {
      const object = pod({ tolerations: given });
      await run(write({ object }), { plugins: ['DefaultTolerationSeconds'] });
      expect(specOf(object).tolerations).to.deep.equal(expected);
    });
  }

  it('takes the times of the configuration', async () => {
    const object = pod();
    const options = { notReadyTolerationSeconds: 1, unreachableTolerationSeconds: 2 };
    await run(write({ object }), { plugins: ['DefaultTolerationSeconds'], options });
    const seconds = (specOf(object).tolerations as { tolerationSeconds: number }[]).map(
      (t) => t.tolerationSeconds,
    );
    expect(seconds).to.deep.equal([1, 2]);
  });

  it('leaves subresources alone', async () => {
    const object = pod();
    await run(write({ operation: 'UPDATE', subresource: 'status', object, oldObject: pod() }), {
      plugins: ['DefaultTolerationSeconds'],
    });
    expect(specOf(object)).not.to.have.property('tolerations');
  });
});

const priorityClass = (name: string, value: number, more: object = {}) => ({
  kind: 'PriorityClass',
  apiVersion: 'scheduling.orch.io/v1',
  metadata: { name },
  value,
  preemptionPolicy: 'PreemptLowerPriority',
  ...more,
});
const classes = {
  'scheduling.orch.io/priorityclasses': [
    priorityClass('high', 1000, { preemptionPolicy: 'Never' }),
    priorityClass('usual', 10),
  ],
};
const withDefault = {
  'scheduling.orch.io/priorityclasses': [
    priorityClass('b', 20, { globalDefault: true }),
    priorityClass('a', 5, { globalDefault: true }),
  ],
};

describe('Priority', () => {
  const accepted: [string, object, object, object][] = [
    ['zero without a class', {}, classes, { priority: 0, preemptionPolicy: 'PreemptLowerPriority' }],
    [
      'the value and policy of the class',
      { priorityClassName: 'high' },
      classes,
      { priorityClassName: 'high', priority: 1000, preemptionPolicy: 'Never' },
    ],
    [
      'the lowest default class',
      {},
      withDefault,
      { priorityClassName: 'a', priority: 5, preemptionPolicy: 'PreemptLowerPriority' },
    ],
    [
      'the value that is given anyway',
      { priorityClassName: 'usual', priority: 10 },
      classes,
      { priorityClassName: 'usual', priority: 10 },
    ],
  ];
  for (const [title, spec, objects, expected] of accepted) {
    it(`gives a pod ${title}`, async () => {
      const object = pod(spec);
      const refused = await run(write({ object }), { plugins: ['Priority'], objects: objects as never });
      expect(refused).to.equal(undefined);
      expect(specOf(object)).to.deep.include(expected);
    });
  }

  const refusals: [string, object, string][] = [
    ['an unknown class', { priorityClassName: 'none' }, 'no PriorityClass with name none was found'],
    [
      'another value',
      { priority: 7 },
      'the integer value of priority (7) must not be provided in pod spec; priority admission controller computed 0 from the given PriorityClass name',
    ],
    [
      'another policy',
      { preemptionPolicy: 'Never' },
      'the string value of PreemptionPolicy (Never) must not be provided in pod spec; priority admission controller computed PreemptLowerPriority from the given PriorityClass name',
    ],
  ];
  for (const [title, spec, detail] of refusals) {
    it(`refuses a pod with ${title}`, async () => {
      const refused = await run(write({ object: pod(spec) }), { plugins: ['Priority'], objects: classes });
      expect(refused?.message).to.equal(`pods "p" is forbidden: ${detail}`);
    });
  }

  it('keeps the priority when an update leaves it out', async () => {
    const object = pod();
    const oldObject = pod({ priority: 3, preemptionPolicy: 'Never' });
    await run(write({ operation: 'UPDATE', object, oldObject }), { plugins: ['Priority'] });
    expect(specOf(object)).to.deep.include({ priority: 3, preemptionPolicy: 'Never' });
  });

  it('lets one class only be the default', async () => {
    const resourceName = 'priorityclasses.scheduling.orch.io';
    const objects = {
      'scheduling.orch.io/priorityclasses': [priorityClass('a', 5, { globalDefault: true })],
    };
    const setup = { plugins: ['Priority'], objects };
    const other = priorityClass('c', 1, { globalDefault: true });
    const refused = await run(write({ resourceName, object: other }), setup);
    expect(refused?.message).to.equal(
      'priorityclasses.scheduling.orch.io "c" is forbidden: PriorityClass a is already marked as default. Only one default can exist',
    );
    const itself = priorityClass('a', 5, { globalDefault: true });
    const update = write({ operation: 'UPDATE', resourceName, object: itself, oldObject: itself });
    expect(await run(update, setup)).to.equal(undefined);
    expect(await run(write({ resourceName, object: priorityClass('d', 1) }), setup)).to.equal(undefined);
  });
});

const runtimeClasses = {
  'node.orch.io/runtimeclasses': [
    {
      kind: 'RuntimeClass',
      apiVersion: 'node.orch.io/v1beta1',
      metadata: { name: 'r' },
      handler: 'h',
      overhead: { podFixed: { cpu: '10m' } },
      scheduling: { nodeSelector: { rt: 'x' }, tolerations: [{ key: 'rt', operator: 'Exists' }] },
    },
  ],
};

describe('RuntimeClass', () => {
  const setup = { plugins: ['RuntimeClass'], objects: runtimeClasses };

  it('copies overhead and scheduling', async () => {
    const narrow = { key: 'rt', operator: 'Equal', value: 'v' };
    const object = pod({
      runtimeClassName: 'r',
      nodeSelector: { own: 'y' },
      tolerations: [notReady, narrow],
    });
    expect(await run(write({ object }), setup)).to.equal(undefined);
    expect(specOf(object)).to.deep.include({
      overhead: { cpu: '10m' },
      nodeSelector: { own: 'y', rt: 'x' },
      tolerations: [notReady, { key: 'rt', operator: 'Exists' }],
    });
  });

  const refusals: [object, string][] = [
    [{ runtimeClassName: 'none' }, 'pod rejected: RuntimeClass "none" not found'],
    [
      { overhead: { cpu: '1' } },
      'pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead',
    ],
    [
      { runtimeClassName: 'r', overhead: { cpu: '1' } },
      "pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead",
    ],
    [
      { runtimeClassName: 'r', nodeSelector: { rt: 'y' } },
      'conflict: runtimeClass.scheduling.nodeSelector[rt] = x; pod.spec.nodeSelector[rt] = y',
    ],
  ];
  for (const [spec, detail] of refusals) {
    it(`refuses: ${detail}`, async () => {
      const refused = await run(write({ object: pod(spec) }), setup);
      expect(refused?.message).to.equal(`pods "p" is forbidden: ${detail}`);
    });
  }

  for (const [name, message] of [
    ['', 'resource name may not be empty'],
    ['a/%', `invalid resource name "a/%": [may not contain '/' may not contain '%']`],
  ] as const) {
    it(`cannot ask for a class called ${JSON.stringify(name)}`, async () => {
      const refused = await run(write({ object: pod({ runtimeClassName: name }) }), setup);
      expect(refused?.message).to.equal(message);
    });
  }
});

describe('RuntimeClass, without overhead of pods', () => {
  const setup = { plugins: ['RuntimeClass'], objects: runtimeClasses, gates: new Set<string>() };

  it('copies the scheduling only, and looks at no overhead', async () => {
    const object = pod({ runtimeClassName: 'r' });
    expect(await run(write({ object }), setup)).to.equal(undefined);
    expect(specOf(object)).not.to.have.property('overhead');
    expect(specOf(object).nodeSelector).to.deep.equal({ rt: 'x' });
    const own = pod({ overhead: { cpu: '1' } });
    expect(await run(write({ object: own }), setup)).to.equal(undefined);
  });
});

describe('AlwaysPullImages', () => {
  it('sets the policy of every container', async () => {
    const object = pod({ initContainers: [{ name: 'i', imagePullPolicy: 'Never' }] });
    await run(write({ object }), { plugins: ['AlwaysPullImages'] });
    const { containers, initContainers } = specOf(object) as Record<string, { imagePullPolicy: string }[]>;
    expect([containers?.[0]?.imagePullPolicy, initContainers?.[0]?.imagePullPolicy]).to.deep.equal([
      'Always',
      'Always',
    ]);
  });

  it('tells of all containers whose policy was changed after it', async () => {
    const never = { name: 'c', imagePullPolicy: 'Never' };
    const check = (spec: object) => () => alwaysPullImages().validate?.(write({ object: pod(spec) }));
    const text = (place: string) =>
      `pods "p" is forbidden: spec.${place}.imagePullPolicy: Unsupported value: "Never": supported values: "Always"`;
    const one = check({ containers: [{ ...never, imagePullPolicy: 'Always' }, never] });
    await expectStatus(one, { code: 500, reason: '', message: text('containers[1]') });
    const two = check({ initContainers: [never], containers: [never] });
    const message = `[${text('initContainers[0]')}, ${text('containers[0]')}]`;
    await expectStatus(two, { code: 500, reason: '', message });
  });
});

describe('ExtendedResourceToleration', () => {
  it('tolerates taints of the devices that a pod asks for, each once', async () => {
    const requests = { cpu: '1', 'example.com/gpu': '1' };
    const given = { key: 'example.com/gpu', operator: 'Exists', effect: 'NoSchedule', tolerationSeconds: 3 };
    const containers = [
      { name: 'c', resources: { requests } },
      { name: 'd', resources: { requests: { 'example.com/a': '1', 'orch.io/b': '1' } } },
    ];
    const object = pod({ containers, tolerations: [given] });
    await run(write({ object }), { plugins: ['ExtendedResourceToleration'] });
    expect(specOf(object).tolerations).to.deep.equal([
      { key: 'example.com/gpu', operator: 'Exists', effect: 'NoSchedule' },
      { key: 'example.com/a', operator: 'Exists', effect: 'NoSchedule' },
    ]);
  });
});

describe('SecurityContextDeny', () => {
  const refusals: [object, string | undefined][] = [
    [{ securityContext: { supplementalGroups: [1] } }, 'pod.Spec.SecurityContext.SupplementalGroups'],
    [{ securityContext: { runAsUser: 0, fsGroup: 1 } }, 'pod.Spec.SecurityContext.RunAsUser'],
    [{ initContainers: [{ name: 'i', securityContext: { runAsUser: 0 } }] }, 'SecurityContext.RunAsUser'],
    [
      { containers: [{ name: 'c', securityContext: { seLinuxOptions: {} } }] },
      'SecurityContext.SELinuxOptions',
    ],
    [
      { securityContext: { runAsNonRoot: true }, containers: [{ name: 'c', securityContext: {} }] },
      undefined,
    ],
  ];
  for (const [spec, what] of refusals) {
    it(what === undefined ? 'accepts other settings' : `refuses ${what}`, async () => {
      const refused = await run(write({ object: pod(spec) }), { plugins: ['SecurityContextDeny'] });
      expect(refused?.message).to.equal(what && `pods "p" is forbidden: ${what} is forbidden`);
    });
  }
});

describe('LimitPodHardAntiAffinityTopology', () => {
  const away = (...keys: string[]) => ({
    affinity: {
      podAntiAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: keys.map((topologyKey) => ({ topologyKey })),
      },
    },
  });
  const runOn = (spec: object) =>
    run(write({ object: pod(spec) }), { plugins: ['LimitPodHardAntiAffinityTopology'] });

  it('accepts single nodes only', async () => {
    expect(await runOn({})).to.equal(undefined);
    expect(await runOn(away('orch.io/hostname'))).to.equal(undefined);
    const refused = await runOn(away('orch.io/hostname', 'zone'));
    expect(refused?.message).to.equal(
      'pods "p" is forbidden: affinity.PodAntiAffinity.RequiredDuringScheduling has TopologyKey zone but only key orch.io/hostname is allowed',
    );
  });
});
