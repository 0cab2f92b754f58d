import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type {
  PersistentVolume,
  PersistentVolumeClaim,
  Pod,
  Volume,
} from '../../../src/apis/types/core-v1.ts';
import type { CSIDriverSpec } from '../../../src/apis/types/storage-v1.ts';
import type { CsiSettings, PodVolumes, PodVolumesOptions } from '../../../src/nodeagent/volumes/index.ts';
import { CsiAgent, callsOf, methodsOf } from '../../support/csi-agent.ts';
import { eventually } from '../../support/eventually.ts';
import {
  eventsOf,
  mountContext,
  mountOne,
  ofClaim,
  podWithDevice,
  podWithVolume,
  volumeErrorOf,
} from '../../support/volume-agent.ts';
import { type FakeObjects, objectsOf } from '../../unit/nodeagent/volumes/objects.ts';

const run = promisify(execFile);
const driver = 'folders.test';
const key = `orch.io/csi/${driver}^handle-1`;
/** Of the volume on the node, as the attacher names it. */
const attachment = `csi-${createHash('sha256').update(`handle-1${driver}node1`).digest('hex')}`;

const claimOf = (more: Partial<PersistentVolumeClaim['status']> = {}): PersistentVolumeClaim => ({
  apiVersion: 'v1',
  kind: 'PersistentVolumeClaim',
  metadata: { name: 'claim', namespace: 'default', uid: 'claim-uid' },
  spec: { volumeName: 'pv', resources: {} },
  status: { phase: 'Bound', capacity: { storage: '1Gi' }, ...more },
});

const volumeOf = (
  csi: Partial<NonNullable<PersistentVolume['spec']['csi']>> = {},
  spec: Partial<PersistentVolume['spec']> = {},
): PersistentVolume => ({
  apiVersion: 'v1',
  kind: 'PersistentVolume',
  metadata: { name: 'pv' },
  spec: {
    accessModes: ['ReadWriteOnce'],
    capacity: { storage: '1Gi' },
    claimRef: { uid: 'claim-uid' },
    csi: { driver, volumeHandle: 'handle-1', ...csi },
    ...spec,
  },
  status: {},
});

const notAttached: CSIDriverSpec = { attachRequired: false };

