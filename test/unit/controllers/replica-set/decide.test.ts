import { expect } from 'chai';
import type { ReplicaSet } from '../../../../src/apis/types/apps-v1.ts';
import type { Pod } from '../../../../src/apis/types/core-v1.ts';
import { decideReplicaStatus, decideReplicas } from '../../../../src/controllers/replica-set/decide.ts';
import {
  comparePodsForDeletion,
  countByNode,
} from '../../../../src/controllers/replica-set/deletion-order.ts';
import { createRandomSource } from '../../../support/random-source.ts';
import { testSeed } from '../../../support/test-seed.ts';

const nowMs = Date.parse('2026-01-01T00:10:00Z');
const time = (minute: number): string => `2026-01-01T00:${String(minute).padStart(2, '0')}:00Z`;

interface PodParts {
  readonly node?: string;
  readonly phase?: string;
  /** Since when, in minutes. */
  readonly ready?: number;
  readonly restarts?: number;
  readonly created?: number;
  readonly labels?: Record<string, string>;
}

const pod = (
  name: string,
  { node = 'n', phase = 'Running', ready, restarts = 0, created = 0, labels = { app: 'a' } }: PodParts = {},
) =>
  ({
    kind: 'Pod',
    apiVersion: 'v1',
    metadata: { name, uid: name, labels, creationTimestamp: time(created) },
    spec: { nodeName: node },
    status: {
      phase,
      containerStatuses: [{ restartCount: restarts }],
      ...(ready !== undefined && {
        conditions: [{ type: 'Ready', status: 'True', lastTransitionTime: time(ready) }],
      }),
    },
  }) as unknown as Pod;

const set = (replicas: number, status: object = { replicas: 0 }, spec: object = {}) =>
  ({
    metadata: { name: 's', uid: 'u', generation: 2 },
    spec: { replicas, template: { metadata: { labels: { app: 'a' } } }, ...spec },
    status,
  }) as unknown as ReplicaSet;

const namesOf = (pods: readonly Pod[]) => pods.map(({ metadata }) => metadata.name);

describe('the pods of a replica set', () => {
  it('are created until there are enough, and are let be then', () => {
    expect(decideReplicas(set(3), [pod('a')])).to.deep.equal({ creations: 2, deletions: [] });
    expect(decideReplicas(set(1), [pod('a')])).to.deep.equal({ creations: 0, deletions: [] });
  });

  it('come to their number in steps of 500 at most, none of them both ways', () => {
    const random = createRandomSource(testSeed);
    for (let round = 0; round < 200; round++) {
      const wanted = random.below(1500);
      let pods = Array.from({ length: random.below(1500) }, (_, at) => pod(`p${at}`));
      const has = pods.length;
      for (let step = 0; pods.length !== wanted; step++) {
        const { creations, deletions } = decideReplicas(set(wanted), pods);
        expect(step).to.be.at.most(3);
        expect(creations + deletions.length).to.be.within(1, 500);
        expect(creations === 0 || deletions.length === 0).to.equal(true);
        expect(deletions.every((each) => pods.includes(each))).to.equal(true);
        pods = pods.filter((each) => !deletions.includes(each));
        pods.push(...Array.from({ length: creations }, (_, at) => pod(`n${step}-${at}`)));
        expect(pods.length).to.be.within(Math.min(has, wanted), Math.max(has, wanted));
      }
      const { creations, deletions } = decideReplicas(set(wanted), pods);
      expect([creations, deletions]).to.deep.equal([0, []]);
    }
  });

  /** Of each pair the first goes first. */
  const order: [string, PodParts, PodParts][] = [
    ['is not on a node', { node: '' }, {}],
    ['waits rather than being unknown', { phase: 'Pending' }, { phase: 'Unknown' }],
    ['is unknown rather than running', { phase: 'Unknown' }, { ready: 1 }],
    ['is not ready', {}, { ready: 1 }],
    ['is on a node with more of them', { node: 'full', ready: 1 }, { node: 'n', ready: 2 }],
    ['is ready for a shorter time', { ready: 3, restarts: 0 }, { ready: 2, restarts: 5 }],
    ['restarted more often', { restarts: 2, created: 1 }, { restarts: 1, created: 5 }],
    ['is younger', { created: 5 }, { created: 1 }],
  ];
  for (const [what, first, second] of order) {
    it(`go first when one ${what}`, () => {
      const related = [pod('x', { node: 'full' }), pod('y', { node: 'full' }), pod('z')];
      for (const pods of [
        [pod('first', first), pod('second', second)],
        [pod('second', second), pod('first', first)],
      ]) {
        expect(namesOf(decideReplicas(set(1), pods, related).deletions)).to.deep.equal(['first']);
      }
    });
  }

  it('have one order, whichever two are compared', () => {
    const random = createRandomSource(testSeed);
    const pick = <T>(...values: T[]): T => random.pick(values);
    const pods = Array.from({ length: 60 }, (_, at) =>
      pod(`p${at}`, {
        node: pick('', 'a', 'b'),
        phase: pick('Pending', 'Running', 'Unknown'),
        restarts: pick(0, 1),
        created: pick(0, 1, 2),
        ...pick<PodParts>({}, { ready: 1 }, { ready: 2 }),
      }),
    );
    const compare = comparePodsForDeletion(countByNode(pods));
    for (const a of pods) {
      for (const b of pods) {
        expect(Math.sign(compare(a, b)) + Math.sign(compare(b, a))).to.equal(0);
        for (const c of pods)
          if (compare(a, b) < 0 && compare(b, c) < 0) expect(compare(a, c)).to.be.below(0);
      }
    }
  });
});

describe('the status of a replica set', () => {
  const counts = { replicas: 0, fullyLabeledReplicas: 0, readyReplicas: 0, availableReplicas: 0 };
  const right = { ...counts, observedGeneration: 2 };
  const decide = (owner: ReplicaSet, pods: Pod[], message?: string) => {
    const problem = message === undefined ? undefined : ({ reason: 'FailedCreate', message } as const);
    return decideReplicaStatus(owner, pods, { problem, nowMs });
  };

  it('counts pods, those with all labels of the template, those ready, and those ready for long enough', () => {
    const pods = [pod('a', { ready: 9 }), pod('b', { ready: 5, labels: {} }), pod('c')];
    expect(decide(set(3, { replicas: 0 }, { minReadySeconds: 120 }), pods)).to.deep.equal({
      ...{ replicas: 3, fullyLabeledReplicas: 2, readyReplicas: 2, availableReplicas: 1 },
      observedGeneration: 2,
    });
  });

  it('stays when it is right', () => {
    expect(decide(set(0, right), [])).to.equal(undefined);
    expect(decide(set(0, { replicas: 0, observedGeneration: 2 }), [])).to.equal(undefined);
  });

  it('tells of a new generation though nothing else changed', () => {
    expect(decide(set(0, { ...right, observedGeneration: 1 }), [])).to.deep.equal(right);
  });

  it('keeps a problem as it was told first, until it is gone', () => {
    const first = decide(set(1, right), [], 'no room');
    const condition = { type: 'ReplicaFailure', status: 'True', reason: 'FailedCreate', message: 'no room' };
    expect(first?.conditions).to.deep.equal([{ ...condition, lastTransitionTime: time(10) }]);
    expect(decide(set(1, first), [], 'still no room')).to.equal(undefined);
    expect(decide(set(0, first), [])).to.deep.equal(right);
  });
});
