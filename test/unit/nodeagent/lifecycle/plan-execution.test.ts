import { expect } from 'chai';
import { silentLogger, systemClock } from '../../../../src/base/index.ts';
import { PlanExecution } from '../../../../src/nodeagent/lifecycle/plan-execution.ts';
import { type ContainerStatus, RuntimeError } from '../../../../src/nodeagent/runtime/index.ts';
import { podOf } from './subject.ts';

const created: ContainerStatus = {
  id: 'old',
  metadata: { name: 'c0', attempt: 0 },
  image: 'run',
  imageRef: 'run',
  state: 'created',
  createdAtMs: 0,
  startedAtMs: undefined,
  finishedAtMs: undefined,
  exitCode: 0,
  reason: '',
  message: '',
  mounts: [],
  logPath: '/log',
  labels: {},
  annotations: {},
};

const never = () => Promise.reject(new Error('is not needed'));

describe('PlanExecution', () => {
  describe('of a pod that is to end', () => {
    /** Sandboxes that were stopped, and the failure, when stopping its container fails so. */
    const outcomeFor = async (reason: RuntimeError, stopPodSandbox: (id: string) => Promise<void>) => {
      const stopped: string[] = [];
      const stops = [{ containerId: 'i', name: 'c0', graceMs: 0, message: '' }];
      const execution = new PlanExecution(
        {
          pod: podOf('u'),
          actions: [{ kind: 'stop-pod', stops, podSandboxIds: ['s', 't'] }],
          view: { sandboxes: [], containers: [] },
          podIp: undefined,
          graceMs: 0,
          isRemoval: false,
          signal: new AbortController().signal,
          onStart: () => {},
        },
        {
          runtime: {
            stopPodSandbox: (id) => {
              stopped.push(id);
              return stopPodSandbox(id);
            },
            containerStatus: never,
            removeContainer: never,
            removePodSandbox: never,
          },
          preparer: { prepare: never },
          sandboxes: { make: never, find: never },
          starter: { start: never },
          stopper: { stop: () => Promise.reject(reason) },
          files: { removeLog: never, removePodLogs: never },
          clock: systemClock,
          logger: silentLogger,
        },
      );
      const failure = await execution.perform().catch((error: Error) => error.message);
      return { stopped, failure };
    };
    const badSignal = new RuntimeError('failed', 'StopContainer: failed to parse stop signal "SIGFOO"');
    const killContainer = `failed to "KillContainer" for "c0" with KillContainerError: "rpc error: code = Unknown desc = failed to parse stop signal \\"SIGFOO\\""`;

    it('stops its sandboxes although the runtime cannot stop a container, which end it', async () => {
      expect(await outcomeFor(badSignal, async () => {})).to.deep.equal({
        stopped: ['s', 't'],
        failure: killContainer,
      });
    });
    it('tells of everything that did not end', async () => {
      const fail = async (id: string): Promise<void> => {
        throw new RuntimeError('failed', `StopPodSandbox: ${id} is busy`);
      };
      expect((await outcomeFor(badSignal, fail)).failure).to.equal(
        `[${killContainer}, failed to "KillPodSandbox" for "u" with KillPodSandboxError: "rpc error: code = Unknown desc = t is busy"]`,
      );
    });
    it('leaves its sandboxes alone when the runtime went away: containers have their grace', async () => {
      const { stopped } = await outcomeFor(new RuntimeError('unavailable', 'gone'), never);
      expect(stopped).to.deep.equal([]);
    });
  });

  describe('of a container that was never started, which makes room for another', () => {
    /** Calls that were made, while the runtime says that the container is in this state now. */
    const callsFor = async (now: ContainerStatus['state'] | undefined, isRemoval = false) => {
      const calls: string[] = [];
      const actions = [
        { kind: 'remove-container', containerId: 'old' },
        { kind: 'start-container', name: 'c0', isInit: false, attempt: 0, podSandboxId: 's' },
      ] as const;
      const execution = new PlanExecution(
        {
          pod: podOf('u'),
          actions: isRemoval ? actions.slice(0, 1) : actions,
          view: { sandboxes: [], containers: [{ podSandboxId: 's', status: created }] },
          podIp: undefined,
          graceMs: 0,
          isRemoval,
          signal: new AbortController().signal,
          onStart: ({ name }) => calls.push(`started ${name}`),
        },
        {
          runtime: {
            containerStatus: async () => (now === undefined ? undefined : { ...created, state: now }),
            removeContainer: async (id) => void calls.push(`remove ${id}`),
            removePodSandbox: never,
            stopPodSandbox: never,
          },
          preparer: { prepare: async () => new Map() },
          sandboxes: {
            make: never,
            find: async (id) => ({ id, ip: undefined }) as never,
          },
          starter: { start: async () => undefined },
          stopper: { stop: never },
          files: {
            removeLog: async () => void calls.push('remove its log'),
            removePodLogs: never,
          },
          clock: systemClock,
          logger: silentLogger,
        },
      );
      await execution.perform();
      return calls;
    };

    for (const now of ['created', undefined] as const) {
      it(`removes it and starts the other while it is ${now ?? 'gone'}`, async () => {
        expect(await callsFor(now)).to.deep.equal(['remove its log', 'remove old', 'started c0']);
      });
    }
    for (const now of ['running', 'exited', 'unknown'] as const) {
      it(`leaves it alone and starts nothing when it is ${now} meanwhile`, async () => {
        expect(await callsFor(now)).to.deep.equal([]);
      });
      it(`removes it although it is ${now} meanwhile, when its pod goes`, async () => {
        expect(await callsFor(now, true)).to.deep.equal(['remove its log', 'remove old']);
      });
    }
  });

  describe('of containers that the runtime does not remove', () => {
    /** Calls that were made, and the failure. */
    const outcomeFor = async (reason: RuntimeError, isRemoval: boolean) => {
      const calls: string[] = [];
      const execution = new PlanExecution(
        {
          pod: podOf('u'),
          actions: [
            { kind: 'remove-container', containerId: 'kept' },
            { kind: 'remove-container', containerId: 'other' },
            { kind: 'remove-sandbox', podSandboxId: 's' },
          ],
          view: { sandboxes: [], containers: [] },
          podIp: undefined,
          graceMs: 0,
          isRemoval,
          signal: new AbortController().signal,
          onStart: () => {},
        },
        {
          runtime: {
            containerStatus: never,
            async removeContainer(id) {
              calls.push(id);
              if (id === 'kept') throw reason;
            },
            async removePodSandbox(id) {
              calls.push(id);
              throw new RuntimeError('invalid', 'RemovePodSandbox: it has containers');
            },
            stopPodSandbox: never,
          },
          preparer: { prepare: never },
          sandboxes: { make: never, find: never },
          starter: { start: never },
          stopper: { stop: never },
          files: { removeLog: never, removePodLogs: async () => void calls.push('logs') },
          clock: systemClock,
          logger: silentLogger,
        },
      );
      const failure = await execution.perform().catch((error: unknown) => error);
      return { calls, failure: failure instanceof Error ? failure.message : failure };
    };
    const refusal = new RuntimeError('invalid', 'RemoveContainer: cannot delete running task');

    it('removes the others and ends the sandbox, when their pod goes', async () => {
      const { calls, failure } = await outcomeFor(refusal, true);
      expect(calls).to.deep.equal(['kept', 'other', 'logs', 's']);
      expect(failure).to.equal(refusal.message);
    });
    it('removes nothing else while their pod stays', async () => {
      expect((await outcomeFor(refusal, false)).calls).to.deep.equal(['kept']);
    });
    it('removes nothing else when the runtime went away', async () => {
      const gone = new RuntimeError('unavailable', 'gone');
      expect(await outcomeFor(gone, true)).to.deep.equal({ calls: ['kept'], failure: 'gone' });
    });
  });
});
