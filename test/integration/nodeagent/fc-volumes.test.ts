import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type { FCVolumeSource, Pod } from '../../../src/apis/types/core-v1.ts';
import { claimOf } from '../../support/claimed-disk.ts';
import { DiskAgent } from '../../support/disk-agent.ts';
import type { StorageNetwork } from '../../support/storage-network.ts';
import { makeTemporaryDirectory } from '../../support/temporary-directory.ts';
import {
  complaintsOf,
  mountContext,
  mountOne,
  mountPath,
  ofClaim,
  podWithDevice,
  podWithVolume,
} from '../../support/volume-agent.ts';

const [wwn, otherWwn] = ['50060e801049cfd1', '50060e801049cfd2'];
const linkOf = (port: string, lun: number): string => `by-path/pci-0000:41:00.0-fc-0x${port}-lun-${lun}`;

describe('fc volumes', () => {
  let agent: DiskAgent;
  let root: string;
  let network: StorageNetwork;
  const podWith = (uid: string, fc: FCVolumeSource = { targetWWNs: [wwn], lun: 1 }): Pod =>
    podWithVolume({ fc }, uid);
  /** Has a scan find a disk by its links, each of which is another path. */
  const offer = async (links: readonly string[], isMultipath = false) => {
    const image = await network.makeImage(`image-${network.machine.fibreChannel.length}`);
    for (const link of links) network.machine.fibreChannel.push({ image, links: [link], isMultipath });
  };
  beforeEach(async () => {
    agent = new DiskAgent(await makeTemporaryDirectory());
    ({ root, network } = agent);
    await mkdir(join(network.sysFolder, 'class/scsi_host/host0'), { recursive: true });
    await writeFile(join(network.sysFolder, 'class/scsi_host/host0/scan'), '');
    await mkdir(network.devFolder);
  });
  afterEach(() => agent[Symbol.asyncDispose]());

  it('are looked for on all hosts, mounted once, and taken away with the last pod', async () => {
    await offer([linkOf(wwn, 10)]);
    await offer([linkOf(wwn, 1)]);
    const volumes = agent.create();
    await writeFile(join(await mountPath(volumes, podWith('u-1')), 'file'), 'content');
    expect(await readFile(join(await mountPath(volumes, podWith('u-2')), 'file'), 'utf8')).to.equal(
      'content',
    );
    const table = await readFile('/proc/self/mountinfo', 'utf8');
    expect(table).to.contain(
      `${root}/plugins/orch.io/fc/${wwn}-lun-1 rw,relatime - ext4 ${network.devFolder}/sdb `,
    );
    expect(volumes.inUse()).to.deep.equal([`orch.io/fc/[${wwn}]:1`]);
    await volumes.unmount('u-1');
    expect(await agent.devices()).to.deep.equal(['sda', 'sdb']);
    // A later process takes away what is there.
    const later = agent.create();
    expect(later.inUse()).to.deep.equal([`orch.io/fc/[${wwn}]:1`]);
    await later.unmount('u-2');
    expect(await agent.devices()).to.deep.equal(['sda']);
    expect([await agent.mounts(), later.inUse()]).to.deep.equal([[], []]);
    expect(await readdir(join(root, 'plugins/orch.io'))).to.deep.equal([]);
  });

  it('are found by their own names', async () => {
    await offer(['by-id/scsi-ACME_disk_7']);
    const volumes = agent.create();
    const pod = podWith('u-1', { wwids: ['ACME disk 7'], fsType: 'ext3' });
    await mountOne(volumes, pod);
    expect((await agent.mounts())[0]).to.equal('/plugins/orch.io/fc/ACME_disk_7');
    await volumes.unmount('u-1');
    expect(await agent.devices()).to.deep.equal([]);
  });

  it('are mounted from their multipath device, which is flushed before all of its paths go', async () => {
    await offer([linkOf(wwn, 1), linkOf(otherWwn, 1)], true);
    const volumes = agent.create();
    await mountOne(volumes, podWith('u-1', { targetWWNs: [wwn, otherWwn], lun: 1 }));
    expect(await readFile('/proc/self/mountinfo', 'utf8')).to.contain(`- ext4 ${network.devFolder}/dm-0 `);
    expect(await agent.devices()).to.deep.equal(['dm-0', 'sda', 'sdb']);
    await volumes.unmount('u-1');
    expect(await agent.devices()).to.deep.equal([]);
  });

  it('stay for those that name them in another way', async () => {
    network.machine.fibreChannel = [
      { image: await network.makeImage('image'), links: [linkOf(wwn, 1), 'by-id/scsi-3600508b4'] },
    ];
    const volumes = agent.create();
    await mountOne(volumes, podWith('u-1'));
    await mountOne(volumes, podWith('u-2', { wwids: ['3600508b4'] }));
    await volumes.unmount('u-1');
    expect(await agent.devices()).to.deep.equal(['sda']);
    await volumes.unmount('u-2');
    expect(await agent.devices()).to.deep.equal([]);
  });

  it('of claims are devices of pods that want them as such', async () => {
    await offer([linkOf(wwn, 1)]);
    agent.known = claimOf({ volumeMode: 'Block', fc: { targetWWNs: [wwn], lun: 1 } });
    const volumes = agent.create();
    const made = await mountOne(volumes, podWithDevice(ofClaim));
    expect(made?.devicePath).to.equal(join(root, 'pods/u-1/volumeDevices/orch.io~fc/pv'));
    expect((await stat(made?.devicePath ?? '')).isBlockDevice()).to.equal(true);
    await volumes.unmount('u-1');
    expect([await agent.devices(), await agent.mounts()]).to.deep.equal([[], []]);
  });

  it('say that they were not found', async () => {
    const volumes = agent.create();
    expect(await complaintsOf(volumes.mount(podWith('u-1'), mountContext))).to.deep.equal([
      'MountVolume.WaitForAttach failed for volume "v" : no fc disk found',
    ]);
    await volumes.unmount('u-1');
    expect(await readdir(join(root, 'plugins/orch.io'))).to.deep.equal([]);
  });
});
