import { expect } from 'chai';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type { Storage } from '../../../src/storage/index.ts';
import { WatchRecorder } from './recorder.ts';
import { assertAscending, assertWholeBatches, openSubject, type Subject } from './subject.ts';
import type { OpenDriver, SuiteOptions } from './suite.ts';
import { makeValue, readValue } from './values.ts';
import { describeWatchLoad } from './watch-load.ts';

/** The six guarantees of watches, and what events carry. */
export function describeWatch(openDriver: OpenDriver, options: SuiteOptions): void {
  describe('watch', () => {
    let subject: Subject;
    let storage: Storage;
    beforeEach(async () => {
      subject = await openSubject(openDriver);
      storage = subject.storage;
    });
    afterEach(() => subject[Symbol.asyncDispose]());

    /** Every kind of event; resolves with the revisions, the one before the first included. */
    const writeSix = async (): Promise<readonly number[]> => {
      const a1 = await subject.create('a', 1);
      const b1 = await subject.create('b', 1);
      const a2 = await subject.update(a1, 2);
      const gone = await subject.delete(b1);
      const b2 = await subject.create('b', 2);
      const a3 = await subject.update(a2, 3);
      return [subject.start, ...[a1, b1, a2, gone, b2, a3].map(({ revision }) => revision)];
    };
    const revisionsOf = (watch: WatchRecorder): readonly number[] =>
      watch.events.map(({ revision }) => revision);
    const nothing = { onEvents() {}, onProgress() {}, onError() {} };

    it('is ordered: history first, then live, by revision', async () => {
      const first = await subject.create('a', 1);
      const watch = subject.watch();
      const revisions = await subject.createMany(20);
      await watch.reaches(revisions.at(-1) ?? 0);
      expect(revisionsOf(watch)).to.deep.equal([first.revision, ...revisions]);
    });

    it('is unique: no event comes twice, whenever the watch starts', async () => {
      const watches: WatchRecorder[] = [];
      const writes: Promise<{ readonly revision: number }>[] = [];
      for (let i = 0; i < 10; i++) {
        writes.push(subject.create(`${i}`));
        watches.push(subject.watch());
      }
      const revisions = (await Promise.all(writes)).map(({ revision }) => revision).sort((a, b) => a - b);
      for (const watch of watches) {
        await watch.reaches(revisions.at(-1) ?? 0);
        expect(revisionsOf(watch)).to.deep.equal(revisions);
      }
    });

    it('is reliable: a late watch misses nothing after its start', async () => {
      const starts = await writeSix();
      for (const [index, after] of starts.entries()) {
        const watch = subject.watch({ after });
        await watch.reaches(starts.at(-1) ?? 0);
        expect(watch.lines).to.deep.equal(subject.lines.slice(index));
      }
    });

    it('is atomic: a revision is never split over batches, and batches go forward', async () => {
      const watch = subject.watch();
      const revisions = await subject.createMany(50);
      await watch.reaches(revisions.at(-1) ?? 0);
      assertWholeBatches(watch.batches);
    });

    it('is resumable: a second watch continues where the first one ended', async () => {
      const first = subject.watch();
      const a = await subject.create('a', 1);
      const b = await subject.create('b', 1);
      await first.reaches(b.revision);
      first.close();
      await subject.update(a, 2);
      const second = subject.watch({ after: b.revision });
      const gone = await subject.delete(b);
      await second.reaches(gone.revision);
      expect([...first.lines, ...second.lines]).to.deep.equal(subject.lines);
    });

    it('is bookmarkable: progress passes events of other keys', async () => {
      const watch = subject.watch({ folder: 'mine/' });
      for (const name of ['other/1', 'other/2', 'other/3']) {
        await watch.reaches((await subject.create(name)).revision);
      }
      expect(watch.events).to.deep.equal([]);
      expect(watch.progress).to.deep.equal([...watch.progress].sort((a, b) => a - b));
    });

    it('delivers the keys of its prefix only', async () => {
      const watch = subject.watch({ folder: 'pods/' });
      const wanted: number[] = [];
      for (const name of ['pods/1', 'podsx', 'pod', 'pods', 'pods/2']) {
        const { revision } = await subject.create(name);
        if (name.startsWith('pods/')) wanted.push(revision);
      }
      await watch.reaches(wanted.at(-1) ?? 0);
      const late = subject.watch({ folder: 'pods/' });
      await late.reaches(wanted.at(-1) ?? 0);
      expect(revisionsOf(watch)).to.deep.equal(wanted);
      expect(late.lines).to.deep.equal(watch.lines);
    });

    for (const mode of ['live', 'history'] as const) {
      it(`carries the new and the previous state of every write (${mode})`, async () => {
        const live = mode === 'live' ? await subject.watchLive() : undefined;
        const [, a1, b1, a2, gone, b2, a3] = await writeSix();
        const watch = live ?? subject.watch();
        await watch.reaches(a3 ?? 0);
        const seen = watch.events.map(({ object, previous, revision }) => {
          expect(object.revision).to.equal(revision);
          expect(readValue(object.bytes).resourceVersion).to.equal(String(revision));
          if (previous === undefined) return [revision, readValue(object.bytes).content];
          const { resourceVersion, content } = readValue(previous.bytes);
          expect(previous.key).to.equal(object.key);
          expect(resourceVersion).to.equal(String(previous.revision));
          return [revision, readValue(object.bytes).content, previous.revision, content];
        });
        expect(seen).to.deep.equal([
          [a1, 1],
          [b1, 1],
          [a2, 2, a1, 1],
          [gone, 1, b1, 1],
          [b2, 2],
          [a3, 3, a2, 2],
        ]);
        expect(watch.lines).to.deep.equal(subject.lines);
      });
    }

    it('shows watches that begin amid writes the previous state, though another one does without', async () => {
      const ignoring = new WatchRecorder(storage, {
        prefix: subject.prefix,
        afterRevision: subject.start,
        ignoresPrevious: true,
      });
      let last = await subject.create('a', 0);
      const watches: WatchRecorder[] = [];
      for (let round = 1; round <= 20; round++) {
        const update = subject.update(last, round);
        if (round % 5 === 0) watches.push(subject.watch());
        last = await update;
      }
      const gone = await subject.delete(last);
      for (const watch of [ignoring, ...watches]) await watch.reaches(gone.revision);
      for (const { events } of watches) {
        events.forEach(({ previous }, index) => {
          const before = events[index - 1]?.object;
          expect(previous?.bytes.toString()).to.equal(before?.bytes.toString());
        });
      }
      expect(ignoring.lines).to.deep.equal(subject.lines);
      const seen = ignoring.events.map(({ object }) => readValue(object.bytes).content);
      expect(seen).to.deep.equal([...Array(21).keys(), 20]);
      ignoring.close();
    });

    it('waits for a start that has not happened yet', async () => {
      const after = subject.start + 2;
      const watch = subject.watch({ after });
      const revisions: number[] = [];
      for (const name of ['a', 'b', 'c']) revisions.push((await subject.create(name)).revision);
      await watch.reaches(revisions.at(-1) ?? 0);
      expect(watch.events).to.not.be.empty;
      expect(revisionsOf(watch)).to.deep.equal(revisions.filter((revision) => revision > after));
    });

    it('delivers nothing after it was closed, not even from inside its own sink', async () => {
      const closed = subject.watch();
      closed.close();
      let count = 0;
      const watch = storage.watch(
        { prefix: subject.prefix, afterRevision: subject.start },
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
      const others = subject.watch();
      await subject.create('a');
      await others.reaches((await subject.create('b')).revision);
      expect(count).to.equal(1);
      expect(closed.events).to.deep.equal([]);
    });

    it('ends only the watch whose sink throws, and the write succeeds', async () => {
      const errors: string[] = [];
      const request = { prefix: subject.prefix, afterRevision: subject.start };
      const broken = storage.watch(request, {
        onEvents: () => {
          throw new Error('broken sink');
        },
        onProgress: () => {},
        onError: (error) => errors.push(error.code),
      });
      const healthy = subject.watch();
      await subject.create('a');
      await healthy.reaches((await subject.create('b')).revision);
      broken.close();
      expect(errors).to.deep.equal(['closed']);
      expect(healthy.events).to.have.lengthOf(2);
    });

    it('keeps the order when a sink writes', async () => {
      const writes: Promise<unknown>[] = [];
      const prefix = subject.key('source/');
      const copy = (key: string) => storage.create(key.replace(prefix, subject.key('copy/')), makeValue('x'));
      const writer = storage.watch(
        { prefix, afterRevision: subject.start },
        {
          ...nothing,
          onEvents: (events) => {
            for (const { object } of events) writes.push(copy(object.key));
          },
        },
      );
      const watch = await subject.watchLive();
      await subject.create('source/1');
      const last = await subject.create('source/2');
      await watch.reaches(last.revision);
      while (writes.length < 2) await new Promise(setImmediate);
      await Promise.all(writes);
      await watch.reaches(await storage.currentRevision());
      writer.close();
      expect(watch.events).to.have.lengthOf(4);
      assertAscending(revisionsOf(watch));
    });

    describeWatchLoad(openDriver, options);
  });
}
