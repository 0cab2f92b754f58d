import { expect } from 'chai';
import { describe, it } from 'mocha';
import { type Storage, StorageError, type WatchSink } from '../../../../src/storage/index.ts';
import { openMemoryStorage } from '../../../../src/storage/memory/index.ts';
import { openPodCache, podPrefix } from './pods.ts';
import { settle, WatchLog } from './watch-log.ts';

async function codeOf(work: Promise<unknown>): Promise<string> {
  try {
    await work;
  } catch (error) {
    return error instanceof StorageError ? error.code : String(error);
  }
  return 'ok';
}

describe('WatchCache.waitForRevision', () => {
  it('resolves at once for what has happened', async () => {
    await using fixture = await openPodCache();
    await fixture.cache.waitForRevision(1, { timeoutMs: 0 });
  });

  it('resolves when the revision is reached', async () => {
    await using fixture = await openPodCache();
    const waiting = fixture.cache.waitForRevision(3, { timeoutMs: 1000 });
    await fixture.put('a/1');
    expect(fixture.clock.timerCount, 'the store and the waiter').to.equal(2);
    await fixture.put('a/1');
    await waiting;
    expect(fixture.clock.timerCount).to.equal(1);
  });

  it('fails when it takes too long', async () => {
    await using fixture = await openPodCache();
    const code = codeOf(fixture.cache.waitForRevision(3, { timeoutMs: 1000 }));
    fixture.clock.advance(1000);
    expect(await code).to.equal('future-revision');
  });

  it('fails with the reason of an aborted signal', async () => {
    await using fixture = await openPodCache();
    const controller = new AbortController();
    const code = codeOf(fixture.cache.waitForRevision(3, { timeoutMs: 1000, signal: controller.signal }));
    controller.abort('gone');
    expect(await code).to.equal('gone');
    const aborted = fixture.cache.waitForRevision(3, { timeoutMs: 1000, signal: AbortSignal.abort('early') });
    expect(await codeOf(aborted)).to.equal('early');
    expect(fixture.clock.timerCount).to.equal(1);
  });

  it('fails when the cache is closed', async () => {
    await using fixture = await openPodCache();
    const code = codeOf(fixture.cache.waitForRevision(3, { timeoutMs: 1000 }));
    await fixture.cache[Symbol.asyncDispose]();
    expect(await code).to.equal('closed');
  });
});

describe('openWatchCache', () => {
  it('loads more objects than one read returns', async () => {
    const storage = openMemoryStorage();
    const value = Buffer.from('{"metadata":{"resourceVersion":""}}');
    for (let i = 0; i < 2500; i++) await storage.create(`${podPrefix}a/${i}`, value);
    await using fixture = await openPodCache({ storage });
    expect(fixture.pods.size).to.equal(2500);
    expect([fixture.cache.revision, fixture.cache.isCurrent]).to.deep.equal([2501, true]);
  });

  it('follows the revision through writes outside its root', async () => {
    await using fixture = await openPodCache();
    await fixture.storage.create('/elsewhere', Buffer.from('{"metadata":{"resourceVersion":""}}'));
    expect(fixture.cache.revision).to.equal(2);
  });

  it('ends its watches and loads again when the watch of the store is lost', async () => {
    const memory = openMemoryStorage();
    const sinks: WatchSink[] = [];
    const storage: Storage = Object.create(memory, {
      watch: {
        value: (...[request, sink]: Parameters<Storage['watch']>) => {
          sinks.push(sink);
          return memory.watch(request, sink);
        },
      },
      range: { value: memory.range.bind(memory) },
      get: { value: memory.get.bind(memory) },
      create: { value: memory.create.bind(memory) },
      update: { value: memory.update.bind(memory) },
      [Symbol.asyncDispose]: { value: memory[Symbol.asyncDispose].bind(memory) },
    });
    await using fixture = await openPodCache({ storage });
    await fixture.put('a/1');
    const log = new WatchLog(fixture.pods, { prefix: podPrefix, afterRevision: 1 });
    await settle();
    sinks[0]?.onError(new StorageError('unavailable', 'connection lost'));
    expect(fixture.cache.isCurrent).to.equal(false);
    expect(log.errors.map(({ code }) => code)).to.deep.equal(['compacted']);
    await fixture.put('a/2');
    fixture.clock.advance(1000);
    await settle();
    expect(fixture.cache.isCurrent).to.equal(true);
    expect(fixture.pods.size).to.equal(2);
    await fixture.put('a/3');
    expect(fixture.cache.revision).to.equal(4);
  });
});
