import { expect } from 'chai';
import type { DaemonSet } from '../../../../src/apis/types/apps-v1.ts';
import type { Node, Pod } from '../../../../src/apis/types/core-v1.ts';
import { decideDaemonSet } from '../../../../src/controllers/daemon-set/decide.ts';
import { daemonPlacement } from '../../../../src/controllers/daemon-set/placement.ts';
import { decideDaemonStatus } from '../../../../src/controllers/daemon-set/status.ts';
import { orchDialect } from '../../../../src/machinery/dialect.ts';
import { formatTime } from '../../../../src/machinery/values/index.ts';

const nowMs = Date.UTC(2026, 0, 1);

/**
 * A pod as `NODE:HASH:STATE`; the state is ready, waiting, failed, going (ready, but being deleted), unplaced, or since-SECONDS.
 * What follows a slash tells pods of the same text apart, oldest first.
 */
function pod(text: string): Pod {
  const [place = '', age = '0'] = text.split('/');
  const [node = '', hash = '', state = ''] = place.split(':');
  const seconds = Number(state.replace('since-', '')) || 60;
  const isReady = state === 'ready' || state === 'going' || state.startsWith('since-');
  const target = { matchFields: [{ key: 'metadata.name', operator: 'In', values: [node] }] };
  return {
    kind: 'Pod',
    apiVersion: 'v1',
    metadata: {
      name: text,
      uid: text,
      labels: { 'controller-revision-hash': hash },
      creationTimestamp: formatTime(nowMs - 100_000 + Number(age) * 1000),
      ...(state === 'going' && { deletionTimestamp: formatTime(nowMs) }),
    },
    spec: {
      containers: [],
      ...(state === 'unplaced'
        ? {
            affinity: {
              nodeAffinity: {
                requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [target] },
              },
            },
          }
        : { nodeName: node }),
    },
    status: {
      phase: state === 'failed' ? 'Failed' : 'Running',
      conditions: [
        {
          type: 'Ready',
          status: isReady ? 'True' : 'False',
          lastTransitionTime: formatTime(nowMs - seconds * 1000),
        },
      ],
    },
  };
}

/** A node as `NAME`, or `NAME!EFFECT` with a taint. */
function node(text: string): Node {
  const [name = '', effect] = text.split('!');
  const taints = effect === undefined ? [] : [{ key: 'k', effect }];
  return { metadata: { name }, spec: { taints } } as unknown as Node;
}

type Strategy = DaemonSet['spec']['updateStrategy'];
const rolling = (maxUnavailable: number | string): Strategy => ({
  type: 'RollingUpdate',
  rollingUpdate: { maxUnavailable },
});

function factsOf(nodes: string[], pods: string[], strategy = rolling(1), minReadySeconds = 0) {
  const template = { metadata: {}, spec: { containers: [] } };
  const set: DaemonSet = {
    ...{ kind: 'DaemonSet', apiVersion: 'apps/v1', metadata: { name: 'd', generation: 2 } },
    spec: { template, updateStrategy: strategy, minReadySeconds },
    status: {
      ...{ currentNumberScheduled: 0, numberMisscheduled: 0, desiredNumberScheduled: 0, numberReady: 0 },
      observedGeneration: 1,
    },
  };
  const placement = daemonPlacement(template, orchDialect);
  return { set, pods: pods.map(pod), nodes: nodes.map(node), placement, hash: 'b', nowMs };
}

