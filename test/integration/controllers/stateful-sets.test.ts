import { expect } from 'chai';
import { eventually } from '../../support/eventually.ts';
import { inNamespace } from '../../support/objects.ts';
import { startTestServer, type TestServer } from '../../support/test-server.ts';

describe('the controller of stateful sets', () => {
  let server: TestServer;
  before(async () => {
    server = await startTestServer({
      flags: ['--controllers=statefulset', '--disable-admission-plugins=ServiceAccount'],
    });
  });
  after(() => server.stop());

  it('creates pods with names and volume claims, one after the other, and keeps the claims', async () => {
    const { admin } = server;
    const sets = '/apis/apps/v1/namespaces/default/statefulsets';
    const labels = { app: 'web' };
    await admin.create(sets, {
      kind: 'StatefulSet',
      apiVersion: 'apps/v1',
      metadata: { name: 'web' },
      spec: {
        replicas: 2,
        serviceName: 'web',
        selector: { matchLabels: labels },
        template: { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'i' }] } },
        volumeClaimTemplates: [
          {
            metadata: { name: 'data' },
            spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
          },
        ],
      },
    });
    const pods = inNamespace('default', 'pods');
    const list = async (): Promise<string[]> => {
      const { items } = await admin.expect('GET', pods);
      return items.map(({ metadata }: { metadata: { name: string } }) => metadata.name);
    };
    const first = await eventually(async () => ((await list()).length > 0 ? list() : undefined));
    expect(first).to.deep.equal(['web-0']);
    await admin.expect('PATCH', `${pods}/web-0/status`, {
      body: { status: { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] } },
      contentType: 'application/merge-patch+json',
    });
    await eventually(async () => ((await list()).length === 2 ? true : undefined));
    const { spec } = await admin.expect('GET', `${pods}/web-1`);
    expect(spec.hostname).to.equal('web-1');
    expect(spec.volumes[0].persistentVolumeClaim.claimName).to.equal('data-web-1');
    await eventually(async () => {
      const { status } = await admin.expect('GET', `${sets}/web`);
      return status.replicas === 2 && status.readyReplicas === 1 ? true : undefined;
    });
    const revisions = await admin.expect('GET', '/apis/apps/v1/namespaces/default/controllerrevisions');
    expect(revisions.items).to.have.lengthOf(1);
    const claims = await admin.expect('GET', inNamespace('default', 'persistentvolumeclaims'));
    expect(claims.items).to.have.lengthOf(2);
  });

  it('says which claims of a pod cannot be created', async () => {
    const { admin } = server;
    await admin.create('/api/v1/namespaces', { metadata: { name: 'small' } });
    await admin.create(inNamespace('small', 'limitranges'), {
      metadata: { name: 'l' },
      spec: { limits: [{ type: 'PersistentVolumeClaim', max: { storage: '1Mi' } }] },
    });
    const labels = { app: 'web' };
    const claimOf = (name: string) => ({
      metadata: { name },
      spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
    });
    await admin.create('/apis/apps/v1/namespaces/small/statefulsets', {
      kind: 'StatefulSet',
      apiVersion: 'apps/v1',
      metadata: { name: 'web' },
      spec: {
        serviceName: 'web',
        selector: { matchLabels: labels },
        template: { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'i' }] } },
        volumeClaimTemplates: [claimOf('a'), claimOf('b')],
      },
    });
    const message = await eventually(async () => {
      const { items } = await admin.expect('GET', inNamespace('small', 'events'));
      return items
        .map(({ message }: { message: string }) => message)
        .find((text: string) => /^create Pod/.test(text));
    });
    const forbidden = (name: string): string =>
      `failed to create PVC ${name}: persistentvolumeclaims "${name}" is forbidden: maximum storage usage per PersistentVolumeClaim is 1Mi, but request is 1Gi`;
    expect(message).to.equal(
      `create Pod web-0 in StatefulSet web failed error: [${forbidden('a-web-0')}, ${forbidden('b-web-0')}]`,
    );
  });
});
