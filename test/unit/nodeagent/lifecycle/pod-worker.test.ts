import { expect } from 'chai';
import type { AgentObjects } from '../../../../src/nodeagent/objects/index.ts';
import { RuntimeError } from '../../../../src/nodeagent/runtime/index.ts';
import { VolumeError } from '../../../../src/nodeagent/volumes/index.ts';
import { findFlaws } from './simulation/find-flaws.ts';
import { noFiles } from './simulation/simulated-parts.ts';
import type { WorldOptions } from './simulation/world.ts';
import {
  beginWorld,
  containerOf,
  deleted,
  messagesOf,
  podOf,
  reasonsOf,
  replace,
  runningOf,
  sandboxesOf,
} from './subject.ts';

type FailingCall =
  | 'runPodSandbox'
  | 'stopPodSandbox'
  | 'removePodSandbox'
  | 'stopContainer'
  | 'containerStatus';

/** Makes one call of the runtime fail at first, so many times. */
function failing(call: FailingCall, times: number) {
  const at: number[] = [];
  const parts: NonNullable<WorldOptions['parts']> = ({ runtime }, { time }) => ({
    runtime: {
      ...runtime,
      // The arguments are those of the call.
      async [call](argument: never, options: never) {
        at.push(time.nowMs);
        if (at.length <= times) throw new RuntimeError('failed', `${call}: no`, { detail: 'no' });
        return runtime[call](argument, options);
      },
    },
  });
  return { at, parts };
}

/** Seconds between moments. */
const gapsOf = (at: readonly number[]): readonly number[] =>
  at.slice(1).map((atMs, index) => Math.floor((atMs - (at[index] ?? 0)) / 1000));

