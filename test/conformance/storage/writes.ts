import { expect } from 'chai';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type { Storage } from '../../../src/storage/index.ts';
import { written } from './expect.ts';
import { assertAscending, openSubject, type Subject } from './subject.ts';
import type { OpenDriver, SuiteOptions } from './suite.ts';
import { makeValue, readValue } from './values.ts';

/** What create, update and delete promise. */
export function describeWrites(openDriver: OpenDriver, { isAlone }: SuiteOptions): void {
  describe('writes', () => {
    let subject: Subject;
    let storage: Storage;
    let a: string;
    beforeEach(async () => {
      subject = await openSubject(openDriver);
      storage = subject.storage;
      a = subject.key('a');
    });
    afterEach(() => subject[Symbol.asyncDispose]());

    it('gives every write a later revision', async () => {
      const first = await subject.create('a');
      const second = await subject.update(first, 2);
      const third = await subject.delete(second);
      assertAscending([subject.start, first.revision, second.revision, third.revision]);
      expect(await storage.currentRevision()).to.be.at.least(third.revision);
    });

    if (isAlone) {
      it('starts at revision 1 and gives every write the next one', async () => {
        expect(subject.start).to.equal(1);
        const first = await subject.create('a');
        const second = await subject.update(first, 2);
        const third = await subject.delete(second);
        expect([first.revision, second.revision, third.revision]).to.deep.equal([2, 3, 4]);
        expect(await storage.currentRevision()).to.equal(4);
      });

      it('applies writes that were started in order in that order', async () => {
        const results = await Promise.all([
          storage.create(a, makeValue('a', 1)),
          storage.update(a, 2, makeValue('a', 2)),
          storage.delete(a, 3),
          storage.create(a, makeValue('a', 3)),
        ]);
        expect(results.map((result) => written(result).revision)).to.deep.equal([2, 3, 4, 5]);
      });
    }

    it('stamps the revision into what it returns and stores, and nothing else', async () => {
      const text = 'quote " and "resourceVersion":"" inside, é and \u{1f600}';
      const object = await subject.create('a', text);
      expect(object.key).to.equal(a);
      expect(readValue(object.bytes)).to.deep.equal({
        resourceVersion: String(object.revision),
        content: text,
      });
      const read = await storage.get(a);
      expect(read?.bytes.toString()).to.equal(object.bytes.toString());
      expect(read?.revision).to.equal(object.revision);
    });

    it('replaces a revision that the written value already carries', async () => {
      const object = await subject.create('a', 1);
      const updated = written(await storage.update(a, object.revision, object.bytes));
      expect(readValue(updated.bytes).resourceVersion).to.equal(String(updated.revision));
      expect((await storage.get(a))?.bytes.toString()).to.equal(updated.bytes.toString());
    });

    it('does not change or keep the buffer that was written', async () => {
      const value = makeValue('a', 'before');
      const pending = storage.create(a, value);
      const copy = Buffer.from(value);
      const object = written(await pending);
      expect(value.equals(copy)).to.equal(true);
      value.fill(0x20);
      expect(readValue(object.bytes).content).to.equal('before');
      expect(await subject.contentOf('a')).to.equal('before');
    });

    it('refuses to create a key that exists and shows the current object', async () => {
      const first = await subject.create('a', 'first');
      const result = await storage.create(a, makeValue('a', 'second'));
      expect(result.kind).to.equal('conflict');
      expect(result.kind === 'conflict' ? result.current?.revision : 0).to.equal(first.revision);
      expect(await subject.contentOf('a')).to.equal('first');
    });

    for (const verb of ['update', 'delete'] as const) {
      const write = (key: string, revision: number): ReturnType<Storage['update']> =>
        verb === 'update'
          ? storage.update(key, revision, makeValue('a', 'new'))
          : storage.delete(key, revision);

      it(`refuses to ${verb} at another revision and shows the current object`, async () => {
        const object = await subject.create('a', 'old');
        for (const revision of [0, object.revision - 1, object.revision + 1]) {
          const result = await write(a, revision);
          expect(result.kind).to.equal('conflict');
          if (result.kind !== 'conflict') continue;
          expect(result.current?.bytes.toString()).to.equal(object.bytes.toString());
        }
        expect((await storage.get(a))?.revision).to.equal(object.revision);
      });

      it(`refuses to ${verb} what does not exist`, async () => {
        expect(await write(a, subject.start)).to.deep.equal({ kind: 'conflict', current: undefined });
        expect(await write(a, 0)).to.deep.equal({ kind: 'conflict', current: undefined });
      });
    }

    it('writes nothing when it refuses', async () => {
      const object = await subject.create('a');
      const watch = await subject.watchLive();
      await storage.create(a, makeValue('a'));
      await storage.update(a, object.revision + 1, makeValue('a'));
      await storage.delete(a, object.revision + 1);
      const end = await subject.create('end');
      await watch.reaches(end.revision);
      expect(watch.lines).to.deep.equal(subject.lines);
      if (isAlone) expect(end.revision).to.equal(object.revision + 1);
    });

    it('returns the last state of a deleted object stamped with the revision of the delete', async () => {
      const deleted = await subject.delete(await subject.create('a', 'last'));
      const resourceVersion = String(deleted.revision);
      expect(readValue(deleted.bytes)).to.deep.equal({ resourceVersion, content: 'last' });
      expect(await storage.get(a)).to.equal(undefined);
    });

    it('creates a deleted key again', async () => {
      const first = await subject.create('a', 1);
      const deleted = await subject.delete(first);
      const again = await subject.create('a', 2);
      expect(again.revision).to.be.above(deleted.revision);
      expect((await storage.update(a, first.revision, makeValue('a', 3))).kind).to.equal('conflict');
    });

    it('rejects a value without a resourceVersion and goes on working', async () => {
      let failure: unknown;
      const bad = storage.create(subject.key('bad'), Buffer.from('{}')).catch((error: unknown) => {
        failure = error;
      });
      const good = storage.create(subject.key('good'), makeValue('good'));
      await bad;
      expect(failure).to.be.instanceOf(RangeError);
      expect((await good).kind).to.equal('ok');
      expect(await storage.get(subject.key('bad'))).to.equal(undefined);
    });

    it('keeps large values whole', async () => {
      const content = 'x'.repeat(1_500_000);
      await subject.create('large', content);
      expect(await subject.contentOf('large')).to.equal(content);
    });
  });
}
