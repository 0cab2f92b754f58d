import { expect } from 'chai';
import { limitEvents } from '../../../src/app/server-tasks.ts';
import { silentLogger } from '../../../src/base/index.ts';
import { openMemoryStorage } from '../../../src/storage/memory/index.ts';
import { openWatchCache } from '../../../src/storage/watch-cache/index.ts';
import { ManualClock } from '../storage/manual-clock.ts';

const keyPrefix = '/registry/events/';
const bytes = Buffer.from('{"kind":"Event","apiVersion":"v1","metadata":{"resourceVersion":""}}');
const turn = () => new Promise(setImmediate);

describe('limitEvents', () => {
  const open = async (count: number, maxCount: number) => {
    const clock = new ManualClock();
    const storage = openMemoryStorage({ clock: new ManualClock() });
    const watchCache = await openWatchCache({ storage, root: '/registry/' });
    const cache = watchCache.resource(keyPrefix);
    // In key order the newest come first.
    for (let n = 0; n < count; n++) {
      await storage.create(`${keyPrefix}default/e${String(10_000 - n)}`, bytes);
    }
    const ending = new AbortController();
    const store = { cache, keyPrefix, storage };
    const done = limitEvents({ store, maxCount, clock, logger: silentLogger, signal: ending.signal });
    return {
      clock,
      cache,
      storage,
      async [Symbol.asyncDispose]() {
        ending.abort();
        await done;
        await watchCache[Symbol.asyncDispose]();
        await storage[Symbol.asyncDispose]();
      },
    };
  };

  it('deletes the oldest, 200 at a time with a rest in between', async () => {
    await using events = await open(550, 100);
    const sizes: number[] = [];
    for (const ms of [9999, 1, 199, 1, 200, 200]) {
      events.clock.advance(ms);
      await turn();
      sizes.push(events.cache.size);
    }
    expect(sizes).to.deep.equal([550, 350, 350, 150, 100, 100]);
    const { objects } = events.cache.list({ prefix: keyPrefix });
    expect(objects.map(({ key }) => key).at(-1)).to.equal(`${keyPrefix}default/e9550`);
  });

  it('leaves alone what is within the limit', async () => {
    await using events = await open(3, 3);
    const before = await events.storage.currentRevision();
    events.clock.advance(60_000);
    await turn();
    expect(await events.storage.currentRevision()).to.equal(before);
  });

  it('looks again when more have come', async () => {
    await using events = await open(3, 3);
    events.clock.advance(10_000);
    await turn();
    await events.storage.create(`${keyPrefix}default/new`, bytes);
    events.clock.advance(10_000);
    await turn();
    expect(events.cache.size).to.equal(3);
    expect(events.cache.get(`${keyPrefix}default/e10000`)).to.equal(undefined);
  });
});
