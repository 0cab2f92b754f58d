import { expect } from 'chai';
import fc from 'fast-check';
import type { Node } from '../../../../src/apis/types/core-v1.ts';
import type { Cluster } from '../../../../src/scheduler/cluster.ts';
import type { PodFilter } from '../../../../src/scheduler/filters/filter.ts';
import { placeOf, podAffinityFilter } from '../../../../src/scheduler/filters/inter-pod-affinity.ts';
import type { NodeInfo } from '../../../../src/scheduler/node-info.ts';
import type { PodInfo } from '../../../../src/scheduler/pod-info.ts';
import { clusterOf, nodeOf, outcome, type PodParts, podOf } from '../fixtures.ts';

const x = { app: 'x' };
const y = { app: 'y' };
const term = (topologyKey: string, matchLabels: object, namespaces?: readonly string[]) => ({
  topologyKey,
  labelSelector: { matchLabels },
  ...(namespaces && { namespaces }),
});
type Term = ReturnType<typeof term>;

/** What a pod requires: to be near some pods, and far from others. */
const wanting = (
  wants: { near?: readonly Term[]; far?: readonly Term[] },
  labels: PodParts['labels'] = {},
) => ({
  labels,
  spec: {
    containers: [],
    affinity: {
      podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: wants.near ?? [] },
      podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: wants.far ?? [] },
    },
  },
});
const zoned = (name: string, zone: string): Node => nodeOf(name, { labels: { zone } });
const three = [zoned('n1', 'a'), zoned('n2', 'a'), zoned('n3', 'b')];

const notNear = "node(s) didn't match pod affinity rules";
const notFar = "node(s) didn't match pod anti-affinity rules";
const notLet = "node(s) didn't satisfy existing pods anti-affinity rules";

function filterOf(pod: PodInfo, cluster: Cluster): PodFilter | undefined {
  return podAffinityFilter(pod, cluster) as PodFilter | undefined; // it refuses no pod as a whole
}

/** The last reason of each node by name; `fits` where the pod can be. */
function verdicts(pod: PodInfo, cluster: Cluster, filter = filterOf(pod, cluster)): Record<string, string> {
  const told = (node: NodeInfo): string => filter?.check(node)?.reasons.at(-1) ?? 'fits';
  return Object.fromEntries(cluster.nodes().map((node) => [node.name, told(node)]));
}

type Pods = Readonly<Record<string, readonly PodParts[]>>;
let lastPod = 0;
const clusterWith = (nodes: readonly Node[], pods: Pods): Cluster =>
  clusterOf(
    nodes,
    Object.fromEntries(
      Object.entries(pods).map(([node, list]) => [node, list.map((parts) => podOf(`o${++lastPod}`, parts))]),
    ),
  );
const nodeNamed = (cluster: Cluster, name: string): NodeInfo => {
  const node = cluster.node(name);
  if (node === undefined) throw new Error(`no node ${name}`);
  return node;
};

