import { expect } from 'chai';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type { Storage, WriteResult } from '../../../src/storage/index.ts';
import { written } from './expect.ts';
import type { WatchRecorder } from './recorder.ts';
import { openSubject, type Subject } from './subject.ts';
import type { OpenDriver, SuiteOptions } from './suite.ts';
import { makeValue } from './values.ts';

/** What live watches have seen by the time that a write is answered. */
export function describeHandOver(openDriver: OpenDriver, { isAlone }: SuiteOptions): void {
  describe('hand-over to watches', () => {
    let subject: Subject;
    let storage: Storage;
    let watch: WatchRecorder;
    beforeEach(async () => {
      subject = await openSubject(openDriver);
      storage = subject.storage;
      watch = await subject.watchLive();
    });
    afterEach(() => subject[Symbol.asyncDispose]());

    const lastSeen = (): number => watch.events.at(-1)?.revision ?? 0;

    it('is done before a write is acknowledged', async () => {
      for (let i = 0; i < 5; i++) {
        const created = await subject.create(`${i}`);
        expect(lastSeen()).to.equal(created.revision);
        const updated = await subject.update(created, i);
        expect(lastSeen()).to.equal(updated.revision);
        const deleted = await subject.delete(updated);
        expect(lastSeen()).to.equal(deleted.revision);
      }
    });

    it('is done before a write is acknowledged, also when many write', async () => {
      const write = async (writer: number): Promise<void> => {
        for (let i = 0; i < 10; i++) {
          const { revision } = await subject.create(`${writer}/${i}`);
          expect(lastSeen()).to.be.at.least(revision);
        }
      };
      await Promise.all(Array.from({ length: 8 }, (_, writer) => write(writer)));
    });

    /** Asserts that a conflict shows nothing that the watch has not seen. */
    const assertSeen = (result: WriteResult): boolean => {
      if (result.kind !== 'conflict') return false;
      expect(lastSeen()).to.be.at.least(result.current?.revision ?? 0);
      return true;
    };

    it('is done before a conflict is answered, for all that the conflict shows', async () => {
      const { key, revision } = await subject.create('a');
      let conflicts = 0;
      for (let round = 0, expected = revision; round < 10; round++) {
        const value = makeValue('a', round);
        const race = Array.from({ length: 4 }, async () => {
          const result = await storage.update(key, expected, value);
          if (assertSeen(result)) conflicts++;
          return result;
        });
        race.push(storage.create(key, value));
        const results = await Promise.all(race);
        const winner = results.find(({ kind }) => kind === 'ok');
        expect(winner).to.not.equal(undefined);
        if (winner !== undefined) expected = written(winner).revision;
      }
      expect(conflicts).to.equal(30);
    });

    if (!isAlone) {
      it('is done before a conflict with a write of another process is answered', async () => {
        const other = await subject.reopen();
        const { key, revision } = await subject.create('a');
        for (let round = 0, expected = revision; round < 10; round++) {
          const object = written(await other.update(key, expected, makeValue('a', round)));
          expect(assertSeen(await storage.update(key, expected, makeValue('a', 'late')))).to.equal(true);
          expect(assertSeen(await storage.delete(key, expected))).to.equal(true);
          expect(assertSeen(await storage.create(key, makeValue('a', 'again')))).to.equal(true);
          expect(lastSeen()).to.equal(object.revision);
          expected = object.revision;
        }
      });

      it('knows by its current revision what another process was acknowledged', async () => {
        const other = await subject.reopen();
        for (let round = 0; round < 10; round++) {
          const object = written(await other.create(subject.key(`${round}`), makeValue('x')));
          expect(await storage.currentRevision()).to.be.at.least(object.revision);
        }
      });
    }
  });
}
