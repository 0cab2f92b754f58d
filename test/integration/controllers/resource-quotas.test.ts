import { expect } from 'chai';
import type { ApiClient, JsonObject } from '../../support/api-client.ts';
import { establish, widgetDefinition } from '../../support/definitions.ts';
import { eventually } from '../../support/eventually.ts';
import { configMap, inNamespace, pod, service } from '../../support/objects.ts';
import { startTestServer, type TestServer } from '../../support/test-server.ts';

const quotas = inNamespace('bounded', 'resourcequotas');

describe('the controller of quotas', () => {
  let server: TestServer;
  let admin: ApiClient;
  before(async () => {
    server = await startTestServer({
      flags: ['--controllers=resourcequota', '--disable-admission-plugins=ServiceAccount'],
    });
    admin = server.admin;
    await admin.create('/api/v1/namespaces', {
      kind: 'Namespace',
      apiVersion: 'v1',
      metadata: { name: 'bounded' },
    });
  });
  after(() => server.stop());

  const create = (name: string, hard: Record<string, string>): Promise<JsonObject> =>
    admin.create(quotas, { kind: 'ResourceQuota', apiVersion: 'v1', metadata: { name }, spec: { hard } });

  const merge = (path: string, body: object): Promise<JsonObject> =>
    admin.expect('PATCH', path, { body, contentType: 'application/merge-patch+json' });

  /** Waits until this is used. */
  const untilUsed = (name: string, used: Record<string, string>): Promise<JsonObject> =>
    eventually(async () => {
      const { status } = await admin.expect('GET', `${quotas}/${name}`);
      return JSON.stringify(status.used) === JSON.stringify(used) ? status : undefined;
    });

  it('fills in what new quotas bound and what is used, and follows changes of the bounds', async () => {
    await admin.create(inNamespace('bounded', 'configmaps'), configMap('before'));
    await create('fill', { configmaps: '5', services: '0' });
    const status = await untilUsed('fill', { configmaps: '1', services: '0' });
    expect(status.hard).to.deep.equal({ configmaps: '5', services: '0' });
    const refused = await admin.send('POST', inNamespace('bounded', 'services'), {
      body: service('one-too-many'),
    });
    expect(refused.code).to.equal(403);
    await merge(`${quotas}/fill`, { spec: { hard: { services: '1', secrets: '2' } } });
    await untilUsed('fill', { configmaps: '1', secrets: '0', services: '0' });
    await admin.create(inNamespace('bounded', 'services'), service('fits'));
    await untilUsed('fill', { configmaps: '1', secrets: '0', services: '1' });
    await admin.expect('DELETE', `${quotas}/fill`);
  });

  it('gives back what is deleted, and what pods used that have ended', async () => {
    await create('back', { pods: '2', 'count/pods': '9' });
    await untilUsed('back', { 'count/pods': '0', pods: '0' });
    for (const name of ['p1', 'p2']) await admin.create(inNamespace('bounded', 'pods'), pod(name));
    await untilUsed('back', { 'count/pods': '2', pods: '2' });
    await merge(`${inNamespace('bounded', 'pods')}/p1/status`, { status: { phase: 'Succeeded' } });
    await untilUsed('back', { 'count/pods': '2', pods: '1' });
    await admin.expect('DELETE', `${inNamespace('bounded', 'pods')}/p2`, { body: { gracePeriodSeconds: 0 } });
    await untilUsed('back', { 'count/pods': '1', pods: '0' });
    await admin.expect('DELETE', `${quotas}/back`);
  });

  it('counts custom resources', async () => {
    const group = 'quota.example.com';
    await establish(admin, widgetDefinition(group));
    const widgets = `/apis/${group}/v1/namespaces/bounded/widgets`;
    const widget = (name: string) => ({ apiVersion: `${group}/v1`, kind: 'Widget', metadata: { name } });
    await admin.create(widgets, widget('a'));
    await create('custom', { [`count/widgets.${group}`]: '2' });
    await untilUsed('custom', { [`count/widgets.${group}`]: '1' });
    await admin.create(widgets, widget('b'));
    expect((await admin.send('POST', widgets, { body: widget('c') })).code).to.equal(403);
    await admin.expect('DELETE', `${widgets}/a`);
    await untilUsed('custom', { [`count/widgets.${group}`]: '1' });
  });
});
