import { expect } from 'chai';
import type { Pod } from '../../../../src/apis/types/core-v1.ts';
import { RuntimeError } from '../../../../src/nodeagent/runtime/index.ts';
import { findFlaws } from './simulation/find-flaws.ts';
import { World } from './simulation/world.ts';
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

const verdict = { reason: 'Evicted', message: 'no room', graceMs: 0 };
const storedPod = (world: World, uid: string) => world.desired.api.get(uid) ?? podOf(uid);

describe('PodManager', () => {
  it('runs a pod, and asks for nothing but two lists a second once that is done', async () => {
    const world = await beginWorld();
    for (let index = 0; index < 20; index++) world.put('api', podOf(`u${index}`));
    await world.time.pass(15_000);
    const before = world.invariants.callCount;
    await world.time.pass(20_000);
    // Each second begins after the answers of the last one: the lists of 19 or 20 of them fall within.
    expect(world.invariants.callCount - before).to.be.within(38, 40);
    expect(findFlaws(world)).to.deep.equal([]);
    expect(reasonsOf(world, 'u7')).to.deep.equal(['Created', 'Started']);
  });

  describe('names', () => {
    it('are free for another pod when the one before has gone', async () => {
      const world = await beginWorld();
      world.put(
        'api',
        podOf('old', { name: 'web', spec: { containers: [containerOf('c0', 'run term=never')] } }),
      );
      await world.time.pass(5000);
      world.desired.api.delete('old');
      world.put('api', podOf('new', { name: 'web' }));
      await world.time.pass(25_000);
      expect(runningOf(world, 'old')).to.deep.equal(['c0']);
      expect(sandboxesOf(world, 'new')).to.deep.equal([]);
      await world.time.pass(10_000);
      expect(sandboxesOf(world, 'old')).to.deep.equal([]);
      expect(runningOf(world, 'new')).to.deep.equal(['c0']);
    });

    it('are free for another pod although the runtime keeps what has ended of the one before', async () => {
      let isKept = true;
      const world = await beginWorld({
        parts: ({ runtime }) => ({
          runtime: {
            ...runtime,
            async removeContainer(id) {
              if (isKept) throw new RuntimeError('invalid', 'RemoveContainer: cannot delete running task');
              await runtime.removeContainer(id);
            },
            async removePodSandbox(id) {
              if (isKept) throw new RuntimeError('invalid', 'RemovePodSandbox: cannot delete running task');
              await runtime.removePodSandbox(id);
            },
          },
        }),
      });
      world.put('api', podOf('old', { name: 'web' }));
      await world.time.pass(5000);
      world.desired.api.delete('old');
      world.put('api', podOf('new', { name: 'web' }));
      await world.time.pass(40_000);
      expect(sandboxesOf(world, 'old')).to.have.length(1);
      expect(runningOf(world, 'new')).to.deep.equal(['c0']);
      isKept = false;
      await world.time.pass(60_000);
      expect(sandboxesOf(world, 'old')).to.deep.equal([]);
      expect(runningOf(world, 'new')).to.deep.equal(['c0']);
      expect(findFlaws(world)).to.deep.equal([]);
    });

    it('are free after a restart of the agent, too', async () => {
      const world = await beginWorld({
        parts: ({ runtime }) => ({
          runtime: {
            ...runtime,
            removeContainer: () => Promise.reject(new RuntimeError('invalid', 'RemoveContainer: it is busy')),
            removePodSandbox: () =>
              Promise.reject(new RuntimeError('invalid', 'RemovePodSandbox: it is busy')),
          },
        }),
      });
      world.put('api', podOf('old', { name: 'web' }));
      await world.time.pass(5000);
      world.killAgent();
      world.desired.api.delete('old');
      world.put('api', podOf('new', { name: 'web' }));
      world.startAgent();
      await world.time.pass(40_000);
      expect(sandboxesOf(world, 'old')).to.have.length(1);
      expect(runningOf(world, 'new')).to.deep.equal(['c0']);
    });

    it('that the runtime still has for a pod of before are waited for, whoever has spoken', async () => {
      const world = await beginWorld();
      world.put(
        'api',
        podOf('old', { name: 'web', spec: { containers: [containerOf('c0', 'run term=900')] } }),
      );
      await world.time.pass(5000);
      world.killAgent();
      world.desired.api.delete('old');
      world.put('api', podOf('new', { name: 'web' }));
      const begins: string[] = [];
      world.invariants.onSandbox = ({ uid }) => begins.push(`${uid} ${runningOf(world, 'old').length}`);
      world.startAgent();
      await world.time.pass(8000);
      expect(begins).to.deep.equal(['new 0']);
      expect(findFlaws(world)).to.deep.equal([]);
    });
  });

  it('removes pods that nobody wants once all sources have spoken, and none before', async () => {
    const world = await beginWorld();
    world.put('file', podOf('s'));
    await world.time.pass(5000);
    world.killAgent();
    world.desired.file.clear();
    world.isSilent.add('api');
    world.startAgent();
    await world.time.pass(20_000);
    expect(runningOf(world, 's')).to.deep.equal(['c0']);
    world.isSilent.clear();
    world.deliver('api');
    await world.time.pass(5000);
    expect(findFlaws(world)).to.deep.equal([]);
    expect(sandboxesOf(world, 's')).to.deep.equal([]);
  });

  it('ends pods that make room for a critical one, and says why', async () => {
    const low = podOf('low');
    const world = await beginWorld({
      admit: ({ metadata }) => ({ kind: 'admitted', preempts: metadata.uid === 'high' ? [low] : [] }),
    });
    world.put('api', low);
    await world.time.pass(5000);
    world.put('api', podOf('high'));
    await world.time.pass(5000);
    expect(runningOf(world, 'low')).to.deep.equal([]);
    expect(runningOf(world, 'high')).to.deep.equal(['c0']);
    expect(messagesOf(world, 'Preempting')).to.deep.equal(['Preempted in order to admit critical pod']);
    expect(world.life?.statuses.get('low')).to.include({ phase: 'Failed', reason: 'Preempting' });
  });

  describe('what a pod was given of the node', () => {
    const standing = (world: World, uid: string, container = 'c0') =>
      world.life?.table.standingOf(uid, container);
    const lasting = podOf('u', { spec: { containers: [containerOf('c0', 'run term=20000')] } });

    it('is desired while it runs, for as long as the pod has such a container', async () => {
      const world = await beginWorld();
      world.put('api', lasting);
      await world.time.pass(5000);
      expect(standing(world, 'u')).to.equal('desired');
      expect([standing(world, 'u', 'c1'), standing(world, 'orphan')]).to.deep.equal(['gone', 'gone']);
    });

    it('is terminating while the pod ends, whoever ends it, and then gone', async () => {
      const world = await beginWorld();
      for (const uid of ['u', 'v']) world.put('api', { ...lasting, metadata: { ...podOf(uid).metadata } });
      await world.time.pass(5000);
      world.desired.api.delete('u');
      world.put('api', podOf('w'));
      void world.evict('v', { reason: 'Evicted', message: 'no room', graceMs: 30_000 });
      await world.time.pass(5000);
      expect(['u', 'v', 'w'].map((uid) => standing(world, uid))).to.deep.equal([
        'terminating',
        'terminating',
        'desired',
      ]);
      await world.time.pass(40_000);
      expect(['u', 'v', 'w'].map((uid) => standing(world, uid))).to.deep.equal(['gone', 'gone', 'desired']);
    });

    it('counts as desired as long as nobody knows, and as terminating while the runtime has it', async () => {
      const world = await beginWorld();
      world.put('api', lasting);
      await world.time.pass(5000);
      world.killAgent();
      world.desired.api.delete('u');
      world.isSilent.add('api');
      world.startAgent();
      await world.time.pass(5000);
      expect([standing(world, 'u'), standing(world, 'orphan')]).to.deep.equal(['desired', 'desired']);
      world.isSilent.delete('api');
      world.deliver('api');
      await world.time.pass(5000);
      expect(standing(world, 'u')).to.equal('terminating');
      await world.time.pass(40_000);
      expect(standing(world, 'u')).to.equal('gone');
    });
  });

  describe('an eviction', () => {
    const stubborn = podOf('u', { spec: { containers: [containerOf('c0', 'run term=never')] } });
    const slow = { ...verdict, graceMs: 40_000 };
    /** What became of an eviction, and when in seconds. */
    async function evict(world: World): Promise<() => string> {
      let outcome = 'nothing';
      const seconds = (): number => Math.floor((world.time.nowMs - beganMs) / 1000);
      const beganMs = world.time.nowMs;
      world.evict('u', slow).then(
        () => {
          outcome = `ended after ${seconds()} s`;
        },
        (error: unknown) => {
          outcome = `${error instanceof Error ? error.message : error} after ${seconds()} s`;
        },
      );
      return () => outcome;
    }

    it('lasts until nothing runs', async () => {
      const world = await beginWorld();
      world.put('api', stubborn);
      await world.time.pass(5000);
      const outcome = await evict(world);
      await world.time.pass(50_000);
      expect(outcome()).to.match(/^ended after (40|41|42|43) s$/);
    });

    it('is not waited for much longer than its grace', async () => {
      const world = await beginWorld({
        parts: ({ runtime }) => ({ runtime: { ...runtime, stopContainer: () => new Promise(() => {}) } }),
      });
      world.put('api', stubborn);
      await world.time.pass(5000);
      const outcome = await evict(world);
      await world.time.pass(70_000);
      expect(outcome()).to.equal('timeout waiting to kill pod after 60 s');
      expect(messagesOf(world, 'ExceededGracePeriod')).to.deep.equal([
        'Container runtime did not kill the pod within specified grace period.',
      ]);
    });

    it('is waited for no longer than the manager is open', async () => {
      const world = await beginWorld();
      world.put('api', stubborn);
      await world.time.pass(5000);
      const outcome = await evict(world);
      await world.time.pass(1000);
      world.life?.manager.close();
      await world.time.pass(1);
      expect(outcome()).to.equal('ended after 1 s');
    });
  });

  describe('a pod that must be given something before it is judged', () => {
    /** Pods whose preparation ends when the test says so. */
    async function beginPreparing() {
      const done = new Map<string, () => void>();
      const judged: string[] = [];
      const world = await beginWorld({
        admit({ metadata: { uid = '' } }) {
          judged.push(uid);
          return { kind: 'admitted', preempts: [] };
        },
        parts: () => ({
          prepareAdmission: ({ metadata: { uid = '' } }) =>
            uid.startsWith('plain') ? undefined : new Promise((resolve) => done.set(uid, resolve)),
        }),
      });
      return { world, done, judged };
    }

    it('is judged and begun when it has it, and holds up no other', async () => {
      const { world, done, judged } = await beginPreparing();
      world.put('api', podOf('u'));
      world.put('api', podOf('plain'));
      await world.time.pass(5000);
      expect([judged, runningOf(world, 'plain'), runningOf(world, 'u')]).to.deep.equal([
        ['plain'],
        ['c0'],
        [],
      ]);
      done.get('u')?.();
      await world.time.pass(5000);
      expect([judged, runningOf(world, 'u')]).to.deep.equal([['plain', 'u'], ['c0']]);
    });

    it('is not begun when nobody desires it any more', async () => {
      const { world, done, judged } = await beginPreparing();
      world.put('api', podOf('u'));
      await world.time.pass(1000);
      world.desired.api.delete('u');
      world.put('api', podOf('plain'));
      await world.time.pass(1000);
      done.get('u')?.();
      await world.time.pass(5000);
      expect([judged, sandboxesOf(world, 'u')]).to.deep.equal([['plain'], []]);
    });

    it('keeps its name from others meanwhile', async () => {
      const { world, done } = await beginPreparing();
      world.put('api', podOf('u', { name: 'web' }));
      await world.time.pass(1000);
      world.put('file', podOf('plain', { name: 'web' }));
      await world.time.pass(3000);
      expect(sandboxesOf(world, 'plain')).to.deep.equal([]);
      done.get('u')?.();
      await world.time.pass(5000);
      expect([runningOf(world, 'u'), sandboxesOf(world, 'plain')]).to.deep.equal([['c0'], []]);
    });
  });

  it('starts nothing of a pod that is not admitted', async () => {
    const refusal = { reason: 'OutOfcpu', message: 'said to people', statusMessage: 'said in the status' };
    const world = await beginWorld({ admit: () => ({ kind: 'refused', ...refusal }) });
    world.put('api', podOf('u'));
    await world.time.pass(5000);
    expect(world.invariants.startCount).to.equal(0);
    expect(messagesOf(world, 'OutOfcpu')).to.deep.equal(['said to people']);
    expect(world.life?.statuses.get('u')).to.include({ phase: 'Failed', message: 'said in the status' });
  });

  describe('admission of pods in one listing', () => {
    /** Lists pods before the agent begins, which tells then who was asked for beside whom. */
    async function admitTogether(pods: readonly Pod[], isRefused: (pod: Pod) => boolean) {
      const asked: string[] = [];
      const world = new World(1, {
        admit(pod, others) {
          const name = ({ metadata }: Pod): string => metadata.name ?? '';
          asked.push(`${name(pod)} beside ${others.map(name).join(' ')}`.trim());
          const refusal = { reason: 'OutOfcpu', message: 'no room', statusMessage: 'no room' };
          return isRefused(pod) ? { kind: 'refused', ...refusal } : { kind: 'admitted', preempts: [] };
        },
      });
      for (const pod of pods) world.put('api', pod);
      world.startAgent();
      await world.time.pass(5000);
      return { world, asked };
    }
    const created = (uid: string, creationTimestamp: string): Pod => podOf(uid, { creationTimestamp });

    it('does not count those that were refused a moment before', async () => {
      const pods = ['big1', 'small1', 'big2', 'small2'].map((uid) => podOf(uid));
      const { world, asked } = await admitTogether(pods, ({ metadata }) => metadata.name?.[0] === 'b');
      expect(asked).to.deep.equal([
        'big1 beside',
        'small1 beside',
        'big2 beside small1',
        'small2 beside small1',
      ]);
      expect([...(world.life?.statuses ?? [])].map(([uid, { phase }]) => `${uid} ${phase}`)).to.have.members([
        'big1 Failed',
        'small1 Running',
        'big2 Failed',
        'small2 Running',
      ]);
    });

    it('goes by the time of creation', async () => {
      const pods = [
        created('third', '2030-01-01T00:00:03Z'),
        created('first', '2030-01-01T00:00:01Z'),
        created('second', '2030-01-01T00:00:02Z'),
      ];
      const { asked } = await admitTogether(pods, () => false);
      expect(asked).to.deep.equal(['first beside', 'second beside first', 'third beside first second']);
    });

    it('neither counts nor asks for pods that were deleted and of which nothing runs', async () => {
      const pods = [
        deleted(created('gone', '2030-01-01T00:00:01Z'), 30),
        created('next', '2030-01-01T00:00:02Z'),
      ];
      const { asked } = await admitTogether(pods, () => false);
      expect(asked).to.deep.equal(['next beside']);
    });

    it('tells of a refusal at once, while the runtime answers nothing more', async () => {
      const world = await beginWorld({
        admit: () => ({ kind: 'refused', reason: 'OutOfcpu', message: 'no room', statusMessage: 'no room' }),
        parts: ({ runtime }) => ({
          runtime: {
            ...runtime,
            listContainers: (filter) =>
              filter === undefined ? runtime.listContainers() : new Promise(() => {}),
          },
        }),
      });
      world.put('api', podOf('u'));
      await world.time.pass(5000);
      expect(world.life?.statuses.get('u')).to.include({ phase: 'Failed', reason: 'OutOfcpu' });
      expect(world.life?.table.activePods()).to.deep.equal([]);
    });
  });

  describe('a pod that cannot be run yet', () => {
    const block = { reason: 'AppArmor', message: 'Cannot enforce AppArmor: it is off' };
    const cause = { isThere: true };
    const withInit = podOf('u', { spec: { initContainers: [containerOf('i0', 'job exit=0@100')] } });
    async function beginBlocked(): Promise<World> {
      cause.isThere = true;
      const terms = { runsEphemeral: false, findBlock: async () => (cause.isThere ? block : undefined) };
      const world = await beginWorld({ admit: () => ({ kind: 'admitted', preempts: [], terms }) });
      world.put('api', withInit);
      await world.time.pass(30_000);
      return world;
    }

    it('has no sandbox, and says why', async () => {
      const world = await beginBlocked();
      expect(sandboxesOf(world, 'u')).to.deep.equal([]);
      const status = world.life?.statuses.get('u');
      expect(status).to.deep.include({ phase: 'Pending', ...block });
      const all = [...(status?.initContainerStatuses ?? []), ...(status?.containerStatuses ?? [])];
      expect(all.map(({ state }) => state)).to.deep.equal([
        { waiting: { reason: 'Blocked' } },
        { waiting: { reason: 'Blocked' } },
      ]);
    });

    it('starts once the cause is gone, and is not asked about again', async () => {
      const world = await beginBlocked();
      cause.isThere = false;
      await world.time.pass(30_000);
      expect(runningOf(world, 'u')).to.deep.equal(['c0']);
      cause.isThere = true;
      await world.time.pass(120_000);
      expect(runningOf(world, 'u')).to.deep.equal(['c0']);
      const status = world.life?.statuses.get('u');
      expect(status).to.include({ phase: 'Running' }).and.not.to.have.any.keys('reason', 'message');
    });

    it('ends when it is deleted', async () => {
      const world = await beginBlocked();
      world.put('api', deleted(storedPod(world, 'u'), 30));
      await world.time.pass(5000);
      expect(world.desired.api.has('u')).to.equal(false);
      expect(findFlaws(world)).to.deep.equal([]);
    });
  });

  describe('an ephemeral container', () => {
    const debugged = (targetContainerName: string): Partial<Pod['spec']> => ({
      ephemeralContainers: [{ ...containerOf('e0', 'job exit=0@100'), targetContainerName }],
    });
    async function beginDebugged(targetContainerName: string, runsEphemeral = true) {
      const namespaces: unknown[] = [];
      const terms = { runsEphemeral, findBlock: async () => undefined };
      const world = await beginWorld({
        admit: () => ({ kind: 'admitted', preempts: [], terms }),
        parts: ({ runtime }) => ({
          runtime: {
            ...runtime,
            createContainer(options) {
              const { metadata, security } = options.config;
              if (metadata.name === 'e0') namespaces.push(security?.namespaces);
              return runtime.createContainer(options);
            },
          },
        }),
      });
      world.put('api', podOf('u'));
      await world.time.pass(5000);
      world.put('api', {
        ...storedPod(world, 'u'),
        spec: podOf('u', { spec: debugged(targetContainerName) }).spec,
      });
      await world.time.pass(60_000);
      return { world, namespaces, status: world.life?.statuses.get('u') };
    }

    it('is started once, beside the container whose processes it wants to see', async () => {
      const { world, namespaces, status } = await beginDebugged('c0');
      const target = [...world.runtime.containers.values()].find(({ name }) => name === 'c0');
      expect(namespaces).to.deep.equal([
        { network: 'pod', ipc: 'pod', pid: 'target', targetId: target?.status.id },
      ]);
      expect(status).to.include({ phase: 'Running' });
      expect(status?.ephemeralContainerStatuses?.[0]?.state.terminated).to.include({ exitCode: 0 });
      expect(world.events.flatMap(({ about }) => (about.kind === 'pod' ? [about.fieldPath] : []))).to.include(
        'spec.ephemeralContainers{e0}',
      );
    });

    it('waits for a target that there is none of', async () => {
      const { namespaces, status } = await beginDebugged('other');
      expect(namespaces).to.deep.equal([]);
      expect(status?.ephemeralContainerStatuses?.[0]?.state.waiting).to.deep.equal({
        reason: 'CreateContainerConfigError',
        message: 'unable to find target container other',
      });
    });

    it('is left alone under other terms', async () => {
      const { namespaces, status } = await beginDebugged('c0', false);
      expect(namespaces).to.deep.equal([]);
      expect(status).not.to.have.property('ephemeralContainerStatuses');
    });
  });

  describe('crash loops', () => {
    const crashing = podOf('u', { spec: { containers: [containerOf('c0', 'job exit=1@500')] } });

    it('wait longer each time, and say so once for each wait', async () => {
      const world = await beginWorld();
      world.put('api', crashing);
      await world.time.pass(100_000);
      // At once, then after 10, 20 and 40 s.
      expect(reasonsOf(world, 'u').filter((each) => each === 'Started')).to.have.length(5);
      expect(messagesOf(world, 'BackOff')).to.deep.equal(
        Array(4).fill('Back-off restarting failed container'),
      );
    });

    it('go on as slow when the agent was killed', async () => {
      const world = await beginWorld();
      world.put('api', crashing);
      await world.time.pass(50_000);
      world.killAgent();
      world.startAgent();
      world.events.splice(0);
      await world.time.pass(30_000);
      expect(reasonsOf(world, 'u').filter((each) => each === 'Started').length).to.be.at.most(1);
    });

    it('are remembered when a pod comes back under its uid', async () => {
      const world = await beginWorld();
      world.put('file', crashing);
      await world.time.pass(50_000);
      world.remove('file', 'u');
      await world.time.pass(3000);
      expect(sandboxesOf(world, 'u')).to.deep.equal([]);
      world.put('file', crashing);
      await world.time.pass(3000);
      world.events.splice(0);
      await world.time.pass(20_000);
      expect(reasonsOf(world, 'u')).to.not.include('Started');
    });
  });

  describe('ends', () => {
    const stubborn = podOf('u', { spec: { containers: [containerOf('c0', 'run term=never')] } });

    const cases: Record<string, { hasten: (world: World) => void; notBeforeMs: number; withinMs: number }> = {
      'that are shortened by the API server': {
        hasten: (world) => world.put('api', deleted(storedPod(world, 'u'), 5)),
        notBeforeMs: 4900,
        withinMs: 7000,
      },
      'that become evictions': {
        hasten: (world) => void world.evict('u', verdict),
        notBeforeMs: 0,
        withinMs: 2000,
      },
      'that become stricter evictions': {
        hasten(world) {
          void world.evict('u', { ...verdict, graceMs: 50_000 });
          void world.evict('u', { ...verdict, graceMs: 3000 });
        },
        notBeforeMs: 2900,
        withinMs: 4000,
      },
    };
    for (const [name, { hasten, notBeforeMs, withinMs }] of Object.entries(cases)) {
      it(`${name} come as soon as that`, async () => {
        const world = await beginWorld();
        world.put('api', stubborn);
        await world.time.pass(5000);
        world.put('api', deleted(storedPod(world, 'u'), 600));
        await world.time.pass(60_000);
        expect(runningOf(world, 'u')).to.deep.equal(['c0']);
        hasten(world);
        await world.time.pass(notBeforeMs);
        if (notBeforeMs > 0) expect(runningOf(world, 'u')).to.deep.equal(['c0']);
        await world.time.pass(withinMs - notBeforeMs);
        expect(runningOf(world, 'u')).to.deep.equal([]);
        expect(world.invariants.broken).to.deep.equal([]);
      });
    }

    it('do not wait for a pull', async () => {
      const signals: AbortSignal[] = [];
      const world = await beginWorld({
        parts: replace('images', {
          ensure: ({ signal }) =>
            new Promise((_resolve, reject) => {
              if (signal === undefined) return;
              signals.push(signal);
              signal.addEventListener('abort', () => reject(signal.reason));
            }),
        }),
      });
      world.put('api', podOf('u'));
      await world.time.pass(60_000);
      expect(sandboxesOf(world, 'u')).to.have.length(1);
      world.put('api', deleted(storedPod(world, 'u'), 30));
      await world.time.pass(3000);
      expect(signals.map(({ aborted }) => aborted)).to.deep.equal([true]);
      expect(findFlaws(world)).to.deep.equal([]);
      expect(world.runtime.containers.size + world.runtime.sandboxes.size).to.equal(0);
    });

    it('do not wait for a hook of the start', async () => {
      const world = await beginWorld({
        parts: replace('hooks', {
          postStart: (_target, signal) =>
            new Promise((resolve) => {
              const failure = { reason: 'PostStartHookError: given up', message: 'given up' };
              signal?.addEventListener('abort', () => resolve(failure));
            }),
        }),
      });
      world.put('api', podOf('u'));
      await world.time.pass(60_000);
      expect(runningOf(world, 'u')).to.deep.equal(['c0']);
      world.put('api', deleted(storedPod(world, 'u'), 30));
      await world.time.pass(5000);
      expect(world.runtime.sandboxes.size).to.equal(0);
    });

    it('do not wait for contents of volumes that cannot be renewed', async () => {
      let hangs = false;
      const world = await beginWorld({
        parts: (parts, { time }) => ({
          volumes: {
            ...parts.volumes,
            mount: async (pod, context) => {
              if (hangs) await time.sleep(100_000);
              return parts.volumes.mount(pod, context);
            },
          },
        }),
      });
      world.put('api', podOf('u'));
      await world.time.pass(5000);
      hangs = true;
      await world.time.pass(70_000);
      world.put('api', deleted(storedPod(world, 'u'), 30));
      await world.time.pass(5000);
      expect(runningOf(world, 'u')).to.deep.equal([]);
      expect(world.life?.table.knows('u')).to.equal(true);
      await world.time.pass(100_000);
      expect(findFlaws(world)).to.deep.equal([]);
      expect(world.holdings.mounts.size).to.equal(0);
    });

    it('run the hook of each container once, though the end of another one fails', async () => {
      const hooks: string[] = [];
      const world = await beginWorld({
        parts: (parts, { time, runtime }) => ({
          hooks: {
            ...parts.hooks,
            async preStop({ containerId, container: { name } }, graceMs) {
              hooks.push(name);
              runtime.noteStopBegun(containerId);
              await time.sleep(name === 'c1' ? 20_000 : 1);
              return graceMs;
            },
          },
          runtime: {
            ...parts.runtime,
            async stopContainer(id, options) {
              const isFirst = hooks.filter((each) => each === 'c0').length === 1;
              if (isFirst && runtime.containers.get(id)?.name === 'c0')
                throw new RuntimeError('failed', 'busy');
              return parts.runtime.stopContainer(id, options);
            },
          },
        }),
      });
      world.put(
        'api',
        podOf('u', { spec: { containers: [containerOf('c0', 'run'), containerOf('c1', 'run')] } }),
      );
      await world.time.pass(5000);
      world.put('api', deleted(storedPod(world, 'u'), 30));
      await world.time.pass(60_000);
      expect(hooks.filter((each) => each === 'c1')).to.deep.equal(['c1']);
      expect(findFlaws(world)).to.deep.equal([]);
    });

    it('come at the deadline though an image is still being pulled', async () => {
      const world = await beginWorld({
        parts: replace('images', {
          ensure: ({ signal }) =>
            new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(signal.reason))),
        }),
      });
      world.put('api', podOf('u', { spec: { activeDeadlineSeconds: 20 } }));
      await world.time.pass(30_000);
      expect(world.life?.statuses.get('u')).to.include({ phase: 'Failed', reason: 'DeadlineExceeded' });
      expect(sandboxesOf(world, 'u').map(({ status }) => status.state)).to.deep.equal(['not-ready']);
    });
  });

  it('leaves no timer behind when it is closed', async () => {
    const world = await beginWorld();
    world.put('api', podOf('u', { spec: { containers: [containerOf('c0', 'job exit=1@500')] } }));
    await world.time.pass(20_000);
    expect(await world.closeAgent()).to.equal(0);
    expect(world.runtime.sandboxes.size).to.equal(1);
  });
});
