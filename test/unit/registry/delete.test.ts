import { expect } from 'chai';
import { type DeleteOptions, type DeleteResult, deleteObject } from '../../../src/registry/index.ts';
import { conversionProblem } from '../../../src/registry/stored-forms.ts';
import { createVersionedStorage } from '../../../src/storage/index.ts';
import { openMemoryStorage } from '../../../src/storage/memory/index.ts';
import { expectStatus } from '../../support/expect-status.ts';
import { configMap, deployment, pod } from '../../support/objects.ts';
import { alice, parse, TestRegistry } from '../../support/registry.ts';
import { ManualClock } from '../storage/manual-clock.ts';

const configMaps = 'v1/configmaps';
const pods = 'v1/pods';

const objectOf = (result: DeleteResult) => {
  if (result.kind !== 'object') throw new Error('an object was expected');
  return parse(result.bytes);
};

describe('deleteObject', () => {
  let registry: TestRegistry;
  beforeEach(async () => {
    registry = await TestRegistry.open();
  });
  afterEach(() => registry[Symbol.asyncDispose]());

  it('removes an object that nothing holds', async () => {
    await registry.create(configMaps, configMap('a'));
    expect((await registry.remove(configMaps, 'a')).wasRemoved).to.equal(true);
    expect(await registry.stored(configMaps, 'a')).to.equal(undefined);
  });

  it('keeps a value that only a mistake of the server makes unreadable', async () => {
    const key = '/registry/configmaps/default/a';
    const storage = createVersionedStorage(openMemoryStorage({ clock: new ManualClock() }), {
      read: (bytes, at) =>
        at === key
          ? { bytes: Buffer.alloc(0), isStale: false, problem: conversionProblem }
          : { bytes, isStale: false },
      write: (bytes) => bytes,
    });
    await using damaged = await TestRegistry.open({ storage });
    await storage.create(key, Buffer.from('{"metadata":{"resourceVersion":""}}'));
    await expectStatus(damaged.remove(configMaps, 'a'), {
      code: 500,
      message: `Internal error occurred: the value of ${key} cannot be read: the server failed to convert it`,
    });
    expect((await storage.get(key))?.problem).to.equal(conversionProblem);
  });

  it('leaves a pod that ends no later already as it is', async () => {
    const spec = { nodeName: 'n', containers: [{ name: 'main', image: 'example/image:1' }] };
    const held = { ...pod('a', { finalizers: ['example.com/f'] }), spec };
    await registry.create(pods, held);
    await registry.remove(pods, 'a', { gracePeriodSeconds: 100 });
    const before = await registry.stored(pods, 'a');
    for (const options of [{}, { gracePeriodSeconds: 200 }, { propagationPolicy: 'Orphan' as const }]) {
      const result = await registry.remove(pods, 'a', options);
      expect([result.wasRemoved, objectOf(result)]).to.deep.equal([false, before]);
    }
    await registry.remove(pods, 'a', { gracePeriodSeconds: 50, propagationPolicy: 'Orphan' });
    const { metadata } = objectOf(await registry.remove(pods, 'a', {}));
    expect(metadata.deletionGracePeriodSeconds).to.equal(50);
    expect(metadata.finalizers).to.deep.equal(['example.com/f', 'orphan']);
  });

  it('answers with a pod as it was stored when a deletion before has marked it', async () => {
    await registry.create(pods, pod('a', { finalizers: ['orphan'] }));
    const before = objectOf(await registry.remove(pods, 'a', {}));
    const result = await registry.remove(pods, 'a', { propagationPolicy: 'Background' });
    expect([result.wasRemoved, objectOf(result)]).to.deep.equal([true, before]);
  });

  it('removes a pod of a node at once when the period is negative', async () => {
    const spec = { nodeName: 'n', containers: [{ name: 'main', image: 'example/image:1' }] };
    await registry.create(pods, { ...pod('a'), spec });
    await registry.remove(pods, 'a', { gracePeriodSeconds: -1 });
    expect(await registry.stored(pods, 'a')).to.equal(undefined);
  });

  it('lets no event wait for the garbage collector', async () => {
    const events = 'v1/events';
    const involvedObject = { namespace: 'default' };
    const metadata = { name: 'a', namespace: 'default', finalizers: ['orphan'] };
    await registry.create(events, { apiVersion: 'v1', kind: 'Event', metadata, involvedObject });
    expect((await registry.remove(events, 'a', { propagationPolicy: 'Orphan' })).kind).to.equal('status');
    expect(await registry.stored(events, 'a')).to.equal(undefined);
  });

  it('answers with a status for services, even while finalizers keep them', async () => {
    const services = 'v1/services';
    const spec = { ports: [{ port: 80 }] };
    await registry.create(services, { apiVersion: 'v1', kind: 'Service', metadata: { name: 'a' }, spec });
    const result = await registry.remove(services, 'a', { propagationPolicy: 'Orphan' });
    expect([result.kind, result.wasRemoved]).to.deep.equal(['status', true]);
    expect(await registry.stored(services, 'a')).to.have.nested.property('metadata.deletionTimestamp');
  });

  it('shows in a dry run the object without the finalizers that would go', async () => {
    const held = { ...configMap('a'), metadata: { name: 'a', finalizers: ['orphan'] } };
    await registry.create(configMaps, held);
    const result = await registry.remove(configMaps, 'a', { orphanDependents: false }, { isDryRun: true });
    expect(objectOf(result).metadata).to.not.have.any.keys('finalizers', 'deletionTimestamp');
    expect(await registry.stored(configMaps, 'a')).to.have.nested.property('metadata.finalizers');
  });

  it('tells when there is no such object', async () => {
    await expectStatus(registry.remove(configMaps, 'a'), {
      code: 404,
      reason: 'NotFound',
      message: 'configmaps "a" not found',
    });
  });

  it('keeps priority classes of the system, there or not, from all but deletions of collections', async () => {
    const classes = 'scheduling.orch.io/v1/priorityclasses';
    const name = 'system-node-critical';
    const remove = (isOfCollection: boolean) =>
      deleteObject(registry.served(classes), {
        namespace: '',
        name,
        deleteOptions: {},
        options: { user: alice, isDryRun: false },
        isOfCollection,
      });
    const refused = {
      code: 403,
      message: `priorityclasses.scheduling.orch.io "${name}" is forbidden: this is a system priority class and cannot be deleted`,
    };
    await expectStatus(remove(false), refused);
    await registry.create(classes, {
      apiVersion: 'scheduling.orch.io/v1',
      kind: 'PriorityClass',
      metadata: { name },
      value: 2_000_001_000,
    });
    await expectStatus(remove(false), refused);
    expect((await remove(true)).wasRemoved).to.equal(true);
  });

  describe('answers', () => {
    it('with a Status that names the object', async () => {
      await registry.create('apps/v1/deployments', deployment('a'));
      const result = await registry.remove('apps/v1/deployments', 'a');
      expect(result).to.deep.equal({
        kind: 'status',
        wasRemoved: true,
        status: {
          kind: 'Status',
          apiVersion: 'v1',
          metadata: {},
          status: 'Success',
          details: { name: 'a', group: 'apps', kind: 'deployments', uid: 'uid-1' },
        },
      });
    });

    it('with the removed object for kinds that return it', async () => {
      await registry.create(pods, pod('p'));
      const removed = objectOf(await registry.remove(pods, 'p'));
      expect(removed.metadata).to.include({ name: 'p', deletionGracePeriodSeconds: 0 });
    });

    it('with the object when it waits', async () => {
      await registry.create(configMaps, configMap('a', {}, { finalizers: ['example.com/f'] }));
      const result = await registry.remove(configMaps, 'a');
      expect(result.wasRemoved).to.equal(false);
      expect(objectOf(result).metadata).to.include({
        deletionTimestamp: '2021-02-03T04:05:06Z',
        deletionGracePeriodSeconds: 0,
      });
    });
  });

  describe('with a policy', () => {
    const own = 'example.com/f';
    const cases: [name: string, options: DeleteOptions, before: string[], after: string[] | 'removed'][] = [
      ['orphans dependents', { propagationPolicy: 'Orphan' }, [], ['orphan']],
      ['waits for dependents', { propagationPolicy: 'Foreground' }, [], ['foregroundDeletion']],
      ['leaves dependents to the background', { propagationPolicy: 'Background' }, [], 'removed'],
      ['orphans by the older option', { orphanDependents: true }, [], ['orphan']],
      ['does not orphan by the older option', { orphanDependents: false }, [], 'removed'],
      ['adds to finalizers that are there', { propagationPolicy: 'Orphan' }, [own], [own, 'orphan']],
      [
        'replaces one policy by another',
        { propagationPolicy: 'Foreground' },
        ['orphan', own],
        [own, 'foregroundDeletion'],
      ],
      ['takes a policy back', { propagationPolicy: 'Background' }, ['foregroundDeletion'], 'removed'],
      ['leaves everything when none is given', {}, ['orphan', own], ['orphan', own]],
    ];
    for (const [name, options, before, after] of cases) {
      it(name, async () => {
        await registry.create(configMaps, configMap('a', {}, { finalizers: before }));
        await registry.remove(configMaps, 'a', options);
        const stored = await registry.stored(configMaps, 'a');
        if (after === 'removed') expect(stored).to.equal(undefined);
        else expect(stored?.metadata.finalizers).to.deep.equal(after);
      });
    }

    it('of its own, a kind orphans when the request says nothing', async () => {
      const template = { metadata: { labels: { a: 'b' } }, spec: pod('x').spec };
      await registry.create('v1/replicationcontrollers', {
        metadata: { name: 'rc' },
        spec: { selector: { a: 'b' }, template },
      });
      await registry.remove('v1/replicationcontrollers', 'rc');
      const stored = await registry.stored('v1/replicationcontrollers', 'rc');
      expect(stored?.metadata.finalizers).to.deep.equal(['orphan']);
    });
  });

  describe('gives pods that run a grace period', () => {
    const running = (name: string) => {
      const object = pod(name);
      return { ...object, spec: { ...object.spec, nodeName: 'n', terminationGracePeriodSeconds: 20 } };
    };
    beforeEach(() => registry.create(pods, running('p')));
    const metadata = async () => (await registry.stored(pods, 'p'))?.metadata;

    it('of their own, and keeps them meanwhile', async () => {
      const result = await registry.remove(pods, 'p');
      expect(result.wasRemoved).to.equal(false);
      expect(await metadata()).to.include({
        deletionTimestamp: '2021-02-03T04:05:26Z',
        deletionGracePeriodSeconds: 20,
      });
    });

    it('that the request names', async () => {
      await registry.remove(pods, 'p', { gracePeriodSeconds: 7 });
      expect(await metadata()).to.include({
        deletionTimestamp: '2021-02-03T04:05:13Z',
        deletionGracePeriodSeconds: 7,
      });
    });

    it('that a second deletion shortens, counted from the first', async () => {
      await registry.remove(pods, 'p');
      registry.clock.advance(3000);
      await registry.remove(pods, 'p', { gracePeriodSeconds: 10 });
      expect(await metadata()).to.include({
        deletionTimestamp: '2021-02-03T04:05:16Z',
        deletionGracePeriodSeconds: 10,
      });
    });

    it('that a second deletion does not lengthen', async () => {
      await registry.remove(pods, 'p', { gracePeriodSeconds: 5 });
      const before = await metadata();
      await registry.remove(pods, 'p', { gracePeriodSeconds: 50 });
      expect(await metadata()).to.deep.equal(before);
    });

    it('that ends when the agent deletes with none', async () => {
      await registry.remove(pods, 'p');
      expect((await registry.remove(pods, 'p', { gracePeriodSeconds: 0 })).wasRemoved).to.equal(true);
      expect(await metadata()).to.equal(undefined);
    });

    it('but show watchers the mark even when there is none', async () => {
      const types: string[] = [];
      const { store } = registry.served(pods);
      const watch = store.cache.watch(
        { prefix: store.keyPrefix, afterRevision: registry.watchCache.revision },
        {
          onEvent: ({ type, object }) =>
            void types.push(`${type} ${parse(object.bytes).metadata.deletionTimestamp ?? ''}`),
          onError() {},
        },
      );
      await registry.remove(pods, 'p', { gracePeriodSeconds: 0 });
      watch.close();
      expect(types).to.deep.equal(['MODIFIED 2021-02-03T04:05:06Z', 'DELETED 2021-02-03T04:05:06Z']);
    });
  });

  describe('checks what the client expects', () => {
    it('of the uid', async () => {
      await registry.create(configMaps, configMap('a'));
      await expectStatus(registry.remove(configMaps, 'a', { preconditions: { uid: 'x' } }), {
        code: 409,
        reason: 'Conflict',
        message:
          'Operation cannot be fulfilled on ConfigMap "a": the UID in the precondition (x) does not match the UID in record (uid-1). The object might have been deleted and then recreated',
      });
      await registry.remove(configMaps, 'a', { preconditions: { uid: 'uid-1' } });
    });

    it('of the version', async () => {
      const { metadata } = await registry.create(configMaps, configMap('a'));
      const version = metadata.resourceVersion;
      await expectStatus(registry.remove(configMaps, 'a', { preconditions: { resourceVersion: '1' } }), {
        code: 409,
        message: `Operation cannot be fulfilled on ConfigMap "a": the ResourceVersion in the precondition (1) does not match the ResourceVersion in record (${version}). The object might have been modified`,
      });
      await registry.remove(configMaps, 'a', { preconditions: { resourceVersion: version } });
      expect(await registry.stored(configMaps, 'a')).to.equal(undefined);
    });

    it('of the version again when another write came first', async () => {
      const { metadata } = await registry.create(configMaps, configMap('a'));
      registry.storage.interruptNextWrite(() =>
        registry.change(configMaps, 'a', (object) => Object.assign(object, { data: { k: 'v' } })),
      );
      const options = { preconditions: { resourceVersion: metadata.resourceVersion } };
      await expectStatus(registry.remove(configMaps, 'a', options), { code: 409, reason: 'Conflict' });
      expect((await registry.stored(configMaps, 'a'))?.data).to.deep.equal({ k: 'v' });
    });
  });

  it('deletes the newest state when another write came first', async () => {
    await registry.create(configMaps, configMap('a'));
    registry.storage.interruptNextWrite(() =>
      registry.change(configMaps, 'a', ({ metadata }) =>
        Object.assign(metadata, { finalizers: ['example.com/f'] }),
      ),
    );
    expect((await registry.remove(configMaps, 'a')).wasRemoved).to.equal(false);
    expect((await registry.stored(configMaps, 'a'))?.metadata.finalizers).to.deep.equal(['example.com/f']);
  });

  it('tells when another client deleted the object first', async () => {
    await registry.create(configMaps, configMap('a'));
    registry.storage.interruptNextWrite(() => registry.remove(configMaps, 'a'));
    await expectStatus(registry.remove(configMaps, 'a'), { code: 404 });
  });

  it('writes nothing when an object that waits is deleted again', async () => {
    await registry.create(configMaps, configMap('a', {}, { finalizers: ['example.com/f'] }));
    await registry.remove(configMaps, 'a');
    const before = registry.storage.writeCount;
    registry.clock.advance(5000);
    await registry.remove(configMaps, 'a');
    expect(registry.storage.writeCount).to.equal(before);
  });

  it('counts a generation up when a deletion starts', async () => {
    const object = { ...deployment('a'), metadata: { name: 'a', finalizers: ['example.com/f'] } };
    await registry.create('apps/v1/deployments', object);
    const { metadata } = objectOf(await registry.remove('apps/v1/deployments', 'a'));
    expect(metadata.generation).to.equal(2);
  });

  it('only marks definitions at first, and names the resource where preconditions do not hold', async () => {
    const definitions = 'apiextensions.orch.io/v1/customresourcedefinitions';
    const name = 'widgets.example.com';
    await registry.create(definitions, {
      metadata: { name },
      spec: {
        group: 'example.com',
        scope: 'Cluster',
        names: { plural: 'widgets', kind: 'Widget' },
        versions: [
          { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } },
        ],
      },
    });
    await expectStatus(registry.remove(definitions, name, { preconditions: { uid: 'x' } }), {
      code: 409,
      message: `Operation cannot be fulfilled on customresourcedefinitions.apiextensions.orch.io "${name}": Precondition failed: UID in precondition: x, UID in object meta: uid-1`,
    });
    const { metadata } = objectOf(await registry.remove(definitions, name));
    expect(metadata.deletionTimestamp).to.be.a('string');
    expect(metadata.deletionGracePeriodSeconds).to.equal(undefined);
    expect(metadata.generation, 'generation').to.equal(1);
  });

  it('marks namespaces as ending and keeps them for their own finalizers', async () => {
    await registry.create('v1/namespaces', { metadata: { name: 'n' } });
    const result = await registry.remove('v1/namespaces', 'n');
    expect(result.wasRemoved).to.equal(false);
    expect(objectOf(result).status).to.deep.equal({ phase: 'Terminating' });
  });

  it('removes a namespace without own finalizers when it is deleted again', async () => {
    await registry.create('v1/namespaces', { metadata: { name: 'n' } });
    await registry.change(
      'v1/namespaces',
      'n',
      (namespace) => {
        namespace.spec = {};
      },
      { subresource: 'finalize' },
    );
    const first = await registry.remove('v1/namespaces', 'n');
    expect(first.wasRemoved).to.equal(false);
    expect(objectOf(first).status).to.deep.equal({ phase: 'Terminating' });
    expect((await registry.remove('v1/namespaces', 'n')).wasRemoved).to.equal(true);
  });

  describe('as a dry run', () => {
    it('writes nothing', async () => {
      const created = await registry.create(configMaps, configMap('a'));
      const result = await registry.remove(configMaps, 'a', {}, { isDryRun: true });
      expect(result.wasRemoved).to.equal(true);
      const { name, uid } = created.metadata;
      const details = { name, kind: 'configmaps', uid };
      expect(result.kind === 'status' && result.status).to.deep.include({ status: 'Success', details });
      expect(await registry.stored(configMaps, 'a')).to.deep.equal(created);
    });

    it('writes no mark either', async () => {
      const object = configMap('a', {}, { finalizers: ['example.com/f'] });
      const created = await registry.create(configMaps, object);
      const marked = objectOf(await registry.remove(configMaps, 'a', {}, { isDryRun: true }));
      expect(marked.metadata.deletionTimestamp).to.equal('2021-02-03T04:05:06Z');
      expect(await registry.stored(configMaps, 'a')).to.deep.equal(created);
    });

    it('still checks what the client expects', async () => {
      await registry.create(configMaps, configMap('a'));
      const options = { preconditions: { uid: 'x' } };
      await expectStatus(registry.remove(configMaps, 'a', options, { isDryRun: true }), { code: 409 });
    });
  });

  it('removes nothing when admission refuses', async () => {
    await using guarded = await TestRegistry.open({
      admission: {
        admit({ operation }) {
          if (operation === 'DELETE') throw new RangeError('refused');
        },
        validate() {},
      },
    });
    await guarded.create(configMaps, configMap('a'));
    expect(await guarded.remove(configMaps, 'a').catch(String)).to.equal('RangeError: refused');
    expect(await guarded.stored(configMaps, 'a')).not.to.equal(undefined);
  });
});
