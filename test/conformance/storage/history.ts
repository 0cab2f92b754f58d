import { assert } from 'chai';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type { Storage } from '../../../src/storage/index.ts';
import { rejectsWith } from './expect.ts';
import { WatchRecorder } from './recorder.ts';
import type { OpenDriver } from './suite.ts';
import { makeValue, readValue } from './values.ts';

/** What compaction promises. */
export function describeHistory(openDriver: OpenDriver): void {
  describe('compaction', () => {
    let storage: Storage;
    beforeEach(async () => {
      storage = await openDriver();
      await storage.create('/a', makeValue('a', 1)); // 2
      await storage.update('/a', 2, makeValue('a', 2)); // 3
      await storage.create('/b', makeValue('b', 1)); // 4
      await storage.delete('/b', 4); // 5
      await storage.update('/a', 3, makeValue('a', 3)); // 6
      await storage.create('/c', makeValue('c', 1)); // 7
    });
    afterEach(() => storage[Symbol.asyncDispose]());

    const contents = async (revision: number): Promise<Record<string, unknown>> => {
      const { objects } = await storage.range({ prefix: '/', revision });
      return Object.fromEntries(objects.map(({ key, bytes }) => [key, readValue(bytes).content]));
    };

    it('keeps the state at the compacted revision and after it', async () => {
      await storage.compact(4);
      assert.deepEqual(await contents(4), { '/a': 2, '/b': 1 });
      assert.deepEqual(await contents(5), { '/a': 2 });
      assert.deepEqual(await contents(7), { '/a': 3, '/c': 1 });
    });

    it('refuses reads before it', async () => {
      await storage.compact(5);
      await rejectsWith('compacted', () => contents(4));
      assert.deepEqual(await contents(5), { '/a': 2 });
      assert.equal((await storage.stats()).compactedRevision, 5);
    });

    it('ends a watch that starts before it', async () => {
      await storage.compact(5);
      const watch = new WatchRecorder(storage, { prefix: '/', afterRevision: 4 });
      await watch.fails();
      assert.equal(watch.errors[0]?.code, 'compacted');
      await storage.create('/d', makeValue('d'));
      assert.deepEqual(watch.events, []);
      assert.deepEqual(watch.progress, []);
    });

    it('keeps every event after it, with the state before the event', async () => {
      await storage.compact(4);
      const watch = new WatchRecorder(storage, { prefix: '/', afterRevision: 4 });
      await watch.reaches(7);
      assert.deepEqual(watch.lines, ['delete /b@5', 'put /a@6', 'put /c@7']);
      const before = watch.events.map(
        ({ previous }) => previous && [previous.revision, readValue(previous.bytes)],
      );
      assert.deepEqual(before, [
        [4, { resourceVersion: '4', content: 1 }],
        [3, { resourceVersion: '3', content: 2 }],
        undefined,
      ]);
    });

    it('never forgets current objects or the revision counter', async () => {
      await storage.delete('/c', 7); // 8
      await storage.compact(8);
      assert.deepEqual(await contents(8), { '/a': 3 });
      assert.equal((await storage.get('/a'))?.revision, 6);
      const result = await storage.create('/d', makeValue('d'));
      assert.equal(result.kind === 'ok' ? result.revision : 0, 9);
    });

    it('does nothing for a revision that is compacted already, and refuses one that has not happened', async () => {
      await storage.compact(5);
      await storage.compact(3);
      assert.equal((await storage.stats()).compactedRevision, 5);
      await rejectsWith('future-revision', () => storage.compact(8));
    });

    it('leaves running watches alone', async () => {
      const watch = new WatchRecorder(storage, { prefix: '/', afterRevision: 7 });
      await watch.reaches(7);
      await storage.create('/d', makeValue('d'));
      await storage.compact(8);
      await storage.create('/e', makeValue('e'));
      await watch.reaches(9);
      assert.deepEqual(watch.lines, ['put /d@8', 'put /e@9']);
    });
  });
}
