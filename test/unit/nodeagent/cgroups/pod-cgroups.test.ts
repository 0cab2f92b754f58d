import { mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { CgroupError, createPodCgroups, hasCgroup } from '../../../../src/nodeagent/cgroups/index.ts';
import { makeTemporaryDirectory, type TemporaryDirectory } from '../../../support/temporary-directory.ts';
import { ManualClock } from '../../storage/manual-clock.ts';
import { containerOf, podOf } from '../container-config/pods.ts';
import { cgroupOptions, reserved } from './cgroup-options.ts';

const mebi = 1024 ** 2;
const capacity = { cpuMillis: 2000, memoryBytes: 1000 * mebi, pids: 500 };
const amounts = { cpu: '500m', memory: '64Mi' };
const guaranteed = podOf(
  { containers: [containerOf({ resources: { limits: amounts, requests: amounts } })] },
  { uid: 'g-1' },
);
const burstable = podOf(
  { containers: [containerOf({ resources: { requests: { cpu: '250m' } } })] },
  { uid: 'b-1' },
);
const bestEffort = podOf({}, { uid: 'e-1' });

describe('createPodCgroups', () => {
  let directory: TemporaryDirectory;
  let root: string;

  beforeEach(async () => {
    directory = await makeTemporaryDirectory();
    root = directory.path;
  });
  afterEach(() => directory.remove());

  const read = (file: string): Promise<string | undefined> =>
    readFile(join(root, file), 'utf8').catch(() => undefined);
  const write = (file: string, value: string): Promise<void> => writeFile(join(root, file), value);
  const optionsOf = (config: Parameters<typeof cgroupOptions>[1] = {}) => ({
    ...cgroupOptions(root, config),
    // Files of a real group go with it.
    removeFolder: (path: string) => rm(path, { recursive: true }),
  });
  const failureOf = async (work: Promise<unknown>): Promise<string> => {
    const failure = await work.catch((error: unknown) => error);
    if (!(failure instanceof CgroupError)) throw new Error(`no such failure: ${failure}`);
    return failure.message;
  };

  describe('on version 2', () => {
    beforeEach(async () => {
      await write('cgroup.controllers', 'cpuset cpu io memory pids rdma\n');
      await write('cgroup.subtree_control', 'cpu\n');
    });

    it('bounds all pods, classes and pods', async () => {
      const options = optionsOf({ orchReservedResources: reserved({ memoryBytes: 100 * mebi }) });
      const groups = createPodCgroups(options);
      await groups.prepareNode(capacity);
      for (const pod of [guaranteed, burstable, bestEffort]) await groups.ensurePod(pod);
      await groups.updateQos([guaranteed, burstable, bestEffort]);
      expect({
        all: [
          await read('orchpods/memory.max'),
          await read('orchpods/pids.max'),
          await read('orchpods/cpu.weight'),
        ],
        classes: [await read('orchpods/burstable/cpu.weight'), await read('orchpods/besteffort/cpu.weight')],
        guaranteed: [
          await read('orchpods/podg-1/cpu.max'),
          await read('orchpods/podg-1/cpu.weight'),
          await read('orchpods/podg-1/memory.max'),
          await read('orchpods/podg-1/pids.max'),
        ],
        burstable: [
          await read('orchpods/burstable/podb-1/cpu.max'),
          await read('orchpods/burstable/podb-1/cpu.weight'),
          await read('orchpods/burstable/podb-1/memory.max'),
        ],
        bestEffort: await read('orchpods/besteffort/pode-1/cpu.weight'),
      }).to.deep.equal({
        all: ['943718400', '500', '79'],
        classes: ['10', '1'],
        guaranteed: ['50000 100000', '20', '67108864', undefined],
        burstable: [undefined, '10', undefined],
        bestEffort: '1',
      });
      expect(options.events.take()).to.deep.equal([
        'Normal NodeAllocatableEnforced Updated Node Allocatable limit across pods',
      ]);
    });

    it('passes on the controllers that a group has and does not pass on yet', async () => {
      const writes: string[] = [];
      await mkdir(join(root, 'orchpods'));
      await write('orchpods/cgroup.controllers', 'cpu memory pids\n');
      const groups = createPodCgroups(optionsOf());
      await groups.ensurePod(guaranteed);
      // A fake file holds only what was written last.
      writes.push(
        (await read('cgroup.subtree_control')) ?? '',
        (await read('orchpods/cgroup.subtree_control')) ?? '',
      );
      expect(writes).to.deep.equal(['+io', '+pids']);
      expect(await read('orchpods/podg-1/cgroup.subtree_control')).to.equal(undefined);
    });

    it('fails where a needed controller is not passed on', async () => {
      await rm(join(root, 'cgroup.subtree_control'));
      await mkdir(join(root, 'cgroup.subtree_control'));
      expect(await failureOf(createPodCgroups(optionsOf()).ensurePod(guaranteed))).to.match(
        /does not pass on cpu$/,
      );
    });
  });

  describe('on version 1', () => {
    beforeEach(async () => {
      for (const name of ['cpu,cpuacct', 'cpuset', 'memory', 'pids', 'hugetlb', 'systemd', 'unified']) {
        await mkdir(join(root, name));
      }
      await symlink('cpu,cpuacct', join(root, 'cpu'));
      await write('cpuset/cpuset.cpus', '0-3\n');
      await write('cpuset/cpuset.mems', '0\n');
    });

    it('bounds pods in the tree of each controller, and gives them processors', async () => {
      const groups = createPodCgroups(optionsOf({ podMaxPids: 77 }));
      await groups.ensurePod(guaranteed);
      expect([
        await read('cpu/orchpods/podg-1/cpu.shares'),
        await read('cpu,cpuacct/orchpods/podg-1/cpu.cfs_quota_us'),
        await read('memory/orchpods/podg-1/memory.limit_in_bytes'),
        await read('pids/orchpods/podg-1/pids.max'),
        await read('cpuset/orchpods/podg-1/cpuset.cpus'),
        await read('cpuset/orchpods/podg-1/cpuset.mems'),
      ]).to.deep.equal(['512', '50000', '67108864', '77', '0-3', '0']);
    });

    it('forbids pods huge pages that they did not ask for, and classes none', async () => {
      for (const group of ['orchpods', 'orchpods/podg-1', 'orchpods/burstable']) {
        await mkdir(join(root, 'hugetlb', group), { recursive: true });
        await write(`hugetlb/${group}/hugetlb.2MB.limit_in_bytes`, 'x');
        await write(`hugetlb/${group}/hugetlb.2MB.usage_in_bytes`, 'x');
      }
      const groups = createPodCgroups(optionsOf());
      await groups.prepareNode(capacity);
      await groups.ensurePod(guaranteed);
      expect(await read('hugetlb/orchpods/podg-1/hugetlb.2MB.limit_in_bytes')).to.equal('0');
      expect(await read('hugetlb/orchpods/podg-1/hugetlb.2MB.usage_in_bytes')).to.equal('x');
      expect(await read('hugetlb/orchpods/burstable/hugetlb.2MB.limit_in_bytes')).to.equal('-1');
      expect(await read('hugetlb/orchpods/hugetlb.2MB.limit_in_bytes')).to.equal('x');
    });

    it('weighs a class with each pod that comes, until it is told which ones are left', async () => {
      const groups = createPodCgroups(optionsOf());
      await groups.prepareNode(capacity);
      const other = podOf(burstable.spec, { uid: 'b-2' });
      const shares: unknown[] = [];
      for (const step of [
        () => groups.ensurePod(burstable),
        () => groups.ensurePod(other),
        () => groups.ensurePod(other),
        () => groups.updateQos([other]),
        () => groups.ensurePod(guaranteed),
      ]) {
        await step();
        shares.push(await read('cpu/orchpods/burstable/cpu.shares'));
      }
      expect(shares).to.deep.equal(['256', '512', '512', '256', '256']);
    });

    it('weighs a class with all pods that come at the same time', async () => {
      const groups = createPodCgroups(optionsOf());
      const pods = Array.from({ length: 20 }, (_, index) => podOf(burstable.spec, { uid: `b-${index}` }));
      await Promise.all(pods.map((pod) => groups.ensurePod(pod)));
      expect(await read('cpu/orchpods/burstable/cpu.shares')).to.equal(String(20 * 256));
    });

    it('does not enforce quotas with cpu-cfs-quota=false', async () => {
      await createPodCgroups(optionsOf({ cpuCfsQuota: false })).ensurePod(guaranteed);
      expect(await read('cpu/orchpods/podg-1/cpu.cfs_quota_us')).to.equal('-1');
    });

    it('makes a group again that somebody has removed, and leaves one alone that is there', async () => {
      const groups = createPodCgroups(optionsOf());
      await groups.ensurePod(guaranteed);
      await write('cpu/orchpods/podg-1/cpu.shares', 'own');
      await groups.ensurePod(guaranteed);
      expect(await read('cpu/orchpods/podg-1/cpu.shares')).to.equal('own');
      await rm(join(root, 'memory/orchpods'), { recursive: true });
      await groups.ensurePod(guaranteed);
      expect(await read('memory/orchpods/podg-1/memory.limit_in_bytes')).to.equal('67108864');
    });

    it('bounds groups that an agent before this one has left unbounded', async () => {
      for (const name of await readdir(root))
        await mkdir(join(root, name, 'orchpods/podg-1'), { recursive: true });
      await createPodCgroups(optionsOf()).ensurePod(guaranteed);
      expect(await read('memory/orchpods/podg-1/memory.limit_in_bytes')).to.equal('67108864');
    });

    it('finds pods in any class and tree, and removes them from all', async () => {
      const groups = createPodCgroups(optionsOf());
      for (const pod of [guaranteed, burstable, bestEffort]) await groups.ensurePod(pod);
      await mkdir(join(root, 'systemd/orchpods/burstable/podold/inner'), { recursive: true });
      await mkdir(join(root, 'systemd/orchpods/other'));
      expect([...(await groups.podsPresent())].sort()).to.deep.equal(['b-1', 'e-1', 'g-1', 'old']);
      for (const uid of ['g-1', 'b-1', 'old', 'never-there']) await groups.removePod(uid);
      expect(await groups.podsPresent()).to.deep.equal(['e-1']);
      expect(await readdir(join(root, 'systemd/orchpods/burstable'))).to.deep.equal([]);
    });

    it('never leaves its own groups, whatever a pod is called', async () => {
      await mkdir(join(root, 'memory/keep'));
      const groups = createPodCgroups(optionsOf());
      await groups.ensurePod(guaranteed);
      for (const uid of ['/../../keep', '', 'a b', 'x'.repeat(300), 'a/b']) {
        expect(await failureOf(groups.ensurePod(podOf({}, { uid })))).to.match(/no group can be named/);
        await groups.removePod(uid);
      }
      expect(await readdir(join(root, 'memory'))).to.deep.equal(['keep', 'orchpods']);
      expect(await groups.podsPresent()).to.deep.equal(['g-1']);
    });

    it('makes groups below the root that it is given, which must exist', async () => {
      const options = optionsOf({ cgroupRoot: '/own' });
      expect(await failureOf(createPodCgroups(options).prepareNode(capacity))).to.equal(
        'invalid configuration: cgroup-root ["own"] doesn\'t exist',
      );
      for (const name of await readdir(root)) await mkdir(join(root, name, 'own'), { recursive: true });
      const groups = createPodCgroups(options);
      await groups.prepareNode(capacity);
      await groups.ensurePod(bestEffort);
      expect(await read('cpu/own/orchpods/besteffort/pode-1/cpu.shares')).to.equal('2');
      expect(await read('cpu/own/orchpods/cpu.shares')).to.equal('2048');
    });

    it('gives pods the whole node when nothing is enforced', async () => {
      const options = optionsOf({
        enforceNodeAllocatable: [],
        systemReservedResources: reserved({ memoryBytes: 512 * mebi }),
      });
      await createPodCgroups(options).prepareNode(capacity);
      expect(await read('memory/orchpods/memory.limit_in_bytes')).to.equal(String(1000 * mebi));
      expect(options.events.take()).to.deep.equal([
        'Normal NodeAllocatableEnforced Updated Node Allocatable limit across pods',
      ]);
    });

    it('bounds pods that have more than that as soon as they have less', async () => {
      const clock = new ManualClock();
      const options = { ...optionsOf(), clock };
      const groups = createPodCgroups(options);
      const file = 'memory/orchpods/memory.limit_in_bytes';
      await mkdir(join(root, file), { recursive: true }); // stands for a kernel that refuses
      await groups.prepareNode(capacity);
      await groups.updateQos([]);
      const start = 'Failed to update Node Allocatable Limits ["orchpods"]';
      const group = 'failed to set supported cgroup subsystems for cgroup [orchpods]';
      const text = `${start}: ${group}: failed to set config for supported subsystems : control groups: ${join(root, file)} does not take ${1000 * mebi}: EISDIR`;
      expect(options.events.take()).to.deep.equal([`Warning FailedNodeAllocatableEnforcement ${text}`]);
      await rm(join(root, file), { recursive: true });
      clock.advance(60_000);
      await groups.updateQos([]);
      expect(await read(file)).to.equal(String(1000 * mebi));
      await groups.updateQos([]);
      expect(options.events.take()).to.deep.equal([
        'Normal NodeAllocatableEnforced Updated Node Allocatable limit across pods',
      ]);
    });

    it('takes no root outside of the trees', async () => {
      const groups = createPodCgroups(optionsOf({ cgroupRoot: '/a/../..' }));
      expect(await failureOf(groups.prepareNode(capacity))).to.match(/doesn't exist$/);
      expect(await failureOf(groups.ensurePod(guaranteed))).to.match(/is no path of a group$/);
    });

    it('bounds reserved groups when that is enforced, and they exist', async () => {
      const options = optionsOf({
        enforceNodeAllocatable: ['system-reserved', 'orch-reserved'],
        systemReservedCgroup: '/sys',
        orchReservedCgroup: '/nope/x',
        systemReservedResources: reserved({ cpuMillis: 250, memoryBytes: 9 }),
      });
      for (const name of await readdir(root)) await mkdir(join(root, name, 'sys'), { recursive: true });
      expect(await failureOf(createPodCgroups(options).prepareNode(capacity))).to.equal(
        'Failed to enforce Orch Reserved Cgroup Limits on "/nope/x": ["nope" "x"] cgroup does not exist',
      );
      expect(await read('cpu/sys/cpu.shares')).to.equal('256');
      expect(await read('memory/sys/memory.limit_in_bytes')).to.equal('9');
      expect(options.events.take()).to.deep.equal([
        'Normal NodeAllocatableEnforced Updated Node Allocatable limit across pods',
        'Normal NodeAllocatableEnforced Updated limits on system reserved cgroup /sys',
        'Warning FailedNodeAllocatableEnforcement Failed to enforce Orch Reserved Cgroup Limits on "/nope/x": ["nope" "x"] cgroup does not exist',
      ]);
    });

    it('makes none without cgroups-per-qos', async () => {
      const groups = createPodCgroups(optionsOf({ cgroupsPerQos: false, enforceNodeAllocatable: [] }));
      await groups.prepareNode(capacity);
      await groups.ensurePod(guaranteed);
      await groups.updateQos([guaranteed]);
      await groups.removePod('g-1');
      expect(await groups.podsPresent()).to.deep.equal([]);
      expect(await readdir(join(root, 'memory'))).to.deep.equal([]);
    });

    it('keeps memory for better classes with qos-reserved', async () => {
      const groups = createPodCgroups(optionsOf({ qosReservedMemoryPercent: 100 }));
      await groups.prepareNode(capacity);
      await groups.updateQos([guaranteed]);
      const file = 'memory.limit_in_bytes';
      expect(await read(`memory/orchpods/burstable/${file}`)).to.equal(String(936 * mebi));
      expect(await read(`memory/orchpods/besteffort/${file}`)).to.equal(String(936 * mebi));
    });

    it('tells systemd of slices with its driver, and finds pods by them', async () => {
      const calls: string[] = [];
      const groups = createPodCgroups({
        ...optionsOf({ cgroupDriver: 'systemd' }),
        sliceUnits: {
          start: async (unit) => void calls.push(`start ${unit}`),
          stop: async (unit) => void calls.push(`stop ${unit}`),
        },
      });
      await groups.prepareNode(capacity);
      await groups.ensurePod(burstable);
      await groups.ensurePod(guaranteed);
      const slice = 'orchpods.slice/orchpods-burstable.slice/orchpods-burstable-podb_1.slice';
      expect(await read(`cpu/${slice}/cpu.shares`)).to.equal('256');
      expect(await groups.podsPresent()).to.deep.equal(['g-1', 'b-1']);
      await groups.removePod('b-1');
      expect(await groups.podsPresent()).to.deep.equal(['g-1']);
      expect(calls).to.deep.equal([
        'start orchpods.slice',
        'start orchpods-burstable.slice',
        'start orchpods-besteffort.slice',
        'start orchpods-burstable-podb_1.slice',
        'start orchpods-podg_1.slice',
        'stop orchpods-burstable-podb_1.slice',
      ]);
    });
  });

  it('says when there are no control groups, and looks again later', async () => {
    const groups = createPodCgroups(optionsOf());
    expect(await failureOf(groups.ensurePod(guaranteed))).to.match(/none are mounted at/);
    await mkdir(join(root, 'memory'));
    await groups.ensurePod(guaranteed);
    expect(await hasCgroup(root, '/orchpods/podg-1')).to.equal(true);
    expect(await hasCgroup(root, '/orchpods/other')).to.equal(false);
  });
});
