import { execFile } from 'node:child_process';
import { readdir, readFile, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type { PersistentVolume, PersistentVolumeClaim } from '../../../src/apis/types/core-v1.ts';
import { silentLogger, systemClock } from '../../../src/base/index.ts';
import { orchDialect } from '../../../src/machinery/dialect.ts';
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
  const create = (): PodVolumes =>
    createPodVolumes({
      onStale() {},
      onOperation() {},
      rootDirectory: root,
      dialect: orchDialect,
      objects: objectsOf({ claims: { claim }, volumes: { pv } }),
      clock: systemClock,
      logger: silentLogger,
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

  it('are refused with types that are no names of file systems', async () => {
    pv.spec.local = { path: device, fsType: '../evil' };
    expect(await complaint(create().mount(podWith('u-1'), context))).to.deep.equal([
      'MountVolume.SetUp failed for volume "pv" : invalid file system type "../evil"',
    ]);
  });
});
