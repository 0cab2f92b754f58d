import { expect } from 'chai';
import type { HorizontalPodAutoscalerBehavior } from '../../../../src/apis/types/autoscaling-v2beta2.ts';
import {
  historyAfter,
  type LimitContext,
  limitReplicas,
  type ScaleHistory,
} from '../../../../src/controllers/pod-autoscaler/limits.ts';
import { createRandomSource } from '../../../support/random-source.ts';
import { testSeed } from '../../../support/test-seed.ts';

const nowMs = 10_000_000;
const none: ScaleHistory = { recommendations: [], added: [], removed: [] };
const secondsAgo = (seconds: number, replicas: number) => ({ replicas, atMs: nowMs - seconds * 1000 });
const context = (current: number, desired: number, more: Partial<LimitContext> = {}): LimitContext => ({
  ...{ current, desired, min: 2, max: 100, behavior: undefined, history: none, nowMs },
  downscaleStabilizationMs: 300_000,
  ...more,
});
const policy = (type: 'Pods' | 'Percent', value: number, periodSeconds: number) => ({
  type,
  value,
  periodSeconds,
});
const rules = (scaleUp: object = {}, scaleDown: object = {}): HorizontalPodAutoscalerBehavior => ({
  scaleUp: {
    stabilizationWindowSeconds: 0,
    selectPolicy: 'Max',
    policies: [policy('Percent', 100, 15)],
    ...scaleUp,
  },
  scaleDown: {
    stabilizationWindowSeconds: 0,
    selectPolicy: 'Max',
    policies: [policy('Percent', 100, 15)],
    ...scaleDown,
  },
});

describe('replicas without rules', () => {
  const cases: [string, LimitContext, number, string][] = [
    ['are what metrics call for', context(10, 15), 15, 'DesiredWithinRange'],
    ['at most double', context(10, 50), 20, 'ScaleUpLimit'],
    ['may be four at once', context(1, 9, { min: 1 }), 4, 'ScaleUpLimit'],
    ['are no more than may be', context(10, 50, { max: 15 }), 15, 'TooManyReplicas'],
    ['are no fewer than must be', context(10, 1), 2, 'TooFewReplicas'],
  ];
  for (const [what, of, replicas, reason] of cases) {
    it(what, () => {
      const { replicas: limited, limit, isLimited } = limitReplicas(of);
      expect([limited, limit.reason, isLimited]).to.deep.equal([
        replicas,
        reason,
        reason !== 'DesiredWithinRange',
      ]);
    });
  }

  it('go only when metrics called for fewer all the time', () => {
    const recommendations = [secondsAgo(299, 8), secondsAgo(301, 30)];
    const {
      replicas,
      stabilized,
      recommendations: kept,
    } = limitReplicas(context(10, 3, { history: { ...none, recommendations } }));
    expect([replicas, stabilized?.reason]).to.deep.equal([8, 'ScaleDownStabilized']);
    expect(kept).to.deep.equal([secondsAgo(299, 8), { replicas: 3, atMs: nowMs }]);
  });
});

