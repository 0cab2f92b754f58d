import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type { Pod, RBDVolumeSource, Volume } from '../../../src/apis/types/core-v1.ts';
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
const described = { monitors: ['192.0.2.1:6789', '192.0.2.2'], image: 'data' };
const access = '--id admin -m 192.0.2.1:6789,192.0.2.2';

describe('rbd volumes', () => {
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
  const podOfVolume = (uid: string, volume: Omit<Volume, 'name'>, isDevice = false): Pod => {
    const used = isDevice
      ? { volumeDevices: [{ name: 'v', devicePath: '/dev/xvda' }] }
      : { volumeMounts: [{ name: 'v', mountPath: '/v' }] };
    return podOf({ volumes: [{ name: 'v', ...volume }], containers: [containerOf(used)] }, { uid });
  };
  const podWith = (uid: string, more: Partial<RBDVolumeSource> = {}): Pod =>
    podOfVolume(uid, { rbd: { ...described, ...more } });
  const ofClaim = { persistentVolumeClaim: { claimName: 'claim' } };
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
  const devices = () => readdir(network.devFolder).catch(() => []);
  const add = async (path: string, watchedFor = 0) =>
    void network.ceph.images.set(path, { file: await network.makeImage(path.replace('/', '-')), watchedFor });

  beforeEach(async () => {
    directory = await makeTemporaryDirectory();
    root = join(directory.path, 'root');
    network = new StorageNetwork(directory.path);
    known = {};
    await add('rbd/data');
  });
  afterEach(async () => {
    for (const path of (await mounts()).reverse()) await system.unmount(root + path); // left by a failure
    await network[Symbol.asyncDispose]();
    await directory.remove();
  });

  it('are mapped and mounted once, and unmapped after the last pod, also by a later agent', async () => {
    const volumes = create();
    await writeFile(join(await mountOne(volumes, podWith('u-1')), 'file'), 'content');
    expect(await readFile(join(await mountOne(volumes, podWith('u-2')), 'file'), 'utf8')).to.equal('content');
    expect(network.ceph.calls).to.deep.equal([
      `status data --pool rbd ${access} -k /etc/ceph/keyring`,
      `map rbd/data ${access} -k /etc/ceph/keyring`,
    ]);
    expect(await mounts()).to.deep.equal([
      '/plugins/orch.io/rbd/mounts/rbd-image-data',
      '/pods/u-1/volumes/orch.io~rbd/v',
      '/pods/u-2/volumes/orch.io~rbd/v',
    ]);
    await volumes.unmount('u-1');
    const later = create();
    expect(later.inUse()).to.deep.equal(['orch.io/rbd/rbd:data']);
    expect(await devices()).to.deep.equal(['rbd0']);
    await later.unmount('u-2');
    expect(network.ceph.calls.at(-1)).to.equal(`unmap ${network.devFolder}/rbd0`);
    expect([await devices(), await mounts(), later.inUse()]).to.deep.equal([[], [], []]);
    expect(await readdir(join(root, 'plugins/orch.io'))).to.deep.equal([]);
  });

  it('take the key of their secret, in a file that is gone afterwards', async () => {
    network.ceph.key = 'the-key-of-a-client';
    known = { secrets: { ceph: { key: 'the-key-of-a-client' } } };
    const volumes = create();
    await mountOne(volumes, podWith('u-1', { user: 'web', secretRef: { name: 'ceph' } }));
    expect(network.ceph.calls.at(-1)).to.equal(
      'map rbd/data --id web -m 192.0.2.1:6789,192.0.2.2 --keyfile KEYFILE',
    );
    expect(await readdir(join(root, 'pods/u-1/plugins/orch.io~rbd'))).to.deep.equal([]);
    await volumes.unmount('u-1');
  });

  it('wait for another client to let go of the image, but not for ever', async () => {
    const volumes = create();
    await add('rbd/data', 3);
    await mountOne(volumes, podWith('u-1'));
    expect(network.ceph.calls.filter((call) => call.startsWith('status'))).to.have.length(4);
    await volumes.unmount('u-1');
    await add('rbd/data', Number.POSITIVE_INFINITY);
    expect(await complaint(volumes.mount(podWith('u-2'), context))).to.deep.equal([
      'MountVolume.WaitForAttach failed for volume "v" : rbd image rbd/data is still being used',
    ]);
    await volumes.unmount('u-2');
    expect(await devices()).to.deep.equal([]);
  });

  it('that all nodes only read are not waited for', async () => {
    await add('rbd/data', Number.POSITIVE_INFINITY);
    known = claimOf({ accessModes: ['ReadOnlyMany'], rbd: described });
    const volumes = create();
    await mountOne(volumes, podOfVolume('u-1', ofClaim));
    await volumes.unmount('u-1');
    known = claimOf({ accessModes: ['ReadWriteOnce', 'ReadOnlyMany'], rbd: described });
    expect(await complaint(create().mount(podOfVolume('u-2', ofClaim), context))).to.deep.equal([
      'MountVolume.WaitForAttach failed for volume "pv" : rbd image rbd/data is still being used',
    ]);
  });

  it('of claims are devices of pods that want them as such', async () => {
    await add('fast/db');
    known = claimOf({ volumeMode: 'Block', rbd: { ...described, pool: 'fast', image: 'db' } });
    const volumes = create();
    const made = (await volumes.mount(podOfVolume('u-1', ofClaim, true), context)).get('v');
    expect(made?.devicePath).to.equal(join(root, 'pods/u-1/volumeDevices/orch.io~rbd/pv'));
    expect((await stat(made?.devicePath ?? '')).isBlockDevice()).to.equal(true);
    await volumes.unmount('u-1');
    expect(await devices()).to.deep.equal([]);
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
      const volumes = create();
      expect(await complaint(volumes.mount(podWith('u-1', source), context))).to.deep.equal([message]);
      await volumes.unmount('u-1');
      expect(await readdir(join(root, 'plugins/orch.io')).catch(() => [])).to.deep.equal([]);
    });
  }
});
