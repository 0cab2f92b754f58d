import { expect } from 'chai';
import { after, before, describe, it } from 'mocha';
import type { ApiClient } from '../../../support/api-client.ts';
import { deployment, inNamespace, pod } from '../../../support/objects.ts';
import { startTestServer, type TestServer } from '../../../support/test-server.ts';

const pods = inNamespace('default', 'pods');
const deployments = '/apis/apps/v1/namespaces/default/deployments';
const budgets = '/apis/policy/v1beta1/namespaces/default/poddisruptionbudgets';
const contentType = 'application/merge-patch+json';

describe('subresources over HTTP', () => {
  let server: TestServer;
  let admin: ApiClient;
  before(async () => {
    server = await startTestServer({ flags: ['--disable-admission-plugins=ServiceAccount'] });
    admin = server.admin;
  });
  after(() => server.stop());

  it('scale a deployment while others watch it', async () => {
    await admin.create(deployments, deployment('web', { replicas: 1 }));
    const watch = await admin.watch(deployments, { fieldSelector: 'metadata.name=web' });
    const body = { spec: { replicas: 3 } };
    const scale = await admin.expect('PATCH', `${deployments}/web/scale`, { body, contentType });
    expect(scale.kind).to.equal('Scale');
    const [added, changed] = await watch.take(2);
    expect(added?.object.spec.replicas).to.equal(1);
    expect(changed?.object.spec.replicas).to.equal(3);
    expect(changed?.object.metadata.resourceVersion).to.equal(scale.metadata.resourceVersion);
    watch.close();
  });

  it('take a scale for an object by its name only', async () => {
    await admin.create(deployments, deployment('named', { replicas: 1 }));
    const put = (metadata: object) =>
      admin.send('PUT', `${deployments}/named/scale`, { body: { metadata, spec: { replicas: 2 } } });
    const refused = await put({});
    expect(refused.code).to.equal(400);
    expect(refused.body.message).to.equal(
      'the name of the object (named based on URL) was undeterminable: name must be provided',
    );
    expect((await put({ name: 'named', namespace: 'default' })).code).to.equal(200);
  });

  it('bind one pod once, whoever asks at the same time', async () => {
    await admin.create(pods, pod('free'));
    const answers = await Promise.all(
      ['a', 'b', 'c'].map((name) =>
        admin.send('POST', `${pods}/free/binding`, {
          body: { metadata: { name: 'free' }, target: { kind: 'Node', name } },
        }),
      ),
    );
    expect(answers.map(({ code }) => code).sort()).to.deep.equal([201, 409, 409]);
    const { spec } = (await admin.get(`${pods}/free`)).body;
    expect(['a', 'b', 'c']).to.include(spec.nodeName);
  });

  it('evict no more pods than the budget allows', async () => {
    const names = ['one', 'two', 'three'];
    for (const name of names) {
      await admin.create(pods, pod(name, { labels: { app: 'guarded' } }));
      await admin.expect('PATCH', `${pods}/${name}/status`, {
        body: { status: { phase: 'Running' } },
        contentType,
      });
    }
    const spec = { minAvailable: 1, selector: { matchLabels: { app: 'guarded' } } };
    await admin.create(budgets, { metadata: { name: 'guard' }, spec });
    const status = {
      observedGeneration: 1,
      disruptionsAllowed: 2,
      currentHealthy: 3,
      desiredHealthy: 1,
      expectedPods: 3,
    };
    await admin.expect('PATCH', `${budgets}/guard/status`, { body: { status }, contentType });
    const answers = await Promise.all(
      names.map((name) =>
        admin.send('POST', `${pods}/${name}/eviction`, {
          body: { metadata: { name }, deleteOptions: { gracePeriodSeconds: 0 } },
        }),
      ),
    );
    expect(answers.map(({ code }) => code).sort()).to.deep.equal([201, 201, 429]);
    const guard = (await admin.get(`${budgets}/guard`)).body;
    expect(guard.status.disruptionsAllowed).to.equal(0);
    expect(Object.keys(guard.status.disruptedPods)).to.have.lengthOf(2);
  });

  it('replace finalizers of a namespace, and with the last one remove it', async () => {
    const path = '/api/v1/namespaces/passing';
    const body = (await admin.create('/api/v1/namespaces', { metadata: { name: 'passing' } })) as {
      metadata: { resourceVersion?: string };
    };
    await admin.expect('DELETE', path);
    expect((await admin.get(path)).body.status.phase).to.equal('Terminating');
    delete body.metadata.resourceVersion;
    await admin.expect('PUT', `${path}/finalize`, { body: { ...body, spec: { finalizers: [] } } });
    expect((await admin.get(path)).code).to.equal(404);
  });

  it('show components, as they are seen without controllers', async () => {
    const { body, headers } = await admin.get('/api/v1/componentstatuses');
    const seen = body.items.map((item: { metadata: { name: string }; conditions: { status: string }[] }) => [
      item.metadata.name,
      item.conditions[0]?.status,
    ]);
    expect(seen).to.deep.equal([
      ['controller-manager', 'False'],
      ['scheduler', 'False'],
      ['etcd-0', 'True'],
    ]);
    expect(headers.warning).to.equal('299 - "v1 ComponentStatus is deprecated in v1.19+"');
  });
});
