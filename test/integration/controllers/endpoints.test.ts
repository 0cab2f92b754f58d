import { expect } from 'chai';
import type { ApiClient, JsonObject } from '../../support/api-client.ts';
import { eventually } from '../../support/eventually.ts';
import { inNamespace, pod, service } from '../../support/objects.ts';
import { startTestServer, type TestServer } from '../../support/test-server.ts';

describe('the controller of endpoints', () => {
  let server: TestServer;
  let admin: ApiClient;
  before(async () => {
    server = await startTestServer({
      flags: [
        '--controllers=endpoint,endpointslice,endpointslicemirroring',
        '--disable-admission-plugins=ServiceAccount',
      ],
    });
    admin = server.admin;
    await admin.create('/api/v1/nodes', { metadata: { name: 'n' } });
  });
  after(() => server.stop());

  const merge = (path: string, body: object): Promise<JsonObject> =>
    admin.expect('PATCH', path, { body, contentType: 'application/merge-patch+json' });
  const path = inNamespace('default', 'endpoints/web');
  const untilSubsets = (expected: readonly object[]): Promise<JsonObject> =>
    eventually(async () => {
      const { code, body } = await admin.get(path);
      if (code !== 200) return undefined;
      const seen = (body.subsets ?? []).map(({ addresses, notReadyAddresses }: JsonObject) => ({
        ready: addresses?.map(({ ip }: JsonObject) => ip),
        notReady: notReadyAddresses?.map(({ ip }: JsonObject) => ip),
      }));
      return JSON.stringify(seen) === JSON.stringify(expected) ? body : undefined;
    });

  it('follows services and pods, and removes the endpoints of services that are gone', async () => {
    const web = service('web');
    const labels = { app: 'web' };
    await admin.create(inNamespace('default', 'services'), {
      ...web,
      spec: { ...web.spec, selector: labels },
    });
    await untilSubsets([]);
    const first = pod('p');
    const spec = { ...first.spec, nodeName: 'n' };
    await admin.create(inNamespace('default', 'pods'), { metadata: { ...first.metadata, labels }, spec });
    const status = `${inNamespace('default', 'pods')}/p/status`;
    await merge(status, { status: { phase: 'Running', podIP: '10.9.0.1', podIPs: [{ ip: '10.9.0.1' }] } });
    await untilSubsets([{ notReady: ['10.9.0.1'] }]);
    await merge(status, { status: { conditions: [{ type: 'Ready', status: 'True' }] } });
    await untilSubsets([{ ready: ['10.9.0.1'] }]);
    const slices = '/apis/discovery.orch.io/v1beta1/namespaces/default/endpointslices';
    await eventually(async () => {
      const { items } = await admin.expect('GET', `${slices}?labelSelector=orch.io/service-name=web`);
      const shown = items.map(({ endpoints }: JsonObject) =>
        endpoints?.map(({ conditions }: JsonObject) => conditions),
      );
      return JSON.stringify(shown) === '[[{"ready":true}]]' ? items : undefined;
    });
    await merge(inNamespace('default', 'pods/p'), { metadata: { labels: { app: 'other' } } });
    await untilSubsets([]);
    const { uid } = (await admin.expect('GET', path)).metadata;
    await admin.expect('DELETE', path);
    await eventually(async () => {
      const { body, code } = await admin.get(path);
      return code === 200 && body.metadata.uid !== uid ? true : undefined;
    });
    await admin.expect('DELETE', inNamespace('default', 'services/web'));
    const gone = await eventually(async () => ((await admin.get(path)).code === 404 ? true : undefined));
    expect(gone).to.equal(true);
  });

  it('says when what endpoints follow from has changed', async () => {
    const timed = service('timed');
    const selector = { app: 'timed' };
    const services = inNamespace('default', 'services');
    const made = await admin.create(services, { ...timed, spec: { ...timed.spec, selector } });
    const annotation = 'endpoints.orch.io/last-change-trigger-time';
    const slices = '/apis/discovery.orch.io/v1beta1/namespaces/default/endpointslices';
    const untilTime = (time: string): Promise<true> =>
      eventually(async () => {
        const { body } = await admin.get(inNamespace('default', 'endpoints/timed'));
        const { items } = await admin.expect('GET', `${slices}?labelSelector=orch.io/service-name=timed`);
        const seen = [body, ...items].map(({ metadata }: JsonObject) => metadata?.annotations?.[annotation]);
        return seen.length === 2 && seen.every((each) => each === time) ? true : undefined;
      });
    await untilTime(made.metadata.creationTimestamp);
    const { metadata, spec } = pod('timed');
    await admin.create(inNamespace('default', 'pods'), {
      metadata: { ...metadata, labels: selector },
      spec: { ...spec, nodeName: 'n' },
    });
    const ready = { type: 'Ready', status: 'True', lastTransitionTime: '2040-01-01T00:00:00Z' };
    await merge(inNamespace('default', 'pods/timed/status'), {
      status: { podIP: '10.9.0.3', podIPs: [{ ip: '10.9.0.3' }], conditions: [ready] },
    });
    await untilTime(ready.lastTransitionTime);
  });

  it('mirrors endpoints that somebody wrote to a slice, until its service selects pods', async () => {
    const { spec, ...rest } = service('byhand');
    const { selector: _, ...unselecting } = spec as JsonObject;
    await admin.create(inNamespace('default', 'services'), { ...rest, spec: unselecting });
    const subsets = [{ addresses: [{ ip: '192.0.2.1' }], ports: [{ port: 80 }] }];
    await admin.create(inNamespace('default', 'endpoints'), { metadata: { name: 'byhand' }, subsets });
    const slices = '/apis/discovery.orch.io/v1beta1/namespaces/default/endpointslices';
    const untilAddresses = (expected: readonly string[]): Promise<true> =>
      eventually(async () => {
        const { items } = await admin.expect('GET', `${slices}?labelSelector=orch.io/service-name=byhand`);
        const shown = items.flatMap(({ endpoints }: JsonObject) =>
          (endpoints ?? []).flatMap(({ addresses }: JsonObject) => addresses),
        );
        return shown.join() === expected.join() ? true : undefined;
      });
    await untilAddresses(['192.0.2.1']);
    await merge(inNamespace('default', 'endpoints/byhand'), {
      subsets: [{ addresses: [{ ip: '192.0.2.7' }], ports: [{ port: 80 }] }],
    });
    await untilAddresses(['192.0.2.7']);
    await merge(inNamespace('default', 'services/byhand'), { spec: { selector: { app: 'nobody' } } });
    await untilAddresses([]);
  });

  it("leaves the server's own endpoints alone", async () => {
    const { subsets } = await admin.expect('GET', inNamespace('default', 'endpoints/orch'));
    expect(subsets).to.have.lengthOf(1);
  });
});