describe('replicas with rules', () => {
  const added = (...changes: [number, number][]) => ({
    history: { ...none, added: changes.map(([seconds, replicas]) => secondsAgo(seconds, replicas)) },
  });
  const removed = (...changes: [number, number][]) => ({
    history: { ...none, removed: changes.map(([seconds, replicas]) => secondsAgo(seconds, replicas)) },
  });
  const recommended = (...changes: [number, number][]) => ({
    history: {
      ...none,
      recommendations: changes.map(([seconds, replicas]) => secondsAgo(seconds, replicas)),
    },
  });
  const both = [policy('Pods', 2, 60), policy('Percent', 50, 60)];
  const cases: [string, LimitContext, number, string][] = [
    ['grow by the larger step', context(10, 50, { behavior: rules({ policies: both }) }), 15, 'ScaleUpLimit'],
    [
      'grow by the smaller step',
      context(10, 50, { behavior: rules({ policies: both, selectPolicy: 'Min' }) }),
      12,
      'ScaleUpLimit',
    ],
    ['do not grow', context(10, 50, { behavior: rules({ selectPolicy: 'Disabled' }) }), 10, 'ScaleUpLimit'],
    [
      'round up what may be added',
      context(3, 50, { behavior: rules({ policies: [policy('Percent', 10, 60)] }) }),
      4,
      'ScaleUpLimit',
    ],
    [
      'grow from where the period began',
      context(10, 50, { behavior: rules({ policies: both }), ...added([30, 4]) }),
      10,
      'ScaleUpLimit',
    ],
    [
      'grow again after the period',
      context(10, 50, { behavior: rules({ policies: both }), ...added([60, 4]) }),
      15,
      'ScaleUpLimit',
    ],
    ['are no more than may be', context(10, 50, { max: 12, behavior: rules() }), 12, 'TooManyReplicas'],
    [
      'grow to the lowest of late',
      context(10, 50, {
        behavior: rules({ stabilizationWindowSeconds: 60 }),
        ...recommended([59, 13], [60, 11]),
      }),
      13,
      'DesiredWithinRange',
    ],
    [
      'shrink by the larger step',
      context(20, 3, { behavior: rules({}, { policies: both }) }),
      10,
      'ScaleDownLimit',
    ],
    [
      'shrink by the smaller step',
      context(20, 3, { behavior: rules({}, { policies: both, selectPolicy: 'Min' }) }),
      18,
      'ScaleDownLimit',
    ],
    [
      'do not shrink',
      context(20, 3, { behavior: rules({}, { selectPolicy: 'Disabled' }) }),
      20,
      'ScaleDownLimit',
    ],
    [
      'shrink from where the period began',
      context(20, 3, { behavior: rules({}, { policies: [policy('Pods', 5, 60)] }), ...removed([10, 3]) }),
      18,
      'ScaleDownLimit',
    ],
    ['are no fewer than must be', context(20, 1, { behavior: rules() }), 2, 'TooFewReplicas'],
    [
      'shrink to the highest of late',
      context(20, 3, {
        behavior: rules({}, { stabilizationWindowSeconds: 60 }),
        ...recommended([59, 13], [60, 15]),
      }),
      13,
      'DesiredWithinRange',
    ],
    [
      'shrink to the highest of five minutes by default',
      context(20, 3, {
        behavior: rules({}, { stabilizationWindowSeconds: undefined }),
        ...recommended([299, 13], [300, 15]),
      }),
      13,
      'DesiredWithinRange',
    ],
  ];
  for (const [what, of, replicas, reason] of cases) {
    it(what, () => {
      const { replicas: limited, limit } = limitReplicas(of);
      expect([limited, limit.reason]).to.deep.equal([replicas, reason]);
    });
  }

  it('remember steps as long as a policy looks back', () => {
    const behavior = rules({ policies: [policy('Pods', 4, 60), policy('Pods', 4, 30)] });
    const history = { ...none, added: [secondsAgo(61, 1), secondsAgo(60, 2)] };
    const change = { from: 3, to: 8, nowMs };
    expect(historyAfter(history, change, behavior).added).to.deep.equal([
      secondsAgo(60, 2),
      secondsAgo(0, 5),
    ]);
    expect(historyAfter(history, change, undefined)).to.equal(history);
  });
});

describe('replicas of any autoscaler', () => {
  it('stay between the bounds, and grow and shrink no faster than the rules allow, all day', () => {
    const random = createRandomSource(testSeed);
    for (let round = 0; round < 60; round++) simulate(random.below(1_000_000));
  });
});

/** Metrics call for whatever they like every 15 seconds; the rules hold in every period of time. */
function simulate(seed: number): void {
  const random = createRandomSource(seed);
  const up = [policy('Pods', 1 + random.below(5), 15 * (1 + random.below(4)))];
  const down = [policy('Pods', 1 + random.below(5), 15 * (1 + random.below(4)))];
  const behavior = random.below(4) === 0 ? undefined : rules({ policies: up }, { policies: down });
  const [min, max] = [1 + random.below(3), 10 + random.below(50)];
  let current = min;
  let history: ScaleHistory = none;
  const steps: { atMs: number; by: number }[] = [];
  for (let atMs = nowMs; atMs < nowMs + 3_600_000; atMs += 15_000) {
    const limited = limitReplicas({
      ...{ current, desired: random.below(80), min, max, behavior, history, nowMs: atMs },
      downscaleStabilizationMs: 60_000,
    });
    expect(limited.replicas).to.be.within(min, max);
    expect(limited.replicas).to.be.at.most(behavior === undefined ? Math.max(2 * current, 4) : max);
    history = { ...history, recommendations: limited.recommendations };
    history = historyAfter(history, { from: current, to: limited.replicas, nowMs: atMs }, behavior);
    steps.push({ atMs, by: limited.replicas - current });
    current = limited.replicas;
    expect(history.recommendations.length + history.added.length + history.removed.length).to.be.below(60);
    if (behavior === undefined) continue;
    const within = (seconds: number) => steps.filter((step) => step.atMs > atMs - seconds * 1000);
    const sum = (changes: number[]) => changes.reduce((total, by) => total + Math.max(0, by), 0);
    expect(sum(within(up[0]?.periodSeconds ?? 0).map(({ by }) => by))).to.be.at.most(up[0]?.value ?? 0);
    expect(sum(within(down[0]?.periodSeconds ?? 0).map(({ by }) => -by))).to.be.at.most(down[0]?.value ?? 0);
  }
}
