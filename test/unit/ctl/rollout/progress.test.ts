import { expect } from 'chai';
import { progressOf } from '../../../../src/ctl/rollout/progress.ts';
import { kindWithRevisions, type RolloutKind } from '../../../../src/ctl/rollout/rollout-kinds.ts';

const revisionKey = 'deployment.orch.io/revision';
const rolling = { updateStrategy: { type: 'RollingUpdate' } };
const parted = { replicas: 5, updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 3 } } };

function ask(kind: RolloutKind, spec: object, status: object, revision = 0) {
  const metadata = { name: 'web', generation: 2, annotations: { [revisionKey]: '3' } };
  return progressOf({
    kind,
    object: { apiVersion: 'apps/v1', kind, metadata, spec, status },
    revision,
    revisionKey,
  });
}

// The sentences are those of the client of release 1.20.
describe('progressOf', () => {
  const seen = { observedGeneration: 2 };
  const timedOut = { conditions: [{ type: 'Progressing', reason: 'ProgressDeadlineExceeded' }] };
  for (const [kind, spec, status, text, isDone] of [
    [
      'Deployment',
      { replicas: 3 },
      { observedGeneration: 1, ...timedOut },
      'Waiting for deployment spec update to be observed...',
      false,
    ],
    [
      'Deployment',
      { replicas: 3 },
      { ...seen, updatedReplicas: 1 },
      'Waiting for deployment "web" rollout to finish: 1 out of 3 new replicas have been updated...',
      false,
    ],
    [
      'Deployment',
      { replicas: 3 },
      seen,
      'Waiting for deployment "web" rollout to finish: 0 out of 3 new replicas have been updated...',
      false,
    ],
    [
      'Deployment',
      { replicas: 3 },
      { ...seen, updatedReplicas: 3, replicas: 5 },
      'Waiting for deployment "web" rollout to finish: 2 old replicas are pending termination...',
      false,
    ],
    [
      'Deployment',
      { replicas: 3 },
      { ...seen, updatedReplicas: 3, replicas: 3, availableReplicas: 2 },
      'Waiting for deployment "web" rollout to finish: 2 of 3 updated replicas are available...',
      false,
    ],
    [
      'Deployment',
      { replicas: 3 },
      { ...seen, updatedReplicas: 3, replicas: 3, availableReplicas: 3 },
      'deployment "web" successfully rolled out',
      true,
    ],
    ['Deployment', { replicas: 0 }, seen, 'deployment "web" successfully rolled out', true],
    ['DaemonSet', rolling, {}, 'Waiting for daemon set spec update to be observed...', false],
    [
      'DaemonSet',
      rolling,
      { ...seen, desiredNumberScheduled: 3, updatedNumberScheduled: 1 },
      'Waiting for daemon set "web" rollout to finish: 1 out of 3 new pods have been updated...',
      false,
    ],
    [
      'DaemonSet',
      rolling,
      { ...seen, desiredNumberScheduled: 3, updatedNumberScheduled: 3 },
      'Waiting for daemon set "web" rollout to finish: 0 of 3 updated pods are available...',
      false,
    ],
    [
      'DaemonSet',
      rolling,
      { ...seen, desiredNumberScheduled: 1, updatedNumberScheduled: 1, numberAvailable: 1 },
      'daemon set "web" successfully rolled out',
      true,
    ],
    [
      'StatefulSet',
      { replicas: 2, ...rolling },
      {},
      'Waiting for statefulset spec update to be observed...',
      false,
    ],
    ['StatefulSet', { replicas: 2, ...rolling }, seen, 'Waiting for 2 pods to be ready...', false],
    [
      'StatefulSet',
      { replicas: 2, ...rolling },
      { ...seen, readyReplicas: 2, updatedReplicas: 1, updateRevision: 'b', currentRevision: 'a' },
      'waiting for statefulset rolling update to complete 1 pods at revision b...',
      false,
    ],
    [
      'StatefulSet',
      { replicas: 2, ...rolling },
      { ...seen, readyReplicas: 2, currentReplicas: 2, updateRevision: 'b', currentRevision: 'b' },
      'statefulset rolling update complete 2 pods at revision b...',
      true,
    ],
    [
      'StatefulSet',
      parted,
      { ...seen, readyReplicas: 5, updatedReplicas: 1 },
      'Waiting for partitioned roll out to finish: 1 out of 2 new pods have been updated...',
      false,
    ],
    [
      'StatefulSet',
      parted,
      { ...seen, readyReplicas: 5, updatedReplicas: 2 },
      'partitioned roll out complete: 2 new pods have been updated...',
      true,
    ],
  ] as const) {
    it(`says of a ${kind}: ${text}`, () => {
      expect(ask(kind, spec, status)).to.deep.equal({ text: `${text}\n`, isDone });
    });
  }

  it('fails when the rollout will not end', () => {
    expect(() => ask('Deployment', { replicas: 3 }, { ...seen, ...timedOut })).to.throw(
      'deployment "web" exceeded its progress deadline',
    );
    expect(() => ask('Deployment', {}, seen, 2)).to.throw(
      'desired revision (2) is different from the running revision (3)',
    );
    expect(ask('Deployment', {}, seen, 3).isDone).to.equal(true);
    for (const kind of ['DaemonSet', 'StatefulSet'] as const) {
      expect(() => ask(kind, { updateStrategy: { type: 'OnDelete' } }, seen)).to.throw(
        'rollout status is only available for RollingUpdate strategy type',
      );
    }
  });
});

describe('kindWithRevisions', () => {
  const words = { noun: 'history', article: 'history viewer' };
  it('knows the three kinds, in their groups', () => {
    for (const [group, kind] of [
      ['apps', 'Deployment'],
      ['extensions', 'DaemonSet'],
      ['apps', 'StatefulSet'],
    ] as const) {
      expect(kindWithRevisions({ group, kind }, words)).to.equal(kind);
    }
  });
  for (const [group, kind, message] of [
    ['apps', 'ReplicaSet', 'no history viewer has been implemented for "ReplicaSet.apps"'],
    ['', 'Pod', 'no history viewer has been implemented for "Pod"'],
    ['', 'ConfigMap', 'error retrieving history for "ConfigMap", no visitor method exists for { ConfigMap}'],
    [
      'other.io',
      'Deployment',
      'error retrieving history for "Deployment.other.io", no visitor method exists for {other.io Deployment}',
    ],
  ] as const) {
    it(`refuses ${kind} of "${group}"`, () => {
      expect(() => kindWithRevisions({ group, kind }, words)).to.throw(message);
    });
  }
});
