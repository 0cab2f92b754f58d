import { expect } from 'chai';
import type { Storage, StorageEvent, WatchSink } from '../../../src/storage/index.ts';
import { openMemoryStorage } from '../../../src/storage/memory/index.ts';
import type { JsonObject } from '../../support/api-client.ts';
import { expectStatus } from '../../support/expect-status.ts';
import { TestRegistry } from '../../support/registry.ts';
import { ManualClock } from '../storage/manual-clock.ts';

const path = 'v1/configmaps';
const map = (name: string, data: JsonObject = {}) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name },
  data,
});

/** The same storage as another process sees it: what was written arrives a moment later. */
function behind(storage: Storage): Storage {
  return new Proxy(storage, {
    get(target, name) {
      if (name === 'watch') {
        return (request: Parameters<Storage['watch']>[0], sink: WatchSink) =>
          target.watch(request, {
            ...sink,
            onEvents: (events: readonly StorageEvent[]) => void setImmediate(() => sink.onEvents(events)),
            onProgress: (revision) => void setImmediate(() => sink.onProgress(revision)),
            onError: (error) => sink.onError(error),
          });
      }
      const value: unknown = Reflect.get(target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

describe('verbs on storage that others write to', () => {
  let storage: Storage;
  let writer: TestRegistry;
  let late: TestRegistry;
  beforeEach(async () => {
    storage = openMemoryStorage({ clock: new ManualClock() });
    writer = await TestRegistry.open({ storage });
    late = await TestRegistry.open({ storage: behind(storage), isShared: true });
  });
  afterEach(async () => {
    await late.watchCache[Symbol.asyncDispose]();
    await writer[Symbol.asyncDispose]();
  });

  it('list no state that another process compacted, even one that is in memory', async () => {
    for (const name of ['a', 'b']) await writer.create(path, map(name));
    const before = await late.list(path, { limit: 1 });
    const { continueToken = '' } = before;
    const exact = { resourceVersion: String(before.revision), resourceVersionMatch: 'Exact' };
    await writer.create(path, map('c'));
    expect((await late.list(path, exact)).objects).to.have.lengthOf(2);
    await storage.compact(writer.watchCache.revision);
    const message = 'The resourceVersion for the provided list is too old.';
    await expectStatus(late.list(path, exact), { code: 410, message });
    await expectStatus(late.list(path, { continueToken }), {
      code: 410,
      message: /continue parameter is too old/,
    });
  });

  it('update what another process made a moment ago', async () => {
    await writer.create(path, map('a'));
    const changed = await late.change(path, 'a', (object) => Object.assign(object, { data: { x: '1' } }));
    expect(changed.data).to.deep.equal({ x: '1' });
  });

  it('update from its newest state, also when the change looks like none before that', async () => {
    await writer.create(path, map('a', { x: '1' }));
    await late.list(path);
    await writer.change(path, 'a', (object) => Object.assign(object, { data: { x: '2' } }));
    await late.change(path, 'a', (object) => Object.assign(object, { data: { x: '1' } }));
    expect((await writer.stored(path, 'a'))?.data).to.deep.equal({ x: '1' });
  });

  it('delete what another process made a moment ago', async () => {
    await writer.create(path, map('a'));
    await late.remove(path, 'a');
    expect(await writer.stored(path, 'a')).to.equal(undefined);
  });

  it('find what another process deleted gone', async () => {
    await writer.create(path, map('a'));
    await late.list(path);
    await writer.remove(path, 'a');
    await expectStatus(late.remove(path, 'a'), { code: 404 });
  });

  it('refuse a dry-run creation of what another process made a moment ago', async () => {
    await writer.create(path, map('a'));
    await expectStatus(late.create(path, map('a'), { isDryRun: true }), {
      code: 409,
      reason: 'AlreadyExists',
    });
  });
});

describe('ResourceStore.ttlSeconds', () => {
  it('lets objects go so long after their last write', async () => {
    const clock = new ManualClock();
    const ttlSeconds = new Map([['/configmaps', 60]]);
    await using registry = await TestRegistry.open({ storage: openMemoryStorage({ clock }), ttlSeconds });
    await registry.create(path, map('a'));
    await registry.create(path, map('b'));
    await registry.create('v1/secrets', { apiVersion: 'v1', kind: 'Secret', metadata: { name: 's' } });
    clock.advance(50_000);
    await registry.change(path, 'b', (object) => Object.assign(object, { data: { x: '1' } }));
    clock.advance(15_000);
    await new Promise(setImmediate);
    expect(await registry.stored(path, 'a')).to.equal(undefined);
    expect(await registry.stored(path, 'b')).not.to.equal(undefined);
    expect(await registry.stored('v1/secrets', 's')).not.to.equal(undefined);
    clock.advance(50_000);
    await new Promise(setImmediate);
    expect(await registry.stored(path, 'b')).to.equal(undefined);
  });
});
