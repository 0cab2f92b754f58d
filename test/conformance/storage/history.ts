import { expect } from 'chai';
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
      expect(await subject.contents(b1.revision)).to.deep.equal({ a: 2, b: 1 });
      expect(await subject.contents(bGone.revision)).to.deep.equal({ a: 2 });
      expect(await subject.contents(c1.revision)).to.deep.equal({ a: 3, c: 1 });
    });

    it('refuses reads before it', async () => {
      await storage.compact(bGone.revision);
      await rejectsWith('compacted', () => subject.contents(b1.revision));
      expect(await subject.contents(bGone.revision)).to.deep.equal({ a: 2 });
      expect((await storage.stats()).compactedRevision).to.equal(bGone.revision);
    });

    it('ends a watch that starts before it', async () => {
      await storage.compact(bGone.revision);
      const watch = subject.watch({ after: b1.revision });
      await watch.fails();
      expect(watch.errors[0]?.code).to.equal('compacted');
      await subject.create('d');
      expect(watch.events).to.deep.equal([]);
      expect(watch.progress).to.deep.equal([]);
    });

    it('keeps every event after it, with the state before the event', async () => {
      await storage.compact(b1.revision);
      const watch = subject.watch({ after: b1.revision });
      await watch.reaches(c1.revision);
      expect(watch.lines).to.deep.equal(subject.lines.slice(3));
      const before = watch.events.map(({ previous }) => previous?.bytes.toString());
      expect(before).to.deep.equal([b1.bytes.toString(), a2.bytes.toString(), undefined]);
    });

    it('never forgets current objects or the revision counter', async () => {
      const { revision } = await subject.delete(c1);
      await storage.compact(revision);
      expect(await subject.contents(revision)).to.deep.equal({ a: 3 });
      expect((await storage.get(a3.key))?.revision).to.equal(a3.revision);
      const later = await subject.create('d');
      expect(later.revision).to.be.above(revision);
      const conflict = await storage.update(a3.key, a2.revision, makeValue('a'));
      expect(conflict.kind === 'conflict' ? conflict.current?.revision : 0).to.equal(a3.revision);
    });

    it('does nothing for a revision that is compacted already, and refuses one that has not happened', async () => {
      await storage.compact(bGone.revision);
      await storage.compact(a2.revision);
      expect((await storage.stats()).compactedRevision).to.equal(bGone.revision);
      await rejectsWith('future-revision', () => storage.compact(c1.revision + 1000));
    });

    it('leaves running watches alone', async () => {
      const watch = subject.watch({ after: c1.revision });
      await watch.reaches(c1.revision);
      const { revision } = await subject.create('d');
      await storage.compact(revision);
      const last = await subject.create('e');
      await watch.reaches(last.revision);
      expect(watch.lines).to.deep.equal(subject.lines.slice(6));
    });

    it('gives every reader and watch the exact truth or `compacted`, while it goes on', async function () {
      this.timeout(60_000);
      await raceCompaction(subject);
    });
  });
}
