import { expect } from 'chai';
import type { Scale } from '../../../../src/apis/types/autoscaling-v1.ts';
import type { HorizontalPodAutoscaler, MetricSpec } from '../../../../src/apis/types/autoscaling-v2beta2.ts';
import type { Pod } from '../../../../src/apis/types/core-v1.ts';
import {
  type AutoscalerPlan,
  afterRescale,
  decideAutoscaler,
  needsMetrics,
  statusWithoutScale,
} from '../../../../src/controllers/pod-autoscaler/decide.ts';
import type { Reading } from '../../../../src/controllers/pod-autoscaler/readings.ts';

const nowMs = Date.parse('2026-01-01T01:00:00Z');
const now = '2026-01-01T01:00:00Z';
const settings = {
  horizontalPodAutoscalerDownscaleStabilizationMs: 300_000,
  horizontalPodAutoscalerTolerance: 0.1,
  horizontalPodAutoscalerCpuInitializationPeriodMs: 300_000,
  horizontalPodAutoscalerInitialReadinessDelayMs: 30_000,
};
const none = { recommendations: [], added: [], removed: [] };
const queue = (selector?: object): MetricSpec => ({
  type: 'External',
  external: {
    metric: { name: 'queue', ...(selector && { selector }) },
    target: { type: 'AverageValue', averageValue: '10' },
  },
});
const hits: MetricSpec = {
  type: 'Object',
  object: {
    describedObject: { apiVersion: 'v1', kind: 'Service', name: 'web' },
    metric: { name: 'hits' },
    target: { type: 'Value', value: '100' },
  },
};
const cpu: MetricSpec = {
  type: 'Resource',
  resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 50 } },
};
const packets: MetricSpec = {
  type: 'Pods',
  pods: { metric: { name: 'packets' }, target: { type: 'AverageValue', averageValue: '1k' } },
};
const sidecar: MetricSpec = {
  type: 'ContainerResource',
  containerResource: {
    name: 'cpu',
    container: 'app',
    target: { type: 'AverageValue', averageValue: '100m' },
  },
};
const total = (value: number): Reading => ({ kind: 'total', milli: BigInt(value * 1000) });
const down: Reading = { kind: 'failed', message: 'down' };

const autoscaler = (metrics: MetricSpec[], status: object = {}, spec: object = {}) =>
  ({
    metadata: { name: 'h', namespace: 'n' },
    spec: { minReplicas: 1, maxReplicas: 10, metrics, ...spec },
    status: { currentReplicas: 0, desiredReplicas: 0, currentMetrics: null, conditions: null, ...status },
  }) as unknown as HorizontalPodAutoscaler;
const scale = (replicas: number, selector = 'app=web') =>
  ({ metadata: { name: 'web' }, spec: { replicas }, status: { replicas, selector } }) as Scale;
const pod = {
  metadata: { name: 'p' },
  spec: { containers: [{ name: 'app', resources: { requests: { cpu: '1' } } }] },
  status: {
    phase: 'Running',
    startTime: '2026-01-01T00:00:00Z',
    conditions: [{ type: 'Ready', status: 'True' }],
  },
} as unknown as Pod;

const decide = (of: HorizontalPodAutoscaler, current: Scale, readings: Reading[], more: object = {}) =>
  decideAutoscaler({
    ...{ autoscaler: of, scale: current, pods: [pod], readings, history: none, settings, nowMs },
    ...more,
  });
const conditionsOf = ({ status }: AutoscalerPlan): string[] =>
  (status.conditions ?? []).map(({ type, status: is, reason }) => `${type}=${is} ${reason}`);

