import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { after, before, describe, it } from 'mocha';
import type { Container, Pod } from '../../../src/apis/types/core-v1.ts';
import { systemClock } from '../../../src/base/index.ts';
import { findHierarchies } from '../../../src/nodeagent/cgroups/hierarchies.ts';
import {
  createPodCgroups,
  createProcessGroups,
  hasCgroup,
  type PodCgroups,
} from '../../../src/nodeagent/cgroups/index.ts';
import { buildContainerConfig, buildSandboxConfig } from '../../../src/nodeagent/container-config/index.ts';
import { createCriRuntime } from '../../../src/nodeagent/cri/index.ts';
import type { ContainerRuntime, ContainerStatus } from '../../../src/nodeagent/runtime/index.ts';
import { type Containerd, startContainerd } from '../../support/containerd.ts';
import { testImages } from '../../support/containerd-images.ts';
import { eventually } from '../../support/eventually.ts';
import { requireContainerd } from '../../support/require-containerd.ts';
import { cgroupOptions, reserved } from '../../unit/nodeagent/cgroups/cgroup-options.ts';
import { containerOf, nodeOf, podOf } from '../../unit/nodeagent/container-config/pods.ts';

const mount = '/sys/fs/cgroup';
const mebi = 1024 ** 2;
const capacity = { cpuMillis: 2000, memoryBytes: 2048 * mebi, pids: 10_000 };
const unbounded = '9223372036854771712';

const boundFiles =
  'cpu/cpu.shares cpu/cpu.cfs_quota_us cpu/cpu.cfs_period_us memory/memory.limit_in_bytes cpu.weight cpu.max memory.max';
/** Prints what the container is bounded to, on version 1 or 2; without programs, which would be slow with little CPU. */
const showBounds = `cd ${mount}; for f in ${boundFiles}; do [ -f $f ] && read -r line <$f && echo $line; done; true`;

/** As recorded of the reference: [case, resources, lines on version 1, lines on version 2]. */
const recorded = [
  ['qos-besteffort', {}, `2 -1 100000 ${unbounded}`, '1 max 100000 max'],
  [
    'qos-burstable',
    { requests: { cpu: '100m', memory: '16Mi' }, limits: { memory: '32Mi' } },
    '102 -1 100000 33554432',
    '4 max 100000 33554432',
  ],
  ['limits-only-memory', { limits: { memory: '32Mi' } }, '2 -1 100000 33554432', '1 max 100000 33554432'],
  [
    'cpu-limit-fraction',
    { limits: { cpu: '1.5' }, requests: { cpu: '0.25' } },
    `256 150000 100000 ${unbounded}`,
    '10 150000 100000 max',
  ],
  [
    'cpu-tiny',
    { requests: { cpu: '1m' }, limits: { cpu: '2m' } },
    `2 1000 100000 ${unbounded}`,
    '1 1000 100000 max',
  ],
] as const;

