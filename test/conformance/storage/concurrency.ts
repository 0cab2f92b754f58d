import { assert } from 'chai';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type { Storage } from '../../../src/storage/index.ts';
import { WatchRecorder } from './recorder.ts';
import type { OpenDriver } from './suite.ts';
import { makeValue, readValue } from './values.ts';

/** What holds when many write at once. */
export function describeConcurrency(openDriver: OpenDriver): void {
  describe('concurrent writers', () => {
    let storage: Storage;
    beforeEach(async () => {
      storage = await openDriver();
    });
    afterEach(() => storage[Symbol.asyncDispose]());

    /** Adds one to the counter as often as it takes to win; returns the revision that won. */
    const increment = async (key: string): Promise<number> => {
      for (;;) {
        const current = await storage.get(key);
        if (current === undefined) throw new Error('counter is gone');
        const next = Number(readValue(current.bytes).content) + 1;
        const result = await storage.update(key, current.revision, makeValue('counter', next));
        if (result.kind === 'ok') return result.revision;
      }
    };

    it('loses no increment of a counter', async () => {
      const [writers, rounds] = [8, 25];
      await storage.create('/counter', makeValue('counter', 0));
      const watch = new WatchRecorder(storage, { prefix: '/', afterRevision: 1 });
      const revisions: number[] = [];
      const write = async (): Promise<void> => {
        let last = 0;
        for (let round = 0; round < rounds; round++) {
          const revision = await increment('/counter');
          assert.isAbove(revision, last);
          last = revision;
          revisions.push(revision);
        }
      };
      await Promise.all(Array.from({ length: writers }, write));
      const total = writers * rounds;
      const final = await storage.get('/counter');
      assert.equal(readValue(final?.bytes ?? Buffer.alloc(0)).content, total);
      assert.equal(new Set(revisions).size, total);
      assert.equal(await storage.currentRevision(), total + 2);
      await watch.reaches(total + 2);
      assert.deepEqual(
        watch.events.map(({ object }) => readValue(object.bytes).content),
        Array.from({ length: total + 1 }, (_, i) => i),
      );
    });

    it('lets exactly one of many creates, updates and deletes of the same state win', async () => {
      const winners = async (write: () => Promise<{ kind: string }>): Promise<number> => {
        const results = await Promise.all(Array.from({ length: 16 }, write));
        return results.filter(({ kind }) => kind === 'ok').length;
      };
      assert.equal(await winners(() => storage.create('/a', makeValue('a'))), 1);
      assert.equal(await winners(() => storage.update('/a', 2, makeValue('a'))), 1);
      assert.equal(await winners(() => storage.delete('/a', 3)), 1);
      assert.equal(await storage.currentRevision(), 4);
    });

    it('applies writes that were started in order in that order', async () => {
      const results = await Promise.all([
        storage.create('/a', makeValue('a', 1)),
        storage.update('/a', 2, makeValue('a', 2)),
        storage.delete('/a', 3),
        storage.create('/a', makeValue('a', 3)),
      ]);
      assert.deepEqual(
        results.map((result) => (result.kind === 'ok' ? result.revision : 0)),
        [2, 3, 4, 5],
      );
    });

    it('reads its own writes and never goes back', async () => {
      await storage.create('/a', makeValue('a', 0));
      let revision = 2;
      const write = async (): Promise<void> => {
        for (let i = 1; i <= 30; i++) {
          const result = await storage.update('/a', revision, makeValue('a', i));
          revision = result.kind === 'ok' ? result.revision : revision;
        }
      };
      const read = async (): Promise<void> => {
        let last = 0;
        for (let i = 0; i < 30; i++) {
          const floor = revision;
          const seen = (await storage.get('/a'))?.revision ?? 0;
          assert.isAtLeast(seen, Math.max(floor, last));
          last = seen;
        }
      };
      await Promise.all([write(), read(), read()]);
    });
  });
}
