import { expect } from 'chai';
import fc from 'fast-check';
import type { Scale } from '../../../../src/apis/types/autoscaling-v1.ts';
import type { HorizontalPodAutoscaler } from '../../../../src/apis/types/autoscaling-v2beta2.ts';
import {
  type AutoscalerPlan,
  afterRescale,
  decideAutoscaler,
} from '../../../../src/controllers/pod-autoscaler/decide.ts';
import { controllerSettings } from '../../../support/controller-settings.ts';

const perPod = 10;
const scaleOf = (replicas: number) =>
  ({ metadata: { name: 'web' }, spec: { replicas }, status: { replicas, selector: 'app=web' } }) as Scale;

/** An autoscaler that may make its target so large, for a metric of which each pod is to have ten. */
const autoscalerOf = (minReplicas: number, maxReplicas: number, behavior: object | undefined) =>
  ({
    metadata: { name: 'h', namespace: 'n' },
    spec: {
      ...{ minReplicas, maxReplicas, ...(behavior && { behavior }) },
      metrics: [
        {
          type: 'External',
          external: {
            metric: { name: 'queue' },
            target: { type: 'AverageValue', averageValue: String(perPod) },
          },
        },
      ],
    },
    status: { currentReplicas: 0, desiredReplicas: 0, currentMetrics: null, conditions: null },
  }) as unknown as HorizontalPodAutoscaler;

const anyRules = (stabilizationWindowSeconds: fc.Arbitrary<number>) =>
  fc.record({
    stabilizationWindowSeconds,
    selectPolicy: fc.constantFrom('Max', 'Min'),
    policies: fc.array(
      fc.record({
        type: fc.constantFrom('Pods', 'Percent'),
        value: fc.integer({ min: 1, max: 100 }),
        periodSeconds: fc.constantFrom(15, 60),
      }),
      { minLength: 1, maxLength: 2 },
    ),
  });
const anyBehavior = fc.option(
  fc.record({ scaleUp: anyRules(fc.constantFrom(0, 30)), scaleDown: anyRules(fc.constantFrom(0, 300)) }),
  { nil: undefined },
);

describe('an autoscaler in any state', () => {
  it('stays within its bounds, and comes to the size that a steady load calls for', () => {
    const bounds = fc.tuple(fc.integer({ min: 1, max: 5 }), fc.nat(20));
    fc.assert(
      fc.property(
        bounds,
        fc.integer({ min: 1, max: 30 }),
        fc.nat(300),
        anyBehavior,
        (of, from, load, behavior) => {
          const [min, more] = of;
          const max = min + more;
          let autoscaler = autoscalerOf(min, max, behavior);
          let nowMs = Date.UTC(2026, 0, 1);
          let replicas = from;
          let history: AutoscalerPlan['history'] = { recommendations: [], added: [], removed: [] };
          let unchanged = 0;
          for (let round = 0; round < 400 && unchanged < 30; round++) {
            nowMs += 15_000;
            const plan = decideAutoscaler({
              ...{
                autoscaler,
                scale: scaleOf(replicas),
                pods: [],
                history,
                settings: controllerSettings,
                nowMs,
              },
              readings: [{ kind: 'total', milli: BigInt(load * 1000) }],
            });
            ({ history } = plan);
            autoscaler = { ...autoscaler, status: plan.status };
            unchanged++;
            if (plan.rescale === undefined) continue;
            const { replicas: next } = plan.rescale;
            expect(next, 'is another size').to.not.equal(replicas);
            expect(next, 'is a size that it may have').to.be.within(min, max);
            ({ history } = afterRescale(plan, autoscaler, { from: replicas, nowMs, error: undefined }));
            replicas = next;
            unchanged = 0;
          }
          expect(unchanged, 'comes to rest').to.equal(30);
          expect(replicas).to.be.within(min, max);
          const wanted = Math.min(max, Math.max(min, Math.ceil(load / perPod)));
          // What is near enough stays: a tenth of the size.
          expect(Math.abs(replicas - wanted)).to.be.most(Math.ceil(0.1 * Math.max(replicas, wanted)));
        },
      ),
      { numRuns: 150 },
    );
  });
});
