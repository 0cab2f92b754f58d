import { expect } from 'chai';
import type { MetricSpec, MetricTarget } from '../../../../src/apis/types/autoscaling-v2beta2.ts';
import type { Pod } from '../../../../src/apis/types/core-v1.ts';
import type { LabelSelector } from '../../../../src/apis/types/meta-v1.ts';
import {
  formatSelector,
  type Proposal,
  type ProposalContext,
  propose,
} from '../../../../src/controllers/pod-autoscaler/proposals.ts';
import type { Reading } from '../../../../src/controllers/pod-autoscaler/readings.ts';

const nowMs = Date.UTC(2030, 0, 1);
/** Pods that run and are ready, each with a request of 100m CPU. */
const podsOf = (...names: string[]): Pod[] =>
  names.map(
    (name) =>
      ({
        metadata: { name, namespace: 'ns' },
        spec: { containers: [{ name: 'app', resources: { requests: { cpu: '100m' } } }] },
        status: {
          phase: 'Running',
          startTime: '2029-01-01T00:00:00Z',
          conditions: [{ type: 'Ready', status: 'True', lastTransitionTime: '2029-01-01T00:01:00Z' }],
        },
      }) as unknown as Pod, // what of a pod is looked at
  );
const context: ProposalContext = {
  namespace: 'ns',
  current: 2,
  observed: 2,
  pods: podsOf('a', 'b'),
  tolerance: 0.1,
  cpuInitializationPeriodMs: 300_000,
  initialReadinessDelayMs: 30_000,
  nowMs,
};
const used = (milli: Readonly<Record<string, number>>): Reading => ({
  kind: 'pods',
  samples: new Map(
    Object.entries(milli).map(([name, each]) => [
      name,
      { milli: BigInt(each), atMs: nowMs, windowMs: 60_000 },
    ]),
  ),
});
const total = (milli: number): Reading => ({ kind: 'total', milli: BigInt(milli) });
const down: Reading = { kind: 'failed', message: 'no answer' };

const resource = (target: object): MetricSpec => ({
  type: 'Resource',
  resource: { name: 'cpu', target: { type: 'Utilization', ...target } },
});
const container = (target: object): MetricSpec => ({
  type: 'ContainerResource',
  containerResource: { name: 'cpu', container: 'app', target: { type: 'Utilization', ...target } },
});
const perPod: MetricSpec = {
  type: 'Pods',
  pods: { metric: { name: 'packets' }, target: { type: 'AverageValue', averageValue: '1k' } },
};
const describedObject = { apiVersion: 'v1', kind: 'Service', name: 'web' };
const object = (target: MetricTarget): MetricSpec => ({
  type: 'Object',
  object: { describedObject, metric: { name: 'hits' }, target },
});
const hits = object({ type: 'Value', value: '100' });
const sharedHits = object({ type: 'AverageValue', averageValue: '100' });
const selector: LabelSelector = { matchLabels: { queue: 'jobs' } };
const shownSelector =
  '&LabelSelector{MatchLabels:map[string]string{queue: jobs,},MatchExpressions:[]LabelSelectorRequirement{},}';
const external = (target: { value?: string; averageValue?: string }, of?: LabelSelector): MetricSpec => ({
  type: 'External',
  external: {
    metric: { name: 'length', ...(of && { selector: of }) },
    target: { type: target.value === undefined ? 'AverageValue' : 'Value', ...target },
  },
});

