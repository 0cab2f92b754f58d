import { execFile } from 'node:child_process';
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type { ISCSIVolumeSource, Pod } from '../../../src/apis/types/core-v1.ts';
import { type Logger, silentLogger } from '../../../src/base/index.ts';
import { createMountCommands } from '../../../src/nodeagent/volumes/index.ts';
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
import { containerOf } from '../../unit/nodeagent/container-config/pods.ts';

const run = promisify(execFile);
const system = createMountCommands();
const iqn = 'iqn.2026-01.test.example:disks';
const [first, second] = ['192.0.2.1:3260', '192.0.2.2:3260'];

/** Logs into a list. */
const loggerInto = (lines: string[]): Logger => {
  const write = (...line: unknown[]): void => {
    lines.push(JSON.stringify(line));
  };
  return { ...silentLogger, error: write, info: write, debug: write };
};

describe('iscsi volumes', function () {
  // Each call of iscsiadm is a program of its own, some tests make many.
  this.timeout(180_000);
  let agent: DiskAgent;
  let root: string;
  let network: StorageNetwork;
  let logged: string[];
  const create = () => agent.create({ logger: loggerInto(logged) });
  const podWith = (uid: string, iscsi: Partial<ISCSIVolumeSource> = {}, spec?: Partial<Pod['spec']>): Pod =>
    podWithVolume({ iscsi: { targetPortal: '192.0.2.1', iqn, lun: 0, ...iscsi } }, uid, spec);
  /** What is left of disks: devices, sessions, records, mounts and what the agent keeps. */
  const left = async () => {
    const devices = await agent.devices();
    const { sessions, nodes } = await network.records();
    return {
      devices,
      sessions: sessions.map(({ portal }) => portal),
      nodes: Object.keys(nodes),
      mounts: await agent.mounts(),
      kept: await readdir(join(root, 'plugins/orch.io/iscsi')).catch(() => []),
    };
  };
  const nothing = { devices: [], sessions: [], nodes: [], mounts: [], kept: [] };

  beforeEach(async () => {
    agent = new DiskAgent(await makeTemporaryDirectory());
    ({ root, network } = agent);
    logged = [];
    const luns = { 0: await network.makeImage('zero'), 1: await network.makeImage('one') };
    await network.setTarget(iqn, { portals: [first], luns });
  });
  afterEach(() => agent[Symbol.asyncDispose]());

  it('are logged in to, formatted when they are empty, mounted once, and keep what is in them', async () => {
    const volumes = create();
    await writeFile(join(await mountPath(volumes, podWith('u-1')), 'file'), 'content');
    const disk = `/plugins/orch.io/iscsi/iface-default/${first}-${iqn}-lun-0`;
    const ofPod = (uid: string): string => `/pods/${uid}/volumes/orch.io~iscsi/v`;
    expect(await network.calls()).to.deep.equal([
      '-m iface -I default -o show',
      `-m discoverydb -t sendtargets -p ${first} -I default -o new`,
      `-m discoverydb -t sendtargets -p ${first} -I default --discover`,
      `-m node -p ${first} -T ${iqn} -I default -o update -n node.session.scan -v manual`,
      `-m node -p ${first} -T ${iqn} -I default --login`,
      `-m node -p ${first} -T ${iqn} -o update -n node.startup -v manual`,
    ]);
    const other = await mountPath(volumes, podWith('u-2'));
    expect(await readFile(join(other, 'file'), 'utf8')).to.equal('content');
    expect(await agent.mounts()).to.deep.equal([disk, ofPod('u-1'), ofPod('u-2')]);
    expect(volumes.inUse()).to.deep.equal([`orch.io/iscsi/192.0.2.1:${iqn}:0`]);
    expect(await network.calls()).to.deep.equal([]);
    await volumes.unmount('u-1');
    expect(await agent.mounts()).to.deep.equal([disk, ofPod('u-2')]);
    await volumes.unmount('u-2');
    expect(await network.calls()).to.deep.equal([
      `-m node -p ${first} -T ${iqn} --logout -I default`,
      `-m node -p ${first} -T ${iqn} -o delete -I default`,
    ]);
    expect(await left()).to.deep.equal(nothing);
    expect(volumes.inUse()).to.deep.equal([]);
    expect(await readdir(await mountPath(volumes, podWith('u-3')))).to.include('file');
    await volumes.unmount('u-3');
  });

  it('share the session of their target, which ends with the last of its LUNs', async () => {
    const volumes = create();
    await mountOne(volumes, podWith('u-1'));
    await network.calls();
    await mountOne(volumes, podWith('u-2', { lun: 1 }));
    expect(await network.calls()).to.deep.equal(['-m iface -I default -o show']);
    await volumes.unmount('u-1');
    expect(await network.calls()).to.deep.equal([]);
    expect(await left()).to.deep.include({ devices: ['sdb'], sessions: [first] });
    await volumes.unmount('u-2');
    expect(await left()).to.deep.equal(nothing);
  });

  it('leave a session to the node that has mounted another LUN of it', async () => {
    const volumes = create();
    await mountOne(volumes, podWith('u-1'));
    await writeFile(join(network.sysFolder, 'class/scsi_host/host1/scan'), '0 0 1');
    await network.machine.settle();
    const own = join(root, 'own');
    await run('mkfs.ext4', ['-F', join(network.devFolder, 'sdb')]);
    await mkdir(own);
    await system.mount({ source: join(network.devFolder, 'sdb'), target: own });
    await volumes.unmount('u-1');
    expect(await left()).to.deep.include({ devices: ['sdb'], sessions: [first], mounts: ['/own'], kept: [] });
  });

  it('are one disk under the names of several pods', async () => {
    const volumes = create();
    await network.setTarget(iqn, {
      portals: [first, second],
      luns: { 0: await network.makeImage('zero') },
    });
    const described = { targetPortal: first, portals: [second], iqn, lun: 0 };
    const other = podWith(
      'u-2',
      {},
      {
        volumes: [{ name: 'other', iscsi: described }],
        containers: [containerOf({ volumeMounts: [{ name: 'other', mountPath: '/v' }] })],
      },
    );
    await mountOne(volumes, podWith('u-1'));
    await volumes.mount(other, mountContext);
    expect(volumes.inUse()).to.deep.equal([`orch.io/iscsi/192.0.2.1:${iqn}:0`]);
    await volumes.unmount('u-1');
    expect((await agent.mounts()).map((path) => path.split('/').at(-1))).to.deep.equal([
      `${first}-${iqn}-lun-0`,
      'other',
    ]);
    await volumes.unmount('u-2');
    expect(await left()).to.deep.equal(nothing);
  });

  it('tell their target the secrets that it asks for, and nobody else', async () => {
    const secrets = {
      'discovery.sendtargets.auth.username': 'discovery-user',
      'discovery.sendtargets.auth.password': 'discovery-password',
      'node.session.auth.username': 'session-user',
      'node.session.auth.password': 'session-password',
      'node.session.auth.username_in': 'target-user',
      'node.session.auth.password_in': 'target-password',
    };
    await network.setTarget(iqn, { portals: [first], luns: { 0: await network.makeImage('zero') }, secrets });
    agent.known = { secrets: { chap: { ...secrets, other: 'unused' } } };
    const pod = podWith('u-1', {
      chapAuthDiscovery: true,
      chapAuthSession: true,
      secretRef: { name: 'chap' },
    });
    const volumes = create();
    await mountOne(volumes, pod);
    const calls = (await network.calls()).filter((line) => line.includes('auth'));
    const [discovery, node] = [
      `-m discoverydb -t sendtargets -p ${first} -I default -o update -n discovery.sendtargets.auth`,
      `-m node -p ${first} -T ${iqn} -I default -o update -n node.session.auth`,
    ];
    expect(calls).to.deep.equal([
      `${discovery}.authmethod -v CHAP`,
      `${discovery}.username -v SECRET`,
      `${discovery}.password -v SECRET`,
      `${node}.authmethod -v CHAP`,
      `${node}.username -v SECRET`,
      `${node}.password -v SECRET`,
      `${node}.username_in -v SECRET`,
      `${node}.password_in -v SECRET`,
    ]);
    await volumes.unmount('u-1');
    expect(await left()).to.deep.equal(nothing);
    expect(
      logged.filter((line) => Object.values(secrets).some((secret) => line.includes(secret))),
    ).to.deep.equal([]);
    expect(logged.join()).to.contain('--login');
  });

  it('say that a secret was refused, without it', async () => {
    const luns = { 0: await network.makeImage('zero') };
    const secrets = { 'node.session.auth.password': 'the-right-one' };
    await network.setTarget(iqn, { portals: [first], luns, secrets });
    agent.known = { secrets: { chap: { 'node.session.auth.password': 'the-wrong-one' } } };
    const volumes = create();
    const pod = podWith('u-1', { chapAuthSession: true, secretRef: { name: 'chap' } });
    expect(await complaintsOf(volumes.mount(pod, mountContext))).to.deep.equal([
      'MountVolume.WaitForAttach failed for volume "v" : failed to get any path for iscsi disk, last err seen:\n' +
        'iscsi: failed to attach disk: Error: iscsiadm: Login failed to authenticate with <redacted> (exit status 24)',
    ]);
    expect(logged.join()).not.to.contain('the-wrong-one');
    await volumes.unmount('u-1');
    expect(await left()).to.deep.equal(nothing);
  });

  it('say which secret is missing', async () => {
    const pod = podWith('u-1', { chapAuthSession: true, secretRef: { name: 'none' } });
    expect(await complaintsOf(create().mount(pod, mountContext))).to.deep.equal([
      'MountVolume.NewMounter initialization failed for volume "v" : couldn\'t get secret shop/none error: secrets "none" not found',
    ]);
  });

  it('come over those of their portals that let them in', async () => {
    const luns = { 0: await network.makeImage('zero') };
    await network.setTarget(iqn, { portals: [first, second], luns, refusing: [second] });
    const volumes = create();
    await mountOne(volumes, podWith('u-1', { portals: [second] }));
    expect(
      (await network.calls()).filter((line) => line.endsWith(`${second} -T ${iqn} -I default --login`)),
    ).to.have.length(5);
    expect(await left()).to.deep.include({ devices: ['sda'], sessions: [first] });
    await volumes.unmount('u-1');
    expect(await left()).to.deep.equal(nothing);
  });

  it('say what was wrong when they come over no portal', async () => {
    const volumes = create();
    const pod = podWith('u-1', { targetPortal: '192.0.2.9', portals: [second] });
    expect(await complaintsOf(volumes.mount(pod, mountContext))).to.deep.equal([
      'MountVolume.WaitForAttach failed for volume "v" : failed to get any path for iscsi disk, last err seen:\n' +
        `iscsi: failed to sendtargets to portal ${second} output: iscsiadm: cannot make connection to ${second}: Connection refused, err exit status 4`,
    ]);
    await volumes.unmount('u-1');
    expect(await left()).to.deep.equal(nothing);
  });

  it('end the session that they began for a LUN that never came', async () => {
    const volumes = create();
    expect(await complaintsOf(volumes.mount(podWith('u-1', { lun: 7 }), mountContext))).to.deep.equal([
      'MountVolume.WaitForAttach failed for volume "v" : failed to get any path for iscsi disk, last err seen:\n' +
        `Timed out waiting for device at path ${network.devFolder}/disk/by-path/ip-${first}-iscsi-${iqn}-lun-7 after 30s`,
    ]);
    expect(await left()).to.deep.include({ sessions: [first], mounts: [] });
    await volumes.unmount('u-1');
    expect(await left()).to.deep.equal(nothing);
  });

  it('are mounted from the multipath device of their paths, which is flushed before these go', async () => {
    const luns = { 0: await network.makeImage('zero') };
    await network.setTarget(iqn, { portals: [first, second], luns, isMultipath: true });
    const volumes = create();
    await mountOne(volumes, podWith('u-1', { portals: [second, first] }));
    const table = await readFile('/proc/self/mountinfo', 'utf8');
    expect(table).to.contain(`- ext4 ${network.devFolder}/dm-0 `);
    expect(await left()).to.deep.include({ devices: ['dm-0', 'sda', 'sdb'], sessions: [first, second] });
    await volumes.unmount('u-1');
    expect(await left()).to.deep.equal(nothing);
  });

  it('are found and taken away by a later process of the agent', async () => {
    await mountOne(create(), podWith('u-1'));
    const later = create();
    expect(later.inUse()).to.deep.equal([`orch.io/iscsi/192.0.2.1:${iqn}:0`]);
    await mountOne(later, podWith('u-1'));
    await mountOne(later, podWith('u-2'));
    await later.unmount('u-1');
    expect(await left()).to.deep.include({ devices: ['sda'], sessions: [first] });
    const last = create();
    await last.unmount('u-2');
    expect(await left()).to.deep.equal(nothing);
  });

  it('go with a later agent when nobody asks for their pod any more', async () => {
    await mountOne(create(), podWith('u-1'));
    for (const path of (await agent.mounts()).filter((one) => one.startsWith('/pods/')))
      await system.unmount(root + path);
    await rm(join(root, 'pods/u-1'), { recursive: true });
    await create().unmount('u-2');
    expect(await left()).to.deep.equal(nothing);
  });

  it('come again after the machine has started anew, and go when nothing is left of them', async () => {
    await mountOne(create(), podWith('u-1'));
    const restart = async () => {
      for (const path of (await agent.mounts()).reverse()) await system.unmount(root + path);
      await run(process.execPath, [
        join(import.meta.dirname, '../../support/iscsiadm-program.ts'),
        ...[network.folder, '-m', 'node', '-p', first, '-T', iqn, '--logout'],
      ]);
    };
    await restart();
    const volumes = create();
    await mountOne(volumes, podWith('u-1'));
    expect(await left()).to.deep.include({ devices: ['sda'], sessions: [first] });
    await restart();
    await create().unmount('u-1');
    expect(await left()).to.deep.equal(nothing);
  });

  it('that cannot go hold up their own pod only', async () => {
    const other = 'iqn.2026-01.test.example:others';
    await network.setTarget(other, { portals: [second], luns: { 0: await network.makeImage('other') } });
    const volumes = create();
    await mountOne(volumes, podWith('u-1'));
    await mountOne(volumes, podWith('u-2', { targetPortal: second, iqn: other }));
    network.stuck = iqn;
    expect(await volumes.unmount('u-1').catch(({ message }) => message)).to.equal(
      'failed to finish detachISCSIDisk, err: exit status 8: iscsi: failed to detach disk Error: iSCSI timed out',
    );
    await volumes.unmount('u-2');
    expect(await left()).to.deep.include({ sessions: [first], mounts: [] });
    expect(volumes.inUse()).to.deep.equal([`orch.io/iscsi/192.0.2.1:${iqn}:0`]);
    network.stuck = '';
    await volumes.unmount('u-1');
    expect(await left()).to.deep.equal(nothing);
  });

  it('that cannot go do not keep the others of their pod', async () => {
    const other = 'iqn.2026-01.test.example:others';
    await network.setTarget(other, { portals: [second], luns: { 0: await network.makeImage('other') } });
    const volumes = create();
    await mountOne(volumes, podWith('u-1'));
    const otherVolume = { name: 'w', iscsi: { targetPortal: second, iqn: other, lun: 0 } };
    const pod = podWith('u-1');
    await mountOne(volumes, {
      ...pod,
      spec: {
        ...pod.spec,
        volumes: [...(pod.spec.volumes ?? []), otherVolume],
        containers: [
          containerOf({
            volumeMounts: [
              { name: 'v', mountPath: '/v' },
              { name: 'w', mountPath: '/w' },
            ],
          }),
        ],
      },
    });
    network.stuck = iqn;
    expect(await volumes.unmount('u-1').catch(({ message }) => message)).to.contain('iSCSI timed out');
    expect((await left()).sessions).to.deep.equal([first]);
    network.stuck = '';
    await volumes.unmount('u-1');
    expect(await left()).to.deep.equal(nothing);
  });

  it('whose records make no sense hold up nobody, and are written anew', async () => {
    const volumes = create();
    await mountOne(volumes, podWith('u-1'));
    const [kept] = (await readdir(join(root, 'plugins/orch.io/iscsi/volumeDevices'), { recursive: true }))
      .filter((name) => name.endsWith('disk.json'))
      .map((name) => join(root, 'plugins/orch.io/iscsi/volumeDevices', name));
    const file = kept ?? '';
    await writeFile(file, '{');
    await volumes.unmount('u-2');
    expect(logged.join()).to.contain('disk not readable').and.to.contain(file);
    const later = create();
    await mountOne(later, podWith('u-1'));
    expect(JSON.parse(await readFile(file, 'utf8'))).to.include({ kind: 'iscsi', iqn });
    await later.unmount('u-1');
    expect(await left()).to.deep.equal(nothing);
  });

  it('have a copy of their interface when they name an initiator, and take it away again', async () => {
    const volumes = create();
    const initiatorName = 'iqn.2026-01.test.example:web';
    await mountOne(volumes, podWith('u-1', { initiatorName }));
    const iface = `${first}:v`;
    expect((await network.records()).ifaces[iface]).to.deep.equal({
      'iface.transport_name': 'tcp',
      'iface.initiatorname': initiatorName,
    });
    expect((await network.records()).sessions.map((session) => session.iface)).to.deep.equal([iface]);
    expect((await agent.mounts())[0]).to.equal(`/plugins/orch.io/iscsi/iface-${iface}/${first}-${iqn}-lun-0`);
    // Another initiator is another session. Of another LUN: udev has one link for one LUN, and whose disk it leads to changes.
    await mountOne(volumes, podWith('u-2', { lun: 1 }));
    expect((await network.records()).sessions.map((session) => session.iface)).to.deep.equal([
      iface,
      'default',
    ]);
    await volumes.unmount('u-1');
    expect((await network.records()).sessions.map((session) => session.iface)).to.deep.equal(['default']);
    await volumes.unmount('u-2');
    expect(await left()).to.deep.equal(nothing);
    expect(Object.keys((await network.records()).ifaces)).to.deep.equal(['default']);
  });

  it('of claims are devices of pods that want them as such', async () => {
    agent.known = claimOf({ volumeMode: 'Block', iscsi: { targetPortal: first, iqn, lun: 0 } });
    const volumes = create();
    const pod = (uid: string): Pod => podWithDevice(ofClaim, uid);
    const folder = join(root, 'pods/u-1/volumeDevices/orch.io~iscsi');
    const made = await mountOne(volumes, pod('u-1'));
    expect(made?.devicePath).to.equal(join(folder, 'pv'));
    expect((await stat(made?.devicePath ?? '')).isBlockDevice()).to.equal(true);
    expect(agent.notices).to.deep.equal([
      {
        type: 'Normal',
        reason: 'SuccessfulMountVolume',
        message: `MapVolume.MapPodDevice succeeded for volume "pv" volumeMapPath "${folder}"`,
      },
    ]);
    const other = await mountOne(volumes, pod('u-2'));
    expect((await stat(other?.devicePath ?? '')).rdev).to.equal((await stat(made?.devicePath ?? '')).rdev);
    await volumes.unmount('u-1');
    expect(await left()).to.deep.include({ devices: ['sda'], mounts: [] });
    const later = create();
    await mountOne(later, pod('u-2'));
    await later.unmount('u-2');
    expect(await left()).to.deep.equal(nothing);
  });

  it('of claims take the options of their persistent volume, and only read for claims that only read', async () => {
    agent.known = claimOf({ mountOptions: ['noatime'], iscsi: { targetPortal: first, iqn, lun: 0 } });
    const volumes = create();
    const pod = (uid: string, readOnly: boolean): Pod =>
      podWithVolume({ persistentVolumeClaim: { claimName: 'claim', readOnly } }, uid);
    const [message] = await complaintsOf(volumes.mount(pod('u-1', true), mountContext));
    expect(message).to.match(
      /^MountVolume\.MountDevice failed for volume "pv" : cannot mount unformatted disk .* as we are manipulating it in read-only mode$/,
    );
    await volumes.unmount('u-1');
    expect(await left()).to.deep.equal(nothing);
    await writeFile(join(await mountPath(volumes, pod('u-2', false)), 'file'), 'content');
    expect(await readFile('/proc/self/mountinfo', 'utf8')).to.match(
      /pods\/u-2\/volumes\/orch.io~iscsi\/pv rw,noatime /,
    );
    await volumes.unmount('u-2');
    const path = await mountPath(volumes, pod('u-3', true));
    expect(await readFile(join(path, 'file'), 'utf8')).to.equal('content');
    expect(await writeFile(join(path, 'file'), '').catch(({ code }) => code)).to.equal('EROFS');
    await volumes.unmount('u-3');
  });

  it('belong to the group of their pod', async () => {
    const volumes = create();
    const path = await mountPath(volumes, podWith('u-1', {}, { securityContext: { fsGroup: 1234 } }));
    expect((await stat(path)).gid).to.equal(1234);
    await volumes.unmount('u-1');
  });

  it('have no names that lead out of their folders', async () => {
    expect(
      await complaintsOf(create().mount(podWith('u-1', { targetPortal: '../../x' }), mountContext)),
    ).to.deep.equal([
      'MountVolume.NewMounter initialization failed for volume "v" : invalid iSCSI portal, target or interface: ../../x:3260',
    ]);
    expect(await network.calls()).to.deep.equal([]);
  });

  it('say that the node has no iscsiadm', async () => {
    const run = async () => ({ code: undefined, output: 'spawn iscsiadm ENOENT' });
    const volumes = agent.create({ disks: { ...network, run } });
    expect(await complaintsOf(volumes.mount(podWith('u-1'), mountContext))).to.deep.equal([
      'MountVolume.WaitForAttach failed for volume "v" : iscsi: could not read iface default error: spawn iscsiadm ENOENT (exec: "iscsiadm": executable file not found in $PATH)',
    ]);
  });
});
