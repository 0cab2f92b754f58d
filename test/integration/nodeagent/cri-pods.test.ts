import { readdir, readFile } from 'node:fs/promises';
import { expect } from 'chai';
import { after, afterEach, before, describe, it } from 'mocha';
import { createCriRuntime } from '../../../src/nodeagent/cri/index.ts';
import type { ContainerRuntime } from '../../../src/nodeagent/runtime/index.ts';
import type { DesiredPod, ObservedPod } from '../../../src/nodeagent/sync/pod-state.ts';
import { idle } from '../../conformance/runtime/subject.ts';
import { type Containerd, startContainerd } from '../../support/containerd.ts';
import { eventually } from '../../support/eventually.ts';
import { requireContainerd } from '../../support/require-containerd.ts';
import { PodLoop } from './pod-loop.ts';

const desired = (overrides: Partial<DesiredPod>): DesiredPod => ({
  uid: 'u',
  name: 'web',
  namespace: 'shop',
  restartPolicy: 'Always',
  usesHostNetwork: false,
  terminationGraceMs: 2000,
  initContainers: [],
  containers: [{ name: 'main', specHash: 'h' }],
  ...overrides,
});

const runningOf = ({ containers }: ObservedPod) => containers.filter(({ state }) => state === 'running');
const endedOf = ({ containers }: ObservedPod) => containers.filter(({ state }) => state === 'exited');

/** Processes in control groups of a sandbox or container. */
async function processesOf(id: string): Promise<readonly number[]> {
  const pids = (await readdir('/proc')).filter((name) => /^[0-9]+$/.test(name)).map(Number);
  const groups = await Promise.all(
    pids.map((pid) => readFile(`/proc/${pid}/cgroup`, 'utf8').catch(() => '')),
  );
  return pids.filter((_, index) => groups[index]?.includes(id));
}

/** Kills a process; one that ended on its own meanwhile, as the runtime's helpers in a new group do, is as good. */
function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

describe('plans of pods, carried out by containerd', () => {
  let containerd: Containerd | undefined;
  let driver: ContainerRuntime | undefined;
  let loop: PodLoop | undefined;

  requireContainerd();
  before(async () => {
    containerd = await startContainerd();
    driver = createCriRuntime({ endpoint: containerd.endpoint, requestTimeoutMs: 20_000 });
  });
  after(async () => {
    await driver?.[Symbol.asyncDispose]();
    await containerd?.[Symbol.asyncDispose]();
  });
  afterEach(async () => {
    await loop?.remove();
    loop = undefined;
  });

  const run = (pod: Partial<DesiredPod>, commands: Readonly<Record<string, readonly string[]>>): PodLoop => {
    if (driver === undefined || containerd === undefined) throw new Error('used before the tests have begun');
    loop = new PodLoop(driver, desired(pod), commands, containerd);
    return loop;
  };

  it('run init containers in order, then the containers, and then leave them alone', async () => {
    const pod = run(
      { uid: 'init', initContainers: ['first', 'second'].map((name) => ({ name, specHash: 'h' })) },
      { first: ['true'], second: ['true'], main: idle },
    );
    const reached = await pod.until((observed) => runningOf(observed).some(({ name }) => name === 'main'));
    const byAge = reached.containers.toSorted((a, b) => a.createdAtMs - b.createdAtMs);
    expect(byAge.map(({ name, attempt }) => `${name} ${attempt}`)).to.deep.equal([
      'first 0',
      'second 0',
      'main 0',
    ]);
    expect((await pod.sync()).actions).to.deep.equal([]);
  });

  it('restart what fails, with a back-off from the second time on', async () => {
    const pod = run({ uid: 'crash' }, { main: ['sh', '-c', 'exit 3'] });
    const second = await pod.until((observed) => endedOf(observed).length === 2);
    expect(endedOf(second).map(({ exitCode }) => exitCode)).to.deep.equal([3, 3]);
    expect(await pod.sync()).to.deep.equal({ actions: [], waiting: ['main'] });
    pod.aheadMs = 11_000;
    await pod.until((observed) => endedOf(observed).length === 3);
    await pod.collectGarbage();
    expect((await pod.observe()).containers.map(({ attempt }) => attempt)).to.deep.equal([2]);
  });

  it('make a pod anew whose sandbox was killed', async () => {
    const pod = run({ uid: 'killed' }, { main: idle });
    const { sandboxes } = await pod.until((observed) => runningOf(observed).length === 1);
    const [lost] = sandboxes;
    for (const pid of await processesOf(lost?.id ?? 'none')) kill(pid);
    await eventually(async () =>
      (await pod.observe()).sandboxes.some(({ state }) => state === 'not-ready') ? true : undefined,
    );
    const reached = await pod.until((observed) => runningOf(observed).some(({ attempt }) => attempt === 1));
    expect(runningOf(reached)).to.have.length(1);
    expect(
      reached.sandboxes.filter(({ state }) => state === 'ready').map(({ attempt }) => attempt),
    ).to.deep.equal([1]);
    await pod.collectGarbage();
    await pod.collectGarbage();
    expect((await pod.observe()).sandboxes.map(({ id }) => id)).to.include(
      runningOf(reached)[0]?.podSandboxId,
    );
  });

  it('replace only the container that was changed', async () => {
    const containers = ['main', 'other'].map((name) => ({ name, specHash: 'h' }));
    const pod = run({ uid: 'change', containers }, { main: idle, other: idle });
    const before = await pod.until((observed) => runningOf(observed).length === 2);
    pod.pod = {
      ...pod.pod,
      containers: [
        { name: 'main', specHash: 'new' },
        { name: 'other', specHash: 'h' },
      ],
    };
    const after = await pod.until((observed) =>
      runningOf(observed).some(({ specHash }) => specHash === 'new'),
    );
    const idOf = (observed: ObservedPod, name: string) =>
      runningOf(observed).find((each) => each.name === name)?.id;
    expect(idOf(after, 'other')).to.equal(idOf(before, 'other'));
    expect(idOf(after, 'main')).to.not.equal(idOf(before, 'main'));
    expect(runningOf(after)).to.have.length(2);
  });

  it('take down the sandbox of a pod that has finished, and never run it again', async () => {
    const pod = run({ uid: 'done', restartPolicy: 'Never' }, { main: ['sh', '-c', 'exit 4'] });
    const reached = await pod.until(({ sandboxes }) => sandboxes.some(({ state }) => state === 'not-ready'));
    expect(endedOf(reached).map(({ exitCode }) => exitCode)).to.deep.equal([4]);
    expect((await pod.sync()).actions).to.deep.equal([]);
    await pod.collectGarbage();
    expect((await pod.sync()).actions).to.deep.equal([]);
  });

  it('adopt what runs after the agent and the runtime were started anew', async () => {
    const pod = run({ uid: 'adopt' }, { main: idle });
    const before = await pod.until((observed) => runningOf(observed).length === 1);
    await containerd?.kill();
    await containerd?.start();
    const next = run({ uid: 'adopt' }, { main: idle });
    await eventually(() => next.observe().catch(() => undefined));
    expect((await next.sync()).actions).to.deep.equal([]);
    expect(await next.observe()).to.deep.equal(before);
  });

  it('leave nothing of a pod that was removed', async () => {
    const pod = run({ uid: 'gone' }, { main: idle });
    await pod.until((observed) => runningOf(observed).length === 1);
    await pod.remove();
    expect(await pod.observe()).to.deep.equal({ sandboxes: [], containers: [] });
  });
});