describe('propose', () => {
  const proposals: readonly [string, MetricSpec, Reading, number, string, object][] = [
    [
      'the use of a resource, in percent of what pods request',
      resource({ averageUtilization: 50 }),
      used({ a: 100, b: 100 }),
      4,
      'cpu resource utilization (percentage of request)',
      { resource: { name: 'cpu', current: { averageUtilization: 100, averageValue: '100m' } } },
    ],
    [
      'the use of a resource, as an amount',
      resource({ averageValue: '50m' }),
      used({ a: 100, b: 50 }),
      3,
      'cpu resource',
      { resource: { name: 'cpu', current: { averageValue: '75m' } } },
    ],
    [
      'an amount rather than percent where both are given',
      resource({ averageValue: '100m', averageUtilization: 1 }),
      used({ a: 100, b: 100 }),
      2,
      'cpu resource',
      { resource: { name: 'cpu', current: { averageValue: '100m' } } },
    ],
    [
      'the use of a container',
      container({ averageUtilization: 25 }),
      used({ a: 50, b: 50 }),
      4,
      'cpu resource utilization (percentage of request)',
      {
        containerResource: {
          name: 'cpu',
          container: 'app',
          current: { averageUtilization: 50, averageValue: '50m' },
        },
      },
    ],
    [
      'a metric of pods',
      perPod,
      used({ a: 3_000_000, b: 1_000_000 }),
      4,
      'pods metric packets',
      { pods: { metric: { name: 'packets' }, current: { averageValue: '2k' } } },
    ],
    [
      'a metric of an object',
      hits,
      total(200_000),
      4,
      'Service metric hits',
      { object: { metric: { name: 'hits' }, describedObject, current: { value: '200' } } },
    ],
    [
      'a metric of an object that replicas share, whose status names no object',
      sharedHits,
      total(500_000),
      5,
      'external metric hits(nil)',
      {
        object: {
          metric: { name: 'hits' },
          describedObject: { kind: '', name: '' },
          current: { averageValue: '250' },
        },
      },
    ],
    [
      'an external metric',
      external({ value: '10' }, selector),
      total(20_000),
      4,
      `external metric length(${shownSelector})`,
      { external: { metric: { name: 'length', selector }, current: { value: '20' } } },
    ],
    [
      'an external metric that replicas share',
      external({ averageValue: '10' }),
      total(70_500),
      8,
      'external metric length(nil)',
      { external: { metric: { name: 'length' }, current: { averageValue: '35250m' } } },
    ],
  ];
  for (const [title, spec, reading, replicas, metric, status] of proposals) {
    it(`counts by ${title}`, () => {
      const expected: Proposal = {
        kind: 'replicas',
        replicas,
        metric,
        status: { type: spec.type, ...status },
      };
      expect(propose(spec, reading, context)).to.deep.equal(expected);
    });
  }

  const hitsCause = 'unable to get metric hits: Service on ns web/no answer';
  const length = (of: string) => `unable to get external metric ns/length/${of}: no answer`;
  const invalid = 'invalid resource metric source: neither a utilization target nor a value target was set';
  const failures: readonly [string, MetricSpec, Reading, string, string, string?][] = [
    [
      'the use of a resource',
      resource({ averageUtilization: 50 }),
      down,
      'FailedGetResourceMetric',
      'failed to get cpu utilization: unable to get metrics for resource cpu: no answer',
    ],
    [
      'an amount of a resource',
      resource({ averageValue: '1' }),
      down,
      'FailedGetResourceMetric',
      'failed to get cpu utilization: unable to get metrics for resource cpu: no answer',
    ],
    [
      'a resource of pods of which none was measured',
      resource({ averageUtilization: 50 }),
      used({}),
      'FailedGetResourceMetric',
      'failed to get cpu utilization: did not receive metrics for any ready pods',
    ],
    ['a resource without a target', resource({}), used({}), 'FailedGetResourceMetric', invalid],
    [
      'the use of a container',
      container({ averageUtilization: 50 }),
      down,
      'FailedGetContainerResourceMetric',
      'failed to get cpu utilization: unable to get metrics for resource cpu: no answer',
      'failed to get app container metric value: failed to get cpu utilization: unable to get metrics for resource cpu: no answer',
    ],
    [
      'a metric of pods',
      perPod,
      down,
      'FailedGetPodsMetric',
      'unable to get metric packets: no answer',
      'failed to get pods metric value: unable to get metric packets: no answer',
    ],
    [
      'a metric of an object',
      hits,
      down,
      'FailedGetObjectMetric',
      hitsCause,
      `failed to get object metric value: ${hitsCause}`,
    ],
    [
      'a metric of an object that replicas share',
      sharedHits,
      down,
      'FailedGetObjectMetric',
      hitsCause,
      `failed to get object metric value: failed to get hits object metric: ${hitsCause}`,
    ],
    [
      'an external metric',
      external({ value: '10' }, selector),
      down,
      'FailedGetExternalMetric',
      length(shownSelector),
      `failed to get external metric length: ${length(shownSelector)}`,
    ],
    [
      'an external metric that replicas share',
      external({ averageValue: '10' }),
      down,
      'FailedGetExternalMetric',
      length('nil'),
      `failed to get length external metric: ${length('nil')}`,
    ],
  ];
  for (const [title, spec, reading, reason, cause, error = cause] of failures) {
    it(`says why nothing is known of ${title}`, () => {
      expect(propose(spec, reading, context)).to.deep.equal({ kind: 'failed', reason, cause, error });
    });
  }

  it('names a type that nobody knows', () => {
    const cause = 'unknown metric source type "Moon"';
    expect(propose({ type: 'Moon' }, down, context)).to.deep.equal({
      kind: 'failed',
      reason: 'InvalidMetricSourceType',
      cause,
      error: cause,
    });
  });

  it('tells of types without their part instead of breaking', () => {
    for (const type of ['Resource', 'ContainerResource', 'Pods', 'Object', 'External'])
      expect(propose({ type }, down, context)).to.include({
        kind: 'failed',
        reason: 'InvalidMetricSourceType',
      });
  });

  it('tells of readings of another kind than the metric has', () => {
    for (const [spec, reading] of [
      [perPod, total(1)],
      [resource({ averageValue: '1' }), total(1)],
      [hits, used({ a: 1 })],
      [external({ value: '1' }), used({ a: 1 })],
    ] as const)
      expect(propose(spec, reading, context).kind).to.equal('failed');
  });
});

describe('formatSelector', () => {
  const empty =
    '&LabelSelector{MatchLabels:map[string]string{},MatchExpressions:[]LabelSelectorRequirement{},}';
  const cases: readonly [string, LabelSelector | undefined, string][] = [
    ['none', undefined, 'nil'],
    ['an empty one', {}, empty],
    [
      'labels in the order of their keys',
      { matchLabels: { b: '2', a: '1', B: '' } },
      empty.replace('string{}', 'string{B: ,a: 1,b: 2,}'),
    ],
    [
      'expressions in their order',
      {
        matchExpressions: [
          { key: 'b', operator: 'In', values: ['y', 'x'] },
          { key: 'a', operator: 'Exists' },
        ],
      },
      empty.replace(
        'Requirement{}',
        'Requirement{LabelSelectorRequirement{Key:b,Operator:In,Values:[y x],},LabelSelectorRequirement{Key:a,Operator:Exists,Values:[],},}',
      ),
    ],
  ];
  for (const [title, given, text] of cases)
    it(`prints ${title} as Go does`, () => expect(formatSelector(given)).to.equal(text));
});