describe('an autoscaler', () => {
  it('gives its target as many replicas as the metric that calls for most', () => {
    const of = autoscaler([queue(), hits]);
    const plan = decide(of, scale(2), [total(35), total(90)]);
    expect(plan.rescale).to.deep.equal({ replicas: 4, reason: 'external metric queue(nil) above target' });
    expect(conditionsOf(plan)).to.deep.equal([
      'AbleToScale=True ReadyForNewScale',
      'ScalingActive=True ValidMetricFound',
      'ScalingLimited=False DesiredWithinRange',
    ]);
    expect(plan.status.currentMetrics).to.deep.equal([
      { type: 'External', external: { metric: { name: 'queue' }, current: { averageValue: '17500m' } } },
      {
        type: 'Object',
        object: {
          metric: { name: 'hits' },
          current: { value: '90' },
          describedObject: { apiVersion: 'v1', kind: 'Service', name: 'web' },
        },
      },
    ]);
    expect(plan.history.recommendations).to.deep.equal([{ replicas: 4, atMs: nowMs }]);
  });

  const bounds: [string, number, object, object | undefined, string[]][] = [
    [
      'has too many replicas',
      11,
      {},
      { replicas: 10, reason: 'Current number of replicas above Spec.MaxReplicas' },
      [],
    ],
    [
      'has too few',
      1,
      { minReplicas: 3 },
      { replicas: 3, reason: 'Current number of replicas below Spec.MinReplicas' },
      [],
    ],
    ['has none: then it is switched off', 0, {}, undefined, ['ScalingActive=False ScalingDisabled']],
  ];
  for (const [what, current, spec, rescale, conditions] of bounds) {
    it(`does not look at metrics while its target ${what}`, () => {
      const of = autoscaler([queue()], {}, spec);
      expect(needsMetrics(of, scale(current))).to.equal(false);
      const plan = decide(of, scale(current), []);
      expect(plan.rescale).to.deep.equal(rescale);
      expect(conditionsOf(plan)).to.deep.equal(['AbleToScale=True SucceededGetScale', ...conditions]);
    });
  }

  it('may wake a target of none when it may have none', () => {
    const of = autoscaler([queue()], {}, { minReplicas: 0 });
    expect(needsMetrics(of, scale(0))).to.equal(true);
    expect(decide(of, scale(0), [total(25)]).rescale?.replicas).to.equal(3);
  });

  it('goes on with the metrics that it has, and tells of the others', () => {
    const plan = decide(autoscaler([hits, queue()]), scale(2), [down, total(35)]);
    expect(plan.rescale?.replicas).to.equal(4);
    expect(plan.events).to.deep.equal([
      {
        type: 'Warning',
        reason: 'FailedGetObjectMetric',
        message: 'unable to get metric hits: Service on n web/down',
      },
    ]);
    expect(plan.status.currentMetrics?.map(({ type }) => type)).to.deep.equal(['', 'External']);
  });

  const selector = {
    matchLabels: { b: '2', a: '1' },
    matchExpressions: [{ key: 'k', operator: 'In', values: ['x', 'y'] }],
  };
  const shown =
    '&LabelSelector{MatchLabels:map[string]string{a: 1,b: 2,},MatchExpressions:[]LabelSelectorRequirement{LabelSelectorRequirement{Key:k,Operator:In,Values:[x y],},},}';
  const failures: [string, MetricSpec, Reading, string, string, string][] = [
    [
      'a resource',
      cpu,
      { kind: 'failed', message: 'down' },
      'FailedGetResourceMetric',
      'failed to get cpu utilization: unable to get metrics for resource cpu: down',
      'failed to get cpu utilization: unable to get metrics for resource cpu: down',
    ],
    [
      'a container',
      sidecar,
      down,
      'FailedGetContainerResourceMetric',
      'failed to get cpu utilization: unable to get metrics for resource cpu: down',
      'failed to get app container metric value: failed to get cpu utilization: unable to get metrics for resource cpu: down',
    ],
    [
      'pods',
      packets,
      down,
      'FailedGetPodsMetric',
      'unable to get metric packets: down',
      'failed to get pods metric value: unable to get metric packets: down',
    ],
    [
      'an object',
      hits,
      down,
      'FailedGetObjectMetric',
      'unable to get metric hits: Service on n web/down',
      'failed to get object metric value: unable to get metric hits: Service on n web/down',
    ],
    [
      'something else',
      queue(selector),
      down,
      'FailedGetExternalMetric',
      `unable to get external metric n/queue/${shown}: down`,
      `failed to get queue external metric: unable to get external metric n/queue/${shown}: down`,
    ],
    [
      'pods of which none was measured',
      packets,
      { kind: 'pods', samples: new Map() },
      'FailedGetPodsMetric',
      'did not receive metrics for any ready pods',
      'failed to get pods metric value: did not receive metrics for any ready pods',
    ],
  ];
  for (const [what, spec, reading, reason, cause, error] of failures) {
    it(`tells why it does nothing without the metric of ${what}`, () => {
      const before = { desiredReplicas: 2, currentMetrics: [{ type: 'External' }] };
      const plan = decide(autoscaler([spec], before), scale(2), [reading]);
      expect(plan.rescale).to.equal(undefined);
      expect(plan.events.map((event) => [event.reason, event.message])).to.deep.equal([
        [reason, cause],
        ['FailedComputeMetricsReplicas', `invalid metrics (1 invalid out of 1), first error is: ${error}`],
      ]);
      const condition = plan.status.conditions?.find(({ type }) => type === 'ScalingActive');
      expect([condition?.reason, condition?.message]).to.deep.equal([
        reason,
        `the HPA was unable to compute the replica count: ${cause}`,
      ]);
      expect(plan.status).to.deep.include(before);
    });
  }

  it('needs a selector that it understands', () => {
    for (const [text, reason] of [
      ['', 'SelectorRequired'],
      ['a==b==c', 'InvalidSelector'],
    ] as const) {
      const plan = decide(autoscaler([queue()]), scale(2, text), []);
      expect(plan.events.map((event) => event.reason)).to.deep.equal([
        reason,
        'FailedComputeMetricsReplicas',
      ]);
      expect(conditionsOf(plan)).to.include('ScalingActive=False InvalidSelector');
    }
  });

  it('changes nothing a second time', () => {
    const of = autoscaler([queue()]);
    const plan = decide(of, scale(3), [total(31)]);
    expect(plan.rescale).to.equal(undefined);
    const { status, history } = plan;
    const again = decide({ ...of, status }, scale(3), [total(31)], { history, nowMs: nowMs + 15_000 });
    expect(again.status).to.deep.equal(status);
  });
});

