import { expect } from 'chai';
import fc from 'fast-check';
import type { Node } from '../../../../src/apis/types/core-v1.ts';
import type { PodFilter } from '../../../../src/scheduler/filters/filter.ts';
import {
  compileConstraint,
  hasLabels,
  selectedCounter,
  spreadFilter,
} from '../../../../src/scheduler/filters/topology-spread.ts';
import type { PodInfo } from '../../../../src/scheduler/pod-info.ts';
import { clusterOf, nodeOf, podOf } from '../fixtures.ts';

const labels = { app: 'web' };
const zoned = (name: string, zone: string, parts: object = {}): Node =>
  nodeOf(name, { labels: { zone }, ...parts });
const constraintOf = (parts: object = {}) => ({
  maxSkew: 1,
  topologyKey: 'zone',
  whenUnsatisfiable: 'DoNotSchedule',
  labelSelector: { matchLabels: labels },
  ...parts,
});
const spreadPod = (constraints: readonly object[] = [constraintOf()], parts: object = {}): PodInfo =>
  podOf('p', { labels, spec: { topologySpreadConstraints: constraints }, ...parts });
let lastOther = 0;
/** Pods, each with a name that no other has. */
const others = (count: number, parts: object = {}): PodInfo[] =>
  Array.from({ length: count }, () => podOf(`other-${++lastOther}`, { labels, ...parts }));

const skew = "node(s) didn't match pod topology spread constraints";
const missing = `${skew} (missing required label)`;

/** What the filter says of each node: empty where the pod can be. */
function verdicts(
  pod: PodInfo,
  nodes: readonly Node[],
  pods: Readonly<Record<string, readonly PodInfo[]>> = {},
) {
  const cluster = clusterOf(nodes, pods);
  const filter = spreadFilter(pod, cluster) as PodFilter; // it refuses no pod as a whole
  return cluster.nodes().map((node) => `${node.name}: ${filter.check(node)?.reasons.join() ?? 'fits'}`);
}

