import { expect } from 'chai';
import fc from 'fast-check';
import type { ContainerStatus, PodCondition } from '../../../../src/apis/types/core-v1.ts';
import { type ConditionsInput, makeConditions } from '../../../../src/nodeagent/sync/conditions.ts';
import { containerOf, nowMs, nowText } from './pod-input.ts';

/** `a+` is the status of a container that is ready, `a-` that of one that is not. */
const statusesOf = (text: string): ContainerStatus[] =>
  text
    .split(' ')
    .filter(Boolean)
    .map((each) => ({
      name: each.slice(0, -1),
      ready: each.endsWith('+'),
      state: {},
      lastState: {},
      restartCount: 0,
      image: '',
      imageID: '',
    }));
const containersOf = (text: string) =>
  text
    .split(' ')
    .filter(Boolean)
    .map((name) => containerOf(name));
const conditionOf = (type: string, status: string, lastTransitionTime = nowText): PodCondition => ({
  type,
  status,
  lastProbeTime: null,
  lastTransitionTime,
});

interface Pod {
  /** Names of containers. */
  readonly containers?: string;
  readonly init?: string;
  readonly gates?: readonly string[];
  readonly statuses?: string;
  readonly initStatuses?: string;
  readonly phase?: ConditionsInput['phase'];
  readonly foreign?: readonly PodCondition[];
  readonly previous?: readonly PodCondition[];
}

function conditionsOf({ containers = 'a', init, gates, statuses = 'a+', ...more }: Pod): PodCondition[] {
  const { initStatuses, phase = 'Running', foreign = [], previous = [] } = more;
  return makeConditions({
    spec: {
      containers: containersOf(containers),
      ...(init === undefined ? {} : { initContainers: containersOf(init) }),
      ...(gates === undefined ? {} : { readinessGates: gates.map((conditionType) => ({ conditionType })) }),
    },
    phase,
    init: initStatuses === undefined ? undefined : statusesOf(initStatuses),
    containers: statusesOf(statuses),
    foreign,
    previous,
    nowMs,
  });
}

/** `STATUS REASON: MESSAGE` of a condition. */
function told(type: string, pod: Pod): string {
  const found = conditionsOf(pod).find((condition) => condition.type === type);
  const { status, reason, message } = found ?? { status: 'missing' };
  return [status, reason].filter(Boolean).join(' ') + (message === undefined ? '' : `: ${message}`);
}

