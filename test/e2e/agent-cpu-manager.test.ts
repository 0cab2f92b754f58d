import { randomBytes } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { after, before, describe, it } from 'mocha';
import type { Pod } from '../../src/apis/types/core-v1.ts';
import { orchDialect } from '../../src/machinery/dialect.ts';
import { runtimeLabelNames } from '../../src/nodeagent/container-config/index.ts';
import { formatCpuSet, readTopology } from '../../src/nodeagent/cpu-manager/index.ts';
import { createCriRuntime } from '../../src/nodeagent/cri/index.ts';
import type { ContainerRuntime } from '../../src/nodeagent/runtime/index.ts';
import { podManifest, shellContainer, untilAsked } from '../support/agent-pods.ts';
import { AgentProgram } from '../support/agent-program.ts';
import { removeLogs } from '../support/agent-traces.ts';
import { type Containerd, startContainerd } from '../support/containerd.ts';
import { eventually } from '../support/eventually.ts';
import { requireContainerd } from '../support/require-containerd.ts';

const patience = { patienceMs: 60_000 };
const { podName } = runtimeLabelNames(orchDialect);

describe('nodeagent gives containers CPUs of their own', () => {
  requireContainerd();
  const namespace = `processors-${randomBytes(4).toString('hex')}`;
  const opened = new AsyncDisposableStack();
  let containerd: Containerd;
  let driver: ContainerRuntime;
  let agent: AgentProgram;
  /** All processors, the one that is reserved, and the others. */
  let all = '';
  let reserved = '';
  let others = '';
  let othersCount = 0;

  const agentWith = (...flags: readonly string[]): AgentProgram =>
    opened.use(new AgentProgram({ containerd, folder: join(containerd.folder, 'agent'), flags }));
  before(async function () {
    this.timeout(60_000);
    const { cpus } = await readTopology();
    const [first = 0, ...rest] = cpus;
    [all, reserved, others] = [formatCpuSet(cpus), `${first}`, formatCpuSet(new Set(rest))];
    othersCount = rest.length;
    opened.defer(() => removeLogs(namespace));
    containerd = opened.use(await startContainerd());
    driver = opened.use(createCriRuntime({ endpoint: containerd.endpoint, requestTimeoutMs: 30_000 }));
    const policy = ['--cpu-manager-policy=static', '--cpu-manager-reconcile-period=1s'];
    agent = agentWith(...policy, `--reserved-cpus=${reserved}`);
    await agent.start();
  });
  after(async function () {
    this.timeout(60_000);
    await opened.disposeAsync();
  });

  const put = (name: string, cpu?: number): Promise<void> => {
    const resources = cpu === undefined ? {} : { limits: { cpu: `${cpu}`, memory: '32Mi' } };
    const container = shellContainer('main', untilAsked, { resources });
    return agent.putManifest(name, podManifest({ name, namespace }, [container]));
  };
  const idOf = async (name: string): Promise<string | undefined> => {
    const filter = { labels: { [podName]: `${name}-node1` }, state: 'running' } as const;
    return (await driver.runtime.listContainers(filter))[0]?.id;
  };
  /** What the kernel lets the container of a pod run on; undefined while it does not run. */
  const cpusetOf = async (name: string): Promise<string | undefined> => {
    const id = await idOf(name);
    const pattern = `/sys/fs/cgroup/{,cpuset/}${containerd.cgroupParent.slice(1)}/**/${id}/cpuset.cpus`;
    const [path] = id === undefined ? [] : globSync(pattern);
    return path && readFileSync(path, 'utf8').trim();
  };
  const untilOn = (name: string, cpus: string): Promise<unknown> =>
    eventually(async () => ((await cpusetOf(name)) === cpus ? true : undefined), patience);
  const state = (): { defaultCpuSet: string; entries?: Record<string, Record<string, string>> } =>
    JSON.parse(readFileSync(join(agent.rootFolder, 'cpu_manager_state'), 'utf8'));
  const sets = (): string[] => Object.values(state().entries ?? {}).flatMap((each) => Object.values(each));

  it('apart from all others, over a kill, until the pod is gone', async function () {
    this.timeout(120_000);
    await put('before');
    await untilOn('before', all);
    await put('own', othersCount);
    await untilOn('own', others);
    await untilOn('before', reserved);
    await put('beside');
    await untilOn('beside', reserved);

    await put('late', 1);
    const { status } = await eventually(async (): Promise<Pod | undefined> => {
      const pod = await agent.pod('late');
      return pod?.status.phase === 'Failed' ? pod : undefined;
    }, patience);
    expect(status).to.include({
      reason: 'UnexpectedAdmissionError',
      message: 'Pod Allocate failed due to not enough cpus available to satisfy request, which is unexpected',
    });

    const ids = await Promise.all([idOf('own'), idOf('before')]);
    await agent.kill();
    await agent.start();
    await put('later');
    await untilOn('later', reserved);
    expect(await Promise.all([idOf('own'), idOf('before')])).to.deep.equal(ids);
    expect(await Promise.all([cpusetOf('own'), cpusetOf('before')])).to.deep.equal([others, reserved]);
    expect([state().defaultCpuSet, ...sets()]).to.deep.equal([reserved, others]);

    await agent.removeManifest('own');
    await untilOn('before', all);
    await untilOn('later', all);
    expect(await idOf('own')).to.equal(undefined);
    await eventually(async () => (state().defaultCpuSet === all ? true : undefined), patience);
    expect(sets()).to.deep.equal([]);
  });

  it('and does not start with another policy before an operator has removed its state', async function () {
    this.timeout(60_000);
    expect(await agent.stop()).to.equal(0);
    const other = agentWith();
    const { message } = await other.start().then(
      () => new Error('the agent runs'),
      (error: Error) => error,
    );
    expect(message).to.include('configured policy "none" differs from state checkpoint policy "static"');
    expect(message).to.include('please drain this node and delete the CPU manager checkpoint file');
    expect(await other.stop()).to.equal(255);
  });
});
