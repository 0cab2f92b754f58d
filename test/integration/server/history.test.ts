import { expect } from 'chai';
import { after, before, describe, it } from 'mocha';
import type { JsonObject } from '../../support/api-client.ts';
import { configMap, inNamespace } from '../../support/objects.ts';
import { makeTemporaryDirectory, type TemporaryDirectory } from '../../support/temporary-directory.ts';
import { startTestServer, type TestServer } from '../../support/test-server.ts';

const maps = inNamespace('default', 'configmaps');
const secrets = inNamespace('default', 'secrets');
const hour = 60 * 60_000;

// After a restart only the store knows the past.
describe('history over HTTP', () => {
  let directory: TemporaryDirectory;
  let server: TestServer;
  /** Versions of the objects named `web`: before it, as it was made, changed. */
  let versions: { before: string; made: string; changed: string };
  let betweenMs: number;

  before(async () => {
    directory = await makeTemporaryDirectory();
    const flags = [`--data-dir=${directory.path}`, '--history=1h', '--authorization-mode=RBAC'];
    server = await startTestServer({ flags });
    const { admin } = server;
    const before = (await admin.get(maps)).body.metadata.resourceVersion;
    const made = await admin.create(maps, { ...configMap('web'), data: { step: '1' } });
    await admin.create(secrets, { ...configMap('web'), kind: 'Secret', data: { word: 'b2xk' } });
    await server.stop();
    // The clean stop noted the time of this.
    betweenMs = Date.now();
    server = await startTestServer({ flags });
    const changed = await server.admin.expect('PUT', `${maps}/web`, {
      body: { ...made, data: { step: '2' } },
    });
    await server.admin.create(maps, configMap('other'));
    const { resourceVersion } = made.metadata;
    versions = { before, made: resourceVersion, changed: changed.metadata.resourceVersion };
    for (const [kind, name] of [
      ['secrets', 'guard'],
      ['configmaps', 'reader'],
    ] as const) {
      const metadata = { name };
      const rbac = 'rbac.authorization.orch.io';
      const rules = [{ apiGroups: [''], resources: [kind], resourceNames: ['web'], verbs: ['list'] }];
      const base = `/apis/${rbac}/v1/namespaces/default`;
      await server.admin.create(`${base}/roles`, { apiVersion: `${rbac}/v1`, kind: 'Role', metadata, rules });
      await server.admin.create(`${base}/rolebindings`, {
        apiVersion: `${rbac}/v1`,
        kind: 'RoleBinding',
        metadata,
        subjects: [{ apiGroup: rbac, kind: 'User', name }],
        roleRef: { apiGroup: rbac, kind: 'Role', name },
      });
    }
  });
  after(async () => {
    await server.stop();
    await directory[Symbol.asyncDispose]();
  });

  const exact = (path: string, version: string, fields = 'metadata.name=web') =>
    `${path}?resourceVersionMatch=Exact&resourceVersion=${encodeURIComponent(version)}&fieldSelector=${fields}`;
  const at = (ms: number) => `@${new Date(ms).toISOString()}`;
  const steps = ({ items }: JsonObject) => items.map(({ data }: JsonObject) => data);

  it('shows what one object was at each version', async () => {
    for (const [version, expected] of [
      [versions.before, []],
      [versions.made, [{ step: '1' }]],
      [versions.changed, [{ step: '2' }]],
    ] as const) {
      const { code, body } = await server.admin.get(exact(maps, version));
      expect([code, steps(body), body.metadata.resourceVersion]).to.deep.equal([200, expected, version]);
    }
    const others = await server.admin.get(
      exact(maps, versions.made, 'metadata.name=web,metadata.namespace=x'),
    );
    expect(others.body.items, 'other selectors count too').to.deep.equal([]);
  });

  it('shows what there was at a time, also of before the server began', async () => {
    for (const [version, expected] of [
      [at(betweenMs), [{ step: '1' }]],
      [at(Date.now() + hour), [{ step: '2' }]],
    ] as const) {
      const { code, body } = await server.admin.get(exact(maps, version));
      expect([code, steps(body)], version).to.deep.equal([200, expected]);
    }
    const all = await server.admin.get(exact(maps, at(betweenMs), ''));
    expect(all.body.items.map(({ metadata }: { metadata: { name: string } }) => metadata.name)).to.deep.equal(
      ['web'],
    );
  });

  it('has nothing of times before its first, and knows times in exact lists only', async () => {
    const early = await server.admin.get(exact(maps, at(betweenMs - hour)));
    expect([early.code, early.body.reason]).to.deep.equal([410, 'Expired']);
    const loose = await server.admin.get(`${maps}?resourceVersion=${at(betweenMs)}`);
    expect(loose.code).to.equal(500);
    const wrong = await server.admin.get(exact(maps, '@yesterday'));
    expect([wrong.code, wrong.body.message]).to.deep.equal([
      400,
      'invalid resource version: resourceVersion: Invalid value: "@yesterday": strconv.ParseUint: parsing "@yesterday": invalid syntax',
    ]);
  });

  it('shows to whoever may list the object, and to nobody else', async () => {
    const as = async (user: string, path: string) =>
      (await server.admin.get(path, { 'Impersonate-User': user })).code;
    for (const version of [versions.changed, versions.made, at(betweenMs)]) {
      expect(await as('guard', exact(secrets, version)), version).to.equal(200);
      expect(await as('reader', exact(secrets, version)), version).to.equal(403);
      expect(await as('reader', exact(maps, version)), version).to.equal(200);
      expect(await as('reader', exact(maps, version, 'metadata.name=other')), version).to.equal(403);
      expect(await as('reader', exact(maps, version, '')), version).to.equal(403);
    }
  });
});
