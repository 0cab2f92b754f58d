import { expect } from 'chai';
import { labelSelectorFromObject, labelSelectorFromSet } from '../../../src/machinery/selectors/index.ts';
import type { Cluster } from '../../../src/scheduler/cluster.ts';
import type { PodInfo } from '../../../src/scheduler/pod-info.ts';
import { type Budget, mayPreempt, planPreemption } from '../../../src/scheduler/preempt.ts';
import { clusterOf, nodeOf, place, podOf } from './fixtures.ts';

const cpu = (amount: string, priority: number, more: object = {}) => ({
  priority,
  requests: { cpu: amount },
  ...more,
});
const started = (minute: number) => ({ status: { startTime: `2020-01-01T00:0${minute}:00Z` } });

/** `NODE: VICTIMS`; 'nothing' when nobody has to go. */
function plan(pod: PodInfo, cluster: Cluster, budgets: readonly Budget[] = []): string {
  const placement = place(pod, cluster);
  if (placement.kind === 'placed' || placement.filters === undefined) return 'nothing';
  const { refusals, filters } = placement;
  const preemption = planPreemption(pod, cluster, { refusals, filters, budgets });
  if (preemption === undefined) return 'nothing';
  return `${preemption.node}: ${preemption.victims.map(({ pod: { metadata } }) => metadata.name).join(' ')}`;
}

const budgetFor = (app: string, allowed: number, disrupted: readonly string[] = []): Budget => ({
  namespace: 'default',
  selector: labelSelectorFromSet({ app }),
  allowed,
  disrupted: new Set(disrupted),
});

