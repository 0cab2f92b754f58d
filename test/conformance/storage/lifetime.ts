import { assert } from 'chai';
import { describe, it } from 'mocha';
import { rejectsWith } from './expect.ts';
import { WatchRecorder } from './recorder.ts';
import type { OpenDriver } from './suite.ts';
import { makeValue } from './values.ts';

/** What closing promises. */
export function describeLifetime(openDriver: OpenDriver): void {
  describe('closing', () => {
    it('answers pings until it is closed', async () => {
      const storage = await openDriver();
      await storage.ping();
      await storage[Symbol.asyncDispose]();
      await rejectsWith('unavailable', () => storage.ping());
    });

    it('refuses everything afterwards', async () => {
      const storage = await openDriver();
      await storage[Symbol.asyncDispose]();
      await rejectsWith('closed', () => storage.get('/a'));
      await rejectsWith('closed', () => storage.range({ prefix: '/' }));
      await rejectsWith('closed', () => storage.create('/a', makeValue('a')));
      await rejectsWith('closed', () => storage.update('/a', 1, makeValue('a')));
      await rejectsWith('closed', () => storage.delete('/a', 1));
      await rejectsWith('closed', () => storage.currentRevision());
      await rejectsWith('closed', () => storage.compact(1));
      await rejectsWith('closed', () => storage.stats());
      await rejectsWith('closed', async () =>
        storage.watch({ prefix: '/', afterRevision: 1 }, { onEvents() {}, onProgress() {}, onError() {} }),
      );
    });

    it('ends watches and may be repeated', async () => {
      const storage = await openDriver();
      const watch = new WatchRecorder(storage, { prefix: '/', afterRevision: 1 });
      await watch.reaches(1);
      await storage[Symbol.asyncDispose]();
      await storage[Symbol.asyncDispose]();
      assert.deepEqual(
        watch.errors.map(({ code }) => code),
        ['closed'],
      );
    });

    it('settles writes that were under way', async () => {
      const storage = await openDriver();
      const writes = Array.from({ length: 20 }, (_, i) => storage.create(`/${i}`, makeValue('x')));
      const closing = storage[Symbol.asyncDispose]();
      const results = await Promise.allSettled(writes);
      await closing;
      for (const result of results) {
        if (result.status === 'rejected') assert.equal(result.reason.code, 'closed');
        else assert.equal(result.value.kind, 'ok');
      }
    });
  });
}
