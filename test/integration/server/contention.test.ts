import { expect } from 'chai';
import { after, before, describe, it } from 'mocha';
import type { ApiClient } from '../../support/api-client.ts';
import { startEtcd } from '../../support/etcd-process.ts';
import { configMap, deployment, inNamespace, pod } from '../../support/objects.ts';
import { makeTemporaryDirectory } from '../../support/temporary-directory.ts';
import { startTestServer } from '../../support/test-server.ts';

const clients = 50;
const maps = inNamespace('default', 'configmaps');
const deployments = '/apis/apps/v1/namespaces/default/deployments';

/** Number of answers with each code. */
async function countCodes(
  send: (index: number) => Promise<{ readonly code: number }>,
): Promise<Record<number, number>> {
  const counts: Record<number, number> = {};
  const answers = await Promise.all(Array.from({ length: clients }, (_, index) => send(index)));
  for (const { code } of answers) counts[code] = (counts[code] ?? 0) + 1;
  return counts;
}

for (const store of ['SQLite', 'etcd'] as const) {
  describe(`writes of one object at the same time, in ${store}`, () => {
    const needed = new AsyncDisposableStack();
    let admin: ApiClient;

    before(async () => {
      const flags: string[] = [];
      if (store === 'etcd') {
        const { endpoints } = needed.use(await startEtcd({ args: ['--unsafe-no-fsync'] }));
        const { path } = needed.use(await makeTemporaryDirectory());
        flags.push(`--data-dir=${path}`, `--etcd-servers=${endpoints.join()}`);
      }
      const server = await startTestServer({ flags });
      needed.defer(() => server.stop());
      admin = server.admin;
    });
    after(() => needed.disposeAsync());

    const patches = {
      'application/strategic-merge-patch+json': (key: string) => ({ data: { [key]: 'x' } }),
      'application/merge-patch+json': (key: string) => ({ data: { [key]: 'x' } }),
      'application/json-patch+json': (key: string) => [{ op: 'add', path: `/data/${key}`, value: 'x' }],
    };
    for (const [contentType, bodyOf] of Object.entries(patches)) {
      it(`all succeed: ${contentType}`, async () => {
        const name = contentType.replace(/.*\/|-patch.*/g, '');
        await admin.create(maps, configMap(name, { first: '' }));
        const counts = await countCodes((index) =>
          admin.send('PATCH', `${maps}/${name}`, { contentType, body: bodyOf(`k${index}`) }),
        );
        expect(counts).to.deep.equal({ 200: clients });
        const { data } = await admin.expect('GET', `${maps}/${name}`);
        expect(Object.keys(data)).to.have.length(clients + 1);
      });
    }

    it('all succeed: updates that name no version, and configurations of many appliers', async () => {
      await admin.create(maps, configMap('mixed'));
      const counts = await countCodes((index) =>
        index % 2 === 0
          ? admin.send('PUT', `${maps}/mixed`, { body: configMap('mixed', { a: String(index) }) })
          : admin.send('PATCH', `${maps}/mixed?fieldManager=applier-${index}&force=true`, {
              contentType: 'application/apply-patch+yaml',
              body: { apiVersion: 'v1', kind: 'ConfigMap', data: { [`k${index}`]: 'x' } },
            }),
      );
      expect(counts).to.deep.equal({ 200: clients });
    });

    it('all succeed: subresources, beside changes of the rest', async () => {
      await admin.create(deployments, deployment('d', { replicas: 0 }));
      const contentType = 'application/merge-patch+json';
      const counts = await countCodes((index) => {
        const [path, body] = [
          ['/scale', { spec: { replicas: 0 } }],
          ['/status', { status: { conditions: [{ type: `T${index}`, status: 'True' }] } }],
          ['', { metadata: { annotations: { [`a${index}`]: 'x' } } }],
        ][index % 3] as [string, unknown]; // three of them
        return admin.send('PATCH', `${deployments}/d${path}`, { contentType, body });
      });
      expect(counts).to.deep.equal({ 200: clients });
    });

    it('of one disruption budget, by evictions, are counted all', async () => {
      const budgets = '/apis/policy/v1beta1/namespaces/default/poddisruptionbudgets';
      const pods = inNamespace('default', 'pods');
      const contentType = 'application/merge-patch+json';
      await admin.create(budgets, {
        metadata: { name: 'b' },
        spec: { minAvailable: 0, selector: { matchLabels: { evicted: 'yes' } } },
      });
      const counted = {
        disruptionsAllowed: clients,
        currentHealthy: clients,
        desiredHealthy: 0,
        expectedPods: clients,
      };
      const status = { ...counted, observedGeneration: 1 };
      await admin.expect('PATCH', `${budgets}/b/status`, { contentType, body: { status } });
      await countCodes(async (index) => {
        const body = pod(`p${index}`, { labels: { evicted: 'yes' } });
        const created = await admin.send('POST', pods, { body });
        await admin.expect('PATCH', `${pods}/p${index}/status`, {
          contentType,
          body: { status: { phase: 'Running' } },
        });
        return created;
      });
      const counts = await countCodes((index) =>
        admin.send('POST', `${pods}/p${index}/eviction`, {
          body: { apiVersion: 'policy/v1beta1', kind: 'Eviction', metadata: { name: `p${index}` } },
        }),
      );
      expect(counts).to.deep.equal({ 201: clients });
      const { status: left } = await admin.expect('GET', `${budgets}/b`);
      expect(left.disruptionsAllowed).to.equal(0);
      expect(Object.keys(left.disruptedPods)).to.have.length(clients);
    });

    it('let a deletion without conditions come through', async () => {
      await admin.create(maps, configMap('going'));
      const contentType = 'application/merge-patch+json';
      const counts = await countCodes((index) =>
        index === clients / 2
          ? admin.send('DELETE', `${maps}/going`)
          : admin.send('PATCH', `${maps}/going`, { contentType, body: { data: { [`k${index}`]: 'x' } } }),
      );
      expect(Object.keys(counts)).to.have.members(['200', '404'].filter((code) => Number(code) in counts));
      expect((await admin.get(`${maps}/going`)).code).to.equal(404);
    });

    it('let one through of those that name the version that they saw', async () => {
      const { metadata } = await admin.create(maps, configMap('versioned'));
      const { resourceVersion } = metadata;
      const contentType = 'application/merge-patch+json';
      const counts = await countCodes((index) => {
        const body = { metadata: { resourceVersion }, data: { a: String(index) } };
        return admin.send('PATCH', `${maps}/versioned`, { contentType, body });
      });
      expect(counts).to.deep.equal({ 200: 1, 409: clients - 1 });
    });
  });
}
