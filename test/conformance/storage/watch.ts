import { assert } from 'chai';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type { Storage } from '../../../src/storage/index.ts';
import { WatchRecorder } from './recorder.ts';
import type { OpenDriver } from './suite.ts';
import { makeValue, readValue } from './values.ts';

/** The six guarantees of watches, and what events carry. */
export function describeWatch(openDriver: OpenDriver): void {
  describe('watch', () => {
    let storage: Storage;
    beforeEach(async () => {
      storage = await openDriver();
    });
    afterEach(() => storage[Symbol.asyncDispose]());

    /** Writes revisions 2 to 7. */
    const writeSix = async (): Promise<void> => {
      await storage.create('/a', makeValue('a', 1));
      await storage.create('/b', makeValue('b', 1));
      await storage.update('/a', 2, makeValue('a', 2));
      await storage.delete('/b', 3);
      await storage.create('/b', makeValue('b', 2));
      await storage.update('/a', 4, makeValue('a', 3));
    };
    const sixLines = ['put /a@2', 'put /b@3', 'put /a@4', 'delete /b@5', 'put /b@6', 'put /a@7'];

    it('is ordered: history first, then live, by revision', async () => {
      await storage.create('/a', makeValue('a', 1));
      const watch = new WatchRecorder(storage, { prefix: '/', afterRevision: 1 });
      await Promise.all(Array.from({ length: 20 }, (_, i) => storage.create(`/${i}`, makeValue('x'))));
      await watch.reaches(22);
      assert.deepEqual(
        watch.events.map(({ revision }) => revision),
        Array.from({ length: 21 }, (_, i) => i + 2),
      );
    });

    it('is unique: no event comes twice, whenever the watch starts', async () => {
      const watches: WatchRecorder[] = [];
      for (let i = 0; i < 10; i++) {
        void storage.create(`/${i}`, makeValue('x'));
        watches.push(new WatchRecorder(storage, { prefix: '/', afterRevision: 1 }));
      }
      for (const watch of watches) {
        await watch.reaches(11);
        assert.deepEqual(
          watch.events.map(({ revision }) => revision),
          [2, 3, 4, 5, 6, 7, 8, 9, 10, 11],
        );
      }
    });

    it('is reliable: a late watch misses nothing after its start', async () => {
      await writeSix();
      for (let after = 1; after <= 7; after++) {
        const watch = new WatchRecorder(storage, { prefix: '/', afterRevision: after });
        await watch.reaches(7);
        assert.deepEqual(watch.lines, sixLines.slice(after - 1));
      }
    });

    it('is atomic: a revision is never split over batches, and batches go forward', async () => {
      const watch = new WatchRecorder(storage, { prefix: '/', afterRevision: 1 });
      await Promise.all(Array.from({ length: 50 }, (_, i) => storage.create(`/${i}`, makeValue('x'))));
      await watch.reaches(51);
      let last = 1;
      for (const batch of watch.batches) {
        assert.isNotEmpty(batch);
        assert.isAbove(batch[0]?.revision ?? 0, last);
        last = batch.at(-1)?.revision ?? 0;
      }
    });

    it('is resumable: a second watch continues where the first one ended', async () => {
      const first = new WatchRecorder(storage, { prefix: '/', afterRevision: 1 });
      await storage.create('/a', makeValue('a', 1));
      await storage.create('/b', makeValue('b', 1));
      await first.reaches(3);
      first.close();
      await storage.update('/a', 2, makeValue('a', 2));
      const second = new WatchRecorder(storage, { prefix: '/', afterRevision: 3 });
      await storage.delete('/b', 3);
      await second.reaches(5);
      assert.deepEqual([...first.lines, ...second.lines], sixLines.slice(0, 4));
    });

    it('is bookmarkable: progress passes events of other keys', async () => {
      const watch = new WatchRecorder(storage, { prefix: '/mine/', afterRevision: 1 });
      await storage.create('/other/1', makeValue('x'));
      await watch.reaches(2);
      await storage.create('/other/2', makeValue('x'));
      await watch.reaches(3);
      assert.deepEqual(watch.events, []);
      assert.deepEqual(
        watch.progress,
        [...watch.progress].sort((a, b) => a - b),
      );
    });

    it('delivers the keys of its prefix only', async () => {
      const watch = new WatchRecorder(storage, { prefix: '/pods/', afterRevision: 1 });
      for (const key of ['/pods/1', '/podsx', '/pod', '/pods', '/pods/2'])
        await storage.create(key, makeValue('x'));
      await watch.reaches(6);
      const late = new WatchRecorder(storage, { prefix: '/pods/', afterRevision: 1 });
      await late.reaches(6);
      assert.deepEqual(watch.lines, ['put /pods/1@2', 'put /pods/2@6']);
      assert.deepEqual(late.lines, watch.lines);
    });

    for (const mode of ['live', 'history'] as const) {
      it(`carries the new and the previous state of every write (${mode})`, async () => {
        const live = new WatchRecorder(storage, { prefix: '/', afterRevision: 1 });
        if (mode === 'live') await live.reaches(1);
        await writeSix();
        const watch = mode === 'live' ? live : new WatchRecorder(storage, { prefix: '/', afterRevision: 1 });
        await watch.reaches(7);
        const seen = watch.events.map(({ object, previous, revision }) => {
          assert.equal(object.revision, revision);
          assert.equal(readValue(object.bytes).resourceVersion, String(revision));
          if (previous !== undefined) {
            assert.equal(previous.key, object.key);
            assert.equal(readValue(previous.bytes).resourceVersion, String(previous.revision));
          }
          return [
            readValue(object.bytes).content,
            previous && readValue(previous.bytes).content,
            previous?.revision,
          ];
        });
        assert.deepEqual(seen, [
          [1, undefined, undefined],
          [1, undefined, undefined],
          [2, 1, 2],
          [1, 1, 3],
          [2, undefined, undefined],
          [3, 2, 4],
        ]);
        assert.deepEqual(watch.lines, sixLines);
      });
    }

    it('hands an event to live watches before the write is acknowledged', async () => {
      const watch = new WatchRecorder(storage, { prefix: '/', afterRevision: 1 });
      await watch.reaches(1);
      for (let i = 0; i < 5; i++) {
        await storage.create(`/${i}`, makeValue('x'));
        assert.equal(watch.events.at(-1)?.revision, i + 2);
      }
    });

    it('waits for a start that has not happened yet', async () => {
      const watch = new WatchRecorder(storage, { prefix: '/', afterRevision: 3 });
      for (const key of ['/a', '/b', '/c']) await storage.create(key, makeValue('x'));
      await watch.reaches(4);
      assert.deepEqual(watch.lines, ['put /c@4']);
    });

    it('delivers nothing after it was closed, not even from inside its own sink', async () => {
      const closed = new WatchRecorder(storage, { prefix: '/', afterRevision: 1 });
      closed.close();
      let count = 0;
      const watch = storage.watch(
        { prefix: '/', afterRevision: 1 },
        {
          onEvents: () => {
            count++;
            watch.close();
          },
          onProgress: () => {},
          onError: () => {
            count += 100;
          },
        },
      );
      await storage.create('/a', makeValue('a'));
      await storage.create('/b', makeValue('b'));
      assert.equal(count, 1);
      assert.deepEqual(closed.events, []);
    });

    it('ends only the watch whose sink throws, and the write succeeds', async () => {
      const errors: string[] = [];
      const request = { prefix: '/', afterRevision: 1 };
      const broken = storage.watch(request, {
        onEvents: () => {
          throw new Error('broken sink');
        },
        onProgress: () => {},
        onError: (error) => errors.push(error.code),
      });
      const healthy = new WatchRecorder(storage, request);
      await storage.create('/a', makeValue('a'));
      await storage.create('/b', makeValue('b'));
      await healthy.reaches(3);
      broken.close();
      assert.deepEqual(errors, ['closed']);
      assert.lengthOf(healthy.events, 2);
    });

    it('keeps the order when a sink writes', async () => {
      const writes: Promise<unknown>[] = [];
      const writer = storage.watch(
        { prefix: '/source/', afterRevision: 1 },
        {
          onEvents: (events) => {
            for (const { object } of events)
              writes.push(storage.create(`/copy${object.key}`, makeValue('x')));
          },
          onProgress: () => {},
          onError: () => {},
        },
      );
      const watch = new WatchRecorder(storage, { prefix: '/', afterRevision: 1 });
      await watch.reaches(1);
      await storage.create('/source/1', makeValue('x'));
      await storage.create('/source/2', makeValue('x'));
      await watch.reaches(5);
      await Promise.all(writes);
      writer.close();
      assert.deepEqual(
        watch.events.map(({ revision }) => revision),
        [2, 3, 4, 5],
      );
    });
  });
}
