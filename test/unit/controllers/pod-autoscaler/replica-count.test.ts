import { expect } from 'chai';
import type { Pod } from '../../../../src/apis/types/core-v1.ts';
import type { PodSample } from '../../../../src/controllers/pod-autoscaler/readings.ts';
import {
  type CountContext,
  countByAverage,
  countByShare,
  countByTotal,
  countByUtilization,
  type ReplicaCount,
} from '../../../../src/controllers/pod-autoscaler/replica-count.ts';

const nowMs = Date.parse('2026-01-01T01:00:00Z');
const ago = (seconds: number): string => new Date(nowMs - seconds * 1000).toISOString();

interface PodOptions {
  readonly request?: string | undefined;
  readonly phase?: string | undefined;
  readonly isReady?: boolean | undefined;
  readonly isGoing?: boolean | undefined;
  /** Seconds ago. */
  readonly started?: number | undefined;
  readonly changed?: number | undefined;
}
const pod = (name: string, { request = '1', phase = 'Running', isReady = true, ...more }: PodOptions = {}) =>
  ({
    metadata: { name, ...(more.isGoing && { deletionTimestamp: ago(1) }) },
    spec: { containers: [{ name: 'c', resources: request === '' ? {} : { requests: { cpu: request } } }] },
    status: {
      phase,
      startTime: ago(more.started ?? 3600),
      conditions: [
        { type: 'Ready', status: isReady ? 'True' : 'False', lastTransitionTime: ago(more.changed ?? 3500) },
      ],
    },
  }) as unknown as Pod;
const samplesOf = (milli: readonly number[], secondsAgo = 0): Map<string, PodSample> =>
  new Map(
    milli.map((value, at) => [
      `p${at}`,
      { milli: BigInt(value), atMs: nowMs - secondsAgo * 1000, windowMs: 60_000 },
    ]),
  );
const context = (pods: readonly Pod[], current = pods.length): CountContext => ({
  ...{ current, observed: current, pods, tolerance: 0.1, nowMs },
  cpuInitializationPeriodMs: 300_000,
  initialReadinessDelayMs: 30_000,
});
const podsOf = (...options: PodOptions[]): Pod[] => options.map((each, at) => pod(`p${at}`, each));
const plain = (count: number, options: PodOptions = {}): Pod[] =>
  podsOf(...Array.from({ length: count }, () => options));

describe('replicas by utilization', () => {
  const count = (used: number[], pods: Pod[], percent: number, current = pods.length): ReplicaCount =>
    countByUtilization(samplesOf(used), { percent, resource: 'cpu', container: '' }, context(pods, current));
  const cases: [string, number[], Pod[], number, number, number?][] = [
    ['are more when pods use too much', [300, 500, 700], plain(3), 30, 5],
    ['are fewer when pods use too little', [100, 300, 500, 250, 250], plain(5), 50, 3],
    ['stay within the tolerance', [1010, 1030, 1020], plain(3), 100, 3],
    ['do not count pods that are going', [900, 900], podsOf({ isGoing: true }, {}), 50, 2],
    ['do not count pods that failed', [600], podsOf({}, { phase: 'Failed' }), 50, 2],
    [
      'take those that wait for idle before there are more',
      [800, 800],
      podsOf({}, {}, { phase: 'Pending' }),
      40,
      4,
    ],
    [
      'leave out those that wait before there are fewer',
      [100, 100],
      podsOf({}, {}, { phase: 'Pending' }),
      50,
      1,
    ],
    ['take those without a sample for idle before there are more', [900, 900], plain(3), 50, 4],
    ['take those without a sample for full before there are fewer', [10, 10], plain(4), 100, 2],
    ['stay when such guesses would turn them around', [400, 400], plain(4), 60, 4],
    ['stay when idle ones bring all to the target', [900, 900, 900], podsOf({}, {}, {}, {}), 70, 4],
    ['count the pods that have a sample only', [1000, 1000], plain(2), 50, 4, 9],
  ];
  for (const [what, used, pods, percent, replicas, current] of cases) {
    it(what, () => expect(count(used, pods, percent, current).replicas).to.equal(replicas));
  }

  it('are told with the use, in percent and on average', () => {
    expect(count([300, 500, 700], plain(3), 30)).to.deep.equal({
      replicas: 5,
      usedPercent: 50,
      usedMilli: 500n,
    });
  });

  it('look at one container alone', () => {
    const spec = {
      containers: [
        { name: 'app', resources: { requests: { cpu: '500m' } } },
        { name: 'side', resources: {} },
      ],
    };
    const pods = [{ ...pod('p0'), spec } as unknown as Pod];
    const target = { percent: 50, resource: 'cpu', container: 'app' };
    expect(countByUtilization(samplesOf([500]), target, context(pods)).replicas).to.equal(2);
    expect(() => countByUtilization(samplesOf([500]), { ...target, container: '' }, context(pods))).to.throw(
      'missing request for cpu',
    );
  });

  const failures: [string, number[], Pod[], string][] = [
    ['without pods', [1], [], 'no pods returned by selector while calculating replica count'],
    [
      'without samples of pods that work',
      [1],
      podsOf({ phase: 'Pending' }),
      'did not receive metrics for any ready pods',
    ],
    ['when a pod requests nothing', [1], podsOf({ request: '' }), 'missing request for cpu'],
    ['with samples of other pods', [1], [pod('other')], 'no metrics returned matched known pods'],
  ];
  for (const [what, used, pods, message] of failures) {
    it(`are unknown ${what}`, () => expect(() => count(used, pods, 50)).to.throw(message));
  }
});

