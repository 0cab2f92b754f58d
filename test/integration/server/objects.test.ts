import { expect } from 'chai';
import { after, before, describe, it } from 'mocha';
import type { ApiClient } from '../../support/api-client.ts';
import { configMap, inNamespace, pod } from '../../support/objects.ts';
import { startTestServer, type TestServer } from '../../support/test-server.ts';

const maps = inNamespace('default', 'configmaps');

describe('objects over HTTP', () => {
  let server: TestServer;
  let admin: ApiClient;
  before(async () => {
    server = await startTestServer();
    admin = server.admin;
  });
  after(() => server.stop());

  it('are created with uid, time and version, and read back byte for byte', async () => {
    const created = await admin.send('POST', maps, { body: configMap('read-back', { a: '1' }) });
    expect(created.code).to.equal(201);
    const { uid, creationTimestamp, resourceVersion, namespace } = created.body.metadata;
    expect(uid).to.match(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(creationTimestamp).to.match(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
    expect(resourceVersion).to.match(/^[1-9]\d*$/);
    expect(namespace).to.equal('default');
    const read = await admin.get(`${maps}/read-back`);
    expect(read.code).to.equal(200);
    expect(read.text).to.equal(created.text);
  });

  it('exist once under a name', async () => {
    await admin.create(maps, configMap('once'));
    const { code, body } = await admin.send('POST', maps, { body: configMap('once') });
    expect(code).to.equal(409);
    expect(body.reason).to.equal('AlreadyExists');
    expect(body.message).to.equal('configmaps "once" already exists');
    expect(body.details).to.deep.equal({ name: 'once', kind: 'configmaps' });
  });

  it('that are not there are not found, by any verb', async () => {
    for (const method of ['GET', 'DELETE', 'PATCH', 'PUT']) {
      const { code, body } = await admin.send(method, `${maps}/absent`, {
        body: method === 'PUT' ? configMap('absent') : {},
        contentType: method === 'PATCH' ? 'application/merge-patch+json' : 'application/json',
      });
      expect(code, method).to.equal(404);
      expect(body.reason, method).to.equal('NotFound');
      expect(body.message, method).to.equal('configmaps "absent" not found');
    }
  });

  it('stay as they are when a write has no time', async () => {
    const timeout = 'Timeout: request did not complete within requested timeout';
    for (const [given, shown] of [
      ['-5s', '-5s'],
      ['0', '0s'],
    ]) {
      const { code, body } = await admin.send('POST', `${maps}?timeout=${given}`, {
        body: configMap('no-time'),
      });
      expect({ code, message: body.message }).to.deep.equal({ code: 504, message: `${timeout} ${shown}` });
      expect((await admin.get(`${maps}/no-time`)).code).to.equal(404);
    }
    expect((await admin.send('DELETE', `${maps}/none?timeout=-1s`)).code).to.equal(504);
    expect((await admin.get(`${maps}?timeout=-1s`)).code).to.equal(200);
  });

  it('are deleted with options of null as without any', async () => {
    await admin.create(maps, configMap('null-options'));
    expect((await admin.send('DELETE', `${maps}/null-options`, { body: null })).code).to.equal(200);
  });

  it('of the core group are nowhere else', async () => {
    const { code, text } = await admin.get('/apis//v1/namespaces/default/configmaps');
    expect({ code, text }).to.deep.equal({ code: 404, text: '404 page not found\n' });
  });

  it('are replaced when the version is current and refused when it is older', async () => {
    const first = await admin.create(maps, configMap('versions', { a: '1' }));
    const second = await admin.expect('PUT', `${maps}/versions`, { body: { ...first, data: { a: '2' } } });
    expect(Number(second.metadata.resourceVersion)).to.be.above(Number(first.metadata.resourceVersion));
    expect(second.data).to.deep.equal({ a: '2' });
    const late = await admin.send('PUT', `${maps}/versions`, { body: { ...first, data: { a: '3' } } });
    expect(late.code).to.equal(409);
    expect(late.body.reason).to.equal('Conflict');
    expect(late.body.message).to.match(
      /the object has been modified; please apply your changes to the latest version/,
    );
    expect((await admin.get(`${maps}/versions`)).body.data).to.deep.equal({ a: '2' });
  });

  it('keep their version when an update changes nothing', async () => {
    const created = await admin.create(maps, configMap('same', { a: '1' }));
    const updated = await admin.expect('PUT', `${maps}/same`, { body: created });
    expect(updated).to.deep.equal(created);
  });

  it('lose no change when sixteen clients patch at once', async () => {
    await admin.create(maps, configMap('contended'));
    const answers = await Promise.all(
      Array.from({ length: 16 }, (_, at) =>
        admin.send('PATCH', `${maps}/contended`, {
          body: { data: { [`key-${at}`]: String(at) } },
          contentType: 'application/merge-patch+json',
        }),
      ),
    );
    const { data } = (await admin.get(`${maps}/contended`)).body;
    answers.forEach(({ code }, at) => {
      expect([200, 409]).to.include(code);
      expect(data?.[`key-${at}`], `patch ${at}`).to.equal(code === 200 ? String(at) : undefined);
    });
    expect(answers.some(({ code }) => code === 200)).to.equal(true);
  });

  it('are patched with JSON patches and merge patches', async () => {
    await admin.create(maps, configMap('patched', { a: '1', b: '2' }));
    const merged = await admin.expect('PATCH', `${maps}/patched`, {
      body: { data: { a: null, c: '3' } },
      contentType: 'application/merge-patch+json',
    });
    expect(merged.data).to.deep.equal({ b: '2', c: '3' });
    const patched = await admin.expect('PATCH', `${maps}/patched`, {
      body: [
        { op: 'test', path: '/data/b', value: '2' },
        { op: 'replace', path: '/data/b', value: '4' },
        { op: 'remove', path: '/data/c' },
      ],
      contentType: 'application/json-patch+json',
    });
    expect(patched.data).to.deep.equal({ b: '4' });
    const refused = await admin.send('PATCH', `${maps}/patched`, {
      body: [{ op: 'test', path: '/data/b', value: 'other' }],
      contentType: 'application/json-patch+json',
    });
    expect(refused.code).to.equal(422);
  });

  it('of a dry run are answered and not kept', async () => {
    const created = await admin.send('POST', `${maps}?dryRun=All`, { body: configMap('dry') });
    expect(created.code).to.equal(201);
    expect(created.body.metadata.name).to.equal('dry');
    expect(created.body.metadata.resourceVersion).to.equal(undefined);
    expect((await admin.get(`${maps}/dry`)).code).to.equal(404);
    const kept = await admin.create(maps, configMap('dry', { a: '1' }));
    await admin.expect('PUT', `${maps}/dry?dryRun=All`, { body: { ...kept, data: { a: '2' } } });
    await admin.expect('DELETE', `${maps}/dry?dryRun=All`);
    expect((await admin.get(`${maps}/dry`)).body).to.deep.equal(kept);
    const refused = await admin.send('POST', `${maps}?dryRun=Some`, { body: configMap('dry-some') });
    expect(refused.code).to.equal(422);
  });

  it('get a name of their own from generateName', async () => {
    const body = { kind: 'ConfigMap', apiVersion: 'v1', metadata: { generateName: 'made-' } };
    const made = await Promise.all(Array.from({ length: 20 }, () => admin.create(maps, body)));
    const names = made.map(({ metadata }) => metadata.name as string);
    for (const name of names) expect(name).to.match(/^made-[a-z0-9]{5}$/);
    expect(new Set(names)).to.have.lengthOf(20);
  });

  it('with a finalizer stay, marked, until it is taken away', async () => {
    await admin.create(maps, configMap('held', {}, { finalizers: ['example.org/hold'] }));
    const deleted = await admin.send('DELETE', `${maps}/held`);
    expect(deleted.code).to.equal(200);
    const marked = (await admin.get(`${maps}/held`)).body;
    expect(marked.metadata.deletionTimestamp).to.match(/Z$/);
    const added = await admin.send('PATCH', `${maps}/held`, {
      body: { metadata: { finalizers: ['example.org/hold', 'example.org/other'] } },
      contentType: 'application/merge-patch+json',
    });
    expect(added.code).to.equal(422);
    await admin.expect('PATCH', `${maps}/held`, {
      body: { metadata: { finalizers: null } },
      contentType: 'application/merge-patch+json',
    });
    expect((await admin.get(`${maps}/held`)).code).to.equal(404);
  });

  it('are deleted only when the preconditions hold', async () => {
    const { metadata } = await admin.create(maps, configMap('guarded'));
    for (const preconditions of [{ uid: 'another' }, { resourceVersion: '1' }]) {
      const { code, body } = await admin.send('DELETE', `${maps}/guarded`, { body: { preconditions } });
      expect(code).to.equal(409);
      expect(body.reason).to.equal('Conflict');
    }
    const { uid, resourceVersion } = metadata;
    const status = await admin.expect('DELETE', `${maps}/guarded`, {
      body: { preconditions: { uid, resourceVersion } },
    });
    expect(status.status).to.equal('Success');
    expect(status.details).to.deep.equal({ name: 'guarded', kind: 'configmaps', uid });
  });

  it('are deleted together by label', async () => {
    for (const name of ['red-1', 'red-2', 'blue-1']) {
      await admin.create(maps, configMap(name, {}, { labels: { colour: name.split('-')[0] } }));
    }
    await admin.expect('DELETE', `${maps}?labelSelector=colour%3Dred`);
    const { items } = (await admin.get(`${maps}?labelSelector=colour`)).body;
    expect(items.map(({ metadata }: { metadata: { name: string } }) => metadata.name)).to.deep.equal([
      'blue-1',
    ]);
  });

  it('that break rules are refused with every cause', async () => {
    const body = pod('Bad_Name');
    body.spec.containers[0].image = '';
    const { code, body: status } = await admin.send('POST', inNamespace('default', 'pods'), { body });
    expect(code).to.equal(422);
    expect(status.reason).to.equal('Invalid');
    const fields = status.details.causes.map(({ field }: { field: string }) => field);
    expect(fields).to.include.members(['metadata.name', 'spec.containers[0].image']);
  });

  it('that change say what must stay before what no object may be', async () => {
    const secrets = inNamespace('default', 'secrets');
    const secret = (type: string, annotations: object) => ({
      ...{ apiVersion: 'v1', kind: 'Secret', type, metadata: { name: 'kept', annotations } },
    });
    const key = 'orch.io/service-account.name';
    await admin.create(secrets, secret('orch.io/service-account-token', { [key]: 'sa' }));
    const body = secret('orch.io/service-account-token', { '/k': 'v' });
    const { body: status } = await admin.send('PUT', `${secrets}/kept`, { body });
    const fields = status.details.causes.map(({ field }: { field: string }) => field);
    expect(fields).to.deep.equal([...Array(4).fill('metadata.annotations'), `metadata.annotations[${key}]`]);
  });

  it('are created in namespaces that exist only', async () => {
    const path = inNamespace('nowhere', 'configmaps');
    const { code, body } = await admin.send('POST', path, { body: configMap('lost') });
    expect(code).to.equal(404);
    expect(body.message).to.equal('namespaces "nowhere" not found');
  });
});
