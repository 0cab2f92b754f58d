import { expect } from 'chai';
import type { Pod } from '../../../../src/apis/types/core-v1.ts';
import type { PodDisruptionBudget } from '../../../../src/apis/types/policy-v1beta1.ts';
import {
  decideBudget,
  type ScaledController,
  statusWithoutDisruptions,
} from '../../../../src/controllers/disruption/decide.ts';
import { createRandomSource } from '../../../support/random-source.ts';
import { testSeed } from '../../../support/test-seed.ts';

const nowMs = Date.parse('2026-01-01T00:10:00Z');
const secondsAgo = (seconds: number): string =>
  `${new Date(nowMs - seconds * 1000).toISOString().slice(0, 19)}Z`;

const undecided = { disruptionsAllowed: 0, currentHealthy: 0, desiredHealthy: 0, expectedPods: 0 };
const budget = (spec: object, status: object = {}) =>
  ({
    metadata: { name: 'b', namespace: 'n', generation: 3 },
    spec,
    status: { ...undecided, ...status },
  }) as unknown as PodDisruptionBudget;

interface PodOptions {
  readonly owner?: string | undefined;
  readonly isReady?: boolean | undefined;
  readonly isGoing?: boolean | undefined;
}
const pod = (name: string, { owner = 'set', isReady = true, isGoing = false }: PodOptions = {}) =>
  ({
    metadata: {
      name,
      namespace: 'n',
      ...(owner !== '' && { ownerReferences: [{ uid: owner, controller: true }] }),
      ...(isGoing && { deletionTimestamp: secondsAgo(1) }),
    },
    spec: { containers: [] },
    status: { conditions: [{ type: 'Ready', status: isReady ? 'True' : 'False' }] },
  }) as unknown as Pod;
const ready = (count: number): Pod[] => Array.from({ length: count }, (_, at) => pod(`p${at}`));
const scales = (sizes: Record<string, number>): ReadonlyMap<string, ScaledController> =>
  new Map(Object.entries(sizes).map(([uid, replicas]) => [uid, { uid, replicas }]));

describe('a disruption budget', () => {
  // desired, expected, healthy, allowed
  const cases: [string, object, Pod[], Record<string, number>, [number, number, number, number]][] = [
    ['with a number counts pods', { minAvailable: 1 }, ready(3), {}, [1, 3, 3, 2]],
    ['with a number needs no controllers', { minAvailable: 1 }, [pod('a', { owner: '' })], {}, [1, 1, 1, 0]],
    ['never allows less than nothing', { minAvailable: 5 }, ready(3), {}, [5, 3, 3, 0]],
    ['without pods allows nothing', { minAvailable: 0 }, [], {}, [0, 0, 0, 0]],
    [
      'does not count pods that are not ready',
      { minAvailable: 1 },
      [pod('a', { isReady: false }), pod('b')],
      {},
      [1, 2, 1, 0],
    ],
    [
      'does not count pods that are going',
      { minAvailable: 1 },
      [pod('a', { isGoing: true }), ...ready(2)],
      {},
      [1, 3, 2, 1],
    ],
    [
      'in percent counts what controllers ask for',
      { minAvailable: '50%' },
      ready(3),
      { set: 5 },
      [3, 5, 3, 0],
    ],
    ['in percent rounds up what must stay', { minAvailable: '34%' }, ready(3), { set: 3 }, [2, 3, 3, 1]],
    [
      'with a maximum counts what controllers ask for',
      { maxUnavailable: 1 },
      ready(3),
      { set: 3 },
      [2, 3, 3, 1],
    ],
    [
      'with a maximum in percent rounds up what may go',
      { maxUnavailable: '34%' },
      ready(3),
      { set: 3 },
      [1, 3, 3, 2],
    ],
    ['with a maximum above all keeps none', { maxUnavailable: 9 }, ready(3), { set: 3 }, [0, 3, 3, 3]],
    ['with a maximum of a set that shrinks', { maxUnavailable: 0 }, ready(3), { set: 2 }, [2, 2, 3, 1]],
    [
      'adds controllers up',
      { maxUnavailable: 1 },
      [...ready(2), pod('o', { owner: 'other' })],
      { set: 2, other: 4 },
      [5, 6, 3, 0],
    ],
    ['of a set of none allows nothing', { maxUnavailable: 1 }, ready(1), { set: 0 }, [0, 0, 1, 0]],
    ['that asks for nothing', {}, ready(2), {}, [0, 0, 2, 0]],
  ];
  for (const [
    what,
    spec,
    pods,
    sizes,
    [desiredHealthy, expectedPods, currentHealthy, disruptionsAllowed],
  ] of cases) {
    it(what, () => {
      const { status } = decideBudget({ budget: budget(spec), pods, controllers: scales(sizes), nowMs });
      expect(status).to.deep.equal({
        observedGeneration: 3,
        ...{ desiredHealthy, expectedPods, currentHealthy, disruptionsAllowed },
      });
    });
  }

  it('tells that nothing matches', () => {
    const { events } = decideBudget({
      budget: budget({ minAvailable: 1 }),
      pods: [],
      controllers: new Map(),
      nowMs,
    });
    expect(events).to.deep.equal([{ type: 'Normal', reason: 'NoPods', message: 'No matching pods found' }]);
  });
});

