import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, stat, statfs, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type { PersistentVolume, Pod } from '../../../src/apis/types/core-v1.ts';
import { silentLogger } from '../../../src/base/index.ts';
import type { ClaimStatusPatch } from '../../../src/nodeagent/objects/index.ts';
import type { PodVolumes } from '../../../src/nodeagent/volumes/index.ts';
import { claimOf } from '../../support/claimed-disk.ts';
import { makeTemporaryDirectory } from '../../support/temporary-directory.ts';
import {
  complaintsOf,
  mountContext,
  mountPath,
  podWithVolume,
  VolumeAgent,
} from '../../support/volume-agent.ts';

const run = promisify(execFile);

describe('local volumes that are block devices', () => {
  let agent: VolumeAgent;
  let root: string;
  let device: string;
  let pv: PersistentVolume;
  let written: Map<string, ClaimStatusPatch>;
  const notices = () => agent.notices.map(({ reason, message }) => `${reason}: ${message}`);
  const podWith = (uid: string, readOnly = false): Pod =>
    podWithVolume({ persistentVolumeClaim: { claimName: 'claim', readOnly } }, uid);
  const mountOne = (volumes: PodVolumes, uid = 'u-1', readOnly = false) =>
    mountPath(volumes, podWith(uid, readOnly));

  beforeEach(async () => {
    agent = new VolumeAgent(await makeTemporaryDirectory());
    ({ root } = agent);
    written = new Map();
    const image = join(agent.folder, 'image');
    await writeFile(image, '');
    await truncate(image, 16 << 20);
    device = (await run('losetup', ['-f', '--show', image])).stdout.trim();
    const known = claimOf({ local: { path: device, fsType: 'ext4' } });
    ({ pv } = known.volumes);
    agent.known = { ...known, written };
  });
  afterEach(async () => {
    await agent[Symbol.asyncDispose]();
    await run('losetup', ['-d', device]);
  });

  it('get a file system when they have none, are mounted once, and keep what is in them', async () => {
    const volumes = agent.create();
    await writeFile(join(await mountOne(volumes), 'file'), 'content');
    const other = await mountOne(volumes, 'u-2');
    expect(await readdir(other)).to.include('file');
    expect(
      (await agent.mountPoints()).map(({ path, fsType }) => [path.slice(root.length), fsType]),
    ).to.deep.equal([
      ['/plugins/orch.io/local-volume/mounts/pv', 'ext4'],
      ['/pods/u-1/volumes/orch.io~local-volume/pv', 'ext4'],
      ['/pods/u-2/volumes/orch.io~local-volume/pv', 'ext4'],
    ]);
    await volumes.unmount('u-1');
    expect(await agent.mountPoints()).to.have.length(2);
    await volumes.unmount('u-2');
    expect(await agent.mountPoints()).to.deep.equal([]);
    // A later process of the agent finds what is there.
    const later = agent.create();
    expect(await readdir(await mountOne(later))).to.include('file');
    await later.unmount('u-1');
  });

  it('are not formatted for pods that only read', async () => {
    expect(await complaintsOf(agent.create().mount(podWith('u-1', true), mountContext))).to.deep.equal([
      `MountVolume.SetUp failed for volume "pv" : cannot mount unformatted disk ${device} as we are manipulating it in read-only mode`,
    ]);
    expect((await stat(device)).isBlockDevice()).to.equal(true);
    const { code } = (await run('blkid', ['-p', device]).catch((error: { code: number }) => error)) as {
      code?: number;
    };
    expect(code).to.equal(2);
  });

  it('are never formatted over what they hold', async () => {
    await run('mkfs.ext4', ['-F', device]);
    pv.spec.local = { path: device, fsType: 'xfs' };
    const [message] = await complaintsOf(agent.create().mount(podWith('u-1'), mountContext));
    expect(message).to.contain(
      'failed to mount the volume as "xfs", it already contains ext4. Mount error: ',
    );
    expect((await run('blkid', ['-p', '-s', 'TYPE', '-o', 'value', device])).stdout.trim()).to.equal('ext4');
  });

  it('get xfs when that is asked for, and are mounted again after a crash that left its log full', async () => {
    // mkfs.xfs(8) makes none below 300 MB.
    await truncate(join(agent.folder, 'image'), 320 << 20);
    await run('losetup', ['-c', device]);
    pv.spec.local = { path: device, fsType: 'xfs' };
    const volumes = agent.create();
    const path = await mountOne(volumes);
    expect((await agent.mountPoints()).map(({ fsType }) => fsType)).to.deep.equal(['xfs', 'xfs']);
    await writeFile(join(path, 'file'), 'content', { flush: true });
    await run('xfs_io', ['-x', '-c', 'shutdown -f', path]);
    await volumes.unmount('u-1');
    expect(await agent.mountPoints()).to.deep.equal([]);
    const later = agent.create();
    expect(await readFile(join(await mountOne(later), 'file'), 'utf8')).to.equal('content');
    await later.unmount('u-1');
  });

  it('go once, without complaint, when the pods that had them end together', async () => {
    const complaints: string[] = [];
    const volumes = agent.create({
      logger: { ...silentLogger, error: (message) => void complaints.push(message) },
    });
    await mountOne(volumes, 'u-1');
    await mountOne(volumes, 'u-2');
    await Promise.all(['u-1', 'u-2'].map((uid) => volumes.unmount(uid)));
    expect(await agent.mountPoints()).to.deep.equal([]);
    expect(complaints).to.deep.equal([]);
  });

  it('that are busy hold up their own pod only', async () => {
    const volumes = agent.create();
    await mountOne(volumes);
    const mounted = join(root, 'plugins/orch.io/local-volume/mounts/pv');
    const holder = spawn('cat', { cwd: mounted, stdio: ['pipe', 'ignore', 'ignore'] });
    try {
      await once(holder, 'spawn');
      const message = await volumes.unmount('u-1').catch((error: Error) => error.message);
      expect(message).to.match(/^unmount failed: .*busy/s);
      await volumes.unmount('u-2');
    } finally {
      holder.kill();
      await once(holder, 'exit');
    }
    await volumes.unmount('u-1');
    expect(await agent.mountPoints()).to.deep.equal([]);
  });

  describe('that have grown', () => {
    /** A process for which the claim is smaller than what its device may grow to. */
    const growing = (growth: 'unused' | 'always'): PodVolumes => {
      const { claim } = claimOf({}).claims;
      const small = { ...claim, status: { ...claim.status, capacity: { storage: '16Mi' } } };
      agent.known = { ...agent.known, claims: { claim: small } };
      return agent.create({ growth });
    };
    const done = 'FileSystemResizeSuccessful: MountVolume.NodeExpandVolume succeeded for volume "pv" ';
    const sizeOf = async (path: string): Promise<number> => {
      const { blocks, bsize } = await statfs(path);
      return blocks * bsize;
    };
    /** A device of twice the size, of which the volume says so. */
    async function growDevice(megabytes: number): Promise<void> {
      await truncate(join(agent.folder, 'image'), megabytes << 20);
      await run('losetup', ['-c', device]);
      pv.spec.capacity = { storage: `${megabytes}Mi` };
    }

    /** Makes the device an XFS of the least size. */
    async function useXfs(): Promise<void> {
      await truncate(join(agent.folder, 'image'), 320 << 20);
      await run('losetup', ['-c', device]);
      pv.spec.local = { path: device, fsType: 'xfs' };
    }

    it('are filled when they are mounted, and the claim says so', async () => {
      await useXfs();
      const first = agent.create();
      const size = await sizeOf(await mountOne(first));
      await first.unmount('u-1');
      await growDevice(640);
      const volumes = growing('unused');
      expect(await sizeOf(await mountOne(volumes))).to.be.above(size * 1.5);
      expect(notices()).to.deep.equal([done]);
      expect([...written.values()]).to.deep.equal([{ capacity: { storage: '640Mi' } }]);
      await mountOne(volumes);
      expect(notices(), 'once').to.deep.equal([done]);
      await volumes.unmount('u-1');
    });

    it('are filled while pods use them, with the gate', async () => {
      await useXfs();
      const path = await mountOne(agent.create());
      const size = await sizeOf(path);
      await growDevice(640);
      await mountOne(growing('unused'));
      expect([notices(), await sizeOf(path)]).to.deep.equal([[], size]);
      const volumes = growing('always');
      await mountOne(volumes);
      expect(notices()).to.deep.equal([done]);
      expect(await sizeOf(path)).to.be.above(size * 1.5);
      await volumes.unmount('u-1');
    });

    it('have ext4 filled where the kernel lets the agent, or the pod is told why not', async () => {
      const first = agent.create();
      const size = await sizeOf(await mountOne(first));
      await first.unmount('u-1');
      await growDevice(64);
      const volumes = growing('unused');
      // The kernel asks for CAP_SYS_RESOURCE (24), which not every root has.
      const [, capabilities = '0'] =
        /CapEff:\s*(\w+)/.exec(await readFile('/proc/self/status', 'utf8')) ?? [];
      const mayGrow = ((BigInt(`0x${capabilities}`) >> 24n) & 1n) === 1n;
      if (mayGrow) {
        const path = await mountOne(volumes);
        expect(notices()).to.deep.equal([done]);
        expect(await sizeOf(path)).to.be.above(size * 1.5);
      } else {
        const told = await complaintsOf(volumes.mount(podWith('u-1'), mountContext));
        expect(told.join()).to.match(
          /^MountVolume\.MountDevice failed while expanding volume for volume "pv" : resize of device \S+ failed: exit status 1\. resize2fs output: /,
        );
      }
      await volumes.unmount('u-1');
    });

    it('are left alone for pods that only read, and an event says so', async () => {
      const first = agent.create();
      await mountOne(first);
      await first.unmount('u-1');
      await growDevice(64);
      const volumes = growing('always');
      await mountOne(volumes, 'u-1', true);
      expect(notices()).to.deep.equal([
        'FileSystemResizeFailed: MountVolume.NodeExpandVolume failed for volume "pv" : requested read-only file system',
      ]);
      await volumes.unmount('u-1');
    });

    it('are not given to a pod as long as they cannot be filled', async () => {
      await run('mkfs.ext2', ['-F', device]);
      pv.spec.local = { path: device, fsType: 'ext2' };
      await growDevice(64);
      const volumes = growing('always');
      const target = join(root, 'plugins/orch.io/local-volume/mounts/pv');
      const why = `ResizeFS.Resize - resize of format ext2 is not supported for device ${device} mounted at ${target}`;
      expect(await complaintsOf(volumes.mount(podWith('u-1'), mountContext))).to.deep.equal([
        `MountVolume.MountDevice failed while expanding volume for volume "pv" : ${why}`,
      ]);
      expect(notices()).to.deep.equal([
        `VolumeResizeFailed: MountVolume.NodeExpandVolume failed for volume "pv" : ${why}`,
      ]);
      await volumes.unmount('u-1');
    });
  });

  it('are refused with types that are no names of file systems', async () => {
    pv.spec.local = { path: device, fsType: '../evil' };
    expect(await complaintsOf(agent.create().mount(podWith('u-1'), mountContext))).to.deep.equal([
      'MountVolume.SetUp failed for volume "pv" : invalid file system type "../evil"',
    ]);
  });
});
