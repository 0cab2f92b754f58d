import { expect } from 'chai';
import { labelSelectorFromSet } from '../../../src/machinery/selectors/index.ts';
import type { Cluster } from '../../../src/scheduler/cluster.ts';
import type { PodInfo } from '../../../src/scheduler/pod-info.ts';
import { scoreNodes } from '../../../src/scheduler/scores/index.ts';
import { balancedScore, imageScore, leastAllocatedScore } from '../../../src/scheduler/scores/node-scores.ts';
import { podAffinityScore } from '../../../src/scheduler/scores/pod-scores.ts';
import type { ScorePlugin } from '../../../src/scheduler/scores/score.ts';
import { clusterOf, nodeOf, outcome, type PodParts, podOf } from './fixtures.ts';

const scoresOf = (score: ScorePlugin, pod: PodInfo, cluster: Cluster) => score(pod, cluster.nodes(), cluster);
const x = { app: 'x' };

describe('scores', () => {
  const cluster = clusterOf([nodeOf('a'), nodeOf('b')], {
    b: [podOf('o', { requests: { cpu: '2', memory: '2Gi' } })],
  });

  it('prefer the node with most left', () => {
    const pod = podOf('p', { requests: { cpu: '1', memory: '4Gi' } });
    // (75 + 50) / 2 and (25 + 25) / 2
    expect(scoresOf(leastAllocatedScore, pod, cluster)).to.deep.equal([62, 25]);
  });

  it('count a little for pods that ask for nothing', () => {
    // 100m of 4 and 200Mi of 8Gi, as integers
    expect(scoresOf(leastAllocatedScore, podOf('p'), cluster)).to.deep.equal([97, 59]);
  });

  it('count the overhead of a pod in whole CPUs, in thousandths once it is placed', () => {
    const withOverhead = podOf('p', { spec: { containers: [], overhead: { cpu: '1' } } });
    // 1m of 4 CPUs, and nothing of the memory; once placed a quarter of the CPUs
    expect(scoresOf(leastAllocatedScore, withOverhead, clusterOf([nodeOf('a')]))).to.deep.equal([99]);
    const placed = clusterOf([nodeOf('a')], { a: [withOverhead] });
    const next = podOf('q', { spec: { containers: [] } });
    expect(scoresOf(leastAllocatedScore, next, placed)).to.deep.equal([87]);
  });

  it('prefer nodes where CPU and memory are used up alike', () => {
    const pod = podOf('p', { requests: { cpu: '1', memory: '4Gi' } });
    // |0.25 - 0.5| and |0.75 - 0.75|
    expect(scoresOf(balancedScore, pod, cluster)).to.deep.equal([75, 100]);
    expect(scoresOf(balancedScore, podOf('q', { requests: { cpu: '4' } }), cluster)).to.deep.equal([0, 0]);
  });

  it('prefer nodes that have the images, by size and number of nodes that have it', () => {
    const images = [{ names: ['i:latest'], sizeBytes: 1000 * 1024 * 1024 }];
    const withImages = clusterOf([nodeOf('a', { images }), nodeOf('b'), nodeOf('c')]);
    // A third of the nodes have it: (333 - 23) / (1000 - 23)
    expect(scoresOf(imageScore, podOf('p'), withImages)).to.deep.equal([31, 0, 0]);
  });

  const preferredPods = (kind: string) => ({
    containers: [],
    affinity: {
      [kind]: {
        preferredDuringSchedulingIgnoredDuringExecution: [
          {
            weight: 10,
            podAffinityTerm: { topologyKey: 'orch.io/hostname', labelSelector: { matchLabels: x } },
          },
        ],
      },
    },
  });

  it('begin at zero for pods that are wanted near', () => {
    const liked = (...names: string[]) => names.map((name) => podOf(name, { labels: x }));
    const pod = podOf('p', { spec: preferredPods('podAffinity') });
    const some = clusterOf([nodeOf('a'), nodeOf('b')], { a: liked('o1', 'o2', 'o3'), b: liked('o4') });
    expect(scoresOf(podAffinityScore, pod, some)).to.deep.equal([100, 33]);
  });

  interface Preference {
    readonly what: string;
    readonly pod?: PodParts;
    readonly cluster: Cluster;
    readonly expected: string;
  }
  const preferredNode = (weight: number, value: string) => ({
    weight,
    preference: { matchExpressions: [{ key: 'z', operator: 'In', values: [value] }] },
  });
  const two = [nodeOf('a', { labels: { z: '1' } }), nodeOf('b', { labels: { z: '2' } })];
  const owner = { kind: 'ReplicaSet', uid: 'u', name: 'r', controller: true, apiVersion: 'apps/v1' };
  const avoiding = JSON.stringify({
    preferAvoidPods: [{ podSignature: { podController: { kind: 'ReplicaSet', uid: 'u' } } }],
  });
  const soft = (maxSkew = 1) => ({
    containers: [],
    topologySpreadConstraints: [
      { maxSkew, topologyKey: 'z', whenUnsatisfiable: 'ScheduleAnyway', labelSelector: { matchLabels: x } },
    ],
  });
  const small = { requests: { cpu: '1m', memory: '1Mi' } };
  const cases: readonly Preference[] = [
    {
      what: 'labels that it prefers most',
      pod: {
        spec: {
          containers: [],
          affinity: {
            nodeAffinity: {
              preferredDuringSchedulingIgnoredDuringExecution: [preferredNode(1, '1'), preferredNode(9, '2')],
            },
          },
        },
      },
      cluster: clusterOf(two),
      expected: 'b',
    },
    {
      what: 'fewer taints that ask to stay away',
      cluster: clusterOf([
        nodeOf('a', { spec: { taints: [{ key: 'k', effect: 'PreferNoSchedule' }] } }),
        nodeOf('b'),
      ]),
      expected: 'b',
    },
    {
      what: 'pods that it likes',
      pod: { spec: preferredPods('podAffinity') },
      cluster: clusterOf(two, { b: [podOf('o', { labels: x, ...small })] }),
      expected: 'b',
    },
    {
      what: 'no pods that it dislikes',
      pod: { spec: preferredPods('podAntiAffinity') },
      cluster: clusterOf([nodeOf('a', { allocatable: { cpu: '100' } }), nodeOf('b')], {
        a: [podOf('o', { labels: x, ...small })],
      }),
      expected: 'b',
    },
    {
      what: 'pods that like it',
      pod: { labels: x, spec: { containers: [] } },
      cluster: clusterOf(two, { b: [podOf('o', { spec: preferredPods('podAffinity') })] }),
      expected: 'b',
    },
    {
      what: 'another node than the one that does not want its controller',
      pod: { metadata: { ownerReferences: [owner] } },
      cluster: clusterOf([
        nodeOf('a', {
          annotations: { 'scheduler.alpha.orch.io/preferAvoidPods': avoiding },
          allocatable: { cpu: '100' },
        }),
        nodeOf('b'),
      ]),
      expected: 'b',
    },
    {
      what: 'the zone with fewer of its kind',
      pod: { labels: x, spec: soft() },
      cluster: clusterOf(
        [nodeOf('a', { labels: { z: '1' }, allocatable: { cpu: '8' } }), nodeOf('b', { labels: { z: '2' } })],
        {
          a: [podOf('o', { labels: x, ...small })],
        },
      ),
      expected: 'b',
    },
    {
      what: 'nodes that are somewhere in the topology',
      pod: { labels: x, spec: soft() },
      cluster: clusterOf([nodeOf('a'), nodeOf('b', { labels: { z: '2' } })]),
      expected: 'b',
    },
    {
      what: 'nodes with fewer pods that belong together, without being told',
      pod: { labels: x },
      cluster: clusterOf(
        [nodeOf('a', { allocatable: { cpu: '8' } }), nodeOf('b')],
        { a: [podOf('o', { labels: x, ...small }), podOf('q', { labels: x, ...small })] },
        { groupOf: () => labelSelectorFromSet(x) },
      ),
      expected: 'b',
    },
  ];
  for (const { what, pod, cluster: given, expected } of cases) {
    it(`let a pod prefer ${what}`, () => {
      expect(outcome(podOf('p', pod), given)).to.equal(expected);
    });
  }

  it('are the same for nodes that are the same', () => {
    const same = clusterOf([nodeOf('a'), nodeOf('b'), nodeOf('c')]);
    expect(new Set(scoreNodes(podOf('p'), same.nodes(), same)).size).to.equal(1);
  });

  it('pass over annotations that make no sense', () => {
    const annotations = { 'scheduler.alpha.orch.io/preferAvoidPods': '{"preferAvoidPods":[null, 1]' };
    const strange = clusterOf([nodeOf('a', { annotations })]);
    const pod = podOf('p', { metadata: { ownerReferences: [owner] } });
    expect(scoreNodes(pod, strange.nodes(), strange)).to.have.length(1);
  });
});
