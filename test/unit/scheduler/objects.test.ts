import { expect } from 'chai';
import type { ReplicaSet, StatefulSet } from '../../../src/apis/types/apps-v1.ts';
import type { ReplicationController, Service } from '../../../src/apis/types/core-v1.ts';
import { groupSelector } from '../../../src/scheduler/group-selector.ts';
import { changesPlacement } from '../../../src/scheduler/node-changes.ts';
import { reportRequest } from '../../../src/scheduler/pod-status.ts';
import { ManualClock } from '../storage/manual-clock.ts';
import { nodeOf, podOf } from './fixtures.ts';

describe('groupSelector', () => {
  const service = (selector: object | undefined, namespace = 'default') =>
    ({ metadata: { name: 's', namespace }, spec: { selector } }) as unknown as Service; // what is looked at
  const set = (selector: object) => ({ metadata: { name: 'r' }, spec: { selector } });
  const owned = (kind: string) => ({
    metadata: { ownerReferences: [{ kind, name: 'r', controller: true }] },
  });
  const groups = (parts: { services?: Service[]; selector?: object }) => ({
    services: parts.services ?? [],
    controller: () => set(parts.selector ?? {}) as unknown as ReplicationController,
    replicaSet: () => set(parts.selector ?? {}) as unknown as ReplicaSet,
    statefulSet: () => set(parts.selector ?? {}) as unknown as StatefulSet,
  });
  const labels = { app: 'x', tier: 'y' };
  const matchExpressions = [{ key: 'tier', operator: 'In', values: ['y'] }];
  const cases: readonly (readonly [string, object, Parameters<typeof groups>[0], string | undefined])[] = [
    ['nothing', {}, {}, undefined],
    [
      'its services, all of them',
      {},
      { services: [service({ app: 'x' }), service({ tier: 'y' })] },
      'app=x,tier=y',
    ],
    ['no service of other pods', {}, { services: [service({ app: 'z' })] }, undefined],
    ['no service of another namespace', {}, { services: [service({ app: 'x' }, 'o')] }, undefined],
    ['no service without a selector', {}, { services: [service(undefined), service({})] }, undefined],
    ['its replica set', owned('ReplicaSet'), { selector: { matchLabels: { app: 'x' } } }, 'app=x'],
    ['its stateful set', owned('StatefulSet'), { selector: { matchExpressions } }, 'tier in (y)'],
    ['its replication controller', owned('ReplicationController'), { selector: { app: 'x' } }, 'app=x'],
    [
      'its service and its set',
      owned('ReplicaSet'),
      { services: [service({ tier: 'y' })], selector: { matchLabels: { app: 'x' } } },
      'app=x,tier=y',
    ],
    ['no job', owned('Job'), { selector: { matchLabels: { app: 'x' } } }, undefined],
  ];
  for (const [what, parts, given, expected] of cases) {
    it(`makes a pod belong to ${what}`, () => {
      expect(groupSelector(podOf('p', { labels, ...parts }), groups(given))?.toString()).to.equal(expected);
    });
  }
});

describe('changesPlacement', () => {
  const before = nodeOf('n');
  const condition = (status: string, lastHeartbeatTime: string) => ({
    ...before,
    status: { ...before.status, conditions: [{ type: 'Ready', status, lastHeartbeatTime }] },
  });
  const cases: readonly (readonly [string, ReturnType<typeof nodeOf>, boolean])[] = [
    ['nothing', nodeOf('n'), false],
    ['labels', nodeOf('n', { labels: { a: 'b' } }), true],
    ['room', nodeOf('n', { allocatable: { cpu: '5' } }), true],
    ['taints', nodeOf('n', { spec: { taints: [{ key: 'a', effect: 'NoSchedule' }] } }), true],
    ['annotations', nodeOf('n', { annotations: { a: 'b' } }), false],
    ['that it is closed', nodeOf('n', { spec: { unschedulable: true } }), false],
  ];
  for (const [what, node, expected] of cases) {
    it(`is ${expected} of ${what}`, () => expect(changesPlacement(node, before)).to.equal(expected));
  }

  it('is so of a new node, and of one that is opened', () => {
    expect(changesPlacement(before, undefined)).to.equal(true);
    expect(changesPlacement(before, nodeOf('n', { spec: { unschedulable: true } }))).to.equal(true);
  });

  it('is so of conditions, not of signs of life', () => {
    expect(changesPlacement(condition('True', '2'), condition('True', '1'))).to.equal(false);
    expect(changesPlacement(condition('True', '1'), condition('False', '1'))).to.equal(true);
  });
});

describe('reportRequest', () => {
  const clock = new ManualClock();
  const report = { reason: 'Unschedulable', message: 'm', nominatedNode: undefined } as const;
  const since = '2020-01-01T00:00:00Z';
  const known = (parts: object = {}) => ({
    conditions: [
      {
        type: 'PodScheduled',
        status: 'False',
        reason: 'Unschedulable',
        message: 'm',
        lastTransitionTime: since,
        ...parts,
      },
    ],
  });
  const statusFor = (status: object, more: object = {}) => {
    const request = reportRequest(podOf('p', { status }).pod, { ...report, ...more }, clock);
    return (request?.body as { readonly status: Record<string, unknown> } | undefined)?.status;
  };

  it('writes why a pod waits, to this pod only', () => {
    const { pod } = podOf('p');
    const request = reportRequest(pod, report, clock);
    expect(request).to.include({ method: 'PATCH', path: '/api/v1/namespaces/default/pods/p/status' });
    expect(request?.body).to.have.nested.property('metadata.uid', pod.metadata.uid);
    expect(request?.body).to.have.nested.property('status.conditions[0].message', 'm');
  });

  it('writes nothing that is known', () => {
    expect(statusFor(known())).to.equal(undefined);
    expect(statusFor({ ...known(), nominatedNodeName: 'n' }, { nominatedNode: 'n' })).to.equal(undefined);
  });

  it('keeps the time since when the pod waits', () => {
    expect(statusFor(known({ message: 'other' }))).to.have.nested.property(
      'conditions[0].lastTransitionTime',
      since,
    );
  });

  it('names the node where room is made, beside what is known', () => {
    expect(statusFor(known(), { nominatedNode: 'n' })).to.deep.equal({ nominatedNodeName: 'n' });
  });
});