describe('CPU use of a young pod', () => {
  // The other pod uses twice its target: the young one counts for more replicas, or for nothing.
  const cases: [string, PodOptions, number, boolean][] = [
    ['counts when it was ready for all that was measured', { started: 100, changed: 90 }, 0, true],
    ['does not when it became ready meanwhile', { started: 100, changed: 30 }, 0, false],
    ['does not when it was measured before', { started: 100, changed: 90 }, 60, false],
    ['does not while it is not ready', { started: 100, changed: 90, isReady: false }, 0, false],
    ['counts later, ready or not', { started: 400, changed: 100, isReady: false }, 0, true],
    ['does not later when it was never ready', { started: 400, changed: 380, isReady: false }, 0, false],
  ];
  for (const [what, options, measuredAgo, counts] of cases) {
    it(what, () => {
      const pods = [pod('p0', { started: 4000, changed: 3900 }), pod('p1', options)];
      const samples = samplesOf([1000, 1000], measuredAgo);
      const target = { percent: 50, resource: 'cpu', container: '' };
      expect(countByUtilization(samples, target, context(pods)).replicas).to.equal(counts ? 4 : 2);
    });
  }

  it('counts for other resources in any case', () => {
    const pods = [pod('p0', { started: 100, changed: 30, isReady: false })];
    const target = { targetMilli: 500n, resource: 'memory' };
    expect(countByAverage(samplesOf([1000]), target, context(pods)).replicas).to.equal(2);
  });
});

describe('replicas by an average', () => {
  const cases: [string, number[], Pod[], bigint, number][] = [
    ['are more when pods use too much', [20_000, 10_000, 30_000], plain(3), 15_000n, 4],
    ['are fewer when pods use too little', [12_000, 12_000, 12_000, 12_000, 12_000], plain(5), 20_000n, 3],
    ['stay within the tolerance', [20_000, 21_000, 21_000], plain(3), 20_000n, 3],
    [
      'take those without a sample for idle before there are more',
      [50_000, 15_000, 30_000],
      plain(4),
      15_000n,
      7,
    ],
    ['take those without a sample for full before there are fewer', [1000], plain(3), 20_000n, 3],
  ];
  for (const [what, used, pods, targetMilli, replicas] of cases) {
    it(what, () => {
      const { replicas: counted } = countByAverage(
        samplesOf(used),
        { targetMilli, resource: '' },
        context(pods),
      );
      expect(counted).to.equal(replicas);
    });
  }
});

describe('replicas by a value', () => {
  it('that all see grow with it, by the pods that are ready', () => {
    const pods = podsOf({}, {}, { isReady: false });
    expect(countByTotal(20_000n, 15_000n, context(pods))).to.deep.equal({ replicas: 3, usedMilli: 20_000n });
    expect(countByTotal(16_000n, 15_000n, context(pods)).replicas).to.equal(3);
    expect(() => countByTotal(20_000n, 15_000n, context([], 3))).to.throw(
      'unable to calculate ready pods: no pods',
    );
  });

  it('that all see wake a target of none', () => {
    expect(countByTotal(20_000n, 15_000n, context([], 0)).replicas).to.equal(2);
    expect(countByTotal(0n, 15_000n, context([], 0)).replicas).to.equal(0);
  });

  it('that they share are as many as have their part', () => {
    expect(countByShare(8600n, 2000n, context(plain(3)))).to.deep.equal({ replicas: 5, usedMilli: 2867n });
    expect(countByShare(6200n, 2000n, context(plain(3))).replicas).to.equal(3);
    expect(countByShare(5000n, 2000n, context([], 0)).replicas).to.equal(3);
  });
});
