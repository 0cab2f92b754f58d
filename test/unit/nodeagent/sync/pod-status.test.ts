import { expect } from 'chai';
import { describe, it } from 'mocha';
import type { PodCondition, PodSpec, PodStatus } from '../../../../src/apis/types/core-v1.ts';
import type { PodInput } from '../../../../src/nodeagent/sync/pod-input.ts';
import { podStatus } from '../../../../src/nodeagent/sync/pod-status.ts';
import {
  containerOf,
  endedOf,
  failureOf,
  inputOf,
  instanceOf,
  memoryOf,
  nowMs,
  nowText,
  podOf,
  sandboxOf,
} from './pod-input.ts';

type Instances = PodInput['view']['containers'];

const earlier = '2025-12-31T00:00:00Z';
const viewOf = (...containers: Instances): PodInput['view'] => ({ sandboxes: [sandboxOf()], containers });
const statusOf = (more: Partial<PodInput>) => podStatus(inputOf(more));
const stateOf = (more: Partial<PodInput>) => statusOf(more).containerStatuses?.[0];
const previously = (status: PodStatus) => memoryOf({ status });
const find = (status: PodStatus, type: string) => status.conditions?.find((each) => each.type === type);
const condition = (type: string, status: string): PodCondition => ({
  type,
  status,
  lastProbeTime: null,
  lastTransitionTime: earlier,
});
const old = (more: object) => ({
  name: 'c',
  state: {},
  lastState: {},
  ready: true,
  restartCount: 3,
  image: 'a:1',
  imageID: 'sha256:a',
  ...more,
});

const running = (name = 'c') => instanceOf(name);
const ended = (exitCode: number, name = 'c') => endedOf(name, 0, exitCode);
const two = { containers: [containerOf('c'), containerOf('d')] };
const init = { initContainers: [containerOf('i')] };
const onFailure = { restartPolicy: 'OnFailure' };
const never = { restartPolicy: 'Never' };

const phases: readonly (readonly [string, Partial<PodSpec>, Instances, string])[] = [
  ['nothing was started', {}, [], 'Pending'],
  ['only some were started', two, [running()], 'Pending'],
  ['all run', two, [running(), running('d')], 'Running'],
  ['one runs and one has ended', { ...two, ...never }, [running(), ended(1, 'd')], 'Running'],
  ['all have ended and start again', two, [ended(0), ended(1, 'd')], 'Running'],
  ['all have ended well', { ...two, ...never }, [ended(0), ended(0, 'd')], 'Succeeded'],
  [
    'all have ended well and none is repeated',
    { ...two, ...onFailure },
    [ended(0), ended(0, 'd')],
    'Succeeded',
  ],
  ['one has ended badly and is repeated', { ...two, ...onFailure }, [ended(0), ended(1, 'd')], 'Running'],
  ['one has ended badly and nothing is repeated', { ...two, ...never }, [ended(0), ended(1, 'd')], 'Failed'],
  ['an init container runs', init, [running('i')], 'Pending'],
  ['an init container has failed and is repeated', { ...init, ...onFailure }, [ended(1, 'i')], 'Pending'],
  ['an init container has failed for good', { ...init, ...never }, [ended(1, 'i')], 'Failed'],
  ['init containers are done', init, [ended(0, 'i'), running()], 'Running'],
  ['nobody knows what a container does', {}, [instanceOf('c', 0, { state: 'unknown' })], 'Pending'],
  ['a container was created and not started', never, [instanceOf('c', 0, { state: 'created' })], 'Pending'],
];

