import { expect } from 'chai';
import type { ApiClient, JsonObject } from '../../support/api-client.ts';
import { configMap, inNamespace } from '../../support/objects.ts';
import { startTestServer, type TestServer } from '../../support/test-server.ts';
import type { WatchReader } from '../../support/watch-reader.ts';

const maps = inNamespace('default', 'configmaps');

describe('the garbage collector', () => {
  let server: TestServer;
  let admin: ApiClient;
  let watch: WatchReader;
  before(async () => {
    server = await startTestServer({ flags: ['--controllers=garbagecollector'] });
    admin = server.admin;
    watch = await admin.watch(maps);
  });
  after(async () => {
    watch.close();
    await server.stop();
  });

  const reference = ({ metadata }: JsonObject, more: JsonObject = {}): JsonObject => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    name: metadata.name,
    uid: metadata.uid,
    ...more,
  });
  const create = (name: string, ownerReferences: JsonObject[] = [], metadata: JsonObject = {}) =>
    admin.create(maps, configMap(name, {}, { ownerReferences, ...metadata }));
  const remove = (name: string, propagationPolicy: string) =>
    admin.expect('DELETE', `${maps}/${name}`, {
      body: { kind: 'DeleteOptions', apiVersion: 'v1', propagationPolicy },
    });
  const gone = (...names: string[]): Promise<void> =>
    watch.until(() => names.every((name) => watch.lines.includes(`DELETED ${name}`)), `the end of ${names}`);
  /** Waits until the collector has seen what was made: it deletes an object whose owner never was. */
  const caughtUp = async (name: string): Promise<void> => {
    await create(name, [reference({ metadata: { name: 'never', uid: `never-${name}` } })]);
    await gone(name);
  };

  it('deletes a chain of dependents after its head', async () => {
    const head = await create('head');
    const middle = await create('middle', [reference(head)]);
    await create('tail', [reference(middle)]);
    await remove('head', 'Background');
    await gone('middle', 'tail');
  });

  it('keeps a dependent that has another owner, without the reference to the one that is gone', async () => {
    const first = await create('first');
    const second = await create('second');
    await create('shared', [reference(first), reference(second)]);
    await remove('first', 'Background');
    const owners = () =>
      watch.events.findLast(({ object }) => object.metadata.name === 'shared')?.object.metadata
        .ownerReferences;
    await watch.until(() => owners()?.length === 1, 'one owner left');
    expect(owners()).to.deep.equal([reference(second)]);
  });

  it('deletes in the foreground from the leaves to the root', async () => {
    const root = await create('root');
    const branch = await create('branch', [reference(root, { blockOwnerDeletion: true })]);
    await create('leaf', [reference(branch, { blockOwnerDeletion: true })]);
    await caughtUp('seen-foreground');
    await remove('root', 'Foreground');
    await gone('root');
    const ends = watch.lines.filter((line) => /^DELETED (root|branch|leaf)$/.test(line));
    expect(ends).to.deep.equal(['DELETED leaf', 'DELETED branch', 'DELETED root']);
  });

  it('opens a circle of owners that wait for one another', async () => {
    const one = await create('one');
    const two = await create('two', [reference(one, { blockOwnerDeletion: true })]);
    await admin.expect('PATCH', `${maps}/one`, {
      body: { metadata: { ownerReferences: [reference(two, { blockOwnerDeletion: true })] } },
      contentType: 'application/merge-patch+json',
    });
    await caughtUp('seen-circle');
    await remove('one', 'Foreground');
    await gone('one', 'two');
  });

  it('releases dependents that their owner orphans', async () => {
    const owner = await create('owner');
    await create('orphaned', [reference(owner)]);
    await caughtUp('seen-orphan');
    await remove('owner', 'Orphan');
    await gone('owner');
    const { body } = await admin.get(`${maps}/orphaned`);
    expect(body.metadata).to.not.have.property('ownerReferences');
    expect(body.metadata).to.not.have.property('deletionTimestamp');
  });

  it('deletes dependents whose owner has another uid or is in another namespace', async () => {
    const taken = await create('taken');
    await create('mistaken', [reference({ metadata: { ...taken.metadata, uid: 'older' } })]);
    const elsewhere = await admin.create(
      inNamespace('orch-public', 'configmaps'),
      configMap('elsewhere', {}, { namespace: 'orch-public' }),
    );
    await create('stray', [reference(elsewhere)]);
    await gone('mistaken', 'stray');
    expect((await admin.get(`${maps}/taken`)).code).to.equal(200);
    expect((await admin.get(`${inNamespace('orch-public', 'configmaps')}/elsewhere`)).code).to.equal(200);
  });

  it('records an event about an object whose owner is in another namespace', async () => {
    const abroad = await admin.create(
      inNamespace('orch-public', 'configmaps'),
      configMap('abroad', {}, { namespace: 'orch-public' }),
    );
    const events = await admin.watch(inNamespace('default', 'events'));
    const { metadata } = await create('lost', [reference(abroad)]);
    const found = () => events.events.find(({ object }) => object.involvedObject.name === 'lost')?.object;
    await events.until(() => found() !== undefined, 'the event');
    events.close();
    const event = found();
    expect(event?.involvedObject).to.deep.include({ kind: 'ConfigMap', uid: metadata.uid });
    expect(event).to.deep.include({ type: 'Warning', reason: 'OwnerRefInvalidNamespace' });
    expect(event?.source).to.deep.equal({ component: 'garbage-collector-controller' });
    const owner = `[v1/ConfigMap, namespace: default, name: abroad, uid: ${abroad.metadata.uid}]`;
    expect(event?.message).to.equal(`ownerRef ${owner} does not exist in namespace "default"`);
  });

  it('deletes many dependents of an owner outside namespaces', async () => {
    const role = await admin.create('/apis/rbac.authorization.orch.io/v1/clusterroles', {
      kind: 'ClusterRole',
      apiVersion: 'rbac.authorization.orch.io/v1',
      metadata: { name: 'many' },
      rules: [],
    });
    const owner = reference(role, { kind: 'ClusterRole', apiVersion: 'rbac.authorization.orch.io/v1' });
    const names = Array.from({ length: 50 }, (_, at) => `many-${at}`);
    for (const name of names) await create(name, [owner]);
    await admin.expect('DELETE', '/apis/rbac.authorization.orch.io/v1/clusterroles/many');
    await gone(...names);
  });
});
