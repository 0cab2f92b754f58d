import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type { FCVolumeSource, Pod, Volume } from '../../../src/apis/types/core-v1.ts';
import { silentLogger } from '../../../src/base/index.ts';
import { orchDialect } from '../../../src/machinery/dialect.ts';
import {
  createMountCommands,
  createPodVolumes,
  type PodVolumes,
} from '../../../src/nodeagent/volumes/index.ts';
import { claimOf } from '../../support/claimed-disk.ts';
import { StorageNetwork } from '../../support/storage-network.ts';
import { makeTemporaryDirectory, type TemporaryDirectory } from '../../support/temporary-directory.ts';
import { containerOf, podOf } from '../../unit/nodeagent/container-config/pods.ts';
import { type FakeObjects, objectsOf } from '../../unit/nodeagent/volumes/objects.ts';

const system = createMountCommands();
const context = { podIps: [], hostIps: [], allocatable: {} };
const [wwn, otherWwn] = ['50060e801049cfd1', '50060e801049cfd2'];
const linkOf = (port: string, lun: number): string => `by-path/pci-0000:41:00.0-fc-0x${port}-lun-${lun}`;

describe('fc volumes', () => {
  let directory: TemporaryDirectory;
  let root: string;
  let network: StorageNetwork;
  let known: FakeObjects;
  const create = (): PodVolumes =>
    createPodVolumes({
      onStale() {},
      onOperation() {},
      rootDirectory: root,
      dialect: orchDialect,
      objects: objectsOf(known),
      clock: network.machine.clock(),
      logger: silentLogger,
      mount: system,
      usagePeriodMs: 60_000,
      disks: network,
    });
  const podOfVolume = (uid: string, volume: Omit<Volume, 'name'>): Pod =>
    podOf(
      {
        volumes: [{ name: 'v', ...volume }],
        containers: [containerOf({ volumeMounts: [{ name: 'v', mountPath: '/v' }] })],
      },
      { uid },
    );
  const podWith = (uid: string, fc: FCVolumeSource = { targetWWNs: [wwn], lun: 1 }): Pod =>
    podOfVolume(uid, { fc });
  const mountOne = async (volumes: PodVolumes, pod: Pod) =>
    (await volumes.mount(pod, context)).get('v')?.path ?? '';
  const complaint = (action: Promise<unknown>): Promise<string[]> =>
    action.then(
      () => [],
      ({ events }) => events.map(({ message }: { message: string }) => message),
    );
  const mounts = async () =>
    (await system.list()).flatMap(({ path }) =>
      path.startsWith(`${root}/`) ? [path.slice(root.length)] : [],
    );
  const devices = async () => {
    await network.machine.settle();
    return (await readdir(network.devFolder)).filter((name) => name !== 'disk');
  };
  /** Has a scan find a disk by its links, each of which is another path. */
  const offer = async (links: readonly string[], isMultipath = false) => {
    const image = await network.makeImage(`image-${network.machine.fibreChannel.length}`);
    for (const link of links) network.machine.fibreChannel.push({ image, links: [link], isMultipath });
  };
  beforeEach(async () => {
    directory = await makeTemporaryDirectory();
    root = join(directory.path, 'root');
    network = new StorageNetwork(directory.path);
    known = {};
    await mkdir(join(network.sysFolder, 'class/scsi_host/host0'), { recursive: true });
    await writeFile(join(network.sysFolder, 'class/scsi_host/host0/scan'), '');
    await mkdir(network.devFolder);
  });
  afterEach(async () => {
    for (const path of (await mounts()).reverse()) await system.unmount(root + path); // left by a failure
    await network[Symbol.asyncDispose]();
    await directory.remove();
  });

  it('are looked for on all hosts, mounted once, and taken away with the last pod', async () => {
    await offer([linkOf(wwn, 10)]);
    await offer([linkOf(wwn, 1)]);
    const volumes = create();
    await writeFile(join(await mountOne(volumes, podWith('u-1')), 'file'), 'content');
    expect(await readFile(join(await mountOne(volumes, podWith('u-2')), 'file'), 'utf8')).to.equal('content');
    const table = await readFile('/proc/self/mountinfo', 'utf8');
    expect(table).to.contain(
      `${root}/plugins/orch.io/fc/${wwn}-lun-1 rw,relatime - ext4 ${network.devFolder}/sdb `,
    );
    expect(volumes.inUse()).to.deep.equal([`orch.io/fc/[${wwn}]:1`]);
    await volumes.unmount('u-1');
    expect(await devices()).to.deep.equal(['sda', 'sdb']);
    // A later process takes away what is there.
    const later = create();
    expect(later.inUse()).to.deep.equal([`orch.io/fc/[${wwn}]:1`]);
    await later.unmount('u-2');
    expect(await devices()).to.deep.equal(['sda']);
    expect([await mounts(), later.inUse()]).to.deep.equal([[], []]);
    expect(await readdir(join(root, 'plugins/orch.io'))).to.deep.equal([]);
  });

  it('are found by their own names', async () => {
    await offer(['by-id/scsi-ACME_disk_7']);
    const volumes = create();
    const pod = podWith('u-1', { wwids: ['ACME disk 7'], fsType: 'ext3' });
    await mountOne(volumes, pod);
    expect((await mounts())[0]).to.equal('/plugins/orch.io/fc/ACME_disk_7');
    await volumes.unmount('u-1');
    expect(await devices()).to.deep.equal([]);
  });

  it('are mounted from their multipath device, which is flushed before all of its paths go', async () => {
    await offer([linkOf(wwn, 1), linkOf(otherWwn, 1)], true);
    const volumes = create();
    await mountOne(volumes, podWith('u-1', { targetWWNs: [wwn, otherWwn], lun: 1 }));
    expect(await readFile('/proc/self/mountinfo', 'utf8')).to.contain(`- ext4 ${network.devFolder}/dm-0 `);
    expect(await devices()).to.deep.equal(['dm-0', 'sda', 'sdb']);
    await volumes.unmount('u-1');
    expect(await devices()).to.deep.equal([]);
  });

  it('stay for those that name them in another way', async () => {
    network.machine.fibreChannel = [
      { image: await network.makeImage('image'), links: [linkOf(wwn, 1), 'by-id/scsi-3600508b4'] },
    ];
    const volumes = create();
    await mountOne(volumes, podWith('u-1'));
    await mountOne(volumes, podWith('u-2', { wwids: ['3600508b4'] }));
    await volumes.unmount('u-1');
    expect(await devices()).to.deep.equal(['sda']);
    await volumes.unmount('u-2');
    expect(await devices()).to.deep.equal([]);
  });

  it('of claims are devices of pods that want them as such', async () => {
    await offer([linkOf(wwn, 1)]);
    known = claimOf({ volumeMode: 'Block', fc: { targetWWNs: [wwn], lun: 1 } });
    const volumes = create();
    const pod = podOf(
      {
        volumes: [{ name: 'v', persistentVolumeClaim: { claimName: 'claim' } }],
        containers: [containerOf({ volumeDevices: [{ name: 'v', devicePath: '/dev/xvda' }] })],
      },
      { uid: 'u-1' },
    );
    const made = (await volumes.mount(pod, context)).get('v');
    expect(made?.devicePath).to.equal(join(root, 'pods/u-1/volumeDevices/orch.io~fc/pv'));
    expect((await stat(made?.devicePath ?? '')).isBlockDevice()).to.equal(true);
    await volumes.unmount('u-1');
    expect([await devices(), await mounts()]).to.deep.equal([[], []]);
  });

  it('say that they were not found', async () => {
    const volumes = create();
    expect(await complaint(volumes.mount(podWith('u-1'), context))).to.deep.equal([
      'MountVolume.WaitForAttach failed for volume "v" : no fc disk found',
    ]);
    await volumes.unmount('u-1');
    expect(await readdir(join(root, 'plugins/orch.io'))).to.deep.equal([]);
  });
});