describe('podStatus', () => {
  for (const [when, spec, instances, phase] of phases) {
    it(`says ${phase} when ${when}`, () => {
      expect(statusOf({ pod: podOf(spec), view: viewOf(...instances) }).phase).to.equal(phase);
    });
  }

  it('lists containers by name, and init containers in their order', () => {
    const names = (...all: string[]) => all.map((name) => containerOf(name));
    const { containerStatuses, initContainerStatuses } = statusOf({
      pod: podOf({ containers: names('z', 'b'), initContainers: names('y', 'a') }),
      view: viewOf(),
    });
    expect(containerStatuses?.map(({ name }) => name)).to.deep.equal(['b', 'z']);
    expect(initContainerStatuses?.map(({ name }) => name)).to.deep.equal(['y', 'a']);
  });

  it('names the containers that keep a pod from being ready, in the order of the specification', () => {
    const pod = podOf({ containers: [containerOf('z'), containerOf('b'), containerOf('c')] });
    const status = statusOf({ pod, view: viewOf(running()) });
    expect(find(status, 'ContainersReady')).to.include({
      status: 'False',
      reason: 'ContainersNotReady',
      message: 'containers with unready status: [z b]',
    });
  });

  describe('conditions', () => {
    it('keep the time since when they hold, and get a new one when they change', () => {
      const conditions = [condition('Ready', 'False'), condition('ContainersReady', 'True')];
      const status = statusOf({ memory: previously({ conditions }) });
      expect(find(status, 'Ready')).to.include({ status: 'True', lastTransitionTime: nowText });
      expect(find(status, 'ContainersReady')).to.include({ status: 'True', lastTransitionTime: earlier });
    });

    it('of others stay, before those of the agent', () => {
      const pod = {
        ...podOf(),
        status: { conditions: [condition('PodScheduled', 'True'), condition('x/y', 'No')] },
      };
      const { conditions = [] } = statusOf({ pod });
      expect(conditions[0]).to.deep.equal(condition('x/y', 'No'));
      expect(conditions.map(({ type }) => type)).to.deep.equal([
        'x/y',
        'Initialized',
        'Ready',
        'ContainersReady',
        'PodScheduled',
      ]);
      expect(conditions[4]?.lastTransitionTime).to.equal(earlier);
    });

    it('say which readiness gates are shut', () => {
      const gates = ['a', 'b', 'c'].map((conditionType) => ({ conditionType }));
      const pod = podOf({ readinessGates: gates });
      pod.status = { conditions: [condition('a', 'True'), condition('b', 'False')] };
      expect(find(statusOf({ pod }), 'Ready')).to.include({
        reason: 'ReadinessGatesNotReady',
        message:
          'the status of pod readiness gate "b" is not "True", but False, ' +
          'corresponding condition of pod readiness gate "c" does not exist.',
      });
      pod.status = { conditions: ['a', 'b', 'c'].map((type) => condition(type, 'True')) };
      expect(find(statusOf({ pod }), 'Ready')).to.include({ status: 'True' });
    });
  });

  describe('addresses', () => {
    it('are those of the newest sandbox', () => {
      const older = sandboxOf({ id: 's', state: 'not-ready', ips: ['10.1.0.4'] });
      const metadata = { ...older.metadata, attempt: 1 };
      const newer = sandboxOf({ metadata, ips: ['10.1.0.6', 'fd00::6'] });
      const status = statusOf({ view: { sandboxes: [older, newer], containers: [running()] } });
      expect(status.podIP).to.equal('10.1.0.6');
      expect(status.podIPs).to.deep.equal([{ ip: '10.1.0.6' }, { ip: 'fd00::6' }]);
    });

    it('stay when the sandbox has ended', () => {
      const podIPs = [{ ip: '10.1.0.5' }];
      const view = { sandboxes: [sandboxOf({ state: 'not-ready', ips: [] })], containers: [ended(1)] };
      const status = statusOf({ view, memory: previously({ podIP: '10.1.0.5', podIPs }) });
      expect(status).to.deep.include({ podIP: '10.1.0.5', podIPs });
    });

    it('are those of the node on its network, where the node has one', () => {
      const pod = podOf({ hostNetwork: true });
      const view = { sandboxes: [sandboxOf({ ips: [] })], containers: [running()] };
      expect(statusOf({ pod, view, hostIp: '192.0.2.2' })).to.deep.include({
        hostIP: '192.0.2.2',
        podIP: '192.0.2.2',
        podIPs: [{ ip: '192.0.2.2' }],
      });
      expect(statusOf({ pod, view })).not.to.have.any.keys('hostIP', 'podIP', 'podIPs');
    });
  });

  describe('a container', () => {
    it('shows how the instance before the newest ended', () => {
      const view = viewOf(endedOf('c', 0, 1), endedOf('c', 1, 2), instanceOf('c', 2));
      expect(stateOf({ view })).to.deep.include({ restartCount: 2, containerID: 'containerd://c-2' });
      expect(stateOf({ view })?.lastState.terminated).to.include({
        exitCode: 2,
        containerID: 'containerd://c-1',
      });
    });

    it('waits with the reason of a failed start, and keeps how it ended before', () => {
      const view = viewOf(endedOf('c', 4, 7));
      const failures = new Map([['c', failureOf()]]);
      const status = stateOf({ view, memory: memoryOf({ failures }) });
      expect(status?.state).to.deep.equal({ waiting: { reason: 'ErrImagePull', message: 'no such host' } });
      expect(status?.lastState.terminated?.exitCode).to.equal(7);
      expect(status?.restartCount).to.equal(4);
    });

    it('shows no failure that it is not started again after', () => {
      const memory = memoryOf({ failures: new Map([['c', failureOf()]]) });
      expect(stateOf({ memory })?.state).to.have.property('running');
      const pod = podOf(onFailure);
      expect(stateOf({ pod, memory, view: viewOf(ended(0)) })?.state).to.have.property('terminated');
    });

    it('that has ended stays so when the runtime has forgotten it', () => {
      const terminated = { exitCode: 3, reason: 'Error', startedAt: nowText, finishedAt: nowText };
      const containerStatuses = [old({ state: { terminated } })];
      const memory = previously({ containerStatuses });
      expect(stateOf({ memory, view: viewOf() })?.state).to.deep.equal({ terminated });
    });

    it('keeps its count when it ran and the runtime has forgotten it', () => {
      const containerStatuses = [old({ state: { running: { startedAt: nowText } } })];
      const status = stateOf({ memory: previously({ containerStatuses }), view: viewOf() });
      expect(status).to.deep.include({ restartCount: 3, lastState: {}, ready: false });
      expect(status?.state).to.deep.equal({ waiting: { reason: 'ContainerCreating' } });
    });

    it('of a deleted pod is known to have ended when the runtime has forgotten it', () => {
      const pod = podOf({}, { deletionTimestamp: nowText });
      const containerStatuses = [old({ state: { running: { startedAt: nowText } } })];
      const status = stateOf({ pod, memory: previously({ containerStatuses }), view: viewOf() });
      expect(status?.lastState.terminated).to.include({ exitCode: 137, reason: 'ContainerStatusUnknown' });
    });

    it('has its message cut to its share of 12 KiB, never within a character', () => {
      const message = 'é'.repeat(10_000);
      const instance = instanceOf('c', 0, { state: 'exited', exitCode: 1, message });
      const pod = podOf({ containers: ['c', 'd', 'e', 'f', 'g'].map((name) => containerOf(name)) });
      const cut = stateOf({ pod, view: viewOf(instance) })?.state.terminated?.message ?? '';
      // A fifth of 12,288 bytes is 2,457: 1,228 characters of two bytes, and no half one.
      expect(cut).to.equal('é'.repeat(1228));
    });
  });

  it('keeps the phase of a pod that somebody else has ended', () => {
    const view = viewOf(running());
    const memory = previously({ phase: 'Running' });
    const endedBy = (phase: string) => statusOf({ pod: { ...podOf(), status: { phase } }, view, memory });
    expect(endedBy('Failed').phase).to.equal('Failed');
    const succeeded = endedBy('Succeeded');
    expect([succeeded.phase, find(succeeded, 'Ready')?.reason]).to.deep.equal(['Succeeded', 'PodCompleted']);
    expect(endedBy('Pending').phase).to.equal('Running');
  });

  describe('a deadline', () => {
    const pod = podOf({ ...never, activeDeadlineSeconds: 60 });
    const finishedBefore = (seconds: number) => {
      const started = sandboxOf({ createdAtMs: nowMs - 90_000 });
      return { sandboxes: [started], containers: [endedOf('c', 0, 0, nowMs - seconds * 1000)] };
    };

    it('does not touch a pod that had finished before, though the agent has forgotten that', () => {
      expect(statusOf({ pod, view: finishedBefore(40) })).to.include({ phase: 'Succeeded' });
    });

    it('fails a pod that ended after it', () => {
      const status = statusOf({ pod, view: finishedBefore(20) });
      expect(status).to.include({ phase: 'Failed', reason: 'DeadlineExceeded' });
    });

    it("leaves a pod on the node's network the address that it had", () => {
      const onNode = podOf({ ...never, activeDeadlineSeconds: 60, hostNetwork: true });
      const podIPs = [{ ip: '192.0.2.2' }];
      const sandboxes = [sandboxOf({ createdAtMs: nowMs - 90_000, ips: [] })];
      const status = statusOf({
        pod: onNode,
        view: { sandboxes, containers: [running()] },
        memory: previously({ podIP: '192.0.2.2', podIPs }),
        hostIp: '192.0.2.2',
      });
      expect(status).to.include({ phase: 'Failed', podIP: '192.0.2.2' });
      expect(status.podIPs).to.deep.equal(podIPs);
      expect(status).not.to.have.property('hostIP');
    });
  });
});

