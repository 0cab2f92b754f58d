import { createHash } from 'node:crypto';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { nodeSelectorMatcher } from '../../../src/apis/core/index.ts';
import { migratedKinds } from '../../../src/apis/csi-migration/index.ts';
import type { PersistentVolume, Pod, Volume } from '../../../src/apis/types/core-v1.ts';
import type { PodVolumes, PodVolumesOptions } from '../../../src/nodeagent/volumes/index.ts';
import { claimOf } from '../../support/claimed-disk.ts';
import { CsiAgent, callsOf, methodsOf } from '../../support/csi-agent.ts';
import { eventsOf, mountOne, ofClaim, podWithVolume } from '../../support/volume-agent.ts';

describe('volumes of built-in kinds that drivers serve', () => {
  let agent: CsiAgent;
  let root: string;

  const create = (more: Partial<PodVolumesOptions> = {}, kinds = migratedKinds): PodVolumes =>
    agent.create({ csi: { ...agent.settings(), migratedKinds: kinds }, ...more });
  const start = (name: string) => agent.startDriver({ name });
  const podWith = (volume: Omit<Volume, 'name'>, uid = 'u-1', namespace = 'default'): Pod => {
    const pod = podWithVolume(volume, uid);
    return { ...pod, metadata: { ...pod.metadata, namespace } };
  };
  const setVolume = (
    spec: PersistentVolume['spec'],
    metadata: Partial<PersistentVolume['metadata']> = {},
  ) => {
    agent.known = { ...agent.known, ...claimOf({ accessModes: ['ReadWriteOnce'], ...spec }, metadata) };
  };
  const complaints = (pod: Pod, from: PodVolumes) => eventsOf(mountOne(from, pod));

  beforeEach(async () => {
    agent = await CsiAgent.start();
    ({ root } = agent);
    const notAttached = migratedKinds.map(({ driver }) => [driver, { attachRequired: false }]);
    agent.known = { drivers: Object.fromEntries(notAttached) };
  });
  afterEach(() => agent[Symbol.asyncDispose]());

  it('are staged and published as the driver knows them, and undone with the pod', async () => {
    const process = await start('ebs.csi.aws.com');
    const volumes = create();
    const disk = { volumeID: 'aws://us-east-1a/vol-1', fsType: 'ext4', partition: 1 };
    const made = await mountOne(volumes, podWith({ awsElasticBlockStore: disk }));
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
    expect(methodsOf(await callsOf(process))).to.deep.equal(['NodeUnpublishVolume', 'NodeUnstageVolume']);
    expect(await agent.files()).to.deep.equal([]);
    expect(await readdir(join(agent.folder, 'driver/volumes/vol-1'))).to.deep.equal(['file']);
  });

  it('of claims wait for the attachment of the driver’s volume, and keep their mount options', async () => {
    const process = await start('pd.csi.storage.gke.io');
    const handle = 'projects/UNSPECIFIED/zones/us-central1-a/disks/d';
    const attachment = createHash('sha256').update(`${handle}pd.csi.storage.gke.ionode1`).digest('hex');
    const spec = { gcePersistentDisk: { pdName: 'd', fsType: 'ext4' }, mountOptions: ['noatime'] };
    setVolume(spec, { labels: { 'topology.orch.io/zone': 'us-central1-a' } });
    agent.known = {
      ...agent.known,
      drivers: { 'pd.csi.storage.gke.io': {} },
      attachments: { [`csi-${attachment}`]: { attached: true, attachmentMetadata: { device: 'sdb' } } },
    };
    const volumes = create();
    expect(await complaints(podWith(ofClaim), volumes)).to.deep.equal([]);
    const key = `orch.io/csi/pd.csi.storage.gke.io^${handle}`;
    expect(volumes.inUse()).to.deep.equal([key]);
    agent.node = { volumesInUse: [key], volumesAttached: [{ name: key, devicePath: '' }] };
    await mountOne(volumes, podWith(ofClaim));
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
    expect(await complaints(podWith(ofClaim), inZone('z2'))).to.deep.equal([
      'FailedMount: MountVolume.NodeAffinity check failed for volume "pv" : no matching NodeSelectorTerms',
    ]);
    const volumes = inZone('z1');
    await mountOne(volumes, podWith(ofClaim));
    await volumes.unmount('u-1');
  });

  it('get the secret of their pod’s namespace, and no share that is staged for another', async () => {
    const process = await start('file.csi.azure.com');
    agent.known = { ...agent.known, secrets: { key: { azurestorageaccountkey: 'k' } } };
    const volumes = create();
    const share = { azureFile: { secretName: 'key', shareName: 's', readOnly: true } };
    const one = await mountOne(volumes, podWith(share));
    expect(one).to.include({ isReadOnly: true });
    const [staged] = await callsOf(process);
    expect(staged?.[1]).to.deep.include({
      volume_id: '#key#s#',
      secrets: { azurestorageaccountkey: 'k' },
      volume_context: { sharename: 's' },
    });
    await mountOne(volumes, podWith(share, 'u-2', 'other'));
    expect(methodsOf(await callsOf(process))).to.deep.equal(['NodeStageVolume', 'NodePublishVolume']);
    await volumes.unmount('u-1');
    await volumes.unmount('u-2');
    expect(await agent.files()).to.deep.equal([]);
  });

  it('never leave their folders, whatever authors of pods call them', async () => {
    const process = await start('csi.vsphere.vmware.com');
    const volumes = create();
    const volumePath = 'a/../../../../../../x.vmdk';
    await mountOne(volumes, podWith({ vsphereVolume: { volumePath } }));
    const [staged] = await callsOf(process);
    const name = `csi.vsphere.vmware.com-${volumePath.replaceAll('/', '~')}`;
    expect(staged?.[1].staging_target_path).to.equal(
      join(root, `plugins/orch.io/csi/pv/${name}/globalmount`),
    );
    await volumes.unmount('u-1');
    expect(await agent.files()).to.deep.equal([]);
  });

  it('that share a name with another wait until that is gone', async () => {
    const process = await start('disk.csi.azure.com');
    const volumes = create();
    const pod = (diskURI: string, uid: string) => podWith({ azureDisk: { diskName: 'd', diskURI } }, uid);
    await mountOne(volumes, pod('uri-1', 'u-1'));
    const refusal =
      'FailedMount: MountVolume.MountDevice failed for volume "disk.csi.azure.com-d" : the name is that of orch.io/csi/disk.csi.azure.com^uri-1, which pods of this node use';
    expect(await complaints(pod('uri-2', 'u-2'), volumes)).to.deep.equal([refusal]);
    const later = create();
    expect(await complaints(pod('uri-2', 'u-2'), later), 'later agent').to.deep.equal([refusal]);
    await later.unmount('u-1');
    await process.calls();
    await mountOne(later, pod('uri-2', 'u-2'));
    const [staged] = await callsOf(process);
    expect(staged?.[1]).to.include({ volume_id: 'uri-2' });
    await later.unmount('u-2');
    expect(await agent.files()).to.deep.equal([]);
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
    const [ofPersistent] = await complaints(podWith(ofClaim, 'u-2'), volumes);
    expect(ofPersistent).to.contain(why);
  });
});
