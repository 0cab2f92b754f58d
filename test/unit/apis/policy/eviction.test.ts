import { expect } from 'chai';
import { decideEviction } from '../../../../src/apis/policy/index.ts';
import type { Pod } from '../../../../src/apis/types/core-v1.ts';
import type { PodDisruptionBudget } from '../../../../src/apis/types/policy-v1beta1.ts';
import { makeObject } from '../rule-fixture.ts';

// The catalog's decoder made them of these types.
const makePod = (phase: string) =>
  makeObject('v1.Pod', { metadata: { name: 'p' }, status: { phase } }) as unknown as Pod;
const makeBudget = (status: object) =>
  makeObject('policy/v1beta1.PodDisruptionBudget', {
    metadata: { name: 'b', generation: 1 },
    status: { observedGeneration: 1, currentHealthy: 1, desiredHealthy: 1, ...status },
  }) as unknown as PodDisruptionBudget;
const now = '2021-02-03T04:05:06Z';

describe('decideEviction', () => {
  it('refuses when the budget is spent or unseen', () => {
    const texts = [
      [{}, 'The disruption budget b needs 1 healthy pods and has 1 currently'],
      [{ observedGeneration: 0 }, 'The disruption budget b is still being processed by the server.'],
    ] as const;
    for (const [status, message] of texts) {
      const decision = decideEviction({ pod: makePod('Running'), budgets: [makeBudget(status)], now });
      if (decision.kind !== 'refused') throw new Error('was allowed');
      expect(decision.error.status).to.deep.include({ code: 429, reason: 'TooManyRequests' });
      expect(decision.error.status.details).to.deep.equal({
        causes: [{ reason: 'DisruptionBudget', message }],
      });
    }
  });
  it('takes one from the budget and notes the pod', () => {
    const budget = makeBudget({ disruptionsAllowed: 2 });
    const decision = decideEviction({ pod: makePod('Running'), budgets: [budget], now });
    if (decision.kind !== 'allowed') throw new Error('was refused');
    expect(decision.budget?.status).to.deep.include({ disruptionsAllowed: 1, disruptedPods: { p: now } });
    expect(budget.status.disruptionsAllowed).to.equal(2);
  });
  it('lets ended pods go', () => {
    const decision = decideEviction({ pod: makePod('Succeeded'), budgets: [makeBudget({})], now });
    expect(decision).to.deep.equal({ kind: 'allowed' });
  });
  it('cannot serve two budgets', () => {
    const budgets = [makeBudget({}), makeBudget({})];
    const decision = decideEviction({ pod: makePod('Running'), budgets, now });
    expect(decision.kind === 'refused' && decision.error.code).to.equal(500);
  });
});
