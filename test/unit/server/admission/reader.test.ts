import { expect } from 'chai';
import { createAdmissionReader } from '../../../../src/server/admission/index.ts';
import { openMemoryStorage } from '../../../../src/storage/memory/index.ts';
import { openWatchCache } from '../../../../src/storage/watch-cache/index.ts';

const bytes = (name: string, extra = '') =>
  Buffer.from(
    `{"kind":"Namespace","apiVersion":"v1","metadata":{"name":"${name}","resourceVersion":""}${extra}}`,
  );

describe('createAdmissionReader', () => {
  it('sees what was just written, and decodes a version once', async () => {
    const storage = openMemoryStorage();
    await using watchCache = await openWatchCache({ storage, root: '/registry/' });
    const keyPrefix = '/registry/namespaces/';
    const store = { keyPrefix, isNamespaced: false, cache: watchCache.resource(keyPrefix) };
    const reader = createAdmissionReader((group, name) =>
      group === '' && name === 'namespaces' ? store : undefined,
    );
    expect(reader.namespace('a')).to.equal(undefined);
    expect(reader.list('', 'namespaces')).to.deep.equal([]);

    await storage.create(`${keyPrefix}a`, bytes('a'));
    const first = reader.namespace('a');
    expect(first?.metadata.name).to.equal('a');
    expect(reader.namespace('a')).to.equal(first);
    expect(reader.list('', 'namespaces')).to.deep.equal([first]);
    expect(reader.list('', 'namespaces')).to.equal(reader.list('', 'namespaces'));

    await storage.create(`${keyPrefix}b`, bytes('b'));
    expect(reader.list('', 'namespaces')).to.have.length(2);
    expect(reader.get('apps', 'deployments', 'a', 'b')).to.equal(undefined);
    expect(reader.list('apps', 'deployments')).to.deep.equal([]);
  });

  it('waits for a namespace that another process may have made, when it sees none', async () => {
    const storage = openMemoryStorage();
    await using watchCache = await openWatchCache({ storage, root: '/registry/' });
    const keyPrefix = '/registry/namespaces/';
    let waits = 0;
    const freshen = async () => {
      waits++;
      await storage.create(`${keyPrefix}late`, bytes('late'));
    };
    const store = { keyPrefix, isNamespaced: false, cache: watchCache.resource(keyPrefix), freshen };
    const reader = createAdmissionReader(() => store);
    expect((await reader.currentNamespace('late'))?.metadata.name).to.equal('late');
    expect((await reader.currentNamespace('late'))?.metadata.name).to.equal('late');
    expect(waits).to.equal(1);
  });

  it('lists one namespace', async () => {
    const storage = openMemoryStorage();
    await using watchCache = await openWatchCache({ storage, root: '/registry/' });
    const keyPrefix = '/registry/limitranges/';
    const store = { keyPrefix, isNamespaced: true, cache: watchCache.resource(keyPrefix) };
    const reader = createAdmissionReader(() => store);
    await storage.create(`${keyPrefix}n/a`, bytes('a'));
    await storage.create(`${keyPrefix}nn/b`, bytes('b'));
    const names = reader.list('', 'limitranges', 'n').map(({ metadata }) => metadata.name);
    expect(names).to.deep.equal(['a']);
    expect(reader.list('', 'limitranges')).to.have.length(2);
    expect(reader.get('', 'limitranges', 'nn', 'b')?.metadata.name).to.equal('b');
  });
});
