import { expect } from 'chai';
import { after, before, describe, it } from 'mocha';
import type { ApiClient, JsonObject } from '../../support/api-client.ts';
import { establish, widget, widgetDefinition } from '../../support/definitions.ts';
import { eventually } from '../../support/eventually.ts';
import { configMap, inNamespace } from '../../support/objects.ts';
import { startTestServer, type TestServer } from '../../support/test-server.ts';

describe('custom resources among other kinds', () => {
  let server: TestServer;
  let admin: ApiClient;
  before(async () => {
    server = await startTestServer({ flags: ['--controllers=garbagecollector,namespace'] });
    admin = server.admin;
  });
  after(() => server.stop());

  const widgets = (group: string, namespace = 'default'): string =>
    `/apis/${group}/v1/namespaces/${namespace}/widgets`;
  const untilGone = (path: string): Promise<boolean> =>
    eventually(async () => ((await admin.get(path)).code === 404 ? true : undefined));
  const ownedBy = (group: string, { metadata }: JsonObject, more: JsonObject = {}): JsonObject => ({
    ownerReferences: [
      { apiVersion: `${group}/v1`, kind: 'Widget', name: metadata.name, uid: metadata.uid, ...more },
    ],
  });

  it('take what they own with them, and go with their owners, from the first second', async () => {
    const group = 'owners.example.com';
    await establish(admin, widgetDefinition(group));
    const head = await admin.create(widgets(group), widget(group, 'head'));
    const metadata = { name: 'middle', ...ownedBy(group, head) };
    const middle = await admin.create(widgets(group), widget(group, 'middle', { metadata }));
    const maps = inNamespace('default', 'configmaps');
    await admin.create(maps, configMap('tail', {}, ownedBy(group, middle)));
    await admin.expect('DELETE', `${widgets(group)}/head`);
    await untilGone(`${widgets(group)}/middle`);
    await untilGone(`${maps}/tail`);
  });

  it('wait for what they own when they are deleted in the foreground', async () => {
    const group = 'fore.example.com';
    await establish(admin, widgetDefinition(group));
    const owner = await admin.create(widgets(group), widget(group, 'owner'));
    const held = { ...ownedBy(group, owner, { blockOwnerDeletion: true }), finalizers: ['example.com/held'] };
    const path = inNamespace('default', 'configmaps');
    await admin.create(path, configMap('held', {}, held));
    const body = { kind: 'DeleteOptions', apiVersion: 'v1', propagationPolicy: 'Foreground' };
    await admin.expect('DELETE', `${widgets(group)}/owner`, { body });
    await eventually(async () => {
      const { metadata } = (await admin.get(`${path}/held`)).body;
      return metadata.deletionTimestamp === undefined ? undefined : true;
    });
    expect((await admin.get(`${widgets(group)}/owner`)).body.metadata.finalizers).to.deep.equal([
      'foregroundDeletion',
    ]);
    const contentType = 'application/merge-patch+json';
    await admin.expect('PATCH', `${path}/held`, { contentType, body: { metadata: { finalizers: null } } });
    await untilGone(`${widgets(group)}/owner`);
  });

  it('go with their namespace, which waits for their finalizers', async () => {
    const group = 'spaces.example.com';
    await establish(admin, widgetDefinition(group));
    const namespace = 'short-lived';
    await admin.create('/api/v1/namespaces', {
      kind: 'Namespace',
      apiVersion: 'v1',
      metadata: { name: namespace },
    });
    const metadata = { name: 'held', finalizers: ['example.com/held'] };
    await admin.create(widgets(group, namespace), widget(group, 'free'));
    await admin.create(widgets(group, namespace), widget(group, 'held', { metadata }));
    await admin.expect('DELETE', `/api/v1/namespaces/${namespace}`);
    await untilGone(`${widgets(group, namespace)}/free`);
    const waiting = await eventually(async () => {
      const { status } = (await admin.get(`/api/v1/namespaces/${namespace}`)).body;
      return status.conditions?.find(({ type }: JsonObject) => type === 'NamespaceContentRemaining');
    });
    expect(waiting.message).to.include(`widgets.${group} has 1 resource instances`);
    const contentType = 'application/merge-patch+json';
    const body = { metadata: { finalizers: null } };
    await admin.expect('PATCH', `${widgets(group, namespace)}/held`, { contentType, body });
    await untilGone(`/api/v1/namespaces/${namespace}`);
  });
});