describe('PodWorker', () => {
  describe('after a failure', () => {
    it('starts nothing for ten seconds, and says what failed', async () => {
      const { at, parts } = failing('runPodSandbox', 2);
      const world = await beginWorld({ parts });
      world.put('api', podOf('u'));
      await world.time.pass(25_000);
      expect(gapsOf(at)).to.deep.equal([10, 10]);
      const text = 'Failed to create pod sandbox: rpc error: code = Unknown desc = no';
      expect(messagesOf(world, 'FailedCreatePodSandBox')).to.deep.equal([text, text]);
      expect(runningOf(world, 'u')).to.deep.equal(['c0']);
    });

    it('tries again at once when the pod is another one', async () => {
      const { at, parts } = failing('runPodSandbox', 1);
      const world = await beginWorld({ parts });
      world.put('api', podOf('u'));
      await world.time.pass(3000);
      world.put('api', podOf('u', { labels: { a: 'b' } }));
      await world.time.pass(2000);
      expect(at).to.have.length(2);
    });

    it('does not take its own status for a change of the pod', async () => {
      const { at, parts } = failing('runPodSandbox', 1);
      const world = await beginWorld({ parts });
      world.put('api', podOf('u'));
      await world.time.pass(3000);
      const stored = world.desired.api.get('u') ?? podOf('u');
      expect(stored.status.phase).to.equal('Pending');
      world.put('api', stored); // another version
      await world.time.pass(3000);
      expect(at).to.have.length(1);
    });

    for (const call of ['stopPodSandbox', 'removePodSandbox'] as const) {
      it(`waits longer each time for ${call}`, async () => {
        const { at, parts } = failing(call, 4);
        const world = await beginWorld({ parts });
        world.put('api', podOf('u'));
        await world.time.pass(3000);
        world.put('api', deleted(podOf('u'), 30));
        await world.time.pass(40_000);
        expect(gapsOf(at).slice(0, 4)).to.deep.equal([1, 2, 4, 8]);
        expect(findFlaws(world)).to.deep.equal([]);
        expect(world.runtime.sandboxes.size).to.equal(0);
      });
    }

    it('waits as long as volumes say', async () => {
      const at: number[] = [];
      const world = await beginWorld({
        parts: ({ volumes }, { time }) => ({
          volumes: {
            ...volumes,
            mount(pod, context) {
              at.push(time.nowMs);
              if (at.length > 2) return volumes.mount(pod, context);
              const events = [{ reason: 'FailedMount', message: `no ${at.length}` }] as const;
              return Promise.reject(new VolumeError('no', { events, retryAfterMs: 4000 }));
            },
          },
        }),
      });
      world.put('api', podOf('u'));
      await world.time.pass(12_000);
      expect(gapsOf(at)).to.deep.equal([4, 4]);
      expect(messagesOf(world, 'FailedMount')).to.deep.equal(['no 1', 'no 2']);
      expect(runningOf(world, 'u')).to.deep.equal(['c0']);
    });

    it('asks a runtime that is away less and less often', async () => {
      const world = await beginWorld();
      world.put('api', podOf('u'));
      await world.time.pass(5000);
      world.faults.isAway = true;
      world.life?.manager.notify('u');
      await world.time.pass(1000);
      const before = world.invariants.callCount;
      await world.time.pass(60_000);
      // Two lists each second for the watch, and two each 8 seconds at the end for the pod.
      expect(world.invariants.callCount - before).to.be.at.most(120 + 2 * 10);
    });
  });

  it('does nothing on what it saw before the last action had ended', async () => {
    const world = await beginWorld({
      parts: ({ runtime }, { time }) => ({
        runtime: {
          ...runtime,
          // Answers are old when they come.
          async listContainers(filter) {
            const found = await runtime.listContainers(filter);
            await time.sleep(filter === undefined ? 0 : 700);
            return found;
          },
          async listPodSandboxes(filter) {
            const found = await runtime.listPodSandboxes(filter);
            await time.sleep(filter === undefined ? 0 : 700);
            return found;
          },
        },
      }),
    });
    world.put(
      'api',
      podOf('u', { spec: { containers: [containerOf('c0', 'run'), containerOf('c1', 'run')] } }),
    );
    await world.time.pass(20_000);
    expect(reasonsOf(world, 'u')).to.deep.equal(['Created', 'Started', 'Created', 'Started']);
    world.put('api', deleted(podOf('u'), 30));
    await world.time.pass(20_000);
    expect(world.invariants.broken).to.deep.equal([]);
    expect(findFlaws(world)).to.deep.equal([]);
  });

  it('lets nothing go while a sandbox is still being made', async () => {
    const crashing = podOf('u', { spec: { containers: [containerOf('c0', 'job exit=1@10')] } });
    let isSlow = false;
    const world = await beginWorld({
      parts: ({ runtime }, { time }) => ({
        runtime: {
          ...runtime,
          async runPodSandbox(options) {
            if (isSlow) await time.sleep(60_000);
            return runtime.runPodSandbox(options);
          },
        },
      }),
    });
    world.put('api', crashing);
    await world.time.pass(60_000); // It waits long for its next start.
    isSlow = true;
    world.runtime.loseSandbox('u');
    await world.time.pass(5000);
    void world.evict('u', { reason: 'Evicted', message: 'no room' });
    await world.time.pass(20_000);
    expect([...world.holdings.cgroups]).to.deep.equal(['u']);
    await world.time.pass(60_000);
    expect(findFlaws(world)).to.deep.equal([]);
    expect(world.holdings.cgroups.size).to.equal(0);
  });

  for (const call of ['stopPodSandbox', 'removePodSandbox'] as const) {
    it(`does not do again and again what has no effect, such as ${call}`, async () => {
      let count = 0;
      let isDeaf = true;
      const world = await beginWorld({
        parts: ({ runtime }) => ({
          runtime: {
            ...runtime,
            async [call](id: string) {
              count += 1;
              if (!isDeaf) await runtime[call](id);
            },
          },
        }),
      });
      world.put('api', podOf('u'));
      await world.time.pass(3000);
      world.put('api', deleted(podOf('u'), 30));
      await world.time.pass(100_000);
      expect(count).to.be.within(5, 25);
      isDeaf = false;
      await world.time.pass(20_000);
      expect(world.runtime.sandboxes.size).to.equal(0);
    });
  }

  describe('of a pod that cannot be ended', () => {
    const cases = [
      {
        call: 'stopPodSandbox',
        text: 'error killing pod: failed to "KillPodSandbox" for "u" with KillPodSandboxError: "rpc error: code = Unknown desc = no"',
      },
      {
        call: 'stopContainer',
        text: 'error killing pod: failed to "KillContainer" for "c0" with KillContainerError: "rpc error: code = Unknown desc = no"',
      },
    ] as const;
    for (const { call, text } of cases) {
      it(`says so, and why: ${call}`, async () => {
        const world = await beginWorld({ parts: failing(call, 1).parts });
        world.put('api', podOf('u'));
        await world.time.pass(3000);
        world.put('api', deleted(podOf('u'), 30));
        await world.time.pass(60_000);
        expect(messagesOf(world, 'FailedKillPod')).to.deep.equal([text]);
        expect(sandboxesOf(world, 'u')).to.deep.equal([]);
      });
    }

    it('says nothing when it has succeeded', async () => {
      const { at, parts } = failing('stopPodSandbox', 1);
      const world = await beginWorld({ parts });
      const spec = { containers: [containerOf('c0', 'run exit=0@1000')], restartPolicy: 'Never' };
      world.put('api', podOf('u', { spec }));
      await world.time.pass(60_000);
      expect(at).to.have.length(2);
      expect(messagesOf(world, 'FailedKillPod')).to.deep.equal([]);
    });
  });

  it('says why what the runtime has of a pod cannot be read', async () => {
    const world = await beginWorld({ parts: failing('containerStatus', 1).parts });
    world.put('api', podOf('u'));
    await world.time.pass(60_000);
    const text = 'error determining status: rpc error: code = Unknown desc = no';
    expect(messagesOf(world, 'FailedSync')).to.deep.equal([text]);
    expect(runningOf(world, 'u')).to.deep.equal(['c0']);
  });

  it('renews volumes once more when something changes while it does', async () => {
    const at: number[] = [];
    const world = await beginWorld({
      parts: ({ volumes }, { time }) => ({
        volumes: {
          ...volumes,
          async mount(pod, context) {
            at.push(time.nowMs);
            await time.sleep(3000);
            return volumes.mount(pod, context);
          },
        },
      }),
    });
    world.put('api', podOf('u'));
    await world.time.pass(10_000);
    at.splice(0);
    world.life?.manager.notify('u', { now: true });
    await world.time.pass(1000);
    for (let index = 0; index < 5; index++) world.life?.manager.notify('u', { now: true });
    await world.time.pass(30_000);
    expect(gapsOf(at)).to.deep.equal([3]);
  });

  describe('without a network', () => {
    const nodeInfo = () => ({ hostIps: ['192.0.2.2'], allocatable: {}, networkProblem: 'not yet' });

    it('makes no sandbox, and says so', async () => {
      const world = await beginWorld({ parts: () => ({ nodeInfo }) });
      world.put('api', podOf('u'));
      await world.time.pass(15_000);
      expect(sandboxesOf(world, 'u')).to.deep.equal([]);
      expect(messagesOf(world, 'NetworkNotReady')).to.deep.equal(
        Array(2).fill('network is not ready: not yet'),
      );
    });

    it('runs pods on that of the node', async () => {
      const world = await beginWorld({ parts: () => ({ nodeInfo }) });
      world.put('api', podOf('u', { spec: { hostNetwork: true } }));
      await world.time.pass(5000);
      expect(runningOf(world, 'u')).to.deep.equal(['c0']);
    });
  });

  describe("on the node's network", () => {
    const known = {
      whenServicesSynced: Promise.resolve(),
      services: () => [],
      registerPod() {},
      unregisterPod() {},
      // Nothing else is asked for this pod.
    } as Partial<AgentObjects> as AgentObjects;
    const cases = [
      { mode: 'the runtime has its own without an API server', objects: undefined, written: [] },
      { mode: "the node's is mounted with one", objects: known, written: ['etc-hosts'] },
    ];
    for (const { mode, objects, written } of cases) {
      it(`/etc/hosts: ${mode}`, async () => {
        const paths: string[] = [];
        const files = { ...noFiles, write: async ({ path }: { path: string }) => void paths.push(path) };
        const world = await beginWorld({ parts: () => ({ files, objects }) });
        world.put('api', podOf('u', { spec: { hostNetwork: true } }));
        await world.time.pass(5000);
        expect(runningOf(world, 'u')).to.deep.equal(['c0']);
        const names = paths.map((path) => path.split('/').at(-1) ?? '');
        expect(names.filter((name) => name === 'etc-hosts')).to.deep.equal(written);
      });
    }
  });

  it('makes no container before it knows the services', async () => {
    const synced = Promise.withResolvers<void>();
    // Nothing else is asked for this pod.
    const objects = {
      whenServicesSynced: synced.promise,
      services: () => [],
      registerPod() {},
      unregisterPod() {},
    } as Partial<AgentObjects> as AgentObjects;
    const world = await beginWorld({ parts: () => ({ objects }) });
    world.put('api', podOf('u'));
    await world.time.pass(8000);
    const message = 'services have not yet been read at least once, cannot construct envvars';
    expect(messagesOf(world, 'Failed')).to.deep.equal([`Error: ${message}`]);
    const [status] = world.life?.statuses.get('u')?.containerStatuses ?? [];
    expect(status?.state.waiting).to.deep.equal({ reason: 'CreateContainerConfigError', message });
    synced.resolve();
    await world.time.pass(12_000);
    expect(runningOf(world, 'u')).to.deep.equal(['c0']);
  });

  it('starts static pods before the API server ever answered, which may be one of them', async () => {
    const objects = {
      whenServicesSynced: Promise.withResolvers<void>().promise,
      services: () => [],
      registerPod() {},
      unregisterPod() {},
    } as Partial<AgentObjects> as AgentObjects;
    const world = await beginWorld({ parts: () => ({ objects }) });
    const source = { 'orch.io/config.source': 'file' };
    const pod = podOf('s', { annotations: source });
    world.put('file', pod);
    await world.time.pass(3000);
    expect(runningOf(world, 's')).to.deep.equal(['c0']);
  });

  it('ends a container whose hook fails', async () => {
    const failure = { reason: 'PostStartHookError: bad', message: 'the hook was bad' };
    const world = await beginWorld({ parts: replace('hooks', { postStart: async () => failure }) });
    world.put('api', podOf('u', { spec: { restartPolicy: 'Always' } }));
    await world.time.pass(3000);
    expect(runningOf(world, 'u')).to.deep.equal([]);
    expect(messagesOf(world, 'Killing')).to.include('FailedPostStartHook');
    expect(world.invariants.broken).to.deep.equal([]);
  });

  it('takes a sandbox for good once it has its address', async () => {
    const world = await beginWorld({
      parts: ({ runtime }, { time }) => ({
        runtime: {
          ...runtime,
          async runPodSandbox(options) {
            const id = await runtime.runPodSandbox(options);
            await time.sleep(3000); // It is listed already.
            return id;
          },
          async podSandboxStatus(id) {
            const status = await runtime.podSandboxStatus(id);
            const isNew = status !== undefined && time.nowMs - status.createdAtMs < 2500;
            return isNew ? { ...status, ips: [] } : status;
          },
        },
      }),
    });
    world.put('api', podOf('u'));
    await world.time.pass(15_000);
    expect(sandboxesOf(world, 'u')).to.have.length(1);
    expect(findFlaws(world)).to.deep.equal([]);
  });

  it('bears a deadline beyond what timers can wait for', async () => {
    const delays: number[] = [];
    const world = await beginWorld({
      parts: ({ clock, images }) => ({
        clock: {
          nowMs: () => clock.nowMs(),
          setTimer(delayMs, callback) {
            delays.push(delayMs);
            return clock.setTimer(delayMs, callback);
          },
        },
        images: { ...images, ensure: () => new Promise(() => {}) },
      }),
    });
    world.put('api', podOf('u', { spec: { activeDeadlineSeconds: 2 ** 31 - 1 } }));
    await world.time.pass(120_000);
    world.life?.manager.notify('u');
    await world.time.pass(2000);
    expect(Math.max(...delays)).to.be.below(2 ** 31);
  });
});