describe('the status of an autoscaler', () => {
  const of = autoscaler([queue()], { desiredReplicas: 2, currentMetrics: [] });
  const plan = decide(of, scale(2), [total(35)]);

  it('tells of a target that got its size', () => {
    const after = afterRescale(plan, of, { from: 2, nowMs, error: undefined });
    expect(after.status).to.include({ currentReplicas: 2, desiredReplicas: 4, lastScaleTime: now });
    expect(after.events.at(-1)).to.deep.equal({
      type: 'Normal',
      reason: 'SuccessfulRescale',
      message: 'New size: 4; reason: external metric queue(nil) above target',
    });
    expect(after.status.conditions?.[0]?.message).to.equal(
      'the HPA controller was able to update the target scale to 4',
    );
  });

  it('tells of one that did not, and keeps what was decided before', () => {
    const after = afterRescale(plan, of, { from: 2, nowMs, error: 'no' });
    expect(after.status).to.deep.include({ currentReplicas: 2, desiredReplicas: 2, currentMetrics: [] });
    expect(after.status).to.not.have.property('lastScaleTime');
    expect(after.events.at(-1)?.message).to.equal(
      'New size: 4; reason: external metric queue(nil) above target; error: no',
    );
    expect(conditionsOf(after)[0]).to.equal('AbleToScale=False FailedUpdateScale');
  });

  it('tells of one that is not there, and when that began', () => {
    const first = statusWithoutScale(of, 'gone', nowMs);
    const second = statusWithoutScale({ ...of, status: first }, 'gone', nowMs + 15_000);
    expect(first.conditions).to.deep.equal([
      {
        ...{ type: 'AbleToScale', status: 'False', lastTransitionTime: now, reason: 'FailedGetScale' },
        message: "the HPA controller was unable to get the target's current scale: gone",
      },
    ]);
    expect(second).to.deep.equal(first);
  });
});
