import { expect } from 'chai';
import type { ApiClient, JsonObject } from '../../support/api-client.ts';
import { eventually } from '../../support/eventually.ts';
import { inNamespace } from '../../support/objects.ts';
import { startTestServer, type TestServer } from '../../support/test-server.ts';

const volumes = '/api/v1/persistentvolumes';
const claims = inNamespace('default', 'persistentvolumeclaims');

describe('the controllers of volumes', () => {
  let server: TestServer;
  let admin: ApiClient;
  before(async () => {
    server = await startTestServer({
      flags: [
        '--controllers=persistentvolume-binder,persistentvolume-expander,pv-protection,pvc-protection',
        '--feature-gates=CSIMigrationProvider1=true',
        '--disable-admission-plugins=ServiceAccount',
        '--pvclaimbinder-sync-period=500ms',
      ],
    });
    admin = server.admin;
  });
  after(() => server.stop());

  const untilPhase = (path: string, phase: string): Promise<JsonObject> =>
    eventually(async () => {
      const object = await admin.expect('GET', path);
      return object.status.phase === phase ? object : undefined;
    });

  it('bind a claim, and release its volume when the claim is deleted', async () => {
    const common = { accessModes: ['ReadWriteOnce'], storageClassName: '' };
    await admin.create(volumes, {
      apiVersion: 'v1',
      kind: 'PersistentVolume',
      metadata: { name: 'v' },
      spec: { ...common, capacity: { storage: '1Gi' }, hostPath: { path: '/data' } },
    });
    await untilPhase(`${volumes}/v`, 'Available');
    await admin.create(claims, {
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: { name: 'c' },
      spec: { ...common, resources: { requests: { storage: '1Gi' } } },
    });
    const claim = await untilPhase(`${claims}/c`, 'Bound');
    expect(claim.spec.volumeName).to.equal('v');
    const volume = await untilPhase(`${volumes}/v`, 'Bound');
    expect(volume.spec.claimRef.uid).to.equal(claim.metadata.uid);
    await admin.expect('DELETE', `${claims}/c`);
    await untilPhase(`${volumes}/v`, 'Released');
  });

  it('empty a volume with a pod, so that it is free again', async () => {
    const common = { accessModes: ['ReadWriteOnce'], storageClassName: 'again' };
    await admin.create(volumes, {
      ...{ apiVersion: 'v1', kind: 'PersistentVolume', metadata: { name: 'r' } },
      spec: {
        ...{ ...common, capacity: { storage: '1Gi' }, hostPath: { path: '/data' } },
        persistentVolumeReclaimPolicy: 'Recycle',
      },
    });
    await admin.create(claims, {
      ...{ apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata: { name: 'r' } },
      spec: { ...common, resources: { requests: { storage: '1Gi' } } },
    });
    await untilPhase(`${volumes}/r`, 'Bound');
    await untilPhase(`${claims}/r`, 'Bound');
    await admin.expect('DELETE', `${claims}/r`);
    const pods = inNamespace('default', 'pods');
    const end = async (phase: string): Promise<void> => {
      await eventually(async () => {
        const { code } = await admin.send('PATCH', `${pods}/recycler-for-r/status`, {
          body: { status: { phase } },
          contentType: 'application/merge-patch+json',
        });
        return code === 200 || undefined;
      });
    };
    await end('Failed');
    const failed = await untilPhase(`${volumes}/r`, 'Failed');
    expect(failed.status.message).to.equal(
      'Recycle failed: failed to recycle volume: pod failed, pod.Status.Message unknown',
    );
    await end('Succeeded');
    const { spec } = await untilPhase(`${volumes}/r`, 'Available');
    expect(spec).not.to.have.property('claimRef');
  });

  it('ask the driver for volumes of a class whose kind a gate leaves to it', async () => {
    await admin.create('/apis/storage.orch.io/v1/storageclasses', {
      apiVersion: 'storage.orch.io/v1',
      kind: 'StorageClass',
      metadata: { name: 'disks' },
      provisioner: 'orch.io/aws-ebs',
    });
    await admin.create(claims, {
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: { name: 'd' },
      spec: {
        accessModes: ['ReadWriteOnce'],
        storageClassName: 'disks',
        resources: { requests: { storage: '1Gi' } },
      },
    });
    const asked = await eventually(async () => {
      const { metadata } = await admin.expect('GET', `${claims}/d`);
      return metadata.annotations?.['volume.beta.orch.io/storage-provisioner'];
    });
    expect(asked).to.equal('ebs.csi.aws.com');
  });

  it('say who is waited for when a claim is to grow', async () => {
    const classes = '/apis/storage.orch.io/v1/storageclasses';
    const provisioner = 'example.com/disks';
    await admin.create(classes, { metadata: { name: 'growing' }, provisioner, allowVolumeExpansion: true });
    const common = { accessModes: ['ReadWriteOnce'], storageClassName: 'growing' };
    const size = (storage: string) => ({ resources: { requests: { storage } } });
    const csi = { driver: 'example.com', volumeHandle: 'h' };
    const spec = { ...common, capacity: { storage: '1Gi' }, csi };
    await admin.create(volumes, { metadata: { name: 'g' }, spec });
    await untilPhase(`${volumes}/g`, 'Available');
    await admin.create(claims, { metadata: { name: 'g' }, spec: { ...common, ...size('1Gi') } });
    await untilPhase(`${claims}/g`, 'Bound');
    await admin.expect('PATCH', `${claims}/g`, {
      body: { spec: size('2Gi') },
      contentType: 'application/merge-patch+json',
    });
    const event = await eventually(async () => {
      const { items } = await admin.expect('GET', inNamespace('default', 'events'));
      return items.find(({ reason }: JsonObject) => reason === 'ExternalExpanding');
    });
    expect([event.type, event.source.component, event.involvedObject.name]).to.deep.equal([
      'Warning',
      'volume_expand',
      'g',
    ]);
  });
});
