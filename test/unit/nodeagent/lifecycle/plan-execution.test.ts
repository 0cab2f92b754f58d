import { expect } from 'chai';
import { silentLogger, systemClock } from '../../../../src/base/index.ts';
import { PlanExecution } from '../../../../src/nodeagent/lifecycle/plan-execution.ts';
import type { ContainerStatus } from '../../../../src/nodeagent/runtime/index.ts';
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

describe('PlanExecution', () => {
  describe('of a container that was never started, which makes room for another', () => {
    /** Calls that were made, while the runtime says that the container is in this state now. */
    const callsFor = async (now: ContainerStatus['state'] | undefined, isRemoval = false) => {
      const calls: string[] = [];
      const never = () => Promise.reject(new Error('is not needed'));
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
});
