import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
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
import { silentLogger, systemClock } from '../../../src/base/index.ts';
import { orchDialect } from '../../../src/machinery/dialect.ts';
import { CsiDrivers, CsiNode } from '../../../src/nodeagent/csi/index.ts';
import { PluginWatcher } from '../../../src/nodeagent/plugin-registration/index.ts';
import {
  createMountCommands,
  createPodVolumes,
  type NodeVolumes,
  type PodVolumes,
  type PodVolumesOptions,
  VolumeError,
  type VolumeNotice,
} from '../../../src/nodeagent/volumes/index.ts';
import { type CsiCall, type CsiDriverProcess, startCsiDriver } from '../../support/csi-driver.ts';
import { eventually } from '../../support/eventually.ts';
import { makeTemporaryDirectory, type TemporaryDirectory } from '../../support/temporary-directory.ts';
import { containerOf, podOf } from '../../unit/nodeagent/container-config/pods.ts';
import { fakeRestClient } from '../../unit/nodeagent/fake-rest.ts';
import { type FakeObjects, objectsOf } from '../../unit/nodeagent/volumes/objects.ts';

const context = { podIps: [], hostIps: [], allocatable: {} };
const system = createMountCommands();
const run = promisify(execFile);
const driver = 'folders.test';
const key = `orch.io/csi/${driver}^handle-1`;
/** Of the volume on the node, as the attacher names it. */
const attachment = `csi-${createHash('sha256').update(`handle-1${driver}node1`).digest('hex')}`;

const features = {
  CSIInlineVolume: true,
  CSIVolumeFSGroupPolicy: true,
  CSIServiceAccountToken: false,
  ExpandCSIVolumes: true,
  ExpandPersistentVolumes: true,
  ExpandInUsePersistentVolumes: true,
};

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

const claimed: Volume = { name: 'v', persistentVolumeClaim: { claimName: 'claim' } };
const notAttached: CSIDriverSpec = { attachRequired: false };