describe('control groups of pods that containerd runs', () => {
  let containerd: Containerd;
  let driver: ContainerRuntime;
  let groups: PodCgroups;
  let version: 1 | 2;

  requireContainerd();
  before(async () => {
    containerd = await startContainerd();
    driver = createCriRuntime({ endpoint: containerd.endpoint, requestTimeoutMs: 60_000 });
    const hierarchies = await findHierarchies(mount);
    version = hierarchies.version;
    for (const { path } of hierarchies.all) {
      await mkdir(join(path, containerd.cgroupParent), { recursive: true });
    }
    groups = createPodCgroups(
      cgroupOptions(mount, {
        cgroupRoot: containerd.cgroupParent,
        podMaxPids: 50,
        orchReservedResources: reserved({ memoryBytes: 48 * mebi, pids: 100 }),
      }),
    );
    await groups.prepareNode(capacity);
  });
  after(async () => {
    await driver?.[Symbol.asyncDispose]();
    await containerd?.[Symbol.asyncDispose]();
  });

  /** Content of a file of a group below that of all pods; each version has its own name for it. */
  async function read(group: string, first: string, second: string): Promise<string> {
    const all = join(containerd.cgroupParent, 'orchpods', group);
    const [controller = ''] = first.split('.');
    const path = version === 1 ? join(mount, controller, all, first) : join(mount, all, second);
    return (await readFile(path, 'utf8')).trim();
  }

  /** Makes the pod's group, and starts its only container. */
  async function start(name: string, container: Partial<Container>): Promise<{ pod: Pod; id: string }> {
    const pod = podOf({ containers: [containerOf(container)] }, { name, uid: `uid-${name}` });
    await groups.ensurePod(pod);
    const node = nodeOf({
      rootDirectory: containerd.folder,
      hugepageSizes: [],
      cgroups: { driver: 'cgroupfs', root: containerd.cgroupParent, isPerQos: true },
    });
    const logDirectory = join(containerd.folder, 'logs', name);
    await mkdir(logDirectory, { recursive: true });
    const sandboxConfig = { ...buildSandboxConfig({ pod, attempt: 0, node }).config, logDirectory };
    const podSandboxId = await driver.runtime.runPodSandbox({ config: sandboxConfig });
    const { config } = buildContainerConfig({
      pod,
      container: pod.spec.containers?.[0] ?? containerOf(),
      specHash: 'h',
      attempt: 0,
      image: testImages.busybox,
      imageUser: { userId: undefined, username: '' },
      node,
      volumes: new Map(),
      services: [],
      sources: undefined,
      allocatable: {},
      podIps: [],
      hostIps: [],
      terminationLogName: 'end',
      nodeHostsFile: '',
    });
    // Its own hosts file is another test's business.
    const id = await driver.runtime.createContainer({
      podSandboxId,
      config: { ...config, mounts: [] },
      sandboxConfig,
    });
    await driver.runtime.startContainer(id);
    return { pod, id };
  }

  const endOf = (id: string): Promise<ContainerStatus> =>
    eventually(async () => {
      const status = await driver.runtime.containerStatus(id);
      return status?.state === 'exited' ? status : undefined;
    });

  /** What a container that runs a script writes until it ends. */
  async function outputOf(name: string, script: string, resources: Container['resources']): Promise<string> {
    const { id } = await start(name, { resources, command: ['sh', '-c', script] });
    await endOf(id);
    const [file = ''] = await readdir(join(containerd.folder, 'logs', name, 'c'));
    const log = await readFile(join(containerd.folder, 'logs', name, 'c', file), 'utf8');
    return log
      .replaceAll(/^\S+ stdout F /gm, '')
      .trim()
      .split(/\s+/)
      .join(' ');
  }

  for (const [name, resources, first, second] of recorded) {
    it(`bound a container as the recording ${name} has it`, async () => {
      expect(await outputOf(name, showBounds, resources)).to.equal(version === 1 ? first : second);
    });
  }

  it('bound processes by pod, not by container, and leave the usual shared memory', async () => {
    const show = `cat ${mount}/pids/pids.max 2>/dev/null || cat ${mount}/pids.max; busybox df -k /dev/shm | busybox tail -1`;
    expect(await outputOf('pids', show, {})).to.match(/^max \S+ 65536 /);
    expect(await read('besteffort/poduid-pids', 'pids.max', 'pids.max')).to.equal('50');
  });

  it('bound all pods to what the node has without what is reserved', async () => {
    expect(await read('', 'memory.limit_in_bytes', 'memory.max')).to.equal(String(2000 * mebi));
    expect(await read('', 'pids.max', 'pids.max')).to.equal('9900');
    expect(await read('', 'cpu.shares', 'cpu.weight')).to.equal(version === 1 ? '2048' : '79');
  });

  it('weigh classes by their pods, and bound a pod to the limits of its containers', async () => {
    const resources = { requests: { cpu: '250m' }, limits: { cpu: '500m', memory: '64Mi' } };
    const pod = podOf({ containers: [containerOf({ resources })] }, { uid: 'uid-weighed' });
    await groups.ensurePod(pod);
    await groups.updateQos([pod, podOf(pod.spec, { uid: 'uid-other' })]);
    const shares = [await read('burstable', 'cpu.shares', 'cpu.weight')];
    await groups.updateQos([]);
    shares.push(await read('burstable', 'cpu.shares', 'cpu.weight'));
    expect(shares).to.deep.equal(version === 1 ? ['512', '2'] : ['20', '1']);
    const group = 'burstable/poduid-weighed';
    expect(await read(group, 'memory.limit_in_bytes', 'memory.max')).to.equal(String(64 * mebi));
    expect(await read(group, 'cpu.cfs_quota_us', 'cpu.max')).to.equal(
      version === 1 ? '50000' : '50000 100000',
    );
  });

  it('have a container that takes too much memory killed, and say so', async () => {
    const { id } = await start('oom', {
      resources: { limits: { memory: '16Mi' } },
      command: ['sh', '-c', 'x=a; while :; do x=$x$x; done'],
    });
    expect(await endOf(id)).to.include({ exitCode: 137, reason: 'OOMKilled' });
  });

  it('take in processes of the node', async () => {
    const program = spawn('sleep', ['1000'], { stdio: 'ignore' });
    const group = join(containerd.cgroupParent, 'agent');
    await createProcessGroups({ root: mount, clock: systemClock }).enter(group, program.pid ?? 0);
    const groups = await readFile(`/proc/${program.pid}/cgroup`, 'utf8');
    expect(groups.split('\n').filter((line) => line.endsWith(group))).to.have.length.greaterThan(
      version === 1 ? 3 : 0,
    );
    program.kill('SIGKILL');
    await once(program, 'exit');
  });

  it('go with all processes that are left in them', async () => {
    const { pod, id } = await start('left', { command: ['sh', '-c', 'sleep 1000 & sleep 1000'] });
    const uid = pod.metadata.uid ?? '';
    expect(await groups.podsPresent()).to.include(uid);
    await groups.removePod(uid);
    expect(await endOf(id)).to.include({ exitCode: 137 });
    expect(await groups.podsPresent()).to.not.include(uid);
    const { all } = await findHierarchies(mount);
    const group = join(containerd.cgroupParent, 'orchpods/besteffort', `pod${uid}`);
    for (const { path } of all) {
      expect(await readdir(join(path, group)).catch(() => 'gone')).to.equal('gone');
    }
    expect(await hasCgroup(mount, group)).to.equal(false);
    await groups.removePod(uid);
  });
});
