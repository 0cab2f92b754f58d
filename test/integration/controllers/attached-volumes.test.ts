import { expect } from 'chai';
import { attachmentNameOf } from '../../../src/controllers/attach-detach/attachable-volume.ts';
import type { ApiClient, JsonObject } from '../../support/api-client.ts';
import { eventually } from '../../support/eventually.ts';
import { inNamespace } from '../../support/objects.ts';
import { startTestServer, type TestServer } from '../../support/test-server.ts';

const pods = inNamespace('default', 'pods');
const claims = inNamespace('default', 'persistentvolumeclaims');
const attachments = '/apis/storage.orch.io/v1/volumeattachments';
const mergePatch = 'application/merge-patch+json';
const keyOf = (volume: string): string => `orch.io/csi/d.example^${volume}`;
const pathOf = (handle: string, node: string): string =>
  `${attachments}/${attachmentNameOf({ driver: 'd.example', handle, node })}`;

describe('the controller that has volumes attached', () => {
  let server: TestServer;
  let admin: ApiClient;
  before(async () => {
    server = await startTestServer({
      flags: [
        '--controllers=attachdetach,persistentvolume-binder',
        '--disable-admission-plugins=ServiceAccount,StorageObjectInUseProtection',
      ],
    });
    admin = server.admin;
    for (const name of ['a', 'b']) {
      const annotations = { 'volumes.orch.io/controller-managed-attach-detach': 'true' };
      await admin.create('/api/v1/nodes', { metadata: { name, annotations } });
    }
  });
  after(() => server.stop());

  const createVolume = async (name: string): Promise<void> => {
    const common = { accessModes: ['ReadWriteOnce'], storageClassName: name };
    const csi = { driver: 'd.example', volumeHandle: name };
    const spec = { ...common, capacity: { storage: '1Gi' }, csi };
    await admin.create('/api/v1/persistentvolumes', { metadata: { name }, spec });
    const resources = { requests: { storage: '1Gi' } };
    await admin.create(claims, { metadata: { name }, spec: { ...common, resources } });
  };
  const createPod = (name: string, nodeName: string, claimName: string): Promise<unknown> =>
    admin.create(pods, {
      metadata: { name },
      spec: {
        nodeName,
        containers: [{ name: 'c', image: 'i' }],
        volumes: [{ name: 'data', persistentVolumeClaim: { claimName } }],
      },
    });
  const deletePod = (name: string): Promise<unknown> =>
    admin.expect('DELETE', `${pods}/${name}`, { body: { gracePeriodSeconds: 0 } });
  const patchStatus = (path: string, status: object): Promise<JsonObject> =>
    admin.expect('PATCH', `${path}/status`, { body: { status }, contentType: mergePatch });
  const untilThere = (path: string): Promise<JsonObject> =>
    eventually(async () => {
      const { code, body } = await admin.get(path);
      return code === 200 ? body : undefined;
    });
  const untilGone = (path: string): Promise<unknown> =>
    eventually(async () => ((await admin.get(path)).code === 404 ? true : undefined));
  const untilShown = (node: string, keys: readonly string[]): Promise<unknown> =>
    eventually(async () => {
      const { status } = await admin.expect('GET', `/api/v1/nodes/${node}`);
      const names = (status.volumesAttached ?? []).map(({ name }: JsonObject) => name);
      return names.join() === keys.join() ? true : undefined;
    });
  const untilTold = (pod: string, reason: string): Promise<JsonObject> =>
    eventually(async () => {
      const { items } = await admin.expect('GET', inNamespace('default', 'events'));
      return items.find((event: JsonObject) => event.involvedObject.name === pod && event.reason === reason);
    });

  it('asks for a volume, shows it when it is attached, and has it detached when its pod is gone', async () => {
    await createVolume('v');
    await createPod('p', 'a', 'v');
    const { spec } = await untilThere(pathOf('v', 'a'));
    expect(spec).to.deep.equal({
      ...{ attacher: 'd.example', nodeName: 'a' },
      source: { persistentVolumeName: 'v' },
    });
    await patchStatus(pathOf('v', 'a'), { attached: true });
    await untilShown('a', [keyOf('v')]);
    const { message, type, source } = await untilTold('p', 'SuccessfulAttachVolume');
    expect([message, type, source.component]).to.deep.equal([
      'AttachVolume.Attach succeeded for volume "v" ',
      'Normal',
      'attachdetach-controller',
    ]);
    await deletePod('p');
    await untilGone(pathOf('v', 'a'));
    await untilShown('a', []);
  });

  it('tells pods why their volume is not attached, and tries again', async () => {
    await createVolume('w');
    await createPod('q', 'a', 'w');
    await untilThere(pathOf('w', 'a'));
    await patchStatus(pathOf('w', 'a'), { attached: false, attachError: { message: 'no room' } });
    const { message } = await untilTold('q', 'FailedAttachVolume');
    expect(message).to.equal('AttachVolume.Attach failed for volume "w" : no room');
    await patchStatus(pathOf('w', 'a'), { attached: true, attachError: null });
    await untilShown('a', [keyOf('w')]);
    await deletePod('q');
    await untilGone(pathOf('w', 'a'));
  });

  it('moves a volume to another node when the first has let go of it', async () => {
    await createVolume('x');
    await createPod('r', 'a', 'x');
    await untilThere(pathOf('x', 'a'));
    await patchStatus(pathOf('x', 'a'), { attached: true });
    await untilShown('a', [keyOf('x')]);
    await patchStatus('/api/v1/nodes/a', { volumesInUse: [keyOf('x')] });
    await createPod('s', 'b', 'x');
    const { message } = await untilTold('s', 'FailedAttachVolume');
    expect(message).to.equal('Multi-Attach error for volume "x" Volume is already used by pod(s) r');
    await deletePod('r');
    await patchStatus('/api/v1/nodes/a', { volumesInUse: null });
    await untilGone(pathOf('x', 'a'));
    await untilThere(pathOf('x', 'b'));
    await patchStatus(pathOf('x', 'b'), { attached: true });
    await untilShown('b', [keyOf('x')]);
    await untilShown('a', []);
  });
});