describe('podStatus of a container whose start is under way', () => {
  const starting = new Map([['c', 0]]);

  it('waits until the postStart hook has completed', () => {
    const status = statusOf({ view: viewOf(running()), starting });
    expect(status.phase).to.equal('Pending');
    expect(status.containerStatuses?.[0]?.state).to.deep.equal({ waiting: { reason: 'ContainerCreating' } });
    expect(find(status, 'Ready')?.status).to.equal('False');
    expect(statusOf({ view: viewOf(running()) }).phase).to.equal('Running');
  });

  it('shows how the instance before has ended', () => {
    const again = stateOf({ view: viewOf(instanceOf('c', 1), ended(1)), starting: new Map([['c', 1]]) });
    expect(again?.state.terminated?.exitCode).to.equal(1);
    expect(again?.restartCount).to.equal(0);
  });

  it('shows the instance that is being stopped before', () => {
    const first = stateOf({ view: viewOf(running()), starting: new Map([['c', 1]]) });
    expect([Object.keys(first?.state ?? {}), first?.restartCount]).to.deep.equal([['running'], 0]);
    const view = viewOf(instanceOf('c', 1), ended(1));
    const second = stateOf({ view, starting: new Map([['c', 2]]) });
    expect([Object.keys(second?.state ?? {}), second?.restartCount]).to.deep.equal([['running'], 1]);
    expect(second?.lastState.terminated?.exitCode).to.equal(1);
  });

  it('shows at once that the new instance has ended', () => {
    expect(stateOf({ view: viewOf(ended(3)), starting })?.state.terminated?.exitCode).to.equal(3);
  });

  it('does not hide others', () => {
    const view = viewOf(running(), running('d'));
    const shown = statusOf({ pod: podOf(two), view, starting }).containerStatuses ?? [];
    expect(shown.map(({ state }) => Object.keys(state))).to.deep.equal([['waiting'], ['running']]);
  });
});