describe('podAffinityFilter', () => {
  const cases: readonly [string, PodParts, Pods, Record<string, string>][] = [
    [
      'near: the whole place of a pod will do',
      wanting({ near: [term('zone', x)] }),
      { n1: [{ labels: x }] },
      { n1: 'fits', n2: 'fits', n3: notNear },
    ],
    [
      'near: only pods of its own namespace count',
      wanting({ near: [term('zone', x)] }),
      { n1: [{ labels: x, namespace: 'other' }] },
      { n1: notNear, n2: notNear, n3: notNear },
    ],
    [
      'near: pods of the namespaces that are named count',
      wanting({ near: [term('zone', x, ['other'])] }),
      { n1: [{ labels: x, namespace: 'other' }], n3: [{ labels: x }] },
      { n1: 'fits', n2: 'fits', n3: notNear },
    ],
    [
      'near: the same pod must fit all terms',
      wanting({ near: [term('zone', x), term('zone', { tier: '1' })] }),
      { n1: [{ labels: x }, { labels: { tier: '1' } }], n3: [{ labels: { ...x, tier: '1' } }] },
      { n1: notNear, n2: notNear, n3: 'fits' },
    ],
    [
      'near: each term in its own topology',
      wanting({ near: [term('zone', x), term('orch.io/hostname', x)] }),
      { n1: [{ labels: x }] },
      { n1: 'fits', n2: notNear, n3: notNear },
    ],
    [
      'near: the first of its like may begin anywhere',
      wanting({ near: [term('zone', x)] }, x),
      {},
      { n1: 'fits', n2: 'fits', n3: 'fits' },
    ],
    [
      'near: but not when one of its like is there already',
      wanting({ near: [term('zone', x)] }, x),
      { n3: [{ labels: x }] },
      { n1: notNear, n2: notNear, n3: 'fits' },
    ],
    [
      'near: nor where the node is in no such place',
      wanting({ near: [term('rack', x)] }, x),
      {},
      { n1: notNear, n2: notNear, n3: notNear },
    ],
    [
      'far: the whole place of a pod is closed',
      wanting({ far: [term('zone', x)] }),
      { n1: [{ labels: x }] },
      { n1: notFar, n2: notFar, n3: 'fits' },
    ],
    [
      'far: any term closes a place',
      wanting({ far: [term('zone', x), term('orch.io/hostname', y)] }),
      { n1: [{ labels: y }], n3: [{ labels: x }] },
      { n1: notFar, n2: 'fits', n3: notFar },
    ],
    [
      'far: a topology that no node is in closes nothing',
      wanting({ far: [term('rack', x)] }),
      { n1: [{ labels: x }] },
      { n1: 'fits', n2: 'fits', n3: 'fits' },
    ],
    [
      'far: its own labels do not count',
      wanting({ far: [term('zone', x)] }, x),
      {},
      { n1: 'fits', n2: 'fits', n3: 'fits' },
    ],
    [
      'others: one that wants to be far from it closes its place',
      { labels: x },
      { n1: [wanting({ far: [term('zone', x)] })] },
      { n1: notLet, n2: notLet, n3: 'fits' },
    ],
    [
      'others: one of another namespace does not, unless it names the namespace',
      { labels: x },
      {
        n1: [{ ...wanting({ far: [term('zone', x)] }), namespace: 'other' }],
        n3: [{ ...wanting({ far: [term('zone', x, ['default'])] }), namespace: 'other' }],
      },
      { n1: 'fits', n2: 'fits', n3: notLet },
    ],
    [
      'others: one that is far from all is far from pods without labels',
      {},
      { n3: [wanting({ far: [term('zone', {})] })] },
      { n1: 'fits', n2: 'fits', n3: notLet },
    ],
  ];
  for (const [title, pod, pods, expected] of cases) {
    it(title, () => expect(verdicts(podOf('p', pod), clusterWith(three, pods))).to.deep.equal(expected));
  }

  it('says what could be mended by the end of other pods', () => {
    const isFinal = (pod: PodParts, pods: Pods): unknown => {
      const cluster = clusterWith(three, pods);
      return filterOf(podOf('p', pod), cluster)?.check(nodeNamed(cluster, 'n1'))?.isUnresolvable;
    };
    expect(isFinal(wanting({ near: [term('zone', x)] }), {})).to.equal(true);
    expect(isFinal(wanting({ far: [term('zone', x)] }), { n1: [{ labels: x }] })).to.equal(false);
    expect(isFinal({ labels: x }, { n1: [wanting({ far: [term('zone', x)] })] })).to.equal(false);
  });

  it('has no say where nobody requires anything', () => {
    expect(filterOf(podOf('p', { labels: x }), clusterWith(three, { n1: [{ labels: x }] }))).to.equal(
      undefined,
    );
    const elsewhere = { n1: [wanting({ far: [term('zone', y)] })] };
    expect(filterOf(podOf('p', { labels: x }), clusterWith(three, elsewhere))).to.equal(undefined);
  });

  it('keeps a pod away from where room was made for one that wants to be far from it', () => {
    const cluster = clusterWith([zoned('n1', 'a')], {});
    const awaited = podOf('w', { priority: 5, ...wanting({ far: [term('zone', x)] }) });
    cluster.nominate(awaited, 'n1');
    const pod = (priority: number) => podOf('p', { priority, labels: x });
    expect(outcome(pod(5), cluster)).to.contain(notLet);
    expect(outcome(pod(6), cluster)).to.equal('n1');
    expect(outcome(podOf('q', { priority: 5, labels: y }), cluster)).to.equal('n1');
  });

  it('says the same after pods have come and gone as for a cluster where they have', () => {
    const selected = fc.constantFrom(term('zone', x), term('orch.io/hostname', y), term('rack', x));
    const wants = fc.record({
      near: fc.array(selected, { maxLength: 2 }),
      far: fc.array(selected, { maxLength: 2 }),
    });
    const anyPod = fc
      .tuple(wants, fc.constantFrom(x, y, {}), fc.constantFrom('default', 'other'))
      .map(([wanted, labels, namespace]): PodParts => ({ ...wanting(wanted, labels), namespace }));
    const moves = fc.array(fc.tuple(fc.constantFrom('n1', 'n2', 'n3'), anyPod), { maxLength: 5 });
    const group = (list: readonly (readonly [string, PodParts])[]): Pods =>
      Object.fromEntries(
        [...Map.groupBy(list, ([node]) => node)].map(([node, of]) => [node, of.map(([, parts]) => parts)]),
      );
    fc.assert(
      fc.property(anyPod, moves, moves, (parts, before, added) => {
        const pod = podOf('p', parts);
        const cluster = clusterWith(three, group(before));
        const filter = filterOf(pod, cluster);
        if (filter === undefined) return;
        const first = verdicts(pod, cluster, filter);
        const copy = filter.clone?.();
        const come = added.map(([node, of]) => ({
          node: nodeNamed(cluster, node),
          info: podOf(`n${++lastPod}`, of),
        }));
        for (const { node, info } of come) copy?.add?.(info, node);
        const fresh = clusterWith(three, group([...before, ...added]));
        expect(verdicts(pod, cluster, copy)).to.deep.equal(verdicts(pod, fresh));
        expect(verdicts(pod, cluster, filter)).to.deep.equal(first);
        for (const { node, info } of come) copy?.remove?.(info, node);
        expect(verdicts(pod, cluster, copy)).to.deep.equal(first);
      }),
      { numRuns: 60 },
    );
  });
});

describe('placeOf', () => {
  const [node] = clusterOf([nodeOf('n', { labels: { zone: 'a', empty: '' } })]).nodes();

  it('is the label with its value, also an empty one', () => {
    const place = (topologyKey: string) => node && placeOf({ topologyKey }, node);
    expect([place('zone'), place('empty'), place('rack')]).to.deep.equal(['zone=a', 'empty=', undefined]);
  });

  it('is none for what objects inherit', () => {
    expect(node && placeOf({ topologyKey: 'constructor' }, node)).to.equal(undefined);
  });
});
