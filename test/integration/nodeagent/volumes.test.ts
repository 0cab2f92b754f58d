import {
  chmod,
  chown,
  lstat,
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type { PersistentVolume, Pod, Volume } from '../../../src/apis/types/core-v1.ts';
import { type SubPath, subPathDirectory } from '../../../src/nodeagent/container-config/index.ts';
import {
  createMountCommands,
  type MountCommands,
  type MountRequest,
  type PodVolumes,
  type PodVolumesOptions,
  type VolumeEvent,
} from '../../../src/nodeagent/volumes/index.ts';
import { claimOf } from '../../support/claimed-disk.ts';
import { makeTemporaryDirectory } from '../../support/temporary-directory.ts';
import { VolumeAgent, volumeErrorOf } from '../../support/volume-agent.ts';
import { containerOf, podOf } from '../../unit/nodeagent/container-config/pods.ts';
import { type FakeObjects, objectsOf } from '../../unit/nodeagent/volumes/objects.ts';

const context = { podIps: [], hostIps: ['192.0.2.2'], allocatable: { memory: '1Gi' } };
const system = createMountCommands();

/** A pod whose container mounts each volume at `/` and its name. */
const podWith = (volumes: Volume[], spec: Partial<Pod['spec']> = {}): Pod =>
  podOf({
    volumes,
    containers: [containerOf({ volumeMounts: volumes.map(({ name }) => ({ name, mountPath: `/${name}` })) })],
    ...spec,
  });

const claimed = (spec: PersistentVolume['spec']) =>
  claimOf(spec, { annotations: { 'pv.beta.orch.io/gid': '3000' } });

describe('volumes of pods on this machine', () => {
  let agent: VolumeAgent;
  let root: string;
  let host: string;
  let volumes: PodVolumes;
  const create = (known?: FakeObjects, options: Partial<PodVolumesOptions> = {}): PodVolumes =>
    agent.create({ objects: known && objectsOf(known), ...options });
  const modeOf = async (path: string): Promise<string> => {
    const { mode, uid, gid } = await stat(path);
    return `${(mode & 0o7777).toString(8)} ${uid}:${gid}`;
  };
  const mountOne = async (pod: Pod, from: PodVolumes = volumes): Promise<string> => {
    const [volume] = [...(await from.mount(pod, context)).values()];
    return volume?.path ?? '';
  };
  beforeEach(async () => {
    agent = new VolumeAgent(await makeTemporaryDirectory());
    ({ root } = agent);
    host = join(agent.folder, 'host');
    await mkdir(host);
    volumes = create();
  });
  afterEach(() => agent[Symbol.asyncDispose]());

  describe('emptyDir', () => {
    it('is a folder that anybody may write, and its contents survive another look', async () => {
      const pod = podWith([{ name: 'v', emptyDir: {} }]);
      const path = await mountOne(pod);
      expect(path).to.equal(join(root, 'pods/u-1/volumes/orch.io~empty-dir/v'));
      expect(await modeOf(path)).to.equal('777 0:0');
      await writeFile(join(path, 'f'), 'kept');
      await mountOne(pod, create());
      expect(await readFile(join(path, 'f'), 'utf8')).to.equal('kept');
    });

    it('belongs to the group of the pod', async () => {
      const pod = podWith([{ name: 'v', emptyDir: {} }], { securityContext: { fsGroup: 2000 } });
      expect(await modeOf(await mountOne(pod))).to.equal('2777 0:2000');
    });

    it('is in memory, once, and bounded when that is asked for', async () => {
      const pod = podWith([{ name: 'v', emptyDir: { medium: 'Memory', sizeLimit: '8Mi' } }]);
      const path = await mountOne(pod, create(undefined, { boundsMemory: true }));
      expect(await modeOf(path)).to.equal('1777 0:0');
      await mountOne(pod, create(undefined, { boundsMemory: true }));
      expect((await agent.mountPoints()).map(({ path: at, fsType }) => [at, fsType])).to.deep.equal([
        [path, 'tmpfs'],
      ]);
      const again = create();
      await again.mount(pod, context);
      expect((await again.usage('u-1'))[0]?.capacityBytes).to.equal(8 * 1024 * 1024);
    });

    it('is made of huge pages of the size that the pod asks for', async () => {
      const requests: MountRequest[] = [];
      const mount: MountCommands = {
        ...system,
        async mount(request) {
          requests.push(request);
        },
      };
      const resources = { requests: { 'hugepages-2Mi': '2Mi' }, limits: { 'hugepages-2Mi': '2Mi' } };
      const containers = [containerOf({ resources, volumeMounts: [{ name: 'v', mountPath: '/v' }] })];
      for (const medium of ['HugePages', 'HugePages-2Mi']) {
        const pod = podOf({ containers, volumes: [{ name: 'v', emptyDir: { medium } }] }, { uid: medium });
        const target = await mountOne(pod, create(undefined, { mount }));
        expect(requests.pop()).to.deep.equal({
          source: 'nodev',
          target,
          fsType: 'hugetlbfs',
          options: ['pagesize=2Mi'],
        });
      }
      const other = podOf({ containers, volumes: [{ name: 'v', emptyDir: { medium: 'HugePages-1Gi' } }] });
      expect((await volumeErrorOf(mountOne(other))).events[0]?.message).to.contain(
        'no container requests huge pages',
      );
    });

    it('is of no unknown medium', async () => {
      const error = await volumeErrorOf(mountOne(podWith([{ name: 'v', emptyDir: { medium: 'Tape' } }])));
      expect(error.events).to.deep.equal([
        {
          reason: 'FailedMount',
          message: 'MountVolume.SetUp failed for volume "v" : unknown storage medium "Tape"',
        },
      ]);
    });
  });

  describe('volumes of files', () => {
    it('have the files of their objects, read-only, and follow changes', async () => {
      const known = { configMaps: { cm: { a: 'A' } } };
      volumes = create(known);
      const pod = podWith([{ name: 'v', configMap: { name: 'cm', defaultMode: 0o400 } }]);
      const volume = (await volumes.mount(pod, context)).get('v');
      const path = volume?.path ?? '';
      expect(path).to.equal(join(root, 'pods/u-1/volumes/orch.io~configmap/v'));
      expect([volume?.isReadOnly, volume?.needsSelinuxLabel]).to.deep.equal([true, true]);
      expect([await modeOf(join(path, 'a')), await readFile(join(path, 'a'), 'utf8')]).to.deep.equal([
        '400 0:0',
        'A',
      ]);
      known.configMaps.cm.a = 'B';
      await volumes.mount(pod, context);
      expect(await readFile(join(path, 'a'), 'utf8')).to.equal('B');
    });

    it('keep secrets off the disk', async () => {
      volumes = create({ secrets: { s: { key: 'S' } } });
      const path = await mountOne(podWith([{ name: 'v', secret: { secretName: 's' } }]));
      expect(await readFile(join(path, 'key'), 'utf8')).to.equal('S');
      expect((await agent.mountPoints()).map(({ path: at, fsType }) => [at, fsType])).to.deep.equal([
        [path, 'tmpfs'],
      ]);
    });

    it('let the group of the pod read', async () => {
      const downwardAPI = {
        items: [{ path: 'n', fieldRef: { fieldPath: 'metadata.name' } }],
        defaultMode: 0o400,
      };
      const path = await mountOne(
        podWith([{ name: 'v', downwardAPI }], { securityContext: { fsGroup: 2000 } }),
      );
      expect(await modeOf(join(path, 'n'))).to.equal('440 0:2000');
      expect(await modeOf(path)).to.equal('3777 0:2000');
    });

    it('have folders for what is mounted below them', async () => {
      volumes = create({ configMaps: { cm: {} } });
      const volumeMounts = [
        { name: 'v', mountPath: '/v' },
        { name: 'e', mountPath: '/v/deep/er' },
      ];
      const list = [
        { name: 'v', configMap: { name: 'cm' } },
        { name: 'e', emptyDir: {} },
      ];
      const path = await mountOne(podWith(list, { containers: [containerOf({ volumeMounts })] }));
      expect((await stat(join(path, 'deep/er'))).isDirectory()).to.equal(true);
    });

    it('keep what they had when they cannot be brought up to date', async () => {
      const told: string[] = [];
      const known: { configMaps: Record<string, Record<string, string>> } = {
        configMaps: { cm: { a: 'A' } },
      };
      const onStale = (_pod: Pod, events: readonly VolumeEvent[]): void => {
        for (const { message } of events) told.push(message);
      };
      volumes = create(known, { onStale });
      const pod = podWith([{ name: 'v', configMap: { name: 'cm' } }]);
      const path = await mountOne(pod);
      delete known.configMaps.cm;
      expect(await mountOne(pod)).to.equal(path);
      expect(await mountOne(pod)).to.equal(path);
      expect(await readFile(join(path, 'a'), 'utf8')).to.equal('A');
      expect(told).to.deep.equal(['MountVolume.SetUp failed for volume "v" : configmap "cm" not found']);
      known.configMaps.cm = { a: 'B' };
      await mountOne(pod);
      expect(await readFile(join(path, 'a'), 'utf8')).to.equal('B');
    });

    it('are counted by their kinds, with what is done to them', async () => {
      const log: string[] = [];
      volumes = create(
        { configMaps: { cm: {} } },
        {
          onOperation: ({ plugin, name, isSuccess }) => log.push(`${name} ${plugin} ${isSuccess}`),
        },
      );
      const list = [
        { name: 'v', configMap: { name: 'cm' } },
        { name: 'w', configMap: { name: 'nope' } },
      ];
      await volumeErrorOf(volumes.mount(podWith(list), context));
      expect(volumes.counts()).to.deep.equal([{ plugin: 'orch.io/configmap', desired: 2, actual: 1 }]);
      await volumes.unmount('u-1');
      expect(volumes.counts()).to.deep.equal([]);
      expect(log.sort()).to.deep.equal([
        'volume_mount orch.io/configmap false',
        'volume_mount orch.io/configmap true',
        'volume_unmount orch.io/configmap true',
      ]);
    });

    it('are missed with the words of the reference, the others are made', async () => {
      volumes = create({ configMaps: { cm: { a: 'A' } } });
      const list = [
        { name: 'v', configMap: { name: 'nope' } },
        { name: 'w', configMap: { name: 'cm' } },
        { name: 's', secret: { secretName: 'gone' } },
      ];
      const error = await volumeErrorOf(volumes.mount(podWith(list), context));
      expect(error.events.map(({ message }) => message)).to.have.members([
        'MountVolume.SetUp failed for volume "v" : configmap "nope" not found',
        'MountVolume.SetUp failed for volume "s" : secret "gone" not found',
      ]);
      expect(error.message).to.equal(
        'Unable to attach or mount volumes: unmounted volumes=[v s], unattached volumes=[v w s]: timed out waiting for the condition',
      );
      expect(await readFile(join(root, 'pods/u-1/volumes/orch.io~configmap/w/a'), 'utf8')).to.equal('A');
    });
  });

  it('says which claims are missing, and which kinds are not known', async () => {
    const pvc = { name: 'v', persistentVolumeClaim: { claimName: 'nope' } };
    const error = await volumeErrorOf(create({}).mount(podWith([pvc]), context));
    const message =
      'Unable to attach or mount volumes: unmounted volumes=[v], unattached volumes=[v]: error processing PVC shop/nope: failed to fetch PVC from API server: persistentvolumeclaims "nope" not found';
    expect(error.events).to.deep.equal([{ reason: 'FailedMount', message }]);
    const other = { name: 'v', flocker: { datasetName: 'a' } };
    expect((await volumeErrorOf(volumes.mount(podWith([other]), context))).message).to.contain(
      'failed to get Plugin from volumeSpec for volume "v" err=no volume plugin matched',
    );
  });

  describe('local persistent volumes', () => {
    const pvc: Volume = { name: 'v', persistentVolumeClaim: { claimName: 'claim' } };

    it('are mounted, owned by the group, and outlive the pod with their contents', async () => {
      volumes = create(claimed({ local: { path: host } }));
      const pod = podWith([pvc], { securityContext: { fsGroup: 2000 } });
      const volume = (await volumes.mount(pod, context)).get('v');
      expect(volume?.path).to.equal(join(root, 'pods/u-1/volumes/orch.io~local-volume/pv'));
      expect(volume?.groupId).to.equal(3000);
      await writeFile(join(volume?.path ?? '', 'f'), 'data');
      await volumes.mount(pod, context);
      expect((await agent.mountPoints()).length).to.equal(1);
      expect((await stat(host)).gid).to.equal(2000);
      const [usage] = await volumes.usage('u-1');
      expect(usage?.claim).to.deep.equal({ namespace: 'shop', name: 'claim' });
      await volumes.unmount('u-1');
      expect(await readFile(join(host, 'f'), 'utf8')).to.equal('data');
      expect(await agent.mountPoints()).to.deep.equal([]);
    });

    for (const hasGroupPolicy of [true, false]) {
      it(`${hasGroupPolicy ? 'are' : 'are not'} left as they are on the word of the pod, ${hasGroupPolicy ? 'with' : 'without'} the feature`, async () => {
        volumes = create(claimed({ local: { path: host } }), { hasGroupPolicy });
        const fsGroupChangePolicy = 'OnRootMismatch';
        const pod = podWith([pvc], { securityContext: { fsGroup: 2000, fsGroupChangePolicy } });
        await chown(host, 0, 2000);
        await chmod(host, 0o2777);
        await writeFile(join(host, 'f'), 'data');
        await chown(join(host, 'f'), 0, 7);
        await mountOne(pod);
        expect((await stat(join(host, 'f'))).gid).to.equal(hasGroupPolicy ? 7 : 2000);
      });
    }

    it('are not mounted as what they are not', async () => {
      volumes = create(claimed({ local: { path: host }, volumeMode: 'Block' }));
      expect((await volumeErrorOf(volumes.mount(podWith([pvc]), context))).message).to.contain(
        'volume v has volumeMode Block, but is specified in volumeMounts',
      );
      const devices = [containerOf({ volumeDevices: [{ name: 'v', devicePath: '/d' }] })];
      const error = await volumeErrorOf(volumes.mount(podWith([pvc], { containers: devices }), context));
      expect(error.events).to.deep.equal([
        {
          reason: 'FailedMapVolume',
          message: `MapVolume.MapPodDevice failed for volume "pv" : ${host} is not a block device`,
        },
      ]);
    });

    it('are used on the nodes that they ask for only', async () => {
      const terms = [{ matchExpressions: [{ key: 'zone', operator: 'In', values: ['a'] }] }];
      const nodeAffinity = { required: { nodeSelectorTerms: terms } };
      const asked: unknown[] = [];
      volumes = create(claimed({ local: { path: host }, nodeAffinity }), {
        matchesNode: (selector) => {
          asked.push(selector);
          return asked.length > 1;
        },
      });
      const error = await volumeErrorOf(volumes.mount(podWith([pvc]), context));
      expect(error.events.map(({ message }) => message)).to.deep.equal([
        'MountVolume.NodeAffinity check failed for volume "pv" : no matching NodeSelectorTerms',
      ]);
      await mountOne(podWith([pvc]));
      expect(asked).to.deep.equal([nodeAffinity.required, nodeAffinity.required]);
    });

    it('may be any path of the node', async () => {
      volumes = create(claimed({ hostPath: { path: host, type: 'Directory' } }));
      expect(await mountOne(podWith([pvc]))).to.equal(host);
    });
  });

  describe('sub-paths', () => {
    const subPathOf = (volumePath: string, subPath: string): SubPath => ({
      volumeName: 'v',
      volumePath,
      subPath,
      index: 0,
      bindPath: subPathDirectory(join(root, 'pods/u-1'), 'v', 'c', 0),
    });
    const prepare = (subPath: SubPath) =>
      volumes.prepareSubPaths({ podUid: 'u-1', containerName: 'c', subPaths: [subPath] });
    let path: string;
    beforeEach(async () => {
      path = await mountOne(podWith([{ name: 'v', emptyDir: {} }], { securityContext: { fsGroup: 2000 } }));
    });

    it('are made with the rights of the volume and mounted once', async () => {
      const subPath = subPathOf(path, 'x/web');
      await prepare(subPath);
      await prepare(subPath);
      expect((await agent.mountPoints()).map((point) => point.path)).to.deep.equal([subPath.bindPath]);
      expect([await modeOf(join(path, 'x')), await modeOf(subPath.bindPath)]).to.deep.equal([
        '2777 0:2000',
        '2777 0:2000',
      ]);
      await writeFile(join(subPath.bindPath, 'f'), 'seen');
      expect(await readFile(join(path, 'x/web/f'), 'utf8')).to.equal('seen');
    });

    it('may be files, and change between instances of a container', async () => {
      await writeFile(join(path, 'file'), 'one');
      const subPath = subPathOf(path, 'file');
      await prepare(subPath);
      expect(await readFile(subPath.bindPath, 'utf8')).to.equal('one');
      await writeFile(join(path, 'other'), 'two');
      await rename(join(path, 'other'), join(path, 'file'));
      await prepare(subPath);
      expect(await readFile(subPath.bindPath, 'utf8')).to.equal('two');
      await prepare(subPathOf(path, 'folder'));
      expect((await stat(subPath.bindPath)).isDirectory()).to.equal(true);
      expect((await agent.mountPoints()).length).to.equal(1);
    });

    it('follow links within the volume', async () => {
      await mkdir(join(path, 'real'));
      await symlink('real', join(path, 'link'));
      await prepare(subPathOf(path, 'link/deep'));
      expect((await stat(join(path, 'real/deep'))).isDirectory()).to.equal(true);
    });

    for (const [about, target, subPath] of [
      ['a link to the root', '/', 'out/etc'],
      ['a link to above', '../../../../..', 'out/host'],
      ['a link that is the path itself', '/etc', 'out'],
      ['a link to what is not there yet', '/nowhere-at-all', 'out/x'],
    ] as const) {
      it(`do not leave the volume by ${about}`, async () => {
        await symlink(target, join(path, 'out'));
        const error = await prepare(subPathOf(path, subPath)).then(
          () => new Error('prepared'),
          (reason) => reason,
        );
        expect(error.name).to.equal('ContainerConfigError');
        expect(error.message).to.match(
          /^failed to (create subPath directory|prepare subPath) for volumeMount "v" of container "c"$/,
        );
        expect(await agent.mountPoints()).to.deep.equal([]);
        expect(await lstat('/nowhere-at-all').catch((reason) => reason.code)).to.equal('ENOENT');
      });
    }

    it('do not leave the volume while somebody exchanges names', async () => {
      const name = join(path, 'name');
      await mkdir(join(host, 'deep'));
      let isDone = false;
      const exchange = async (): Promise<void> => {
        while (!isDone) {
          await rm(name, { recursive: true, force: true });
          await symlink(host, name).catch(() => {}); // a folder was made meanwhile
          await rm(name, { recursive: true, force: true });
          await mkdir(name, { recursive: true });
        }
      };
      const exchanging = exchange();
      const { ino } = await stat(join(host, 'deep'));
      const subPath = subPathOf(path, 'name/deep');
      try {
        for (let round = 0; round < 40; round++) {
          await prepare(subPath).catch(() => {}); // refused: also good
          const bound = await stat(subPath.bindPath).catch(() => undefined);
          expect(bound?.ino).to.not.equal(ino);
          await volumes.cleanSubPaths('u-1', 'c');
        }
      } finally {
        isDone = true;
        await exchanging;
      }
    });

    it('go with their container, their contents stay', async () => {
      const subPath = subPathOf(path, 'x');
      await prepare(subPath);
      await writeFile(join(subPath.bindPath, 'f'), 'kept');
      await volumes.cleanSubPaths('u-1', 'other');
      expect((await agent.mountPoints()).length).to.equal(1);
      await volumes.cleanSubPaths('u-1', 'c');
      expect(await agent.mountPoints()).to.deep.equal([]);
      expect(await readFile(join(path, 'x/f'), 'utf8')).to.equal('kept');
    });
  });

  describe('unmount', () => {
    it('removes all that is the pod and nothing that is the node', async () => {
      volumes = create({ secrets: { s: { key: 'S' } } });
      await writeFile(join(host, 'precious'), 'data');
      const list = [
        { name: 'm', emptyDir: { medium: 'Memory' } },
        { name: 's', secret: { secretName: 's' } },
        { name: 'h', hostPath: { path: host } },
        { name: 'd', emptyDir: {} },
      ];
      const paths = await volumes.mount(podWith(list), context);
      const disk = paths.get('d')?.path ?? '';
      await symlink(host, join(disk, 'link'));
      // What a container with two-way propagation may leave behind.
      await mkdir(join(disk, 'left'));
      await system.mount({ source: host, target: join(disk, 'left'), options: ['bind'] });
      await volumes.prepareSubPaths({
        podUid: 'u-1',
        containerName: 'c',
        subPaths: [
          {
            volumeName: 'h',
            volumePath: host,
            subPath: 'sub',
            index: 0,
            bindPath: subPathDirectory(join(root, 'pods/u-1'), 'h', 'c', 0),
          },
        ],
      });
      expect(await volumes.podsOnDisk()).to.deep.equal(['u-1']);
      await volumes.unmount('u-1');
      expect(await volumes.podsOnDisk()).to.deep.equal([]);
      expect(await agent.mountPoints()).to.deep.equal([]);
      expect((await readdir(host)).sort()).to.deep.equal(['precious', 'sub']);
    });

    it('can be asked for again, and for pods that never were', async () => {
      await volumes.unmount('u-1');
      await mountOne(podWith([{ name: 'v', emptyDir: {} }]));
      await volumes.unmount('u-1');
      await volumes.unmount('u-1');
      expect(await volumes.podsOnDisk()).to.deep.equal([]);
    });

    it('removes nothing while a mount cannot be ended', async () => {
      const stubborn = { ...system, unmount: () => Promise.reject(new Error('target is busy')) };
      volumes = create(claimed({ local: { path: host } }));
      await writeFile(join(host, 'precious'), 'data');
      await mountOne(podWith([{ name: 'v', persistentVolumeClaim: { claimName: 'claim' } }]));
      const busy = create(undefined, { mount: stubborn });
      const error = await busy.unmount('u-1').catch((reason) => reason);
      expect(error.message).to.equal('target is busy');
      expect(await readFile(join(host, 'precious'), 'utf8')).to.equal('data');
      await volumes.unmount('u-1');
      expect(await readFile(join(host, 'precious'), 'utf8')).to.equal('data');
    });

    it('refuses names that lead elsewhere', async () => {
      for (const uid of ['..', '', 'a/b']) {
        const error = await volumes.unmount(uid).catch((reason) => reason);
        expect(error).to.be.instanceOf(RangeError);
      }
    });
  });

  it('knows its mounts when the root folder is reached through a link', async () => {
    await mkdir(join(agent.folder, 'real'));
    await symlink('real', join(agent.folder, 'alias'));
    volumes = create(claimed({ local: { path: host } }), { rootDirectory: join(agent.folder, 'alias') });
    const pod = podWith([
      { name: 'v', persistentVolumeClaim: { claimName: 'claim' } },
      { name: 'm', emptyDir: { medium: 'Memory' } },
    ]);
    await volumes.mount(pod, context);
    await volumes.mount(pod, context);
    expect((await agent.mountPoints()).length).to.equal(2);
    await volumes.unmount('u-1');
    expect(await agent.mountPoints()).to.deep.equal([]);
  });

  describe('what went wrong before', () => {
    const pod = podWith([{ name: 'v', secret: { secretName: 's' } }]);
    const secrets = { s: { key: 'S' } };

    it('is made good at the next attempt', async () => {
      let attempts = 0;
      const mount: MountCommands = {
        ...system,
        async mount(request) {
          attempts += 1;
          if (attempts === 1) throw new Error('no memory');
          await system.mount(request);
        },
      };
      volumes = create({ secrets }, { mount });
      expect((await volumeErrorOf(mountOne(pod))).events[0]?.message).to.equal(
        'MountVolume.SetUp failed for volume "v" : no memory',
      );
      const folder = join(root, 'pods/u-1/volumes/orch.io~secret/v');
      expect(await readdir(folder)).to.deep.equal([]);
      expect(await readFile(join(await mountOne(pod), 'key'), 'utf8')).to.equal('S');
    });

    it('leaves nothing behind when the pod goes first', async () => {
      const mount = { ...system, mount: () => Promise.reject(new Error('no memory')) };
      volumes = create({ secrets }, { mount });
      await volumeErrorOf(mountOne(pod));
      await volumes.unmount('u-1');
      expect(await volumes.podsOnDisk()).to.deep.equal([]);
    });

    it('is mounted anew when a mount was lost, as after a start of the machine', async () => {
      volumes = create({ secrets });
      const path = await mountOne(pod);
      await system.unmount(path);
      expect(await readdir(path)).to.deep.equal([]);
      expect(await readFile(join(await mountOne(pod, create({ secrets })), 'key'), 'utf8')).to.equal('S');
      expect((await agent.mountPoints()).length).to.equal(1);
    });
  });

  it('makes volumes of the same pod that are asked for at once only once', async () => {
    const pod = podWith([{ name: 'm', emptyDir: { medium: 'Memory' } }]);
    await Promise.all([mountOne(pod), mountOne(pod), mountOne(pod)]);
    expect((await agent.mountPoints()).length).to.equal(1);
  });
});
