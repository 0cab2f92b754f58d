import { expect } from 'chai';
import type { Pod, PodSpec, PodTemplateSpec, Taint } from '../../../../src/apis/types/core-v1.ts';
import {
  daemonPlacement,
  daemonPods,
  daemonTolerations,
  targetNodeOf,
} from '../../../../src/controllers/daemon-set/placement.ts';
import { orchDialect } from '../../../../src/machinery/dialect.ts';

const templateOf = (spec: Partial<PodSpec>): PodTemplateSpec => ({
  metadata: { labels: { app: 'a' } },
  spec: { containers: [], ...spec },
});
const orch = (name: string, effect = 'NoSchedule'): Taint => ({ key: `node.orch.io/${name}`, effect });
const own = (effect: string): Taint => ({ key: 'k', value: 'v', effect });
const ssd = { nodeSelector: { disk: 'ssd' } };
const affinity = (values: string[]) => ({
  affinity: {
    nodeAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: {
        nodeSelectorTerms: [{ matchExpressions: [{ key: 'disk', operator: 'In', values }] }],
      },
    },
  },
});

describe('the nodes of a daemon set', () => {
  const cases: [string, Partial<PodSpec>, Taint[], 'runs' | 'stays' | 'goes'][] = [
    ['any node', {}, [], 'runs'],
    ['a node that its selector names', ssd, [], 'runs'],
    ['a node that its selector does not name', { nodeSelector: { disk: 'hdd' } }, [], 'goes'],
    ['a node that its affinity allows', affinity(['ssd']), [], 'runs'],
    ['a node that its affinity does not allow', affinity(['hdd']), [], 'goes'],
    ['the node that it names', { nodeName: 'n1' }, [], 'runs'],
    ['another node than it names', { nodeName: 'n2' }, [], 'goes'],
    ['a node with a taint', {}, [own('NoSchedule')], 'stays'],
    ['a node with a taint that evicts', {}, [own('NoExecute')], 'goes'],
    [
      'a node with a taint that it tolerates',
      { tolerations: [{ operator: 'Exists' }] },
      [own('NoExecute')],
      'runs',
    ],
    ['a node that would rather not', {}, [own('PreferNoSchedule')], 'runs'],
    ['a node that is cordoned', {}, [orch('unschedulable')], 'runs'],
    [
      'a node under pressure',
      {},
      [orch('disk-pressure'), orch('memory-pressure'), orch('pid-pressure')],
      'runs',
    ],
    ['a node that nobody hears of', {}, [orch('unreachable', 'NoExecute')], 'runs'],
    ['a node that is not ready', {}, [orch('not-ready', 'NoExecute')], 'runs'],
    ['a node that never was ready', {}, [orch('not-ready')], 'stays'],
    ['a node without a network', {}, [orch('network-unavailable')], 'stays'],
    [
      'a node without a network that it does not need',
      { hostNetwork: true },
      [orch('network-unavailable')],
      'runs',
    ],
  ];
  for (const [what, spec, taints, expected] of cases) {
    it(`${what}: its pod ${expected}`, () => {
      const node = { metadata: { name: 'n1', labels: { disk: 'ssd' } }, spec: { taints } };
      const { shouldRun, mayStay } = daemonPlacement(templateOf(spec), orchDialect)(node);
      expect(shouldRun ? 'runs' : mayStay ? 'stays' : 'goes').to.equal(expected);
      expect(shouldRun && !mayStay).to.equal(false);
    });
  }
});

describe('the pods of a daemon set', () => {
  const owner = {
    ...{ apiVersion: 'apps/v1', kind: 'DaemonSet', namespace: 'n', name: 'd', uid: 'u' },
    isBeingDeleted: false,
  };
  const make = (spec: Partial<PodSpec>, generation?: string): Pod =>
    daemonPods({ template: templateOf(spec), owner, hash: 'h', generation }, orchDialect)('n1');

  it('are made for one node, whatever the template requires, and keep what it prefers', () => {
    const preferred = [{ weight: 1, preference: {} }];
    const { nodeAffinity } = affinity(['ssd']).affinity;
    const pod = make({
      affinity: {
        nodeAffinity: { ...nodeAffinity, preferredDuringSchedulingIgnoredDuringExecution: preferred },
        podAffinity: {},
      },
    });
    expect(pod.spec.affinity).to.deep.equal({
      nodeAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: {
          nodeSelectorTerms: [{ matchFields: [{ key: 'metadata.name', operator: 'In', values: ['n1'] }] }],
        },
        preferredDuringSchedulingIgnoredDuringExecution: preferred,
      },
      podAffinity: {},
    });
    expect(pod.spec.nodeName).to.equal(undefined);
    expect(targetNodeOf(pod)).to.equal('n1');
  });

  it('have the hash of their template, and its generation when it is known', () => {
    expect(make({}, '3').metadata.labels).to.deep.equal({
      app: 'a',
      'controller-revision-hash': 'h',
      'pod-template-generation': '3',
    });
    expect(make({}).metadata.labels).to.deep.equal({ app: 'a', 'controller-revision-hash': 'h' });
  });

  it('tolerate what daemons live with for as long as it takes', () => {
    const given = { key: 'node.orch.io/not-ready', operator: 'Exists', effect: 'NoExecute' };
    const tolerations = daemonTolerations(
      { containers: [], tolerations: [{ ...given, tolerationSeconds: 5 }] },
      orchDialect,
    );
    expect(tolerations).to.have.lengthOf(6);
    expect(tolerations[0]).to.deep.equal(given);
  });

  it('are those of the node that they are on, else of the one that they were made for', () => {
    const pod = make({});
    expect(targetNodeOf({ ...pod, spec: { ...pod.spec, nodeName: 'n2' } })).to.equal('n2');
    expect(targetNodeOf({ ...pod, spec: { containers: [] } })).to.equal(undefined);
  });
});
