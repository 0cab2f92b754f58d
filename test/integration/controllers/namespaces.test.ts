import { expect } from 'chai';
import { namespaceController } from '../../../src/controllers/namespace/namespace-controller.ts';
import { createDialect } from '../../../src/machinery/dialect.ts';
import type { ApiClient, JsonObject } from '../../support/api-client.ts';
import { runController } from '../../support/controller-run.ts';
import { eventually } from '../../support/eventually.ts';
import { configMap, deployment, inNamespace, pod, service } from '../../support/objects.ts';
import { SimulatedTime } from '../../support/simulated-time.ts';
import { startTestServer, type TestServer } from '../../support/test-server.ts';
import type { WatchReader } from '../../support/watch-reader.ts';

const namespaces = '/api/v1/namespaces';
const namespace = (name: string) => ({ kind: 'Namespace', apiVersion: 'v1', metadata: { name } });
const secret = { kind: 'Secret', apiVersion: 'v1', metadata: { name: 's' } };
const account = { kind: 'ServiceAccount', apiVersion: 'v1', metadata: { name: 'a' } };
const mergePatch = 'application/merge-patch+json';

describe('controllers of namespaces', () => {
  let server: TestServer;
  let admin: ApiClient;
  let watch: WatchReader;
  before(async () => {
    server = await startTestServer({ flags: ['--controllers=*'] });
    admin = server.admin;
    watch = await admin.watch(namespaces);
  });
  after(async () => {
    watch.close();
    await server.stop();
  });

  const gone = (name: string): Promise<void> =>
    watch.until(() => watch.lines.includes(`DELETED ${name}`), `the end of ${name}`);

  it('empty a namespace of all kinds that is deleted, and let it go', async () => {
    await admin.create(namespaces, namespace('full'));
    await admin.create(inNamespace('full', 'secrets'), secret);
    await admin.create(inNamespace('full', 'serviceaccounts'), account);
    await admin.create(inNamespace('full', 'services'), service('s'));
    await admin.create(inNamespace('full', 'pods'), pod('p'));
    await admin.create('/apis/apps/v1/namespaces/full/deployments', deployment('d'));
    for (let at = 0; at < 20; at++)
      await admin.create(inNamespace('full', 'configmaps'), configMap(`c${at}`));
    await admin.expect('DELETE', `${namespaces}/full`);
    await gone('full');
    for (const path of [
      inNamespace('full', 'secrets'),
      inNamespace('full', 'serviceaccounts'),
      inNamespace('full', 'services'),
      inNamespace('full', 'pods'),
      inNamespace('full', 'configmaps'),
      '/apis/apps/v1/namespaces/full/deployments',
    ]) {
      const { body } = await admin.get(path);
      expect(body.items, path).to.deep.equal([]);
    }
    const last = watch.events.findLast(({ object }) => object.metadata.name === 'full');
    const statuses = last?.object.status.conditions.map(({ status }: JsonObject) => status);
    expect(statuses).to.deep.equal(['False', 'False', 'False', 'False', 'False']);
  });

  it('say what holds a namespace back, and wait for it', async () => {
    await admin.create(namespaces, namespace('held'));
    const held = configMap('held', {}, { finalizers: ['example.com/f'] });
    await admin.create(inNamespace('held', 'configmaps'), held);
    await admin.expect('DELETE', `${namespaces}/held`);
    const remaining = () =>
      watch.events
        .filter(({ object }) => object.metadata.name === 'held')
        .flatMap(({ object }) => object.status.conditions ?? [])
        .filter(({ status }: JsonObject) => status === 'True')
        .map(({ type, message }: JsonObject) => `${type}: ${message}`);
    await watch.until(() => remaining().length >= 2, 'conditions');
    expect(remaining()).to.include.members([
      'NamespaceContentRemaining: Some resources are remaining: configmaps. has 1 resource instances',
      'NamespaceFinalizersRemaining: Some content in the namespace has finalizers remaining: example.com/f in 1 resource instances',
    ]);
    await admin.expect('PATCH', `${inNamespace('held', 'configmaps')}/held`, {
      body: { metadata: { finalizers: null } },
      contentType: mergePatch,
    });
    await gone('held');
  });

  it('leave the last word to other finalizers of the namespace', async () => {
    await admin.create(namespaces, { ...namespace('others'), spec: { finalizers: ['example.com/f'] } });
    await admin.expect('DELETE', `${namespaces}/others`);
    const finalizers = () =>
      watch.events
        .findLast(({ object }) => object.metadata.name === 'others')
        ?.object.spec.finalizers?.join();
    await watch.until(() => finalizers() === 'example.com/f', 'the own finalizer gone');
    const { body } = await admin.get(`${namespaces}/others`);
    await admin.expect('PUT', `${namespaces}/others/finalize`, { body: { ...body, spec: {} } });
    await gone('others');
  });

  it('empty a namespace again that has the name of an earlier one', async () => {
    for (let round = 1; round <= 2; round++) {
      await admin.create(namespaces, namespace('again'));
      await admin.create(inNamespace('again', 'configmaps'), configMap('c'));
      await admin.expect('DELETE', `${namespaces}/again`);
      const ends = () => watch.lines.filter((line) => line === 'DELETED again').length;
      await watch.until(() => ends() === round, `end ${round}`);
      expect((await admin.get(inNamespace('again', 'configmaps'))).body.items).to.deep.equal([]);
    }
  });

  it('give a namespace its account and certificate, again when they are taken away or changed', async () => {
    await admin.create(namespaces, namespace('equipped'));
    const accounts = await admin.watch(inNamespace('equipped', 'serviceaccounts'));
    const maps = await admin.watch(inNamespace('equipped', 'configmaps'));
    await accounts.until(() => accounts.lines.includes('ADDED default'), 'an account');
    await maps.until(() => maps.lines.includes('ADDED orch-root-ca.crt'), 'a certificate');
    expect(maps.events[0]?.object.data['ca.crt']).to.equal(server.server.authorityPem);
    await admin.expect('DELETE', `${inNamespace('equipped', 'serviceaccounts')}/default`);
    const added = () => accounts.lines.filter((line) => line === 'ADDED default').length;
    await accounts.until(() => added() === 2, 'another account');
    await admin.expect('PATCH', `${inNamespace('equipped', 'configmaps')}/orch-root-ca.crt`, {
      body: { data: { 'ca.crt': 'forged' } },
      contentType: mergePatch,
    });
    await maps.until(() => maps.events.length >= 3, 'a repair');
    expect(maps.events[2]?.object.data['ca.crt']).to.equal(server.server.authorityPem);
    accounts.close();
    maps.close();
  });
});