describe('makeConditions', () => {
  it('has the four of the agent in the order of the release, behind those of others', () => {
    const foreign = [conditionOf('x/y', 'True'), conditionOf('a/b', 'False')];
    const types = conditionsOf({ foreign }).map(({ type }) => type);
    expect(types).to.deep.equal(['x/y', 'a/b', 'Initialized', 'Ready', 'ContainersReady', 'PodScheduled']);
  });

  it('has nothing but types, statuses and times where all is well', () => {
    expect(conditionsOf({})).to.deep.equal(
      ['Initialized', 'Ready', 'ContainersReady', 'PodScheduled'].map((type) => conditionOf(type, 'True')),
    );
  });

  it('leaves those of others as they are', () => {
    const foreign = [{ ...conditionOf('x/y', 'Maybe', '2020-01-01T00:00:00Z'), reason: 'R', message: 'm' }];
    expect(conditionsOf({ foreign })[0]).to.deep.equal(foreign[0]);
  });

  describe('ContainersReady', () => {
    const cases: readonly [string, Pod, string][] = [
      ['a container that is ready', {}, 'True'],
      [
        'one that is not',
        { statuses: 'a-' },
        'False ContainersNotReady: containers with unready status: [a]',
      ],
      [
        'one without a status',
        { statuses: '' },
        'False ContainersNotReady: containers with unknown status: [a]',
      ],
      [
        'several, in the order of the specification',
        { containers: 'c b a', statuses: 'a- b+ c-' },
        'False ContainersNotReady: containers with unready status: [c a]',
      ],
      [
        'unknown ones before those that are not ready',
        { containers: 'a b c d', statuses: 'a- c-' },
        'False ContainersNotReady: containers with unknown status: [b d], containers with unready status: [a c]',
      ],
      ['statuses of containers that are not specified', { statuses: 'a+ z-' }, 'True'],
      ['a pod without containers', { containers: '', statuses: '' }, 'True'],
      ['a pod that has succeeded', { phase: 'Succeeded', statuses: 'a-' }, 'False PodCompleted'],
      [
        'a pod that has succeeded, of which a status is missing',
        { phase: 'Succeeded', containers: 'a b', statuses: 'a-' },
        'False ContainersNotReady: containers with unknown status: [b], containers with unready status: [a]',
      ],
      [
        'a pod that has failed',
        { phase: 'Failed', statuses: 'a-' },
        'False ContainersNotReady: containers with unready status: [a]',
      ],
    ];
    for (const [title, pod, expected] of cases)
      it(`judges ${title}`, () => expect(told('ContainersReady', pod)).to.equal(expected));
  });

  describe('Initialized', () => {
    const cases: readonly [string, Pod, string][] = [
      ['a pod without init containers', { statuses: 'a-' }, 'True'],
      ['one whose init containers are done', { init: 'i j', initStatuses: 'i+ j+' }, 'True'],
      [
        'one of which some are not',
        { init: 'i j k', initStatuses: 'i+ j- k-' },
        'False ContainersNotInitialized: containers with incomplete status: [j k]',
      ],
      [
        'one of which nothing is known',
        { init: 'i j' },
        'False ContainersNotInitialized: containers with unknown status: [i j]',
      ],
      [
        'one of which some are unknown',
        { init: 'i j', initStatuses: 'i-' },
        'False ContainersNotInitialized: containers with unknown status: [j], containers with incomplete status: [i]',
      ],
      [
        'a pod that has succeeded',
        { phase: 'Succeeded', init: 'i', initStatuses: 'i-' },
        'True PodCompleted',
      ],
      ['a pod that has succeeded without any', { phase: 'Succeeded' }, 'True PodCompleted'],
      [
        'a pod that has succeeded, of which a status is missing',
        { phase: 'Succeeded', init: 'i' },
        'False ContainersNotInitialized: containers with unknown status: [i]',
      ],
    ];
    for (const [title, pod, expected] of cases)
      it(`judges ${title}`, () => expect(told('Initialized', pod)).to.equal(expected));
  });

  describe('Ready', () => {
    const gates = ['x/one', 'x/two'];
    const foreignOf = (one: string, two: string) => [conditionOf('x/one', one), conditionOf('x/two', two)];
    const cases: readonly [string, Pod, string][] = [
      ['all gates open', { gates, foreign: foreignOf('True', 'True') }, 'True'],
      [
        'a gate that nobody knows',
        { gates, foreign: [conditionOf('x/two', 'True')] },
        'False ReadinessGatesNotReady: corresponding condition of pod readiness gate "x/one" does not exist.',
      ],
      [
        'a gate that is closed',
        { gates, foreign: foreignOf('True', 'False') },
        'False ReadinessGatesNotReady: the status of pod readiness gate "x/two" is not "True", but False',
      ],
      [
        'several gates',
        { gates, foreign: [conditionOf('x/two', 'Unknown')] },
        'False ReadinessGatesNotReady: corresponding condition of pod readiness gate "x/one" does not exist., the status of pod readiness gate "x/two" is not "True", but Unknown',
      ],
      [
        'containers that are not ready, whatever the gates say',
        { gates, statuses: 'a-' },
        'False ContainersNotReady: containers with unready status: [a]',
      ],
      ['a pod that has succeeded', { gates, phase: 'Succeeded', statuses: 'a-' }, 'False PodCompleted'],
      ['conditions of others that are no gates', { foreign: [conditionOf('x/one', 'False')] }, 'True'],
    ];
    for (const [title, pod, expected] of cases)
      it(`judges ${title}`, () => expect(told('Ready', pod)).to.equal(expected));

    it('does not keep the containers from being ready', () => {
      expect(told('ContainersReady', { gates })).to.equal('True');
    });
  });

  describe('the time since when a condition holds', () => {
    const earlier = '2025-12-31T00:00:00Z';
    const sinceOf = (pod: Pod) =>
      conditionsOf(pod).find(({ type }) => type === 'ContainersReady')?.lastTransitionTime;

    it('is kept while the status stays, though the reason changes', () => {
      const previous = [
        { ...conditionOf('ContainersReady', 'False', earlier), reason: 'Other', message: 'm' },
      ];
      expect(sinceOf({ statuses: 'a-', previous })).to.equal(earlier);
    });

    it('is that of now when the status changes, or was not there', () => {
      expect(sinceOf({ previous: [conditionOf('ContainersReady', 'False', earlier)] })).to.equal(nowText);
      expect(sinceOf({ previous: [conditionOf('Ready', 'True', earlier)] })).to.equal(nowText);
      expect(sinceOf({})).to.equal(nowText);
    });

    it('is that of now where none was told', () => {
      const { lastTransitionTime: _, ...timeless } = conditionOf('ContainersReady', 'True');
      expect(sinceOf({ previous: [timeless] })).to.equal(nowText);
    });
  });

  it('says that a pod is ready only if its containers are, and changes nothing the second time', () => {
    const status = fc.constantFrom('a+', 'a-', 'b+', 'b-', 'c+');
    const pods = fc.record({
      containers: fc.subarray(['a', 'b', 'c']).map((names) => names.join(' ')),
      statuses: fc.uniqueArray(status, { selector: (text) => text[0] }).map((texts) => texts.join(' ')),
      gates: fc.subarray(['x/one', 'x/two']),
      foreign: fc.subarray([conditionOf('x/one', 'True'), conditionOf('x/two', 'False')]),
      phase: fc.constantFrom('Pending' as const, 'Running' as const, 'Succeeded' as const, 'Failed' as const),
    });
    fc.assert(
      fc.property(pods, (pod) => {
        const first = conditionsOf(pod);
        const statusOf = (type: string) => first.find((each) => each.type === type)?.status;
        if (statusOf('Ready') === 'True') expect(statusOf('ContainersReady')).to.equal('True');
        expect(conditionsOf({ ...pod, previous: first })).to.deep.equal(first);
      }),
    );
  });
});