describe('what a daemon set does next', () => {
  const three = ['x', 'y', 'z'];
  const onDelete = { type: 'OnDelete' };
  const ready = (hash: string, ...names: string[]) => names.map((name) => `${name}:${hash}:ready`);
  const cases: [string, string[], string[], Strategy, string[]][] = [
    ['a pod for every node', three, ['y:b:waiting'], rolling(1), ['create x', 'create z']],
    ['none for a node that keeps it out', ['x!NoSchedule', 'y!NoExecute'], [], rolling(1), []],
    ['a pod stays where no new one would come', ['x!NoSchedule'], ready('b', 'x'), rolling(1), []],
    [
      'a pod goes from a node that evicts',
      ['x!NoExecute'],
      ready('b', 'x'),
      rolling(1),
      ['delete x:b:ready'],
    ],
    ['one that goes keeps its place', ['x'], ['x:b:going'], rolling(1), []],
    [
      'of several the oldest stays',
      ['x'],
      ['x:b:ready/2', 'x:b:ready/1'],
      rolling(1),
      ['delete x:b:ready/2'],
    ],
    [
      'of several the one on its node stays',
      ['x'],
      ['x:b:unplaced/1', 'x:b:ready/2'],
      rolling(1),
      ['delete x:b:unplaced/1'],
    ],
    [
      'one for a node that is gone goes',
      ['x'],
      ['x:b:ready', 'w:b:unplaced'],
      rolling(1),
      ['delete w:b:unplaced'],
    ],
    ['one on a node that is gone is not its business', ['x'], ready('b', 'x', 'w'), rolling(1), []],
    ['a failed pod goes', ['x'], ['x:b:failed'], rolling(1), ['delete x:b:failed']],
    ['an update takes one', three, ready('a', ...three), rolling(1), ['delete x:a:ready']],
    [
      'an update takes as many as it may',
      three,
      ready('a', ...three),
      rolling(2),
      ['delete x:a:ready', 'delete y:a:ready'],
    ],
    ['percentages are rounded up', three, ready('a', ...three), rolling('10%'), ['delete x:a:ready']],
    ['an update waits for the one before', three, ['x:b:waiting', ...ready('a', 'y', 'z')], rolling(1), []],
    ['an update waits for one that goes', three, ['x:a:going', ...ready('a', 'y', 'z')], rolling(1), []],
    [
      'an update goes on',
      three,
      [...ready('b', 'x'), ...ready('a', 'y', 'z')],
      rolling(1),
      ['delete y:a:ready'],
    ],
    [
      'old pods of no use go at once',
      three,
      ['x:a:waiting', 'y:a:waiting', 'z:a:ready'],
      rolling(1),
      ['delete x:a:waiting', 'delete y:a:waiting'],
    ],
    ['an update waits for missing pods', three, ready('a', 'x', 'y'), rolling(1), ['create z']],
    ['on delete nothing is updated', three, ready('a', ...three), onDelete, []],
  ];
  for (const [name, nodes, pods, strategy, expected] of cases) {
    it(name, () => {
      const { creations, deletions } = decideDaemonSet(factsOf(nodes, pods, strategy), () => 0);
      const actions = [
        ...creations.map((each) => `create ${each}`),
        ...deletions.map(({ metadata }) => `delete ${metadata.name}`),
      ];
      expect(actions).to.deep.equal(expected);
    });
  }

  it('keeps failed pods for as long as it is told, and says when to look again', () => {
    const facts = factsOf(['x', 'y'], ['x:b:failed', 'y:b:failed']);
    const plan = decideDaemonSet(facts, (name) => (name === 'x' ? 700 : 0));
    expect(plan.deletions.map(({ metadata }) => metadata.name)).to.deep.equal(['y:b:failed']);
    expect(plan.failed.map((each) => each.node)).to.deep.equal(['y']);
    expect(plan.retryAfterMs).to.equal(700);
  });

  it('takes one failed pod of a node at a time', () => {
    const plan = decideDaemonSet(factsOf(['x'], ['x:b:failed', 'x:b:failed']), () => 0);
    expect([plan.deletions.length, plan.failed.length]).to.deep.equal([1, 1]);
  });

  it('does so much at a time only', () => {
    const names = Array.from({ length: 600 }, (_, index) => `n${index}`);
    expect(decideDaemonSet(factsOf(names, []), () => 0).creations).to.have.lengthOf(250);
    const useless = names.map((name) => `${name}:a:waiting`);
    expect(decideDaemonSet(factsOf(names, useless), () => 0).deletions).to.have.lengthOf(250);
    const failed = names.map((name) => `${name}:a:failed`);
    const plan = decideDaemonSet(factsOf(names, failed), () => 0);
    expect([plan.failed.length, plan.deletions.length]).to.deep.equal([250, 250]);
  });
});

describe('the status of a daemon set', () => {
  it('counts nodes by what is on them', () => {
    const facts = factsOf(
      ['none', 'waits', 'old', 'new', 'young', 'taken!NoSchedule'],
      ['waits:b:waiting', 'old:a:ready', 'new:b:ready', 'young:b:since-3', 'taken:b:ready', 'gone:b:ready'],
      rolling(1),
      10,
    );
    expect(decideDaemonStatus(facts, { isObserved: true, collisionCount: 0 })).to.deep.equal({
      observedGeneration: 2,
      desiredNumberScheduled: 5,
      currentNumberScheduled: 4,
      numberMisscheduled: 1,
      numberReady: 3,
      updatedNumberScheduled: 3,
      numberAvailable: 2,
      numberUnavailable: 3,
    });
  });

  it('is not written when it is right', () => {
    const facts = factsOf(['x'], ['x:b:ready']);
    const status = decideDaemonStatus(facts, { isObserved: true, collisionCount: 0 });
    if (status === undefined) throw new Error('there is nothing to write');
    const written = { ...facts, set: { ...facts.set, status } };
    expect(decideDaemonStatus(written, { isObserved: true, collisionCount: 0 })).to.equal(undefined);
    expect(decideDaemonStatus(written, { isObserved: true, collisionCount: 1 })?.collisionCount).to.equal(1);
  });

  it('does not tell that a set was observed which is not managed yet', () => {
    const facts = factsOf(['x'], ['x:b:ready']);
    const status = decideDaemonStatus(facts, { isObserved: false, collisionCount: 0 });
    expect(status?.observedGeneration).to.equal(1);
  });
});