describe('a disruption budget that cannot be decided', () => {
  const prefix = 'Failed to calculate the number of expected pods: ';
  const cases: [string, Pod[], string, string][] = [
    [
      'for a pod without owner',
      [pod('a'), pod('b', { owner: '' })],
      'NoControllerRef',
      'found no controller ref for pod "b"',
    ],
    [
      'for an owner without scale',
      [pod('a', { owner: 'odd' })],
      'NoControllers',
      'found no controllers for pod "a"',
    ],
  ];
  for (const [what, pods, reason, message] of cases) {
    it(`allows nothing and says why: ${what}`, () => {
      const before = { disruptionsAllowed: 2, currentHealthy: 3, observedGeneration: 2 };
      const plan = decideBudget({
        budget: budget({ maxUnavailable: 1 }, before),
        ...{ pods, controllers: scales({ set: 2 }), nowMs },
      });
      expect(plan.status).to.deep.equal({ ...undecided, ...before, disruptionsAllowed: 0 });
      expect(plan.events.map((event) => [event.reason, event.message])).to.deep.equal([
        [reason, message],
        ['CalculateExpectedPodCountFailed', prefix + message],
      ]);
    });
  }

  it('is not written again and again', () => {
    expect(statusWithoutDisruptions(budget({}))).to.equal(undefined);
  });
});

describe('an evicted pod', () => {
  const decide = (pods: Pod[], disruptedPods: Record<string, string>) =>
    decideBudget({
      budget: budget({ minAvailable: 0 }, { disruptedPods }),
      ...{ pods, controllers: new Map(), nowMs },
    });

  it('does not count while it is expected to go, and is looked at again after that', () => {
    const { status, recheckAtMs, events } = decide([pod('a'), pod('b')], { a: secondsAgo(100) });
    expect(status).to.deep.include({
      currentHealthy: 1,
      disruptionsAllowed: 1,
      disruptedPods: { a: secondsAgo(100) },
    });
    expect([recheckAtMs, events]).to.deep.equal([nowMs + 20_000, []]);
  });

  it('is forgotten once its deletion has begun, or it is gone', () => {
    const { status, recheckAtMs } = decide([pod('a', { isGoing: true })], {
      a: secondsAgo(1),
      gone: secondsAgo(1),
    });
    expect(status).to.not.have.property('disruptedPods');
    expect(recheckAtMs).to.equal(undefined);
  });

  it('counts again after two minutes, with a warning', () => {
    const { status, events } = decide([pod('a')], { a: secondsAgo(121) });
    expect(status).to.deep.include({ currentHealthy: 1, disruptionsAllowed: 1 });
    expect(events.map((event) => [event.pod?.metadata.name, event.reason, event.message])).to.deep.equal([
      ['a', 'NotDeleted', "Pod was expected by PDB n/n to be deleted but it wasn't"],
    ]);
  });
});

describe('any disruption budget', () => {
  it('is decided once, and never lets more pods go than are healthy beyond those that must stay', () => {
    const random = createRandomSource(testSeed);
    const upTo = (limit: number): number => random.below(limit + 1);
    const happens = (percent: number): boolean => random.below(100) < percent;
    const amount = (): number | string => (happens(50) ? upTo(6) : `${upTo(120)}%`);
    for (let round = 0; round < 3000; round++) {
      const owners = ['a', 'b', 'c'].slice(0, 1 + upTo(2));
      const pods = Array.from({ length: upTo(8) }, (_, at) =>
        pod(`p${at}`, {
          owner: happens(5) ? '' : owners[upTo(owners.length - 1)],
          isReady: happens(70),
          isGoing: happens(20),
        }),
      );
      const controllers = scales(Object.fromEntries(owners.map((owner) => [owner, upTo(8)])));
      const disruptedPods = Object.fromEntries(
        pods.filter(() => happens(30)).map(({ metadata: { name } }) => [name, secondsAgo(upTo(240))]),
      );
      const spec = happens(50) ? { minAvailable: amount() } : { maxUnavailable: amount() };
      const before = budget(spec, { disruptionsAllowed: upTo(3), disruptedPods });
      const { status = before.status } = decideBudget({ budget: before, pods, controllers, nowMs });
      const after: PodDisruptionBudget = { ...before, status };
      expect(decideBudget({ budget: after, pods, controllers, nowMs }).status, 'second decision').to.equal(
        undefined,
      );
      const healthy = pods.filter(
        ({ metadata, status: is }) => !metadata.deletionTimestamp && is?.conditions?.[0]?.status === 'True',
      ).length;
      if (status.disruptionsAllowed === 0) continue;
      expect(status.disruptionsAllowed).to.be.greaterThan(0);
      expect(healthy - status.disruptionsAllowed).to.be.at.least(status.desiredHealthy);
    }
  });
});
