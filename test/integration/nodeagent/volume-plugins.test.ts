import { execFile } from 'node:child_process';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type { FlexVolumeSource, Pod, Volume } from '../../../src/apis/types/core-v1.ts';
import { silentLogger } from '../../../src/base/index.ts';
import {
  type Attacher,
  createMountCommands,
  type MountPoint,
  type PodVolumes,
  shareRoot,
} from '../../../src/nodeagent/volumes/index.ts';
import { claimOf } from '../../support/claimed-disk.ts';
import { makeTemporaryDirectory } from '../../support/temporary-directory.ts';
import {
  mountOne as mountVolume,
  podWithVolume,
  VolumeAgent,
  volumeErrorOf,
} from '../../support/volume-agent.ts';
import { type FakeObjects, objectsOf } from '../../unit/nodeagent/volumes/objects.ts';

const run = promisify(execFile);

/** What a test's driver does besides leaving a line of each call. */
interface Driver {
  /** Fields of its capabilities. */
  readonly can?: object;
  /** Cases of a shell's `case`, each of which ends by calling `ok` or `fail`. */
  readonly cases?: string;
}

const tmpfs = 'mount) mount -t tmpfs none "$2" && ok;; unmount) umount "$2" && ok;;';

describe('volumes of third-party drivers', () => {
  let agent: VolumeAgent;
  let root: string;
  let record: string;
  let volumes: PodVolumes;
  const create = (known?: FakeObjects, attacher: Attacher = { kind: 'agent', nodeName: 'node1' }) =>
    agent.create({
      objects: known && objectsOf(known),
      plugins: { folder: join(agent.folder, 'plugins'), attacher },
    });
  const install = async ({ can = { attach: false }, cases = tmpfs }: Driver = {}, name = 'acme~disk') => {
    const folder = join(agent.folder, 'plugins', name);
    const init = JSON.stringify({ status: 'Success', capabilities: can });
    const lines = [
      '#!/bin/sh',
      `echo "$@" >>${record}`,
      `ok() { echo '{"status":"Success"}'; exit 0; }`,
      `fail() { printf '{"status":"Failure","message":"%s"}' "$1"; exit 1; }`,
      `case $1 in init) echo '${init}'; exit;; ${cases} esac`,
      `echo '{"status":"Not supported"}'; exit 1`,
    ];
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, 'disk'), lines.join('\n'), { mode: 0o755 });
  };
  /** Lines of the calls so far; the folder of the test is `@`, JSON with its keys only when it is asked for. */
  const calls = async (): Promise<string[]> => {
    const text = await readFile(record, 'utf8').catch(() => '');
    await rm(record, { force: true });
    return text.replaceAll(`${root}/`, '@/').trim().split('\n').filter(Boolean);
  };
  const verbs = async (): Promise<string[]> => (await calls()).map((line) => line.replace(/ ?\{.*\}/, ''));
  const volumeOf = (more: Partial<FlexVolumeSource> = {}): Omit<Volume, 'name'> => ({
    flexVolume: { driver: 'acme/disk', ...more },
  });
  const mountOne = (pod: Pod, from = volumes) => mountVolume(from, pod);
  beforeEach(async () => {
    agent = new VolumeAgent(await makeTemporaryDirectory());
    ({ root } = agent);
    record = join(agent.folder, 'record');
    volumes = create();
  });
  afterEach(() => agent[Symbol.asyncDispose]());

  it('are mounted once and unmounted by their driver, also by an agent that comes after', async () => {
    await install();
    const pod = podWithVolume(volumeOf({ fsType: 'x', options: { share: 's 1' } }), 'u-1', {
      serviceAccountName: 'sa',
    });
    const made = await mountOne(pod);
    expect(made).to.include({
      path: join(root, 'pods/u-1/volumes/acme~disk/v'),
      isReadOnly: false,
      needsSelinuxLabel: true,
    });
    expect(await agent.mounts()).to.deep.equal(['/pods/u-1/volumes/acme~disk/v']);
    expect(await calls()).to.deep.equal([
      'init',
      `mount @/pods/u-1/volumes/acme~disk/v ${JSON.stringify({
        'orch.io/fsType': 'x',
        'orch.io/pod.name': 'web',
        'orch.io/pod.namespace': 'shop',
        'orch.io/pod.uid': 'u-1',
        'orch.io/pvOrVolumeName': 'v',
        'orch.io/readwrite': 'rw',
        'orch.io/serviceAccount.name': 'sa',
        share: 's 1',
      })}`,
    ]);
    await mountOne(pod);
    const next = create();
    await mountOne(pod, next);
    expect(await calls()).to.deep.equal(['init']);
    await create().unmount('u-1');
    expect(await calls()).to.deep.equal(['init', 'unmount @/pods/u-1/volumes/acme~disk/v']);
    expect(await agent.mounts()).to.deep.equal([]);
    expect(await readdir(join(root, 'pods'))).to.deep.equal([]);
  });

  it('belong to the group of the pod when the driver lets them', async () => {
    const statOf = async (path = ''): Promise<string> =>
      (await run('stat', ['-c', '%g %a', path])).stdout.trim();
    await install();
    const spec = { securityContext: { fsGroup: 2000 } };
    const made = await mountOne(podWithVolume(volumeOf(), 'u-1', spec));
    expect(await statOf(made?.path)).to.match(/^2000 2?3?777$/);
    expect((await calls()).at(-1)).to.include('"orch.io/mounterArgs.FsGroup":"2000"');
    await volumes.unmount('u-1');
    await install({ can: { attach: false, fsGroup: false, supportsMetrics: true, selinuxRelabel: false } });
    const other = await mountOne(podWithVolume(volumeOf(), 'u-1', spec));
    expect(await statOf(other?.path)).to.match(/^0 /);
    expect(other?.needsSelinuxLabel).to.equal(false);
    expect((await volumes.usage('u-1')).map(({ name }) => name)).to.deep.equal(['v']);
    await volumes.unmount('u-1');
  });

  it('get secrets of their own type only, which no message repeats', async () => {
    const cases = `mount) fail "$(echo "$3" | sed 's/"/ /g')";;`;
    await install({ cases });
    const pod = podWithVolume(volumeOf({ secretRef: { name: 's' } }));
    const messageOf = async (known?: FakeObjects): Promise<string> => {
      const { events } = await volumeErrorOf(mountOne(pod, create(known)));
      return events[0]?.message ?? '';
    };
    const lead = 'MountVolume.SetUp failed for volume "v" : ';
    expect(await messageOf()).to.equal(`${lead}cannot get orch client`);
    expect(await messageOf({})).to.equal(`${lead}couldn't get secret shop/s err: secrets "s" not found`);
    const secrets = { s: { key: 'hunter22' } };
    expect(await messageOf({ secrets })).to.equal(
      `${lead}couldn't get secret shop/s err: cannot get secret of type acme/disk`,
    );
    const message = await messageOf({ secrets, secretTypes: { s: 'acme/disk' } });
    expect(message).to.include('status: Failure').and.include('orch.io/secret/key : <redacted>');
    const base64 = Buffer.from('hunter22').toString('base64');
    expect(message).to.not.include(base64).and.not.include('hunter22');
    expect((await calls()).at(-1)).to.include(`"orch.io/secret/key":"${base64}"`);
  });

  it('fail with the words of their driver, half of a mount is undone, and a later attempt may do', async () => {
    await install({ cases: 'mount) mount -t tmpfs none "$2"; fail "no such share";;' });
    const pod = podWithVolume(volumeOf());
    const error = await volumeErrorOf(mountOne(pod));
    expect(error.events).to.deep.equal([
      {
        reason: 'FailedMount',
        message:
          'MountVolume.SetUp failed for volume "v" : mount command failed, status: Failure, reason: no such share',
      },
    ]);
    expect(await agent.mounts()).to.deep.equal([]);
    await install();
    await mountOne(pod);
    expect(await agent.mounts()).to.have.length(1);
    await volumes.unmount('u-1');
  });

  it('wait for their driver, which may come any time', async () => {
    const pod = podWithVolume(volumeOf());
    expect((await volumeErrorOf(mountOne(pod))).message).to.include(
      'failed to get Plugin from volumeSpec for volume "v" err=no volume plugin matched',
    );
    await install();
    await mountOne(pod);
    await rm(join(agent.folder, 'plugins'), { recursive: true });
    await volumes.unmount('u-1'); // its driver has gone: plain umount(8)
    expect(await agent.mounts()).to.deep.equal([]);
  });

  it('stay when their driver cannot unmount them', async () => {
    const cases = 'mount) mount -t tmpfs none "$2" && ok;; unmount) fail busy;;';
    await install({ cases });
    await mountOne(podWithVolume(volumeOf()));
    const error = await volumes.unmount('u-1').catch((reason) => reason);
    expect(error.message).to.equal('unmount command failed, status: Failure, reason: busy');
    expect(await volumes.podsOnDisk()).to.deep.equal(['u-1']);
    await install();
    await volumes.unmount('u-1');
    expect(await volumes.podsOnDisk()).to.deep.equal([]);
  });

  it('may be no mounts at all', async () => {
    await install({ cases: 'mount) echo x >"$2/f"; ok;; unmount) rm "$2/f"; ok;;' });
    await mountOne(podWithVolume(volumeOf()));
    await mountOne(podWithVolume(volumeOf()));
    await volumes.unmount('u-1');
    expect(await verbs()).to.deep.equal([
      'init',
      'mount @/pods/u-1/volumes/acme~disk/v',
      'unmount @/pods/u-1/volumes/acme~disk/v',
    ]);
  });

  describe('that are attached', () => {
    const cases = [
      'attach) echo \'{"status":"Success","device":"/dev/fake"}\'; exit;;',
      'waitforattach) echo \'{"status":"Success","device":"/dev/fake1"}\'; exit;;',
      'mountdevice) mount -t tmpfs none "$2" && echo data >"$2/f" && ok;;',
      'unmountdevice) umount "$2" && ok;; detach) ok;;',
    ].join(' ');
    const device = '@/plugins/orch.io/flexvolume/acme/disk/mounts/v';

    it('are so once for all pods of the node, and let go of with the last', async () => {
      await install({ can: {}, cases });
      await mountOne(podWithVolume(volumeOf({ fsType: 'x' })));
      const second = await mountOne(podWithVolume(volumeOf({ fsType: 'x' }), 'u-2'));
      expect(await readFile(join(second?.path ?? '', 'f'), 'utf8')).to.equal('data\n');
      expect(await verbs()).to.deep.equal([
        'init',
        'getvolumename',
        'attach node1',
        'waitforattach /dev/fake',
        `mountdevice ${device} /dev/fake1`,
        'mount @/pods/u-1/volumes/acme~disk/v', // it does not have this one: bound to the device
      ]);
      expect(volumes.inUse()).to.deep.equal(['acme/disk/v']);
      await volumes.unmount('u-1');
      const next = create(); // the agent was killed and started again
      expect(next.inUse()).to.deep.equal(['acme/disk/v']);
      await next.unmount('u-2');
      expect(await verbs()).to.deep.equal([
        'unmount @/pods/u-1/volumes/acme~disk/v',
        'init',
        'unmount @/pods/u-2/volumes/acme~disk/v',
        `unmountdevice ${device}`,
        'detach v node1',
      ]);
      expect([await agent.mounts(), next.inUse()]).to.deep.equal([[], []]);
    });

    it('say which step has failed', async () => {
      const steps: readonly [string, string, string][] = [
        ['attach', 'FailedAttachVolume', 'AttachVolume.Attach'],
        ['waitforattach', 'FailedMount', 'MountVolume.WaitForAttach'],
        ['mountdevice', 'FailedMount', 'MountVolume.MountDevice'],
      ];
      for (const [command, reason, step] of steps) {
        await install({ can: {}, cases: `${command}) fail no;; ${cases}` });
        const { events } = await volumeErrorOf(mountOne(podWithVolume(volumeOf()), create()));
        const why = `${command} command failed, status: Failure, reason: no`;
        expect(events).to.deep.equal([{ reason, message: `${step} failed for volume "v" : ${why}` }]);
      }
      await install({ can: {}, cases: 'getvolumename) fail no;;' });
      expect((await volumeErrorOf(mountOne(podWithVolume(volumeOf()), create()))).message).to.match(
        /err=failed to GetVolumeName from volumePlugin for volumeSpec "v" err=getvolumename command failed/,
      );
    });

    it('are left to a controller to attach, and are shown to it', async () => {
      await install({ can: {}, cases });
      const key = 'acme/disk/v';
      let status: ReturnType<(Attacher & { kind: 'controller' })['node']> = {};
      volumes = create(undefined, { kind: 'controller', node: () => status });
      const why = async (): Promise<string> => {
        const { cause } = await volumeErrorOf(mountOne(podWithVolume(volumeOf())));
        return cause instanceof Error ? cause.message : '';
      };
      expect(await why()).to.match(/not been added to the list of VolumesInUse/);
      expect(volumes.inUse()).to.deep.equal([key]);
      status = { volumesInUse: [key] };
      expect(await why()).to.match(/^Volume not attached according to node status/);
      status = { ...status, volumesAttached: [{ name: key, devicePath: '/dev/theirs' }] };
      await mountOne(podWithVolume(volumeOf()));
      await volumes.unmount('u-1');
      const all = await verbs();
      expect(all).to.include('waitforattach /dev/theirs');
      expect(all.filter((line) => /^(attach|detach)/.test(line))).to.deep.equal([]);
      expect(volumes.inUse()).to.deep.equal([]);
    });
  });

  it('are found behind claims', async () => {
    await install();
    const known = claimOf({ flexVolume: { driver: 'acme/disk' } });
    const pod = (uid: string): Pod =>
      podWithVolume({ persistentVolumeClaim: { claimName: 'claim', readOnly: true } }, uid);
    const made = await mountOne(pod('u-1'), create(known));
    expect(made).to.include({ path: join(root, 'pods/u-1/volumes/acme~disk/pv'), isReadOnly: true });
    expect((await calls()).at(-1)).to.include('"orch.io/readwrite":"ro"');
    known.volumes.pv.spec.mountOptions = ['hard'];
    const { events } = await volumeErrorOf(mountOne(pod('u-2'), create(known)));
    expect(events[0]?.message).to.equal(
      'MountVolume.MountOptionSupport check failed for volume "pv" : Mount options are not supported for this volume type',
    );
  });
});

describe('shareRoot', () => {
  const mount = createMountCommands();

  it('shares a private folder until nothing of a pod is left, also over agents that were killed', async () => {
    await using directory = await makeTemporaryDirectory();
    // Whatever this machine is like, here nothing is shared.
    await run('mount', ['-t', 'tmpfs', 'none', directory.path]);
    try {
      await run('mount', ['--make-private', directory.path]);
      const rootDirectory = join(directory.path, 'root');
      const look = async (): Promise<readonly MountPoint[]> =>
        (await mount.list()).filter(({ path }) => path === rootDirectory);
      const share = () => shareRoot({ rootDirectory, mount, logger: silentLogger });
      await share(); // killed: never disposed
      const second = await share();
      expect((await look()).map(({ isShared }) => isShared)).to.deep.equal([true]);
      await mkdir(join(rootDirectory, 'pods/u-1'), { recursive: true });
      await second[Symbol.asyncDispose]();
      expect(await look()).to.have.length(1);
      await run('rmdir', [join(rootDirectory, 'pods/u-1')]);
      await (await share())[Symbol.asyncDispose]();
      expect(await look()).to.deep.equal([]);
    } finally {
      await run('umount', [directory.path]);
    }
  });
});