describe('planPreemption', () => {
  const nodes = ['a', 'b'].map((name) => nodeOf(name));
  const high = podOf('p', cpu('4', 10));

  interface Case {
    readonly what: string;
    readonly pods: Readonly<Record<string, readonly PodInfo[]>>;
    readonly budgets?: readonly Budget[];
    readonly pod?: PodInfo;
    readonly expected: string;
  }
  const both = (...pods: PodInfo[]) => ({ a: pods, b: [podOf('full', cpu('4', 10))] });
  const cases: readonly Case[] = [
    {
      what: 'ends what is in the way',
      pods: both(podOf('x', cpu('2', 0)), podOf('y', cpu('1', 0))),
      expected: 'a: x y',
    },
    {
      what: 'spares what need not go, the most important first',
      pods: both(podOf('x', cpu('2', 1)), podOf('y', cpu('2', 2))),
      pod: podOf('p', cpu('2', 10)),
      expected: 'a: x',
    },
    {
      what: 'spares what has run longer',
      pods: both(podOf('x', cpu('2', 1, started(5))), podOf('y', cpu('2', 1, started(1)))),
      pod: podOf('p', cpu('2', 10)),
      expected: 'a: x',
    },
    { what: 'ends nobody of the same priority', pods: both(podOf('x', cpu('4', 10))), expected: 'nothing' },
    {
      what: 'ends nobody in vain',
      pods: both(podOf('x', cpu('3', 0)), podOf('y', cpu('1', 10))),
      expected: 'nothing',
    },
    {
      what: 'prefers the node with lower priorities',
      pods: { a: [podOf('x', cpu('4', 5))], b: [podOf('y', cpu('4', 3))] },
      expected: 'b: y',
    },
    {
      what: 'prefers fewer pods',
      pods: { a: [podOf('x', cpu('2', 3)), podOf('z', cpu('2', 3))], b: [podOf('y', cpu('4', 3))] },
      expected: 'b: y',
    },
    {
      what: 'prefers pods that have run less',
      pods: { a: [podOf('x', cpu('4', 3, started(1)))], b: [podOf('y', cpu('4', 3, started(2)))] },
      expected: 'b: y',
    },
    {
      what: 'prefers to keep budgets',
      pods: { a: [podOf('x', cpu('4', 1, { labels: { app: 'x' } }))], b: [podOf('y', cpu('4', 3))] },
      budgets: [budgetFor('x', 0)],
      expected: 'b: y',
    },
    {
      what: 'counts pods for budgets once',
      pods: { a: [podOf('x', cpu('4', 1, { labels: { app: 'x' } }))], b: [podOf('y', cpu('4', 3))] },
      budgets: [budgetFor('x', 0, ['x'])],
      expected: 'a: x',
    },
    {
      what: 'spares those of budgets first',
      pods: both(podOf('x', cpu('2', 1, { labels: { app: 'x' } })), podOf('y', cpu('2', 2))),
      pod: podOf('p', cpu('2', 10)),
      budgets: [budgetFor('x', 0)],
      expected: 'a: y',
    },
    {
      what: 'asks no budget about pods without labels',
      pods: { a: [podOf('x', cpu('4', 1))], b: [podOf('y', cpu('4', 3))] },
      budgets: [
        {
          ...budgetFor('x', 0),
          selector: labelSelectorFromObject({ matchExpressions: [{ key: 'z', operator: 'DoesNotExist' }] }),
        },
      ],
      expected: 'a: x',
    },
    {
      what: 'asks no budget that selects everything',
      pods: { a: [podOf('x', cpu('4', 1, { labels: { app: 'x' } }))], b: [podOf('y', cpu('4', 3))] },
      budgets: [{ ...budgetFor('x', 0), selector: labelSelectorFromObject({}) }],
      expected: 'a: x',
    },
    {
      what: 'ends those of budgets first, and counts the priority of the first',
      pods: {
        a: [podOf('x', cpu('2', 1, { labels: { app: 'x' } })), podOf('y', cpu('2', 5))],
        b: [podOf('z', cpu('4', 3, { labels: { app: 'x' } }))],
      },
      budgets: [budgetFor('x', 0)],
      expected: 'a: x y',
    },
    {
      what: 'breaks budgets when nothing else helps',
      pods: both(podOf('x', cpu('4', 1, { labels: { app: 'x' } }))),
      budgets: [budgetFor('x', 0)],
      expected: 'a: x',
    },
  ];
  for (const { what, pods, pod = high, budgets, expected } of cases) {
    it(what, () => expect(plan(pod, clusterOf(nodes, pods), budgets)).to.equal(expected));
  }

  it('does not look where no pod is in the way', () => {
    const cluster = clusterOf([nodeOf('a', { spec: { unschedulable: true } })], {
      a: [podOf('x', cpu('4', 0))],
    });
    expect(plan(high, cluster)).to.equal('nothing');
  });

  it('ends pods that keep the pod away', () => {
    const podAntiAffinity = {
      requiredDuringSchedulingIgnoredDuringExecution: [
        { topologyKey: 'orch.io/hostname', labelSelector: { matchLabels: { app: 'p' } } },
      ],
    };
    const spec = { containers: [], priority: 0, affinity: { podAntiAffinity } };
    const cluster = clusterOf([nodeOf('a')], { a: [podOf('x', { spec }), podOf('y', cpu('1', 0))] });
    expect(plan(podOf('p', { labels: { app: 'p' }, priority: 1 }), cluster)).to.equal('a: x');
  });

  it('changes nothing', () => {
    const cluster = clusterOf([nodeOf('a')], { a: [podOf('x', cpu('4', 0))] });
    expect(plan(high, cluster)).to.equal(plan(high, cluster));
    expect(cluster.node('a')?.requested.get('cpu')).to.equal(4000);
  });
});

describe('mayPreempt', () => {
  const cluster = (victim: object) =>
    clusterOf([nodeOf('a')], { a: [podOf('x', cpu('4', 0, { metadata: victim }))] });
  const ending = { deletionTimestamp: '2020-01-01T00:00:00Z' };
  const nominated = podOf('p', cpu('4', 10, { status: { nominatedNodeName: 'a' } }));
  const refusals = (isUnresolvable: boolean) => new Map([['a', { reasons: [], isUnresolvable }]]);

  it('is so for most pods', () => {
    expect(mayPreempt(podOf('p', cpu('4', 10)), cluster(ending), refusals(false))).to.equal(true);
  });
  it('is not so for pods that say so', () => {
    const polite = podOf('p', { spec: { containers: [], preemptionPolicy: 'Never' } });
    expect(mayPreempt(polite, cluster({}), refusals(false))).to.equal(false);
  });
  it('is not so while pods end for it', () => {
    expect(mayPreempt(nominated, cluster(ending), refusals(false))).to.equal(false);
    expect(mayPreempt(nominated, cluster({}), refusals(false))).to.equal(true);
  });
  it('is so again when that node will not do any more', () => {
    expect(mayPreempt(nominated, cluster(ending), refusals(true))).to.equal(true);
  });
});
