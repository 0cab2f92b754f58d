import { expect } from 'chai';
import { placePod } from '../../../src/scheduler/place.ts';
import { clusterOf, nodeOf, outcome, podOf } from './fixtures.ts';

describe('placePod', () => {
  it('says that there are no nodes', () => {
    expect(outcome(podOf('p'), clusterOf([]))).to.equal('no nodes available to schedule pods');
  });

  it('counts the reasons of all nodes in the order of the texts', () => {
    const cluster = clusterOf([
      nodeOf('a', { spec: { unschedulable: true } }),
      nodeOf('b', { allocatable: { cpu: '1' } }),
      nodeOf('c', { allocatable: { cpu: '1', memory: '1Gi' } }),
    ]);
    expect(outcome(podOf('p', { requests: { cpu: '2', memory: '2Gi' } }), cluster)).to.equal(
      '0/3 nodes are available: 1 Insufficient memory, 1 node(s) were unschedulable, 2 Insufficient cpu.',
    );
  });

  it('chooses among equal nodes by chance', () => {
    const cluster = clusterOf(['a', 'b', 'c'].map((name) => nodeOf(name)));
    const chosen = [0, 0.4, 0.99].map((chance) => {
      const placement = placePod(podOf('p'), cluster, { random: () => chance, cursor: { next: 0 } });
      return placement.kind === 'placed' && placement.node.name;
    });
    expect(chosen).to.deep.equal(['a', 'b', 'c']);
  });

  it('looks at enough nodes of a large cluster, and goes on behind them with the next pod', () => {
    const cluster = clusterOf(Array.from({ length: 300 }, (_, at) => nodeOf(`n${at}`)));
    const cursor = { next: 0 };
    placePod(podOf('p'), cluster, { random: () => 0, cursor });
    // 50 - 300 / 125 percent
    expect(cursor.next).to.equal(144);
    for (const name of ['q', 'r']) placePod(podOf(name), cluster, { random: () => 0, cursor });
    expect(cursor.next).to.equal((3 * 144) % 300);
  });

  it('looks at all nodes where few will do', () => {
    const nodes = Array.from({ length: 300 }, (_, at) =>
      nodeOf(`n${at}`, { spec: { unschedulable: at !== 299 } }),
    );
    expect(outcome(podOf('p'), clusterOf(nodes))).to.equal('n299');
  });

  it('goes through zones by turns', () => {
    const nodes = ['a1', 'a2', 'a3', 'b1'].map((name) =>
      nodeOf(name, { labels: { 'topology.orch.io/zone': name.charAt(0) } }),
    );
    expect(
      clusterOf(nodes)
        .nodes()
        .map(({ name }) => name),
    ).to.deep.equal(['a1', 'b1', 'a2', 'a3']);
  });

  it('leaves room for pods that others made way for', () => {
    const cluster = clusterOf([nodeOf('a')]);
    const awaited = podOf('w', { priority: 5, requests: { cpu: '3' } });
    cluster.nominate(awaited, 'a');
    const pod = (priority: number) => podOf('p', { priority, requests: { cpu: '2' } });
    expect(outcome(pod(5), cluster)).to.equal('0/1 nodes are available: 1 Insufficient cpu.');
    expect(outcome(pod(6), cluster)).to.equal('a');
    expect(outcome(awaited, cluster)).to.equal('a');
    cluster.nominate(awaited, undefined);
    expect(outcome(pod(5), cluster)).to.equal('a');
  });

  it('does not count a pod for a place that others only may take', () => {
    const cluster = clusterOf([nodeOf('a')]);
    cluster.nominate(podOf('w', { priority: 5, labels: { app: 'x' } }), 'a');
    const podAffinity = {
      requiredDuringSchedulingIgnoredDuringExecution: [
        { topologyKey: 'orch.io/hostname', labelSelector: { matchLabels: { app: 'x' } } },
      ],
    };
    expect(outcome(podOf('p', { spec: { containers: [], affinity: { podAffinity } } }), cluster)).to.contain(
      "didn't match pod affinity rules",
    );
  });

  it('forgets nodes and pods that are gone', () => {
    const cluster = clusterOf([nodeOf('a'), nodeOf('b')], { a: [podOf('o', { requests: { cpu: '4' } })] });
    cluster.removeNode('b');
    expect(outcome(podOf('p', { requests: { cpu: '1' } }), cluster)).to.contain('0/1 nodes');
    cluster.removePod('default/o');
    expect(outcome(podOf('p', { requests: { cpu: '1' } }), cluster)).to.equal('a');
  });
});