describe('the controller of namespaces', () => {
  it('leaves the content of a namespace alone for five seconds', async () => {
    const server = await startTestServer();
    const { admin } = server;
    const time = new SimulatedTime(Date.now());
    const delays: number[] = [];
    const clock = time.clockOf('controller');
    const stop = runController(server, namespaceController, {
      clock: {
        nowMs: clock.nowMs,
        setTimer(delayMs, callback) {
          delays.push(delayMs);
          return clock.setTimer(delayMs, callback);
        },
      },
    });
    const watch = await admin.watch(namespaces);
    try {
      await admin.create(namespaces, namespace('late'));
      await admin.create(inNamespace('late', 'configmaps'), configMap('c'));
      await admin.expect('DELETE', `${namespaces}/late`);
      await eventually(async () => delays.includes(5000) || undefined);
      await time.pass(4999);
      expect((await admin.get(inNamespace('late', 'configmaps'))).body.items).to.have.lengthOf(1);
      await time.pass(1);
      await watch.until(() => watch.lines.includes('DELETED late'), 'its end');
    } finally {
      watch.close();
      await stop();
      await server.stop();
    }
  });
});

describe('controllers in the other dialect', () => {
  it('know its finalizer and its config map', async () => {
    const server = await startTestServer({ flags: ['--dialect=kubernetes', '--controllers=*'] });
    const watch = await server.admin.watch(namespaces);
    await server.admin.create(namespaces, namespace('other'));
    const maps = await server.admin.watch(inNamespace('other', 'configmaps'));
    await maps.until(() => maps.events.length > 0, 'a certificate');
    expect(maps.events[0]?.object.metadata.name).to.equal(createDialect('kubernetes').rootCaConfigMap);
    await server.admin.expect('DELETE', `${namespaces}/other`);
    await watch.until(() => watch.lines.includes('DELETED other'), 'its end');
    maps.close();
    watch.close();
    await server.stop();
  });
});
