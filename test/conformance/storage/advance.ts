import { expect } from 'chai';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type { Storage, StoredObject } from '../../../src/storage/index.ts';
import { rejectsWith } from './expect.ts';
import { assertAscending, openSubject, type Subject } from './subject.ts';
import type { OpenDriver, SuiteOptions } from './suite.ts';

/** Small, because a shared store has to count up to it. */
const step = 40;

/** What raising the revision counter promises. */
export function describeAdvance(openDriver: OpenDriver, { isDurable }: SuiteOptions): void {
  describe('advanceRevision', () => {
    let subject: Subject;
    let storage: Storage;
    let before: StoredObject;
    let target: number;
    beforeEach(async () => {
      subject = await openSubject(openDriver);
      storage = subject.storage;
      before = await subject.create('before', 1);
      target = before.revision + step;
      await storage.advanceRevision(target);
    });
    afterEach(() => subject[Symbol.asyncDispose]());

    it('makes all that follows newer', async () => {
      expect(await storage.currentRevision()).to.be.at.least(target);
      expect((await storage.range({ prefix: subject.prefix })).revision).to.be.at.least(target);
      const created = await subject.create('a', 1);
      const updated = await subject.update(created, 2);
      assertAscending([target, created.revision, updated.revision]);
      const watch = subject.watch({ after: target });
      await watch.reaches(updated.revision);
      expect(watch.lines).to.deep.equal(subject.lines.slice(1));
    });

    it('forgets what was before', async () => {
      const watch = subject.watch({ after: before.revision });
      await watch.fails();
      expect(watch.errors[0]?.code).to.equal('compacted');
      await rejectsWith('compacted', () => subject.contents(before.revision));
      expect((await storage.stats()).compactedRevision).to.be.at.least(target);
    });

    it('keeps objects as they were', async () => {
      expect((await storage.get(before.key))?.bytes.toString()).to.equal(before.bytes.toString());
      expect((await subject.update(before, 2)).revision).to.be.above(target);
    });

    it('never lowers the counter', async () => {
      await storage.advanceRevision(before.revision);
      await storage.advanceRevision(1);
      expect(await storage.currentRevision()).to.be.at.least(target);
      const { revision } = await subject.create('a');
      expect(revision).to.be.above(target);
      await storage.advanceRevision(target);
      const watch = subject.watch({ after: target });
      await watch.reaches(revision);
      expect(watch.lines).to.deep.equal(subject.lines.slice(1));
    });

    if (isDurable) {
      it('lasts', async () => {
        await storage[Symbol.asyncDispose]();
        const again = await subject.reopen();
        expect(await again.currentRevision()).to.be.at.least(target);
      });
    }
  });
}
