import { expect } from 'chai';
import type { StatefulSet } from '../../../../src/apis/types/apps-v1.ts';
import type { Pod } from '../../../../src/apis/types/core-v1.ts';
import { decideStatefulSet } from '../../../../src/controllers/stateful-set/decide.ts';

/** A pod as `ORDINAL:REVISION:STATE`; the state is ready, waiting, failed or going. */
function pod(text: string): Pod {
  const [ordinal, revision = '', state] = text.split(':');
  const name = `web-${ordinal}`;
  return {
    kind: 'Pod',
    apiVersion: 'v1',
    metadata: {
      name,
      uid: text,
      labels: { 'controller-revision-hash': revision, 'pod-name': name },
      ...(state === 'going' && { deletionTimestamp: '2026-01-01T00:00:00Z' }),
    },
    spec: { containers: [] },
    status: {
      phase: state === 'failed' ? 'Failed' : 'Running',
      conditions: [{ type: 'Ready', status: state === 'ready' ? 'True' : 'False' }],
    },
  };
}

function decide(size: number, pods: readonly string[], spec: Partial<StatefulSet['spec']> = {}) {
  const template = { metadata: {}, spec: { containers: [] } };
  const set: StatefulSet = {
    kind: 'StatefulSet',
    apiVersion: 'apps/v1',
    metadata: { name: 'web', namespace: 'n', uid: 'u', generation: 2 },
    spec: {
      replicas: size,
      serviceName: 's',
      template,
      updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 0 } },
      ...spec,
    },
    status: { replicas: 0 },
  };
  const owner = {
    apiVersion: 'apps/v1',
    kind: 'StatefulSet',
    namespace: 'n',
    name: 'web',
    uid: 'u',
    isBeingDeleted: set.spec.serviceName === 'going',
  };
  const plan = decideStatefulSet({
    set,
    owner,
    pods: pods.map(pod),
    current: { name: 'a', template },
    update: { name: 'b', template },
    collisionCount: 0,
    nameLabel: 'pod-name',
  });
  const actions = plan.actions.map(
    ({ kind, ordinal, pod: { metadata } }) =>
      `${kind} ${ordinal}${kind === 'create' ? metadata.labels?.['controller-revision-hash'] : ''}`,
  );
  return { actions, pods: plan.actions.map((action) => action.pod), status: plan.status };
}

const partition = (from: number) => ({
  updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: from } },
});
const parallel = { podManagementPolicy: 'Parallel' };

describe('what a stateful set does next', () => {
  const cases: [string, number, string[], Partial<StatefulSet['spec']>, string[]][] = [
    ['the first pod comes alone', 3, [], {}, ['create 0b']],
    ['the next waits for the one before', 3, ['0:b:waiting'], {}, []],
    ['the next comes after it is ready', 3, ['0:b:ready'], {}, ['create 1b']],
    ['in parallel all come at once', 3, [], parallel, ['create 0b', 'create 1b', 'create 2b']],
    ['a failed pod is made anew', 1, ['0:b:failed'], {}, ['delete 0', 'create 0b']],
    ['the highest goes first', 1, ['0:b:ready', '1:b:ready', '2:b:ready'], {}, ['delete 2']],
    ['the next waits while one goes', 1, ['0:b:ready', '1:b:ready', '2:b:going'], {}, []],
    ['none goes while one that stays is not ready', 1, ['0:b:waiting', '1:b:ready'], {}, []],
    ['the one that all wait for may go', 1, ['0:b:ready', '1:b:waiting'], {}, ['delete 1']],
    ['but not one above another that is not ready', 1, ['0:b:ready', '1:b:waiting', '2:b:waiting'], {}, []],
    ['in parallel all go at once', 0, ['0:b:waiting', '1:b:ready'], parallel, ['delete 1', 'delete 0']],
    ['an update begins at the end', 2, ['0:a:ready', '1:a:ready'], {}, ['delete 1']],
    ['an update waits for the new pod', 2, ['0:a:ready', '1:b:waiting'], {}, []],
    ['and goes on', 2, ['0:a:ready', '1:b:ready'], {}, ['delete 0']],
    ['not below the partition', 2, ['0:a:ready', '1:b:ready'], partition(1), []],
    ['where pods come back as they were', 2, ['1:b:ready'], partition(1), ['create 0a']],
    ['a partition beyond the size updates nothing', 1, ['0:a:ready'], partition(5), []],
    ['on delete nothing is updated', 1, ['0:a:ready'], { updateStrategy: { type: 'OnDelete' } }, []],
    ['a set that goes does nothing', 3, [], { serviceName: 'going' }, []],
  ];
  for (const [name, size, pods, spec, actions] of cases) {
    it(name, () => expect(decide(size, pods, spec).actions).to.deep.equal(actions));
  }

  it('names pods itself, but says where such names come from', () => {
    const [created] = decide(1, []).pods;
    expect(created?.metadata).to.deep.include({ name: 'web-0', generateName: 'web-' });
  });

  it('makes the new revision the current one when all pods are ready and updated', () => {
    expect(decide(1, ['0:b:ready']).status).to.deep.include({ currentRevision: 'b', currentReplicas: 1 });
    expect(decide(1, ['0:b:waiting']).status).to.deep.include({ currentRevision: 'a', updatedReplicas: 1 });
    expect(decide(2, ['0:a:ready', '1:a:ready']).status).to.deep.include({ replicas: 2, currentReplicas: 1 });
  });
});