describe('volumes of drivers of the container storage interface', () => {
  let directory: TemporaryDirectory;
  let root: string;
  let stack: AsyncDisposableStack;
  let drivers: CsiDrivers;
  let node: NodeVolumes;
  let notices: VolumeNotice[];
  let known: {
    claims: Record<string, PersistentVolumeClaim>;
    volumes: Record<string, PersistentVolume>;
    drivers: Record<string, CSIDriverSpec>;
  } & FakeObjects;

  const create = (gates: Partial<typeof features> = {}, more: Partial<PodVolumesOptions> = {}): PodVolumes =>
    createPodVolumes({
      onStale() {},
      onOperation() {},
      onEvent: (_pod, notice) => void notices.push(notice),
      rootDirectory: root,
      dialect: orchDialect,
      objects: objectsOf(known),
      clock: systemClock,
      logger: silentLogger,
      mount: system,
      usagePeriodMs: 60_000,
      csi: {
        drivers,
        nodeName: 'node1',
        features: { ...features, ...gates },
        attacher: { kind: 'controller', node: () => node },
      },
      ...more,
    });
  const start = async (
    given: Partial<Parameters<typeof startCsiDriver>[0]> = {},
  ): Promise<CsiDriverProcess> => {
    const started = await startCsiDriver({
      folder: join(directory.path, 'driver'),
      registry: join(root, 'plugins_registry'),
      ...given,
    });
    stack.use(started);
    // It is in use before it learns so.
    await eventually(async () => (await started.calls()).find(([method]) => method === 'Registered'));
    return started;
  };
  const isThere = (): true | undefined => {
    try {
      drivers.get(driver);
      return true;
    } catch {
      return undefined;
    }
  };
  const podWith = (volume: Volume, spec: Partial<Pod['spec']> = {}, uid = 'u-1'): Pod =>
    podOf(
      {
        volumes: [volume],
        containers: [containerOf({ volumeMounts: [{ name: 'v', mountPath: '/v' }] })],
        ...spec,
      },
      { uid },
    );
  const devicePod = (uid = 'u-1'): Pod =>
    podWith(
      claimed,
      { containers: [containerOf({ volumeDevices: [{ name: 'v', devicePath: '/dev/v' }] })] },
      uid,
    );
  const mountOne = async (pod: Pod, from: PodVolumes) => (await from.mount(pod, context)).get('v');
  const failure = async (action: Promise<unknown>): Promise<VolumeError> => {
    const error = await action.then(
      () => undefined,
      (reason) => reason,
    );
    expect(error).to.be.instanceOf(VolumeError);
    return error;
  };
  const messages = async (action: Promise<unknown>): Promise<string[]> =>
    (await failure(action)).events.map(({ reason, message }) => `${reason}: ${message}`);
  const spelled = (value: unknown): unknown =>
    JSON.parse(JSON.stringify(value).replaceAll(root, '@').replaceAll(directory.path, '#'));
  const names = (calls: readonly CsiCall[]): string[] => calls.map(([method]) => method);
  const mounts = async (): Promise<string[]> =>
    (await system.list()).flatMap(({ path }) =>
      path.startsWith(`${root}/`) ? [path.slice(root.length)] : [],
    );
  const files = async (): Promise<string[]> =>
    (await readdir(root, { recursive: true })).filter(
      (path) => !/^(?:plugins_registry|pods$|plugins(?:\/orch\.io(?:\/csi(?:\/\w+)*)?)?$)/.test(path),
    );
  const mountPath = () => join(root, 'pods/u-1/volumes/orch.io~csi/pv/mount');
  const stagePath = () => join(root, 'plugins/orch.io/csi/pv/pv/globalmount');

  beforeEach(async () => {
    directory = await makeTemporaryDirectory();
    root = join(directory.path, 'root');
    stack = new AsyncDisposableStack();
    node = {};
    notices = [];
    known = {
      claims: { claim: claimOf() },
      volumes: { pv: volumeOf() },
      drivers: { [driver]: notAttached },
      written: new Map(),
    };
    const shown = { apiVersion: 'v1', kind: 'Node', metadata: { name: 'node1', uid: 'node-uid' } };
    const client = fakeRestClient(({ path, method }) => ({
      status: 200,
      body: path.includes('/csinodes') && method === 'GET' ? { metadata: {}, spec: { drivers: [] } } : shown,
    }));
    const common = { dialect: orchDialect, logger: silentLogger };
    const csiNode = new CsiNode({
      ...common,
      client,
      nodeName: 'node1',
      migratedPlugins: [],
      clock: systemClock,
    });
    drivers = new CsiDrivers({ ...common, csiNode });
    stack.use(drivers);
    const watcher = new PluginWatcher({
      folder: join(root, 'plugins_registry'),
      handlers: { CSIPlugin: drivers },
      clock: systemClock,
      logger: silentLogger,
    });
    await watcher.start();
    stack.use(watcher);
  });
  afterEach(async () => {
    await stack.disposeAsync();
    await directory.remove();
  });

  it('are staged for the node and published to the pod, and undone with it', async () => {
    const process = await start();
    const volumes = create();
    known.volumes.pv = volumeOf(
      { volumeAttributes: { a: 'b' }, fsType: 'ext4' },
      { mountOptions: ['noatime'] },
    );
    const made = await mountOne(podWith(claimed), volumes);
    expect(made).to.include({ path: mountPath(), isReadOnly: false });
    const capability = {
      mount: { mount_flags: ['noatime'], fs_type: 'ext4' },
      access_mode: { mode: 1 },
    };
    const calls = await process.calls();
    expect(spelled(calls.filter(([method]) => method !== 'NodeGetCapabilities'))).to.deep.equal([
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
    await writeFile(join(mountPath(), 'file'), 'content');
    await mountOne(podWith(claimed), volumes);
    expect(await process.calls()).to.deep.equal([]);
    await volumes.unmount('u-1');
    expect(names(await process.calls())).to.deep.equal(['NodeUnpublishVolume', 'NodeUnstageVolume']);
    expect(await mounts()).to.deep.equal([]);
    expect(await files()).to.deep.equal([]);
    expect(await readFile(join(directory.path, 'driver/volumes/handle-1/file'), 'utf8')).to.equal('content');
  });

  it('stay staged while another pod has them', async () => {
    const process = await start();
    const volumes = create();
    await mountOne(podWith(claimed), volumes);
    await mountOne(podWith(claimed, {}, 'u-2'), volumes);
    await process.calls();
    await volumes.unmount('u-1');
    expect(names(await process.calls())).to.deep.equal(['NodeUnpublishVolume']);
    await volumes.unmount('u-2');
    expect(names(await process.calls())).to.deep.equal(['NodeUnpublishVolume', 'NodeUnstageVolume']);
  });

  it('are not staged by drivers that cannot', async () => {
    const process = await start({ capabilities: [] });
    const volumes = create();
    await mountOne(podWith(claimed), volumes);
    const [, published] = await process.calls();
    expect(published?.[1]).to.include({ staging_target_path: '' });
    await volumes.unmount('u-1');
    expect(names(await process.calls())).to.deep.equal(['NodeUnpublishVolume']);
    expect(await files()).to.deep.equal([]);
  });

  it('wait for their driver, and say so', async () => {
    const volumes = create();
    expect(await messages(volumes.mount(podWith(claimed), context))).to.deep.equal([
      'FailedMount: MountVolume.MountDevice failed for volume "pv" : orch.io/csi: attacher.MountDevice failed to create newCsiDriverClient: driver name folders.test not found in the list of registered CSI drivers',
    ]);
    // Nothing was called, so that nobody is needed to undo it.
    await volumes.unmount('u-1');
    expect(await files()).to.deep.equal([]);
  });

  it('tell what drivers refuse, in the words of the call, and leave nothing of it', async () => {
    const process = await start();
    const volumes = create();
    await process.refuse({
      NodeStageVolume: [['Internal', 'no disk']],
      NodePublishVolume: [['NotFound', 'gone']],
    });
    expect(await messages(volumes.mount(podWith(claimed), context))).to.deep.equal([
      'FailedMount: MountVolume.MountDevice failed for volume "pv" : rpc error: code = Internal desc = no disk',
    ]);
    expect(await files()).to.deep.equal(
      [
        'pods/u-1',
        'pods/u-1/volumes',
        'pods/u-1/volumes/orch.io~csi',
        'pods/u-1/volumes/orch.io~csi/pv',
      ].sort(),
    );
    expect(await messages(volumes.mount(podWith(claimed), context))).to.deep.equal([
      'FailedMount: MountVolume.SetUp failed for volume "pv" : rpc error: code = NotFound desc = gone',
    ]);
    await process.calls();
    await volumes.unmount('u-1');
    expect(names(await process.calls())).to.deep.equal(['NodeUnstageVolume']);
  });

  it('are undone though nobody knows how a call ended', async () => {
    const process = await start();
    const volumes = create();
    await process.refuse({ NodePublishVolume: [['Aborted', 'busy']] });
    await failure(volumes.mount(podWith(claimed), context));
    await process.calls();
    await volumes.unmount('u-1');
    expect(names(await process.calls())).to.deep.equal(['NodeUnpublishVolume', 'NodeUnstageVolume']);
  });

  it('are undone by an agent that starts later, once their driver is back', async () => {
    const process = await start();
    await mountOne(podWith(claimed), create());
    await process.stop();
    await eventually(async () => (isThere() === undefined ? true : undefined));
    const later = create();
    expect(later.inUse()).to.deep.equal([key]);
    const error = await later.unmount('u-1').catch((reason: unknown) => reason);
    expect(String(error)).to.contain('driver name folders.test not found');
    expect(await mounts()).to.have.length(2);
    const again = await start();
    await later.unmount('u-1');
    expect(names(await again.calls()).filter((name) => name !== 'NodeGetCapabilities')).to.deep.equal([
      'NodeUnpublishVolume',
      'NodeUnstageVolume',
    ]);
    expect(await mounts()).to.deep.equal([]);
    expect(later.inUse()).to.deep.equal([]);
  });

  it('are taken up by an agent that starts later', async () => {
    const process = await start();
    await mountOne(podWith(claimed), create());
    await process.calls();
    await mountOne(podWith(claimed), create());
    expect(names(await process.calls())).to.deep.equal(['NodeStageVolume', 'NodePublishVolume']);
    expect(await mounts()).to.have.length(2);
  });

  it('refuse to go on from records that say nothing', async () => {
    await start();
    await mountOne(podWith(claimed), create());
    const file = join(root, 'pods/u-1/volumes/orch.io~csi/pv/vol_data.json');
    await writeFile(file, '{}');
    const error = await create()
      .unmount('u-1')
      .catch((reason: unknown) => reason);
    expect(String(error)).to.equal(
      `Error: failed to load volume data file ${file}: driverName or volumeHandle is missing`,
    );
    expect(await mounts()).to.have.length(2);
  });

  it('get secrets, for staging and for publishing', async () => {
    const process = await start();
    known = { ...known, secrets: { stage: { user: 'me' }, publish: { token: 'of-it' } } };
    known.volumes.pv = volumeOf({
      nodeStageSecretRef: { namespace: 'default', name: 'stage' },
      nodePublishSecretRef: { namespace: 'default', name: 'publish' },
    });
    await mountOne(podWith(claimed), create());
    const secrets = (await process.calls()).flatMap(([, { secrets: given }]) => (given ? [given] : []));
    expect(secrets).to.deep.equal([{ user: 'me' }, { token: 'of-it' }]);
  });

  it('say which secret is missing', async () => {
    await start();
    known.volumes.pv = volumeOf({ nodePublishSecretRef: { namespace: 'default', name: 'none' } });
    expect(await messages(create().mount(podWith(claimed), context))).to.deep.equal([
      'FailedMount: MountVolume.SetUp failed for volume "pv" : fetching NodePublishSecretRef default/none failed: orch.io/csi: failed to find the secret none in the namespace default with error: secrets "none" not found',
    ]);
  });

  it('wait until they are attached, without events, and get what the attachment says', async () => {
    const process = await start();
    known.drivers[driver] = {};
    const volumes = create();
    const silent = async () =>
      expect(await messages(volumes.mount(podWith(claimed), context))).to.deep.equal([]);
    await silent();
    expect(volumes.inUse()).to.deep.equal([key]);
    node = { volumesInUse: [key] };
    await silent();
    node = { volumesInUse: [key], volumesAttached: [{ name: key, devicePath: '' }] };
    await silent();
    Object.assign(known, {
      attachments: { [attachment]: { attached: false, attachError: { message: 'full' } } },
    });
    expect(await messages(create().mount(podWith(claimed), context))).to.deep.equal([
      'FailedMount: MountVolume.WaitForAttach failed for volume "pv" : full',
    ]);
    Object.assign(known, {
      attachments: { [attachment]: { attached: true, attachmentMetadata: { lun: '7' } } },
    });
    await process.calls();
    await mountOne(podWith(claimed), create());
    const contexts = (await process.calls()).flatMap(([, { publish_context }]) => publish_context ?? []);
    expect(contexts).to.deep.equal([{ lun: '7' }, { lun: '7' }]);
  });

  it('say that nobody attaches them where no controller does', async () => {
    await start();
    known.drivers[driver] = {};
    const attacher = { kind: 'agent', nodeName: 'node1' } as const;
    const volumes = create({}, { csi: { drivers, nodeName: 'node1', features, attacher } });
    expect(await messages(volumes.mount(podWith(claimed), context))).to.deep.equal([
      `FailedAttachVolume: AttachVolume.Attach failed for volume "pv" : volume handle-1 has no volume attachment ${attachment}, and the agent makes none for CSI drivers`,
    ]);
  });

  describe('that pods describe themselves', () => {
    const inline: Volume = { name: 'v', csi: { driver, volumeAttributes: { size: '1' }, readOnly: true } };

    it('are published only, with what is known of the pod', async () => {
      const process = await start();
      known.drivers[driver] = { podInfoOnMount: true, volumeLifecycleModes: ['Ephemeral'] };
      const volumes = create();
      const made = await mountOne(podWith(inline, { serviceAccountName: 'sa' }), volumes);
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
      expect(names(await process.calls())).to.deep.equal(['NodeUnpublishVolume']);
    });

    it('are refused when the driver does not serve them, or nobody says that it does', async () => {
      await start();
      known.drivers[driver] = { volumeLifecycleModes: ['Persistent'] };
      const what = 'FailedMount: MountVolume.NewMounter initialization failed for volume "v" : ';
      expect(await messages(create().mount(podWith(inline), context))).to.deep.equal([
        `${what}volume mode "Ephemeral" not supported by driver folders.test (only supports ["Persistent"])`,
      ]);
      known.drivers = {};
      expect(await messages(create().mount(podWith(inline), context))).to.deep.equal([
        `${what}volume mode "Ephemeral" not supported by driver folders.test (no CSIDriver object)`,
      ]);
      expect(
        await messages(create({ CSIInlineVolume: false }).mount(podWith(inline), context)),
      ).to.deep.equal([`${what}orch.io/csi: volume source not found in volume.Spec`]);
    });

    it('get tokens of the pod’s account again and again, with the gate', async () => {
      const process = await start();
      known.drivers[driver] = {
        volumeLifecycleModes: ['Ephemeral'],
        tokenRequests: [{ audience: '' }, { audience: 'vault', expirationSeconds: 600 }],
        requiresRepublish: true,
      };
      const off = create();
      await mountOne(podWith(inline), off);
      await mountOne(podWith(inline), off);
      const [call, ...none] = await process.calls();
      expect(none).to.deep.equal([]);
      expect(call?.[1].volume_context).to.deep.equal({ size: '1' });
      const volumes = create({ CSIServiceAccountToken: true });
      await mountOne(podWith(inline), volumes);
      await mountOne(podWith(inline), volumes);
      const calls = await process.calls();
      expect(names(calls)).to.deep.equal(['NodePublishVolume', 'NodePublishVolume']);
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
        await start();
        known.drivers[driver] = { ...notAttached, ...spec };
        known.volumes.pv = volumeOf(csi, volume);
        const pod = podWith(claimed, { securityContext: { fsGroup: 2345 } });
        await mountOne(pod, create({ CSIVolumeFSGroupPolicy: gate }));
        expect((await stat(mountPath())).gid).to.equal(isGiven ? 2345 : 0);
      });
    }
  });

  it('are measured by their driver', async () => {
    await start();
    const volumes = create();
    await mountOne(podWith(claimed), volumes);
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
      const process = await start();
      grown();
      await mountOne(podWith(claimed), create());
      const calls = await process.calls();
      const methods = names(calls).filter((name) => name !== 'NodeGetCapabilities');
      expect(methods).to.deep.equal(['NodeStageVolume', 'NodeExpandVolume', 'NodePublishVolume']);
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
      expect(notices).to.deep.equal([
        {
          type: 'Normal',
          reason: 'FileSystemResizeSuccessful',
          message: 'MountVolume.NodeExpandVolume succeeded for volume "pv" ',
        },
      ]);
    });

    it('are expanded while they are in use, with the gate', async () => {
      const process = await start();
      const volumes = create();
      const off = create({ ExpandInUsePersistentVolumes: false });
      await mountOne(podWith(claimed), volumes);
      await mountOne(podWith(claimed), off);
      await process.calls();
      grown();
      await mountOne(podWith(claimed), off);
      expect(await process.calls()).to.deep.equal([]);
      await mountOne(podWith(claimed), volumes);
      const [call, ...others] = await process.calls();
      expect(others).to.deep.equal([]);
      expect(call?.[0]).to.equal('NodeExpandVolume');
      expect(call?.[1]).to.include({ volume_path: mountPath(), staging_target_path: stagePath() });
    });

    it('stay usable when the driver cannot grow them in use, and an event says so', async () => {
      const process = await start();
      const volumes = create();
      await mountOne(podWith(claimed), volumes);
      grown();
      await process.refuse({ NodeExpandVolume: [['Internal', 'no room']] });
      expect(await mountOne(podWith(claimed), volumes)).to.include({ path: mountPath() });
      expect(notices.map(({ reason, message }) => `${reason}: ${message}`)).to.deep.equal([
        'VolumeResizeFailed: NodeExpandVolume.NodeExpandVolume failed for volume "pv" : rpc error: code = Internal desc = no room',
      ]);
    });

    it('are left alone without the gates', async () => {
      const process = await start();
      grown();
      await mountOne(podWith(claimed), create({ ExpandCSIVolumes: false }));
      await mountOne(podWith(claimed, {}, 'u-2'), create({ ExpandPersistentVolumes: false }));
      expect(names(await process.calls())).to.not.include('NodeExpandVolume');
    });
  });

  describe('as devices', () => {
    beforeEach(() => {
      known.volumes.pv = volumeOf({}, { volumeMode: 'Block' });
    });

    it('are staged, published and linked, and undone', async () => {
      const process = await start();
      const volumes = create();
      const made = await mountOne(devicePod(), volumes);
      const link = join(root, 'pods/u-1/volumeDevices/orch.io~csi/pv');
      expect(made).to.include({ devicePath: link, isReadOnly: false });
      expect((await stat(link)).isBlockDevice()).to.equal(true);
      const calls = (await process.calls()).filter(([method]) => method !== 'NodeGetCapabilities');
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
        (await run('losetup', ['-j', join(directory.path, 'driver/volumes/handle-1.img')])).stdout;
      expect(await loops()).to.not.equal('');
      await volumes.unmount('u-1');
      expect(names(await process.calls())).to.deep.equal(['NodeUnpublishVolume', 'NodeUnstageVolume']);
      expect(await loops()).to.equal('');
      expect(await mounts()).to.deep.equal([]);
      expect(await files()).to.deep.equal([]);
      expect(notices.map(({ reason }) => reason)).to.deep.equal(['SuccessfulMountVolume']);
    });

    it('fail as devices do', async () => {
      const process = await start();
      await process.refuse({ NodeStageVolume: [['Internal', 'no loop']] });
      expect(await messages(create().mount(devicePod(), context))).to.deep.equal([
        'FailedMapVolume: MapVolume.SetUpDevice failed for volume "pv" : rpc error: code = Internal desc = no loop',
      ]);
    });
  });
});
