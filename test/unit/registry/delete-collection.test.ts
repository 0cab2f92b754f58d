import { expect } from 'chai';
import { deleteCollection } from '../../../src/registry/index.ts';
import { expectStatus } from '../../support/expect-status.ts';
import { configMap, pod } from '../../support/objects.ts';
import { alice, type ListSettings, namesOf, parse, TestRegistry } from '../../support/registry.ts';

const configMaps = 'v1/configmaps';

describe('deleteCollection', () => {
  let registry: TestRegistry;
  beforeEach(async () => {
    registry = await TestRegistry.open();
  });
  afterEach(() => registry[Symbol.asyncDispose]());

  const removeAll = (settings: ListSettings = {}, isDryRun = false, path = configMaps) =>
    deleteCollection(registry.served(path), {
      list: {
        ...registry.select(path, settings),
        resourceVersion: '',
        resourceVersionMatch: '',
        limit: settings.limit ?? 0,
        continueToken: '',
        isWatch: false,
      },
      deleteOptions: {},
      workers: 4,
      options: { user: alice, isDryRun },
    });
  const left = async () => namesOf(await registry.list(configMaps));

  it('deletes what is selected and answers with it', async () => {
    for (const name of ['a', 'b', 'c']) await registry.create(configMaps, configMap(name));
    expect(namesOf(await removeAll({ fields: 'metadata.name!=b' }))).to.deep.equal(['a', 'c']);
    expect(await left()).to.deep.equal(['b']);
  });

  it('stays within its namespace', async () => {
    await registry.create(configMaps, configMap('a'));
    await registry.create(configMaps, configMap('b'), { namespace: 'other' });
    await removeAll({ namespace: 'other' });
    expect(await left()).to.deep.equal(['a']);
  });

  it('deletes one page when there is a limit', async () => {
    for (const name of ['a', 'b', 'c']) await registry.create(configMaps, configMap(name));
    await removeAll({ limit: 2 });
    expect(await left()).to.deep.equal(['c']);
  });

  it('deletes many', async () => {
    for (let n = 0; n < 100; n++) await registry.create(configMaps, configMap(`m${n}`));
    expect((await removeAll()).objects).to.have.length(100);
    expect(await left()).to.deep.equal([]);
  });

  it('asks of each pod the grace period of the one before, as release 1.20 does', async () => {
    const containers = [{ name: 'main', image: 'example/image:1' }];
    const specs = [
      { nodeName: 'n', terminationGracePeriodSeconds: 7 },
      { nodeName: 'n' },
      {},
      { nodeName: 'n' },
    ];
    for (const [n, spec] of specs.entries()) {
      const metadata = { finalizers: ['example.com/f'] };
      await registry.create('v1/pods', { ...pod(`p${n}`, metadata), spec: { containers, ...spec } });
    }
    await removeAll({}, false, 'v1/pods');
    const { objects } = await registry.list('v1/pods');
    const periods = objects.map(({ bytes }) => parse(bytes).metadata.deletionGracePeriodSeconds);
    expect(periods).to.deep.equal([7, 7, 0, 0]);
  });

  it('deletes nothing as a dry run', async () => {
    await registry.create(configMaps, configMap('a'));
    await removeAll({}, true);
    expect(await left()).to.deep.equal(['a']);
  });

  it('only marks what finalizers hold', async () => {
    await registry.create(configMaps, configMap('a', {}, { finalizers: ['example.com/f'] }));
    await removeAll();
    expect((await registry.stored(configMaps, 'a'))?.metadata.deletionTimestamp).to.be.a('string');
  });

  it('does not mind objects that somebody else deleted meanwhile', async () => {
    for (const name of ['a', 'b']) await registry.create(configMaps, configMap(name));
    registry.storage.interruptNextWrite(() => registry.remove(configMaps, 'a'));
    await removeAll();
    expect(await left()).to.deep.equal([]);
  });

  it('tells when a deletion is refused', async () => {
    await using guarded = await TestRegistry.open({
      admission: {
        admit({ operation, oldObject }) {
          if (operation === 'DELETE' && oldObject?.metadata.name === 'a') throw new RangeError('refused');
        },
        validate() {},
      },
    });
    await guarded.create(configMaps, configMap('a'));
    const outer = registry;
    registry = guarded;
    try {
      expect(await removeAll().catch(String)).to.equal('RangeError: refused');
    } finally {
      registry = outer;
    }
  });

  it('tells admission no names of objects', async () => {
    const names: string[] = [];
    await using guarded = await TestRegistry.open({
      admission: {
        admit({ operation, name }) {
          if (operation === 'DELETE') names.push(name);
        },
        validate() {},
      },
    });
    await guarded.create(configMaps, configMap('a'));
    const outer = registry;
    registry = guarded;
    try {
      await removeAll();
    } finally {
      registry = outer;
    }
    expect(names).to.deep.equal(['']);
  });

  it('refuses bad tokens before it deletes anything', async () => {
    await registry.create(configMaps, configMap('a'));
    const served = registry.served(configMaps);
    const list = {
      ...registry.select(configMaps),
      resourceVersion: '',
      resourceVersionMatch: '',
      limit: 0,
      continueToken: '*',
      isWatch: false,
    };
    const options = { user: alice, isDryRun: false };
    await expectStatus(deleteCollection(served, { list, deleteOptions: {}, workers: 4, options }), {
      code: 400,
    });
    expect(await left()).to.deep.equal(['a']);
  });
});
