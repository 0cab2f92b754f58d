import { createHash } from 'node:crypto';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { nodeSelectorMatcher } from '../../../src/apis/core/index.ts';
import { migratedKinds } from '../../../src/apis/csi-migration/index.ts';
import type { PersistentVolume, Pod, Volume } from '../../../src/apis/types/core-v1.ts';
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
} from '../../../src/nodeagent/volumes/index.ts';
import { type CsiCall, type CsiDriverProcess, startCsiDriver } from '../../support/csi-driver.ts';
import { eventually } from '../../support/eventually.ts';
import { makeTemporaryDirectory, type TemporaryDirectory } from '../../support/temporary-directory.ts';
import { containerOf, podOf } from '../../unit/nodeagent/container-config/pods.ts';
import { fakeRestClient } from '../../unit/nodeagent/fake-rest.ts';
import { type FakeObjects, objectsOf } from '../../unit/nodeagent/volumes/objects.ts';

const system = createMountCommands();
const features = {
  CSIInlineVolume: true,
  CSIVolumeFSGroupPolicy: true,
  CSIServiceAccountToken: false,
  ExpandCSIVolumes: true,
  ExpandPersistentVolumes: true,
  ExpandInUsePersistentVolumes: true,
};

describe('volumes of built-in kinds that drivers serve', () => {
  let directory: TemporaryDirectory;
  let root: string;
  let stack: AsyncDisposableStack;
  let drivers: CsiDrivers;
  let node: NodeVolumes;
  let known: FakeObjects;

  const create = (more: Partial<PodVolumesOptions> = {}, kinds = migratedKinds): PodVolumes =>
    createPodVolumes({
      onStale() {},
      onOperation() {},
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
        features,
        migratedKinds: kinds,
        attacher: { kind: 'controller', node: () => node },
      },
      ...more,
    });
  const start = async (name: string): Promise<CsiDriverProcess> => {
    const started = await startCsiDriver({
      name,
      folder: join(directory.path, 'driver'),
      registry: join(root, 'plugins_registry'),
    });
    stack.use(started);
    await eventually(async () => (await started.calls()).find(([method]) => method === 'Registered'));
    return started;
  };
  const podWith = (volume: Omit<Volume, 'name'>, uid = 'u-1', namespace = 'default'): Pod =>
    podOf(
      {
        volumes: [{ name: 'v', ...volume }],
        containers: [containerOf({ volumeMounts: [{ name: 'v', mountPath: '/v' }] })],
      },
      { uid, namespace },
    );
  const claimed = { persistentVolumeClaim: { claimName: 'claim' } };
  const setVolume = (
    spec: PersistentVolume['spec'],
    metadata: Partial<PersistentVolume['metadata']> = {},
  ) => {
    const common = { apiVersion: 'v1', kind: 'PersistentVolume', status: {} };
    const volume = {
      ...common,
      metadata: { name: 'pv', ...metadata },
      spec: { accessModes: ['ReadWriteOnce'], claimRef: { uid: 'claim-uid' }, ...spec },
    };
    const claim = {
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: { name: 'claim', namespace: 'default', uid: 'claim-uid' },
      spec: { volumeName: 'pv', resources: {} },
      status: { phase: 'Bound' as const },
    };
    known = { ...known, claims: { claim }, volumes: { pv: volume } };
  };
  const mountOne = async (pod: Pod, from: PodVolumes) =>
    (await from.mount(pod, { podIps: [], hostIps: [], allocatable: {} })).get('v');
  const complaints = async (pod: Pod, from: PodVolumes): Promise<string[]> => {
    const error = await mountOne(pod, from).catch((reason: unknown) => reason);
    if (!(error instanceof VolumeError)) throw new Error(`not refused: ${String(error)}`);
    return error.events.map(({ reason, message }) => `${reason}: ${message}`);
  };
  const callsOf = async (process: CsiDriverProcess): Promise<CsiCall[]> =>
    (await process.calls()).filter(([method]) => method !== 'NodeGetCapabilities');
  const names = (calls: readonly CsiCall[]): string[] => calls.map(([method]) => method);
  const files = async (): Promise<string[]> =>
    (await readdir(root, { recursive: true })).filter(
      (path) => !/^(?:plugins_registry|pods$|plugins(?:\/orch\.io(?:\/csi(?:\/\w+)*)?)?$)/.test(path),
    );

  beforeEach(async () => {
    directory = await makeTemporaryDirectory();
    root = join(directory.path, 'root');
    stack = new AsyncDisposableStack();
    node = {};
    const notAttached = Object.fromEntries(
      migratedKinds.map(({ driver }) => [driver, { attachRequired: false }]),
    );
    known = { drivers: notAttached };
    const shown = { apiVersion: 'v1', kind: 'Node', metadata: { name: 'node1', uid: 'node-uid' } };
    const client = fakeRestClient(({ path, method }) => ({
      status: 200,
      body: path.includes('/csinodes') && method === 'GET' ? { metadata: {}, spec: { drivers: [] } } : shown,
    }));
    const common = { dialect: orchDialect, clock: systemClock, logger: silentLogger };
    const csiNode = new CsiNode({ ...common, client, nodeName: 'node1', migratedPlugins: [] });
    drivers = stack.use(new CsiDrivers({ ...common, csiNode }));
    const folder = join(root, 'plugins_registry');
    const watcher = new PluginWatcher({ ...common, folder, handlers: { CSIPlugin: drivers } });
    await watcher.start();
    stack.use(watcher);
  });
  afterEach(async () => {
    await stack.disposeAsync();
    await directory.remove();
  });

  it('are staged and published as the driver knows them, and undone with the pod', async () => {
    const process = await start('ebs.csi.aws.com');
    const volumes = create();
    const disk = { volumeID: 'aws://us-east-1a/vol-1', fsType: 'ext4', partition: 1 };
    const made = await mountOne(podWith({ awsElasticBlockStore: disk }), volumes);
    const name = 'ebs.csi.aws.com-vol-1';
    const path = join(root, `pods/u-1/volumes/orch.io~csi/${name}/mount`);
    expect(made).to.include({ path, isReadOnly: false, plugin: 'orch.io/csi:ebs.csi.aws.com' });
    const staging = join(root, `plugins/orch.io/csi/pv/${name}/globalmount`);
    const volume_capability = { mount: { mount_flags: [], fs_type: 'ext4' }, access_mode: { mode: 1 } };
    const common = {
      publish_context: {},
      secrets: {},
      volume_context: { partition: '1' },
      volume_id: 'vol-1',
    };
    expect(await callsOf(process)).to.deep.equal([
      ['NodeStageVolume', { ...common, staging_target_path: staging, volume_capability }],
      [
        'NodePublishVolume',
        { ...common, staging_target_path: staging, target_path: path, volume_capability, readonly: false },
      ],
    ]);
    await writeFile(join(path, 'file'), 'content');
    await volumes.unmount('u-1');
    expect(names(await callsOf(process))).to.deep.equal(['NodeUnpublishVolume', 'NodeUnstageVolume']);
    expect(await files()).to.deep.equal([]);
    expect(await readdir(join(directory.path, 'driver/volumes/vol-1'))).to.deep.equal(['file']);
  });

  it('of claims wait for the attachment of the driver’s volume, and keep their mount options', async () => {
    const process = await start('pd.csi.storage.gke.io');
    const handle = 'projects/UNSPECIFIED/zones/us-central1-a/disks/d';
    const attachment = createHash('sha256').update(`${handle}pd.csi.storage.gke.ionode1`).digest('hex');
    const spec = { gcePersistentDisk: { pdName: 'd', fsType: 'ext4' }, mountOptions: ['noatime'] };
    setVolume(spec, { labels: { 'topology.orch.io/zone': 'us-central1-a' } });
    known = {
      ...known,
      drivers: { 'pd.csi.storage.gke.io': {} },
      attachments: { [`csi-${attachment}`]: { attached: true, attachmentMetadata: { device: 'sdb' } } },
    };
    const volumes = create();
    expect(await complaints(podWith(claimed), volumes)).to.deep.equal([]);
    const key = `orch.io/csi/pd.csi.storage.gke.io^${handle}`;
    expect(volumes.inUse()).to.deep.equal([key]);
    node = { volumesInUse: [key], volumesAttached: [{ name: key, devicePath: '' }] };
    await mountOne(podWith(claimed), volumes);
    const [staged] = await callsOf(process);
    expect(staged?.[1]).to.deep.include({
      volume_id: handle,
      publish_context: { device: 'sdb' },
      volume_capability: { mount: { mount_flags: ['noatime'], fs_type: 'ext4' }, access_mode: { mode: 1 } },
    });
    await volumes.unmount('u-1');
  });

  it('of claims are used where the node has the driver’s zone', async () => {
    await start('cinder.csi.openstack.org');
    setVolume({ cinder: { volumeID: 'c' } }, { labels: { 'failure-domain.beta.orch.io/zone': 'z1' } });
    const inZone = (zone: string) =>
      create({
        matchesNode: (selector) =>
          nodeSelectorMatcher(selector)({
            name: 'node1',
            labels: {
              'topology.cinder.csi.openstack.org/zone': zone,
              'failure-domain.beta.orch.io/zone': 'z1',
            },
          }),
      });
    expect(await complaints(podWith(claimed), inZone('z2'))).to.deep.equal([
      'FailedMount: MountVolume.NodeAffinity check failed for volume "pv" : no matching NodeSelectorTerms',
    ]);
    const volumes = inZone('z1');
    await mountOne(podWith(claimed), volumes);
    await volumes.unmount('u-1');
  });

  it('get the secret of their pod’s namespace, and no share that is staged for another', async () => {
    const process = await start('file.csi.azure.com');
    known = { ...known, secrets: { key: { azurestorageaccountkey: 'k' } } };
    const volumes = create();
    const share = { azureFile: { secretName: 'key', shareName: 's', readOnly: true } };
    const one = await mountOne(podWith(share), volumes);
    expect(one).to.include({ isReadOnly: true });
    const [staged] = await callsOf(process);
    expect(staged?.[1]).to.deep.include({
      volume_id: '#key#s#',
      secrets: { azurestorageaccountkey: 'k' },
      volume_context: { sharename: 's' },
    });
    await mountOne(podWith(share, 'u-2', 'other'), volumes);
    expect(names(await callsOf(process))).to.deep.equal(['NodeStageVolume', 'NodePublishVolume']);
    await volumes.unmount('u-1');
    await volumes.unmount('u-2');
    expect(await files()).to.deep.equal([]);
  });

  it('never leave their folders, whatever authors of pods call them', async () => {
    const process = await start('csi.vsphere.vmware.com');
    const volumes = create();
    const volumePath = 'a/../../../../../../x.vmdk';
    await mountOne(podWith({ vsphereVolume: { volumePath } }), volumes);
    const [staged] = await callsOf(process);
    const name = `csi.vsphere.vmware.com-${volumePath.replaceAll('/', '~')}`;
    expect(staged?.[1].staging_target_path).to.equal(
      join(root, `plugins/orch.io/csi/pv/${name}/globalmount`),
    );
    await volumes.unmount('u-1');
    expect(await files()).to.deep.equal([]);
  });

  it('that share a name with another wait until that is gone', async () => {
    const process = await start('disk.csi.azure.com');
    const volumes = create();
    const pod = (diskURI: string, uid: string) => podWith({ azureDisk: { diskName: 'd', diskURI } }, uid);
    await mountOne(pod('uri-1', 'u-1'), volumes);
    const refusal =
      'FailedMount: MountVolume.MountDevice failed for volume "disk.csi.azure.com-d" : the name is that of orch.io/csi/disk.csi.azure.com^uri-1, which pods of this node use';
    expect(await complaints(pod('uri-2', 'u-2'), volumes)).to.deep.equal([refusal]);
    const later = create();
    expect(await complaints(pod('uri-2', 'u-2'), later), 'later agent').to.deep.equal([refusal]);
    await later.unmount('u-1');
    await process.calls();
    await mountOne(pod('uri-2', 'u-2'), later);
    const [staged] = await callsOf(process);
    expect(staged?.[1]).to.include({ volume_id: 'uri-2' });
    await later.unmount('u-2');
    expect(await files()).to.deep.equal([]);
  });

  it('are refused with a reason when their names make no sense', async () => {
    const awsElasticBlockStore = { volumeID: 'aws://zone/disk' };
    expect(await complaints(podWith({ awsElasticBlockStore }), create())).to.deep.equal([
      'FailedMount: Unable to attach or mount volumes: unmounted volumes=[v], unattached volumes=[v]: failed to translate in-tree pv to CSI: failed to translate Orch ID to EBS Volume ID Invalid format for AWS volume (aws://zone/disk)',
    ]);
  });

  it('wait for their driver', async () => {
    expect(await complaints(podWith({ cinder: { volumeID: 'c' } }), create())).to.deep.equal([
      'FailedMount: MountVolume.MountDevice failed for volume "cinder.csi.openstack.org-c" : orch.io/csi: attacher.MountDevice failed to create newCsiDriverClient: driver name cinder.csi.openstack.org not found in the list of registered CSI drivers',
    ]);
  });

  it('are refused, and named their driver, where no gate leaves them to it', async () => {
    setVolume({ gcePersistentDisk: { pdName: 'd' } });
    const volumes = create({}, []);
    const why = 'gcePersistentDisk is not built in, use the CSI driver pd.csi.storage.gke.io';
    const [ofPod] = await complaints(podWith({ gcePersistentDisk: { pdName: 'd' } }), volumes);
    expect(ofPod).to.contain(why);
    const [ofClaim] = await complaints(podWith(claimed, 'u-2'), volumes);
    expect(ofClaim).to.contain(why);
  });
});