describe('volumes of drivers of the container storage interface', () => {
  let agent: CsiAgent;
  let root: string;
  let known: {
    claims: Record<string, PersistentVolumeClaim>;
    volumes: Record<string, PersistentVolume>;
    drivers: Record<string, CSIDriverSpec>;
  } & FakeObjects;

  const create = (
    gates: Partial<CsiSettings['features']> = {},
    more: Partial<PodVolumesOptions> = {},
  ): PodVolumes => agent.create({ objects: objectsOf(known), csi: agent.settings(gates), ...more });
  const isThere = (): true | undefined => {
    try {
      agent.drivers.get(driver);
      return true;
    } catch {
      return undefined;
    }
  };
  const podWith = (volume: Omit<Volume, 'name'>, spec: Partial<Pod['spec']> = {}, uid = 'u-1'): Pod =>
    podWithVolume(volume, uid, spec);
  const spelled = (value: unknown): unknown =>
    JSON.parse(JSON.stringify(value).replaceAll(root, '@').replaceAll(agent.folder, '#'));
  const publishPath = () => join(root, 'pods/u-1/volumes/orch.io~csi/pv/mount');
  const stagePath = () => join(root, 'plugins/orch.io/csi/pv/pv/globalmount');

  beforeEach(async () => {
    agent = await CsiAgent.start();
    ({ root } = agent);
    known = {
      claims: { claim: claimOf() },
      volumes: { pv: volumeOf() },
      drivers: { [driver]: notAttached },
      written: new Map(),
    };
  });
  afterEach(() => agent[Symbol.asyncDispose]());

  it('are staged for the node and published to the pod, and undone with it', async () => {
    const process = await agent.startDriver();
    const volumes = create();
    known.volumes.pv = volumeOf(
      { volumeAttributes: { a: 'b' }, fsType: 'ext4' },
      { mountOptions: ['noatime'] },
    );
    const made = await mountOne(volumes, podWith(ofClaim));
    expect(made).to.include({ path: publishPath(), isReadOnly: false });
    const capability = {
      mount: { mount_flags: ['noatime'], fs_type: 'ext4' },
      access_mode: { mode: 1 },
    };
    expect(spelled(await callsOf(process))).to.deep.equal([
      [
        'NodeStageVolume',
        {
          publish_context: {},
          secrets: {},
          volume_context: { a: 'b' },
          volume_id: 'handle-1',
          staging_target_path: '@/plugins/orch.io/csi/pv/pv/globalmount',
          volume_capability: capability,
        },
      ],
      [
        'NodePublishVolume',
        {
          publish_context: {},
          secrets: {},
          volume_context: { a: 'b' },
          volume_id: 'handle-1',
          staging_target_path: '@/plugins/orch.io/csi/pv/pv/globalmount',
          target_path: '@/pods/u-1/volumes/orch.io~csi/pv/mount',
          volume_capability: capability,
          readonly: false,
        },
      ],
    ]);
    const stored = JSON.parse(
      await readFile(join(root, 'pods/u-1/volumes/orch.io~csi/pv/vol_data.json'), 'utf8'),
    );
    expect(stored).to.include({
      specVolID: 'pv',
      volumeHandle: 'handle-1',
      driverName: driver,
      nodeName: 'node1',
      volumeLifecycleMode: 'Persistent',
    });
    expect(
      JSON.parse(await readFile(join(root, 'plugins/orch.io/csi/pv/pv/vol_data.json'), 'utf8')),
    ).to.deep.equal({
      driverName: driver,
      volumeHandle: 'handle-1',
    });
    await writeFile(join(publishPath(), 'file'), 'content');
    await mountOne(volumes, podWith(ofClaim));
    expect(await process.calls()).to.deep.equal([]);
    await volumes.unmount('u-1');
    expect(methodsOf(await process.calls())).to.deep.equal(['NodeUnpublishVolume', 'NodeUnstageVolume']);
    expect(await agent.mounts()).to.deep.equal([]);
    expect(await agent.files()).to.deep.equal([]);
    expect(await readFile(join(agent.folder, 'driver/volumes/handle-1/file'), 'utf8')).to.equal('content');
  });

  it('stay staged while another pod has them', async () => {
    const process = await agent.startDriver();
    const volumes = create();
    await mountOne(volumes, podWith(ofClaim));
    await mountOne(volumes, podWith(ofClaim, {}, 'u-2'));
    await process.calls();
    await volumes.unmount('u-1');
    expect(methodsOf(await process.calls())).to.deep.equal(['NodeUnpublishVolume']);
    await volumes.unmount('u-2');
    expect(methodsOf(await process.calls())).to.deep.equal(['NodeUnpublishVolume', 'NodeUnstageVolume']);
  });

  it('are not staged by drivers that cannot', async () => {
    const process = await agent.startDriver({ capabilities: [] });
    const volumes = create();
    await mountOne(volumes, podWith(ofClaim));
    const [, published] = await process.calls();
    expect(published?.[1]).to.include({ staging_target_path: '' });
    await volumes.unmount('u-1');
    expect(methodsOf(await process.calls())).to.deep.equal(['NodeUnpublishVolume']);
    expect(await agent.files()).to.deep.equal([]);
  });

  it('wait for their driver, and say so', async () => {
    const volumes = create();
    expect(await eventsOf(volumes.mount(podWith(ofClaim), mountContext))).to.deep.equal([
      'FailedMount: MountVolume.MountDevice failed for volume "pv" : orch.io/csi: attacher.MountDevice failed to create newCsiDriverClient: driver name folders.test not found in the list of registered CSI drivers',
    ]);
    // Nothing was called, so that nobody is needed to undo it.
    await volumes.unmount('u-1');
    expect(await agent.files()).to.deep.equal([]);
  });

  it('tell what drivers refuse, in the words of the call, and leave nothing of it', async () => {
    const process = await agent.startDriver();
    const volumes = create();
    await process.refuse({
      NodeStageVolume: [['Internal', 'no disk']],
      NodePublishVolume: [['NotFound', 'gone']],
    });
    expect(await eventsOf(volumes.mount(podWith(ofClaim), mountContext))).to.deep.equal([
      'FailedMount: MountVolume.MountDevice failed for volume "pv" : rpc error: code = Internal desc = no disk',
    ]);
    expect(await agent.files()).to.deep.equal(
      [
        'pods/u-1',
        'pods/u-1/volumes',
        'pods/u-1/volumes/orch.io~csi',
        'pods/u-1/volumes/orch.io~csi/pv',
      ].sort(),
    );
    expect(await eventsOf(volumes.mount(podWith(ofClaim), mountContext))).to.deep.equal([
      'FailedMount: MountVolume.SetUp failed for volume "pv" : rpc error: code = NotFound desc = gone',
    ]);
    await process.calls();
    await volumes.unmount('u-1');
    expect(methodsOf(await process.calls())).to.deep.equal(['NodeUnstageVolume']);
  });

  it('are undone though nobody knows how a call ended', async () => {
    const process = await agent.startDriver();
    const volumes = create();
    await process.refuse({ NodePublishVolume: [['Aborted', 'busy']] });
    await volumeErrorOf(volumes.mount(podWith(ofClaim), mountContext));
    await process.calls();
    await volumes.unmount('u-1');
    expect(methodsOf(await process.calls())).to.deep.equal(['NodeUnpublishVolume', 'NodeUnstageVolume']);
  });

  it('are undone by an agent that starts later, once their driver is back', async () => {
    const process = await agent.startDriver();
    await mountOne(create(), podWith(ofClaim));
    await process.stop();
    await eventually(async () => (isThere() === undefined ? true : undefined));
    const later = create();
    expect(later.inUse()).to.deep.equal([key]);
    const error = await later.unmount('u-1').catch((reason: unknown) => reason);
    expect(String(error)).to.contain('driver name folders.test not found');
    expect(await agent.mounts()).to.have.length(2);
    const again = await agent.startDriver();
    await later.unmount('u-1');
    expect(methodsOf(await callsOf(again))).to.deep.equal(['NodeUnpublishVolume', 'NodeUnstageVolume']);
    expect(await agent.mounts()).to.deep.equal([]);
    expect(later.inUse()).to.deep.equal([]);
  });

  it('are taken up by an agent that starts later', async () => {
    const process = await agent.startDriver();
    await mountOne(create(), podWith(ofClaim));
    await process.calls();
    await mountOne(create(), podWith(ofClaim));
    expect(methodsOf(await process.calls())).to.deep.equal(['NodeStageVolume', 'NodePublishVolume']);
    expect(await agent.mounts()).to.have.length(2);
  });

  it('refuse to go on from records that say nothing', async () => {
    await agent.startDriver();
    await mountOne(create(), podWith(ofClaim));
    const file = join(root, 'pods/u-1/volumes/orch.io~csi/pv/vol_data.json');
    await writeFile(file, '{}');
    const error = await create()
      .unmount('u-1')
      .catch((reason: unknown) => reason);
    expect(String(error)).to.equal(
      `Error: failed to load volume data file ${file}: driverName or volumeHandle is missing`,
    );
    expect(await agent.mounts()).to.have.length(2);
  });

  it('get secrets, for staging and for publishing', async () => {
    const process = await agent.startDriver();
    known = { ...known, secrets: { stage: { user: 'me' }, publish: { token: 'of-it' } } };
    known.volumes.pv = volumeOf({
      nodeStageSecretRef: { namespace: 'default', name: 'stage' },
      nodePublishSecretRef: { namespace: 'default', name: 'publish' },
    });
    await mountOne(create(), podWith(ofClaim));
    const secrets = (await process.calls()).flatMap(([, { secrets: given }]) => (given ? [given] : []));
    expect(secrets).to.deep.equal([{ user: 'me' }, { token: 'of-it' }]);
  });

  it('say which secret is missing', async () => {
    await agent.startDriver();
    known.volumes.pv = volumeOf({ nodePublishSecretRef: { namespace: 'default', name: 'none' } });
    expect(await eventsOf(create().mount(podWith(ofClaim), mountContext))).to.deep.equal([
      'FailedMount: MountVolume.SetUp failed for volume "pv" : fetching NodePublishSecretRef default/none failed: orch.io/csi: failed to find the secret none in the namespace default with error: secrets "none" not found',
    ]);
  });

  it('wait until they are attached, without events, and get what the attachment says', async () => {
    const process = await agent.startDriver();
    known.drivers[driver] = {};
    const volumes = create();
    const silent = async () =>
      expect(await eventsOf(volumes.mount(podWith(ofClaim), mountContext))).to.deep.equal([]);
    await silent();
    expect(volumes.inUse()).to.deep.equal([key]);
    agent.node = { volumesInUse: [key] };
    await silent();
    agent.node = { volumesInUse: [key], volumesAttached: [{ name: key, devicePath: '' }] };
    await silent();
    Object.assign(known, {
      attachments: { [attachment]: { attached: false, attachError: { message: 'full' } } },
    });
    expect(await eventsOf(create().mount(podWith(ofClaim), mountContext))).to.deep.equal([
      'FailedMount: MountVolume.WaitForAttach failed for volume "pv" : full',
    ]);
    Object.assign(known, {
      attachments: { [attachment]: { attached: true, attachmentMetadata: { lun: '7' } } },
    });
    await process.calls();
    await mountOne(create(), podWith(ofClaim));
    const contexts = (await process.calls()).flatMap(([, { publish_context }]) => publish_context ?? []);
    expect(contexts).to.deep.equal([{ lun: '7' }, { lun: '7' }]);
  });

  it('say that nobody attaches them where no controller does', async () => {
    await agent.startDriver();
    known.drivers[driver] = {};
    const attacher = { kind: 'agent', nodeName: 'node1' } as const;
    const volumes = create({}, { csi: { ...agent.settings(), attacher } });
    expect(await eventsOf(volumes.mount(podWith(ofClaim), mountContext))).to.deep.equal([
      `FailedAttachVolume: AttachVolume.Attach failed for volume "pv" : volume handle-1 has no volume attachment ${attachment}, and the agent makes none for CSI drivers`,
    ]);
  });

  describe('that pods describe themselves', () => {
    const inline = { csi: { driver, volumeAttributes: { size: '1' }, readOnly: true } };

    it('are published only, with what is known of the pod', async () => {
      const process = await agent.startDriver();
      known.drivers[driver] = { podInfoOnMount: true, volumeLifecycleModes: ['Ephemeral'] };
      const volumes = create();
      const made = await mountOne(volumes, podWith(inline, { serviceAccountName: 'sa' }));
      expect(made).to.include({ isReadOnly: true });
      const [call, ...others] = await process.calls();
      expect(others).to.deep.equal([]);
      expect(call?.[0]).to.equal('NodePublishVolume');
      expect(call?.[1]).to.deep.include({
        readonly: true,
        staging_target_path: '',
        volume_context: {
          size: '1',
          'csi.storage.orch.io/pod.name': 'web',
          'csi.storage.orch.io/pod.namespace': 'shop',
          'csi.storage.orch.io/pod.uid': 'u-1',
          'csi.storage.orch.io/serviceAccount.name': 'sa',
          'csi.storage.orch.io/ephemeral': 'true',
        },
      });
      expect(call?.[1].volume_id).to.match(/^csi-[0-9a-f]{64}$/);
      await volumes.unmount('u-1');
      expect(methodsOf(await process.calls())).to.deep.equal(['NodeUnpublishVolume']);
    });

    it('are refused when the driver does not serve them, or nobody says that it does', async () => {
      await agent.startDriver();
      known.drivers[driver] = { volumeLifecycleModes: ['Persistent'] };
      const what = 'FailedMount: MountVolume.NewMounter initialization failed for volume "v" : ';
      expect(await eventsOf(create().mount(podWith(inline), mountContext))).to.deep.equal([
        `${what}volume mode "Ephemeral" not supported by driver folders.test (only supports ["Persistent"])`,
      ]);
      known.drivers = {};
      expect(await eventsOf(create().mount(podWith(inline), mountContext))).to.deep.equal([
        `${what}volume mode "Ephemeral" not supported by driver folders.test (no CSIDriver object)`,
      ]);
      expect(
        await eventsOf(create({ CSIInlineVolume: false }).mount(podWith(inline), mountContext)),
      ).to.deep.equal([`${what}orch.io/csi: volume source not found in volume.Spec`]);
    });

    it('get tokens of the pod’s account again and again, with the gate', async () => {
      const process = await agent.startDriver();
      known.drivers[driver] = {
        volumeLifecycleModes: ['Ephemeral'],
        tokenRequests: [{ audience: '' }, { audience: 'vault', expirationSeconds: 600 }],
        requiresRepublish: true,
      };
      const off = create();
      await mountOne(off, podWith(inline));
      await mountOne(off, podWith(inline));
      const [call, ...none] = await process.calls();
      expect(none).to.deep.equal([]);
      expect(call?.[1].volume_context).to.deep.equal({ size: '1' });
      const volumes = create({ CSIServiceAccountToken: true });
      await mountOne(volumes, podWith(inline));
      await mountOne(volumes, podWith(inline));
      const calls = await process.calls();
      expect(methodsOf(calls)).to.deep.equal(['NodePublishVolume', 'NodePublishVolume']);
      const tokens = Object(calls[1]?.[1].volume_context)['csi.storage.orch.io/serviceAccount.tokens'];
      const expirationTimestamp = '2030-01-01T00:00:00Z';
      expect(JSON.parse(tokens)).to.deep.equal({
        '': { token: 'token of web for  3600', expirationTimestamp },
        vault: { token: 'token of web for vault 600', expirationTimestamp },
      });
    });
  });

  describe('and the group of the pod', () => {
    const cases: readonly {
      readonly why: string;
      readonly isGiven: boolean;
      readonly spec?: CSIDriverSpec;
      readonly csi?: object;
      readonly volume?: Partial<PersistentVolume['spec']>;
      readonly gate?: boolean;
    }[] = [
      { why: 'a file system for one node', csi: { fsType: 'ext4' }, isGiven: true },
      { why: 'no file system type', isGiven: false },
      {
        why: 'several nodes',
        csi: { fsType: 'ext4' },
        volume: { accessModes: ['ReadWriteMany'] },
        isGiven: false,
      },
      { why: 'policy File', spec: { fsGroupPolicy: 'File' }, isGiven: true },
      { why: 'policy None', spec: { fsGroupPolicy: 'None' }, csi: { fsType: 'ext4' }, isGiven: false },
      { why: 'policy File without the gate', spec: { fsGroupPolicy: 'File' }, gate: false, isGiven: false },
    ];
    for (const { why, isGiven, spec, csi, volume, gate = true } of cases) {
      it(`${isGiven ? 'belong to it' : 'do not'}: ${why}`, async () => {
        await agent.startDriver();
        known.drivers[driver] = { ...notAttached, ...spec };
        known.volumes.pv = volumeOf(csi, volume);
        const pod = podWith(ofClaim, { securityContext: { fsGroup: 2345 } });
        await mountOne(create({ CSIVolumeFSGroupPolicy: gate }), pod);
        expect((await stat(publishPath())).gid).to.equal(isGiven ? 2345 : 0);
      });
    }
  });

  it('are measured by their driver', async () => {
    await agent.startDriver();
    const volumes = create();
    await mountOne(volumes, podWith(ofClaim));
    const [usage] = await volumes.usage('u-1');
    expect(usage).to.include({ name: 'v', usedBytes: 4711, inodes: 100, inodesFree: 90, inodesUsed: 10 });
    expect(usage?.claim).to.deep.equal({ namespace: 'shop', name: 'claim' });
  });

  describe('that have grown', () => {
    const grown = () => {
      known.volumes.pv = volumeOf({}, { capacity: { storage: '2Gi' } });
      const condition = { type: 'FileSystemResizePending', status: 'True' };
      known.claims.claim = claimOf({ conditions: [condition, { type: 'Other', status: 'True' }] });
    };

    it('are expanded when they are staged, and the claim says so', async () => {
      const process = await agent.startDriver();
      grown();
      await mountOne(create(), podWith(ofClaim));
      const calls = await callsOf(process);
      expect(methodsOf(calls)).to.deep.equal(['NodeStageVolume', 'NodeExpandVolume', 'NodePublishVolume']);
      const [, request] = calls.find(([name]) => name === 'NodeExpandVolume') ?? [];
      expect(request).to.deep.include({
        volume_id: 'handle-1',
        volume_path: stagePath(),
        staging_target_path: stagePath(),
        capacity_range: { required_bytes: 2 ** 31, limit_bytes: 0 },
      });
      expect(known.written?.get('default/claim')).to.deep.equal({
        capacity: { storage: '2Gi' },
        conditions: [{ type: 'Other', status: 'True' }],
      });
      expect(agent.notices).to.deep.equal([
        {
          type: 'Normal',
          reason: 'FileSystemResizeSuccessful',
          message: 'MountVolume.NodeExpandVolume succeeded for volume "pv" ',
        },
      ]);
    });

    it('are expanded while they are in use, with the gate', async () => {
      const process = await agent.startDriver();
      const volumes = create();
      const off = create({ ExpandInUsePersistentVolumes: false });
      await mountOne(volumes, podWith(ofClaim));
      await mountOne(off, podWith(ofClaim));
      await process.calls();
      grown();
      await mountOne(off, podWith(ofClaim));
      expect(await process.calls()).to.deep.equal([]);
      await mountOne(volumes, podWith(ofClaim));
      const [call, ...others] = await process.calls();
      expect(others).to.deep.equal([]);
      expect(call?.[0]).to.equal('NodeExpandVolume');
      expect(call?.[1]).to.include({ volume_path: publishPath(), staging_target_path: stagePath() });
    });

    it('stay usable when the driver cannot grow them in use, and an event says so', async () => {
      const process = await agent.startDriver();
      const volumes = create();
      await mountOne(volumes, podWith(ofClaim));
      grown();
      await process.refuse({ NodeExpandVolume: [['Internal', 'no room']] });
      expect(await mountOne(volumes, podWith(ofClaim))).to.include({ path: publishPath() });
      expect(agent.notices.map(({ reason, message }) => `${reason}: ${message}`)).to.deep.equal([
        'VolumeResizeFailed: NodeExpandVolume.NodeExpandVolume failed for volume "pv" : rpc error: code = Internal desc = no room',
      ]);
    });

    it('are left alone without the gates', async () => {
      const process = await agent.startDriver();
      grown();
      await mountOne(create({ ExpandCSIVolumes: false }), podWith(ofClaim));
      await mountOne(create({ ExpandPersistentVolumes: false }), podWith(ofClaim, {}, 'u-2'));
      expect(methodsOf(await process.calls())).to.not.include('NodeExpandVolume');
    });
  });

  describe('as devices', () => {
    beforeEach(() => {
      known.volumes.pv = volumeOf({}, { volumeMode: 'Block' });
    });

    it('are staged, published and linked, and undone', async () => {
      const process = await agent.startDriver();
      const volumes = create();
      const made = await mountOne(volumes, podWithDevice(ofClaim));
      const link = join(root, 'pods/u-1/volumeDevices/orch.io~csi/pv');
      expect(made).to.include({ devicePath: link, isReadOnly: false });
      expect((await stat(link)).isBlockDevice()).to.equal(true);
      const calls = await callsOf(process);
      expect(
        spelled(
          calls.map(([method, { staging_target_path, target_path }]) => [
            method,
            staging_target_path,
            target_path ?? null,
          ]),
        ),
      ).to.deep.equal([
        ['NodeStageVolume', '@/plugins/orch.io/csi/volumeDevices/staging/pv', null],
        [
          'NodePublishVolume',
          '@/plugins/orch.io/csi/volumeDevices/staging/pv',
          '@/plugins/orch.io/csi/volumeDevices/publish/pv/u-1',
        ],
      ]);
      expect(calls[0]?.[1].volume_capability).to.deep.equal({
        block: {},
        access_mode: { mode: 1 },
      });
      const loops = async () =>
        (await run('losetup', ['-j', join(agent.folder, 'driver/volumes/handle-1.img')])).stdout;
      expect(await loops()).to.not.equal('');
      await volumes.unmount('u-1');
      expect(methodsOf(await process.calls())).to.deep.equal(['NodeUnpublishVolume', 'NodeUnstageVolume']);
      expect(await loops()).to.equal('');
      expect(await agent.mounts()).to.deep.equal([]);
      expect(await agent.files()).to.deep.equal([]);
      expect(agent.notices.map(({ reason }) => reason)).to.deep.equal(['SuccessfulMountVolume']);
    });

    it('fail as devices do', async () => {
      const process = await agent.startDriver();
      await process.refuse({ NodeStageVolume: [['Internal', 'no loop']] });
      expect(await eventsOf(create().mount(podWithDevice(ofClaim), mountContext))).to.deep.equal([
        'FailedMapVolume: MapVolume.SetUpDevice failed for volume "pv" : rpc error: code = Internal desc = no loop',
      ]);
    });
  });
});
