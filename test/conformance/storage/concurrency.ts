import { expect } from 'chai';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type { Storage } from '../../../src/storage/index.ts';
import { assertAscending, openSubject, type Subject } from './subject.ts';
import type { OpenDriver, SuiteOptions } from './suite.ts';
import { makeValue, readValue } from './values.ts';

/** What holds when many write at once. */
export function describeConcurrency(openDriver: OpenDriver, { isAlone }: SuiteOptions): void {
  describe('concurrent writers', () => {
    let subject: Subject;
    let storage: Storage;
    beforeEach(async () => {
      subject = await openSubject(openDriver);
      storage = subject.storage;
    });
    afterEach(() => subject[Symbol.asyncDispose]());

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
      const { key } = await subject.create('counter', 0);
      const watch = subject.watch();
      const revisions: number[] = [];
      const write = async (): Promise<void> => {
        let last = 0;
        for (let round = 0; round < rounds; round++) {
          const revision = await increment(key);
          expect(revision).to.be.above(last);
          last = revision;
          revisions.push(revision);
        }
      };
      await Promise.all(Array.from({ length: writers }, write));
      const total = writers * rounds;
      expect(await subject.contentOf('counter')).to.equal(total);
      expect(new Set(revisions).size).to.equal(total);
      if (isAlone) expect(await storage.currentRevision()).to.equal(total + 2);
      await watch.reaches(Math.max(...revisions));
      expect(watch.events.map(({ object }) => readValue(object.bytes).content)).to.deep.equal(
        Array.from({ length: total + 1 }, (_, i) => i),
      );
    });

    it('lets exactly one of many creates, updates and deletes of the same state win', async () => {
      const key = subject.key('a');
      const race = async (write: () => ReturnType<Storage['delete']>): Promise<number> => {
        const results = await Promise.all(Array.from({ length: 16 }, write));
        const winners = results.flatMap((result) => (result.kind === 'ok' ? [result.revision] : []));
        expect(winners).to.have.lengthOf(1);
        return winners[0] ?? 0;
      };
      const created = await race(() => storage.create(key, makeValue('a')));
      const updated = await race(() => storage.update(key, created, makeValue('a')));
      const deleted = await race(() => storage.delete(key, updated));
      assertAscending([subject.start, created, updated, deleted]);
      const watch = await subject.watchLive();
      expect(watch.lines).to.deep.equal([
        `put ${key}@${created}`,
        `put ${key}@${updated}`,
        `delete ${key}@${deleted}`,
      ]);
    });

    it('reads its own writes and never goes back', async () => {
      const { key, revision: first } = await subject.create('a', 0);
      let revision = first;
      const write = async (): Promise<void> => {
        for (let i = 1; i <= 30; i++) {
          const result = await storage.update(key, revision, makeValue('a', i));
          revision = result.kind === 'ok' ? result.revision : revision;
        }
      };
      const read = async (): Promise<void> => {
        let last = 0;
        for (let i = 0; i < 30; i++) {
          const floor = revision;
          const seen = (await storage.get(key))?.revision ?? 0;
          expect(seen).to.be.at.least(Math.max(floor, last));
          last = seen;
        }
      };
      await Promise.all([write(), read(), read()]);
    });
  });
}
