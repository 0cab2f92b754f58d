import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, stat, statfs, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type { PersistentVolume, PersistentVolumeClaim } from '../../../src/apis/types/core-v1.ts';
import { type Logger, silentLogger, systemClock } from '../../../src/base/index.ts';
import { orchDialect } from '../../../src/machinery/dialect.ts';
import type { ClaimStatusPatch } from '../../../src/nodeagent/objects/index.ts';
import {
  createMountCommands,
  createPodVolumes,
  type PodVolumes,
} from '../../../src/nodeagent/volumes/index.ts';
import { makeTemporaryDirectory, type TemporaryDirectory } from '../../support/temporary-directory.ts';
import { containerOf, podOf } from '../../unit/nodeagent/container-config/pods.ts';
import { objectsOf } from '../../unit/nodeagent/volumes/objects.ts';

const run = promisify(execFile);
const system = createMountCommands();
const context = { podIps: [], hostIps: [], allocatable: {} };
const claim: PersistentVolumeClaim = {
  apiVersion: 'v1',
  kind: 'PersistentVolumeClaim',
  metadata: { name: 'claim', uid: 'claim-uid' },
  spec: { volumeName: 'pv', resources: {} },
  status: { phase: 'Bound' },
};

describe('local volumes that are block devices', () => {
  let directory: TemporaryDirectory;
  let root: string;
  let device: string;
  let pv: PersistentVolume;
  let notices: string[];
  let written: Map<string, ClaimStatusPatch>;
  const create = (
    growth: 'never' | 'unused' | 'always' = 'never',
    known: PersistentVolumeClaim = claim,
    logger: Logger = silentLogger,
  ): PodVolumes =>
    createPodVolumes({
      onStale() {},
      onOperation() {},
      onEvent: (_pod, { reason, message }) => void notices.push(`${reason}: ${message}`),
      growth,
      rootDirectory: root,
      dialect: orchDialect,
      objects: objectsOf({ claims: { claim: known }, volumes: { pv }, written }),
      clock: systemClock,
      logger,
      mount: system,
      usagePeriodMs: 60_000,
    });
  const podWith = (uid: string, readOnly = false) =>
    podOf(
      {
        volumes: [{ name: 'v', persistentVolumeClaim: { claimName: 'claim', readOnly } }],
        containers: [containerOf({ volumeMounts: [{ name: 'v', mountPath: '/v' }] })],
      },
      { uid },
    );
  const mountOne = async (volumes: PodVolumes, uid = 'u-1', readOnly = false) =>
    (await volumes.mount(podWith(uid, readOnly), context)).get('v')?.path ?? '';
  const complaint = (action: Promise<unknown>): Promise<string[]> =>
    action.then(
      () => [],
      ({ events }) => events.map(({ message }: { message: string }) => message),
    );
  const mounts = async () => (await system.list()).filter(({ path }) => path.startsWith(`${root}/`));

  beforeEach(async () => {
    directory = await makeTemporaryDirectory();
    root = join(directory.path, 'root');
    notices = [];
    written = new Map();
    const image = join(directory.path, 'image');
    await writeFile(image, '');
    await truncate(image, 16 << 20);
    device = (await run('losetup', ['-f', '--show', image])).stdout.trim();
    pv = {
      apiVersion: 'v1',
      kind: 'PersistentVolume',
      metadata: { name: 'pv' },
      spec: { claimRef: { uid: 'claim-uid' }, local: { path: device, fsType: 'ext4' } },
      status: {},
    };
  });
  afterEach(async () => {
    await run('umount', [join(root, 'plugins/orch.io/local-volume/mounts/pv')]).catch(() => undefined); // left by a failure
    await run('losetup', ['-d', device]);
    await directory.remove();
  });

  it('get a file system when they have none, are mounted once, and keep what is in them', async () => {
    const volumes = create();
    await writeFile(join(await mountOne(volumes), 'file'), 'content');
    const other = await mountOne(volumes, 'u-2');
    expect(await readdir(other)).to.include('file');
    expect((await mounts()).map(({ path, fsType }) => [path.slice(root.length), fsType])).to.deep.equal([
      ['/plugins/orch.io/local-volume/mounts/pv', 'ext4'],
      ['/pods/u-1/volumes/orch.io~local-volume/pv', 'ext4'],
      ['/pods/u-2/volumes/orch.io~local-volume/pv', 'ext4'],
    ]);
    await volumes.unmount('u-1');
    expect(await mounts()).to.have.length(2);
    await volumes.unmount('u-2');
    expect(await mounts()).to.deep.equal([]);
    // A later process of the agent finds what is there.
    const later = create();
    expect(await readdir(await mountOne(later))).to.include('file');
    await later.unmount('u-1');
  });

  it('are not formatted for pods that only read', async () => {
    expect(await complaint(create().mount(podWith('u-1', true), context))).to.deep.equal([
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
    const [message] = await complaint(create().mount(podWith('u-1'), context));
    expect(message).to.contain(
      'failed to mount the volume as "xfs", it already contains ext4. Mount error: ',
    );
    expect((await run('blkid', ['-p', '-s', 'TYPE', '-o', 'value', device])).stdout.trim()).to.equal('ext4');
  });

  it('get xfs when that is asked for, and are mounted again after a crash that left its log full', async () => {
    // mkfs.xfs(8) makes none below 300 MB.
    await truncate(join(directory.path, 'image'), 320 << 20);
    await run('losetup', ['-c', device]);
    pv.spec.local = { path: device, fsType: 'xfs' };
    const volumes = create();
    const path = await mountOne(volumes);
    expect((await mounts()).map(({ fsType }) => fsType)).to.deep.equal(['xfs', 'xfs']);
    await writeFile(join(path, 'file'), 'content', { flush: true });
    await run('xfs_io', ['-x', '-c', 'shutdown -f', path]);
    await volumes.unmount('u-1');
    expect(await mounts()).to.deep.equal([]);
    const later = create();
    expect(await readFile(join(await mountOne(later), 'file'), 'utf8')).to.equal('content');
    await later.unmount('u-1');
  });

  it('go once, without complaint, when the pods that had them end together', async () => {
    const complaints: string[] = [];
    const volumes = create('never', claim, {
      ...silentLogger,
      error: (message) => void complaints.push(message),
    });
    await mountOne(volumes, 'u-1');
    await mountOne(volumes, 'u-2');
    await Promise.all(['u-1', 'u-2'].map((uid) => volumes.unmount(uid)));
    expect(await mounts()).to.deep.equal([]);
    expect(complaints).to.deep.equal([]);
  });

  it('that are busy hold up their own pod only', async () => {
    const volumes = create();
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
    expect(await mounts()).to.deep.equal([]);
  });

  describe('that have grown', () => {
    const small = { ...claim, status: { ...claim.status, capacity: { storage: '16Mi' } } };
    const done = 'FileSystemResizeSuccessful: MountVolume.NodeExpandVolume succeeded for volume "pv" ';
    const sizeOf = async (path: string): Promise<number> => {
      const { blocks, bsize } = await statfs(path);
      return blocks * bsize;
    };
    /** A device of twice the size, of which the volume says so. */
    async function growDevice(megabytes: number): Promise<void> {
      await truncate(join(directory.path, 'image'), megabytes << 20);
      await run('losetup', ['-c', device]);
      pv.spec.capacity = { storage: `${megabytes}Mi` };
    }

    /** Makes the device an XFS of the least size. */
    async function useXfs(): Promise<void> {
      await truncate(join(directory.path, 'image'), 320 << 20);
      await run('losetup', ['-c', device]);
      pv.spec.local = { path: device, fsType: 'xfs' };
    }

    it('are filled when they are mounted, and the claim says so', async () => {
      await useXfs();
      const first = create();
      const size = await sizeOf(await mountOne(first));
      await first.unmount('u-1');
      await growDevice(640);
      const volumes = create('unused', small);
      expect(await sizeOf(await mountOne(volumes))).to.be.above(size * 1.5);
      expect(notices).to.deep.equal([done]);
      expect([...written.values()]).to.deep.equal([{ capacity: { storage: '640Mi' } }]);
      await mountOne(volumes);
      expect(notices, 'once').to.deep.equal([done]);
      await volumes.unmount('u-1');
    });

    it('are filled while pods use them, with the gate', async () => {
      await useXfs();
      const path = await mountOne(create());
      const size = await sizeOf(path);
      await growDevice(640);
      await mountOne(create('unused', small));
      expect([notices, await sizeOf(path)]).to.deep.equal([[], size]);
      const volumes = create('always', small);
      await mountOne(volumes);
      expect(notices).to.deep.equal([done]);
      expect(await sizeOf(path)).to.be.above(size * 1.5);
      await volumes.unmount('u-1');
    });

    it('have ext4 filled where the kernel lets the agent, or the pod is told why not', async () => {
      const first = create();
      const size = await sizeOf(await mountOne(first));
      await first.unmount('u-1');
      await growDevice(64);
      const volumes = create('unused', small);
      const told = await complaint(volumes.mount(podWith('u-1'), context));
      // The kernel asks for CAP_SYS_RESOURCE (24), which not every root has.
      const [, capabilities = '0'] =
        /CapEff:\s*(\w+)/.exec(await readFile('/proc/self/status', 'utf8')) ?? [];
      const mayGrow = ((BigInt(`0x${capabilities}`) >> 24n) & 1n) === 1n;
      if (mayGrow) {
        expect([told, notices]).to.deep.equal([[], [done]]);
        const path = join(root, 'pods/u-1/volumes/orch.io~local-volume/pv');
        expect(await sizeOf(path)).to.be.above(size * 1.5);
      } else {
        expect(told.join()).to.match(
          /^MountVolume\.MountDevice failed while expanding volume for volume "pv" : resize of device \S+ failed: exit status 1\. resize2fs output: /,
        );
      }
      await volumes.unmount('u-1');
    });

    it('are left alone for pods that only read, and an event says so', async () => {
      const first = create();
      await mountOne(first);
      await first.unmount('u-1');
      await growDevice(64);
      const volumes = create('always', small);
      await mountOne(volumes, 'u-1', true);
      expect(notices).to.deep.equal([
        'FileSystemResizeFailed: MountVolume.NodeExpandVolume failed for volume "pv" : requested read-only file system',
      ]);
      await volumes.unmount('u-1');
    });

    it('are not given to a pod as long as they cannot be filled', async () => {
      await run('mkfs.ext2', ['-F', device]);
      pv.spec.local = { path: device, fsType: 'ext2' };
      await growDevice(64);
      const volumes = create('always', small);
      const target = join(root, 'plugins/orch.io/local-volume/mounts/pv');
      const why = `ResizeFS.Resize - resize of format ext2 is not supported for device ${device} mounted at ${target}`;
      expect(await complaint(volumes.mount(podWith('u-1'), context))).to.deep.equal([
        `MountVolume.MountDevice failed while expanding volume for volume "pv" : ${why}`,
      ]);
      expect(notices).to.deep.equal([
        `VolumeResizeFailed: MountVolume.NodeExpandVolume failed for volume "pv" : ${why}`,
      ]);
      await volumes.unmount('u-1');
    });
  });

  it('are refused with types that are no names of file systems', async () => {
    pv.spec.local = { path: device, fsType: '../evil' };
    expect(await complaint(create().mount(podWith('u-1'), context))).to.deep.equal([
      'MountVolume.SetUp failed for volume "pv" : invalid file system type "../evil"',
    ]);
  });
});
