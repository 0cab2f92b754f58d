import { assert } from 'chai';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type { Storage, StoredObject } from '../../../src/storage/index.ts';
import { raceCompaction } from './compaction-race.ts';
import { rejectsWith } from './expect.ts';
import { openSubject, type Subject } from './subject.ts';
import type { OpenDriver } from './suite.ts';
import { makeValue } from './values.ts';

/** What compaction promises. */
export function describeHistory(openDriver: OpenDriver): void {
  describe('compaction', () => {
    let subject: Subject;
    let storage: Storage;
    /** The six writes, in order. */
    let a1: StoredObject;
    let a2: StoredObject;
    let b1: StoredObject;
    let bGone: StoredObject;
    let a3: StoredObject;
    let c1: StoredObject;
    beforeEach(async () => {
      subject = await openSubject(openDriver);
      storage = subject.storage;
      a1 = await subject.create('a', 1);
      a2 = await subject.update(a1, 2);
      b1 = await subject.create('b', 1);
      bGone = await subject.delete(b1);
      a3 = await subject.update(a2, 3);
      c1 = await subject.create('c', 1);
    });
    afterEach(() => subject[Symbol.asyncDispose]());

    it('keeps the state at the compacted revision and after it', async () => {
      await storage.compact(b1.revision);
      assert.deepEqual(await subject.contents(b1.revision), { a: 2, b: 1 });
      assert.deepEqual(await subject.contents(bGone.revision), { a: 2 });
      assert.deepEqual(await subject.contents(c1.revision), { a: 3, c: 1 });
    });

    it('refuses reads before it', async () => {
      await storage.compact(bGone.revision);
      await rejectsWith('compacted', () => subject.contents(b1.revision));
      assert.deepEqual(await subject.contents(bGone.revision), { a: 2 });
      assert.equal((await storage.stats()).compactedRevision, bGone.revision);
    });

    it('ends a watch that starts before it', async () => {
      await storage.compact(bGone.revision);
      const watch = subject.watch({ after: b1.revision });
      await watch.fails();
      assert.equal(watch.errors[0]?.code, 'compacted');
      await subject.create('d');
      assert.deepEqual(watch.events, []);
      assert.deepEqual(watch.progress, []);
    });

    it('keeps every event after it, with the state before the event', async () => {
      await storage.compact(b1.revision);
      const watch = subject.watch({ after: b1.revision });
      await watch.reaches(c1.revision);
      assert.deepEqual(watch.lines, subject.lines.slice(3));
      const before = watch.events.map(({ previous }) => previous?.bytes.toString());
      assert.deepEqual(before, [b1.bytes.toString(), a2.bytes.toString(), undefined]);
    });

    it('never forgets current objects or the revision counter', async () => {
      const { revision } = await subject.delete(c1);
      await storage.compact(revision);
      assert.deepEqual(await subject.contents(revision), { a: 3 });
      assert.equal((await storage.get(a3.key))?.revision, a3.revision);
      const later = await subject.create('d');
      assert.isAbove(later.revision, revision);
      const conflict = await storage.update(a3.key, a2.revision, makeValue('a'));
      assert.equal(conflict.kind === 'conflict' ? conflict.current?.revision : 0, a3.revision);
    });

    it('does nothing for a revision that is compacted already, and refuses one that has not happened', async () => {
      await storage.compact(bGone.revision);
      await storage.compact(a2.revision);
      assert.equal((await storage.stats()).compactedRevision, bGone.revision);
      await rejectsWith('future-revision', () => storage.compact(c1.revision + 1000));
    });

    it('leaves running watches alone', async () => {
      const watch = subject.watch({ after: c1.revision });
      await watch.reaches(c1.revision);
      const { revision } = await subject.create('d');
      await storage.compact(revision);
      const last = await subject.create('e');
      await watch.reaches(last.revision);
      assert.deepEqual(watch.lines, subject.lines.slice(6));
    });

    it('gives every reader and watch the exact truth or `compacted`, while it goes on', async function () {
      this.timeout(30_000);
      await raceCompaction(subject);
    });
  });
}