describe('spreadFilter', () => {
  const two = [zoned('n1', 'a'), zoned('n2', 'b')];

  it('has no say about pods without constraints that must hold', () => {
    const soft = constraintOf({ whenUnsatisfiable: 'ScheduleAnyway' });
    for (const pod of [podOf('p'), spreadPod([]), spreadPod([soft])])
      expect(spreadFilter(pod, clusterOf(two))).to.equal(undefined);
  });

  it('lets a place have as many pods more than the emptiest one as the skew allows', () => {
    for (const [count, maxSkew, verdict] of [
      [0, 1, 'fits'],
      [1, 1, skew],
      [1, 2, 'fits'],
      [2, 2, skew],
      [5, 6, 'fits'],
    ] as const) {
      const found = verdicts(spreadPod([constraintOf({ maxSkew })]), two, { n1: others(count) });
      expect(found, `${count} pods, skew ${maxSkew}`).to.deep.equal([`n1: ${verdict}`, 'n2: fits']);
    }
  });

  it('counts the nodes of a place together', () => {
    const nodes = [zoned('n1', 'a'), zoned('n2', 'a'), zoned('n3', 'b')];
    const pods = { n1: others(1), n2: others(1), n3: others(1) };
    expect(verdicts(spreadPod(), nodes, pods)).to.deep.equal([`n1: ${skew}`, `n2: ${skew}`, 'n3: fits']);
  });

  it('does not count the pod itself where its own constraint does not select it', () => {
    const pod = spreadPod([constraintOf()], { labels: { app: 'other' } });
    expect(verdicts(pod, two, { n1: others(1) })).to.deep.equal(['n1: fits', 'n2: fits']);
    expect(verdicts(pod, two, { n1: others(2) })).to.deep.equal([`n1: ${skew}`, 'n2: fits']);
  });

  it('counts no pods of other namespaces, with other labels, or that are about to end', () => {
    for (const parts of [
      { namespace: 'elsewhere' },
      { labels: { app: 'db' } },
      { metadata: { deletionTimestamp: '2030-01-01T00:00:00Z' } },
    ])
      expect(verdicts(spreadPod(), two, { n1: others(3, parts) }), JSON.stringify(parts)).to.deep.equal([
        'n1: fits',
        'n2: fits',
      ]);
  });

  it('refuses nodes without the label for good, and counts nothing of them', () => {
    const nodes = [zoned('n1', 'a'), nodeOf('n2')];
    expect(verdicts(spreadPod(), nodes, { n1: others(1), n2: [] })).to.deep.equal([
      'n1: fits',
      `n2: ${missing}`,
    ]);
    const cluster = clusterOf(nodes);
    const filter = spreadFilter(spreadPod(), cluster) as PodFilter;
    const node = cluster.node('n2');
    expect(node && filter.check(node)?.isUnresolvable).to.equal(true);
  });

  it('takes an empty value of the label for a place', () => {
    const nodes = [zoned('n1', ''), zoned('n2', 'b')];
    expect(verdicts(spreadPod(), nodes, { n1: others(1) })).to.deep.equal([`n1: ${skew}`, 'n2: fits']);
  });

  it('does not wait for places where the pod may not be', () => {
    const nodes = [zoned('n1', 'a'), zoned('n2', 'b')];
    const bound = (selector: object) =>
      spreadPod([constraintOf()], {
        spec: { topologySpreadConstraints: [constraintOf()], nodeSelector: selector },
      });
    expect(verdicts(bound({ zone: 'a' }), nodes, { n1: others(3) })[0]).to.equal('n1: fits');
  });

  it('counts what runs in a place on nodes where the pod may not be', () => {
    const ssd = (name: string, zone: string) => nodeOf(name, { labels: { zone, disk: 'ssd' } });
    const nodes = [ssd('n1', 'a'), zoned('n2', 'a'), ssd('n3', 'b')];
    const pod = spreadPod([], {
      spec: { topologySpreadConstraints: [constraintOf()], nodeSelector: { disk: 'ssd' } },
    });
    const found = verdicts(pod, nodes, { n2: others(1) });
    expect(found[0]).to.equal(`n1: ${skew}`);
    expect(found[2]).to.equal('n3: fits');
  });

  it('requires all constraints, each over nodes that have the labels of all of them', () => {
    const rack = constraintOf({ topologyKey: 'rack', maxSkew: 5 });
    const nodes = [
      nodeOf('n1', { labels: { zone: 'a', rack: '1' } }),
      nodeOf('n2', { labels: { zone: 'b', rack: '2' } }),
      nodeOf('n3', { labels: { zone: 'c' } }),
    ];
    const pods = { n1: others(1), n2: others(1) };
    expect(verdicts(spreadPod([constraintOf(), rack]), nodes, pods)).to.deep.equal([
      'n1: fits',
      'n2: fits',
      `n3: ${missing}`,
    ]);
    // With the place of n3 it would be full elsewhere.
    expect(verdicts(spreadPod(), nodes, pods)).to.deep.equal([`n1: ${skew}`, `n2: ${skew}`, 'n3: fits']);
  });

  it('counts no pod that comes to a node without all of the labels', () => {
    const rack = constraintOf({ topologyKey: 'rack', maxSkew: 5 });
    const nodes = [
      nodeOf('n1', { labels: { zone: 'a', rack: '1' } }),
      nodeOf('n2', { labels: { zone: 'b', rack: '2' } }),
      nodeOf('n3', { labels: { zone: 'c' } }),
    ];
    const cluster = clusterOf(nodes, { n1: others(2), n2: others(2) });
    const filter = spreadFilter(spreadPod([constraintOf(), rack]), cluster) as PodFilter;
    const [first, , third] = ['n1', 'n2', 'n3'].map((name) => cluster.node(name));
    if (first === undefined || third === undefined) throw new Error('no node');
    for (const pod of others(1)) filter.add?.(pod, third);
    expect(filter.check(first)).to.equal(undefined);
  });

  it('selects no pods with no selector and all with an empty one', () => {
    const unlabelled = others(2, { labels: {} });
    const none = verdicts(spreadPod([constraintOf({ labelSelector: undefined })]), two, { n1: unlabelled });
    expect(none).to.deep.equal(['n1: fits', 'n2: fits']);
    const all = verdicts(spreadPod([constraintOf({ labelSelector: {} })]), two, { n1: unlabelled });
    expect(all).to.deep.equal([`n1: ${skew}`, 'n2: fits']);
  });

  it('does not take what objects inherit for a label', () => {
    const pod = spreadPod([constraintOf({ topologyKey: 'constructor' })]);
    expect(verdicts(pod, [zoned('n1', 'a')])).to.deep.equal([`n1: ${missing}`]);
  });

  it('says the same after pods have come and gone as for a cluster where they have', () => {
    const nodes = [zoned('n1', 'a'), zoned('n2', 'a'), zoned('n3', 'b'), zoned('n4', 'c'), nodeOf('n5')];
    const names = nodes.map(({ metadata }) => metadata.name ?? '');
    const kind = fc.constantFrom({ labels }, { labels: { app: 'db' } }, { labels, namespace: 'elsewhere' });
    const moves = fc.array(fc.tuple(fc.constantFrom(...names), kind), { maxLength: 8 });
    fc.assert(
      fc.property(moves, moves, fc.integer({ min: 1, max: 3 }), (before, added, maxSkew) => {
        const pod = spreadPod([constraintOf({ maxSkew })]);
        const place = (moved: typeof before, prefix: string) =>
          moved.map(([node, parts], at) => ({ node, info: podOf(`${prefix}${at}`, parts) }));
        const [old, come] = [place(before, 'old'), place(added, 'new')];
        const clusterWith = (all: typeof old) => {
          const pods = Map.groupBy(all, ({ node }) => node);
          const infos = [...pods].map(([node, list]) => [node, list.map(({ info }) => info)] as const);
          return clusterOf(nodes, Object.fromEntries(infos));
        };
        const cluster = clusterWith(old);
        const told = (filter: PodFilter) => cluster.nodes().map((node) => filter.check(node)?.reasons ?? []);
        const nodeNamed = (name: string) => {
          const node = cluster.node(name);
          if (node === undefined) throw new Error(`no node ${name}`);
          return node;
        };
        const filter = spreadFilter(pod, cluster) as PodFilter;
        const first = told(filter);
        const copy = filter.clone?.() as PodFilter; // it has one, as it can be told of changes
        for (const { node, info } of come) copy.add?.(info, nodeNamed(node));
        const fresh = spreadFilter(pod, clusterWith([...old, ...come])) as PodFilter;
        expect(told(copy)).to.deep.equal(told(fresh));
        expect(told(filter)).to.deep.equal(first);
        for (const { node, info } of come) copy.remove?.(info, nodeNamed(node));
        expect(told(copy)).to.deep.equal(first);
      }),
      { numRuns: 50 },
    );
  });
});

describe('hasLabels', () => {
  it('wants a place in each topology', () => {
    const [node] = clusterOf([nodeOf('n', { labels: { zone: 'a', rack: '' } })]).nodes();
    if (node === undefined) throw new Error('no node');
    const has = (...keys: string[]) =>
      hasLabels(
        node,
        keys.map((topologyKey) => ({
          topologyKey,
          maxSkew: 1,
          selector: compileConstraint(constraintOf() as never).selector,
        })),
      );
    expect([has(), has('zone'), has('zone', 'rack'), has('zone', 'row'), has('toString')]).to.deep.equal([
      true,
      true,
      true,
      false,
      false,
    ]);
  });
});

describe('selectedCounter', () => {
  it('keeps a selector of all pods and one of none apart', () => {
    const [node] = clusterOf([nodeOf('n')], { n: others(2) }).nodes();
    if (node === undefined) throw new Error('no node');
    const countWith = (labelSelector: object | undefined) =>
      selectedCounter(
        spreadPod(),
        compileConstraint(constraintOf({ labelSelector }) as never).selector,
      )(node);
    expect([countWith({}), countWith(undefined), countWith({})]).to.deep.equal([2, 0, 2]);
  });
});
