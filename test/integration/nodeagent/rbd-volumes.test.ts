import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type { Pod, RBDVolumeSource } from '../../../src/apis/types/core-v1.ts';
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

const described = { monitors: ['192.0.2.1:6789', '192.0.2.2'], image: 'data' };
const access = '--id admin -m 192.0.2.1:6789,192.0.2.2';

describe('rbd volumes', () => {
  let agent: DiskAgent;
  let root: string;
  let network: StorageNetwork;
  const podWith = (uid: string, more: Partial<RBDVolumeSource> = {}): Pod =>
    podWithVolume({ rbd: { ...described, ...more } }, uid);
  const add = async (path: string, watchedFor = 0) =>
    void network.ceph.images.set(path, { file: await network.makeImage(path.replace('/', '-')), watchedFor });

  beforeEach(async () => {
    agent = new DiskAgent(await makeTemporaryDirectory());
    ({ root, network } = agent);
    await add('rbd/data');
  });
  afterEach(() => agent[Symbol.asyncDispose]());

  it('are mapped and mounted once, and unmapped after the last pod, also by a later agent', async () => {
    const volumes = agent.create();
    await writeFile(join(await mountPath(volumes, podWith('u-1')), 'file'), 'content');
    expect(await readFile(join(await mountPath(volumes, podWith('u-2')), 'file'), 'utf8')).to.equal(
      'content',
    );
    expect(network.ceph.calls).to.deep.equal([
      `status data --pool rbd ${access} -k /etc/ceph/keyring`,
      `map rbd/data ${access} -k /etc/ceph/keyring`,
    ]);
    expect(await agent.mounts()).to.deep.equal([
      '/plugins/orch.io/rbd/mounts/rbd-image-data',
      '/pods/u-1/volumes/orch.io~rbd/v',
      '/pods/u-2/volumes/orch.io~rbd/v',
    ]);
    await volumes.unmount('u-1');
    const later = agent.create();
    expect(later.inUse()).to.deep.equal(['orch.io/rbd/rbd:data']);
    expect(await agent.devices()).to.deep.equal(['rbd0']);
    await later.unmount('u-2');
    expect(network.ceph.calls.at(-1)).to.equal(`unmap ${network.devFolder}/rbd0`);
    expect([await agent.devices(), await agent.mounts(), later.inUse()]).to.deep.equal([[], [], []]);
    expect(await readdir(join(root, 'plugins/orch.io'))).to.deep.equal([]);
  });

  it('take the key of their secret, in a file that is gone afterwards', async () => {
    network.ceph.key = 'the-key-of-a-client';
    agent.known = { secrets: { ceph: { key: 'the-key-of-a-client' } } };
    const volumes = agent.create();
    await mountOne(volumes, podWith('u-1', { user: 'web', secretRef: { name: 'ceph' } }));
    expect(network.ceph.calls.at(-1)).to.equal(
      'map rbd/data --id web -m 192.0.2.1:6789,192.0.2.2 --keyfile KEYFILE',
    );
    expect(await readdir(join(root, 'pods/u-1/plugins/orch.io~rbd'))).to.deep.equal([]);
    await volumes.unmount('u-1');
  });

  it('wait for another client to let go of the image, but not for ever', async () => {
    const volumes = agent.create();
    await add('rbd/data', 3);
    await mountOne(volumes, podWith('u-1'));
    expect(network.ceph.calls.filter((call) => call.startsWith('status'))).to.have.length(4);
    await volumes.unmount('u-1');
    await add('rbd/data', Number.POSITIVE_INFINITY);
    expect(await complaintsOf(volumes.mount(podWith('u-2'), mountContext))).to.deep.equal([
      'MountVolume.WaitForAttach failed for volume "v" : rbd image rbd/data is still being used',
    ]);
    await volumes.unmount('u-2');
    expect(await agent.devices()).to.deep.equal([]);
  });

  it('that all nodes only read are not waited for', async () => {
    await add('rbd/data', Number.POSITIVE_INFINITY);
    agent.known = claimOf({ accessModes: ['ReadOnlyMany'], rbd: described });
    const volumes = agent.create();
    await mountOne(volumes, podWithVolume(ofClaim, 'u-1'));
    await volumes.unmount('u-1');
    agent.known = claimOf({ accessModes: ['ReadWriteOnce', 'ReadOnlyMany'], rbd: described });
    expect(
      await complaintsOf(agent.create().mount(podWithVolume(ofClaim, 'u-2'), mountContext)),
    ).to.deep.equal([
      'MountVolume.WaitForAttach failed for volume "pv" : rbd image rbd/data is still being used',
    ]);
  });

  it('of claims are devices of pods that want them as such', async () => {
    await add('fast/db');
    agent.known = claimOf({ volumeMode: 'Block', rbd: { ...described, pool: 'fast', image: 'db' } });
    const volumes = agent.create();
    const made = await mountOne(volumes, podWithDevice(ofClaim));
    expect(made?.devicePath).to.equal(join(root, 'pods/u-1/volumeDevices/orch.io~rbd/pv'));
    expect((await stat(made?.devicePath ?? '')).isBlockDevice()).to.equal(true);
    await volumes.unmount('u-1');
    expect(await agent.devices()).to.deep.equal([]);
  });

  for (const [what, source, message] of [
    [
      'an image that is not there',
      { image: 'none' },
      'MountVolume.WaitForAttach failed for volume "v" : fail to check rbd image status with: (exit status 2), rbd output: (rbd: error opening image none: (2) No such file or directory)',
    ],
    [
      'a secret that is missing',
      { secretRef: { name: 'none' } },
      'MountVolume.NewMounter initialization failed for volume "v" : Couldn\'t get secret shop/none err: secrets "none" not found',
    ],
    [
      'a name that is an option',
      { pool: '--conf' },
      'MountVolume.NewMounter initialization failed for volume "v" : rbd: invalid pool or image: --conf',
    ],
    [
      'a name that leads elsewhere',
      { image: '../../x' },
      'MountVolume.NewMounter initialization failed for volume "v" : rbd: invalid pool or image: ../../x',
    ],
  ] as const) {
    it(`say what is wrong with ${what}`, async () => {
      const volumes = agent.create();
      expect(await complaintsOf(volumes.mount(podWith('u-1', source), mountContext))).to.deep.equal([
        message,
      ]);
      await volumes.unmount('u-1');
      expect(await readdir(join(root, 'plugins/orch.io')).catch(() => [])).to.deep.equal([]);
    });
  }
});
