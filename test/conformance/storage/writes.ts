import { assert } from 'chai';
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
      assert.isAtLeast(await storage.currentRevision(), third.revision);
    });

    if (isAlone) {
      it('starts at revision 1 and gives every write the next one', async () => {
        assert.equal(subject.start, 1);
        const first = await subject.create('a');
        const second = await subject.update(first, 2);
        const third = await subject.delete(second);
        assert.deepEqual([first.revision, second.revision, third.revision], [2, 3, 4]);
        assert.equal(await storage.currentRevision(), 4);
      });

      it('applies writes that were started in order in that order', async () => {
        const results = await Promise.all([
          storage.create(a, makeValue('a', 1)),
          storage.update(a, 2, makeValue('a', 2)),
          storage.delete(a, 3),
          storage.create(a, makeValue('a', 3)),
        ]);
        assert.deepEqual(
          results.map((result) => written(result).revision),
          [2, 3, 4, 5],
        );
      });
    }

    it('stamps the revision into what it returns and stores, and nothing else', async () => {
      const text = 'quote " and "resourceVersion":"" inside, é and \u{1f600}';
      const object = await subject.create('a', text);
      assert.equal(object.key, a);
      assert.deepEqual(readValue(object.bytes), { resourceVersion: String(object.revision), content: text });
      const read = await storage.get(a);
      assert.equal(read?.bytes.toString(), object.bytes.toString());
      assert.equal(read?.revision, object.revision);
    });

    it('replaces a revision that the written value already carries', async () => {
      const object = await subject.create('a', 1);
      const updated = written(await storage.update(a, object.revision, object.bytes));
      assert.equal(readValue(updated.bytes).resourceVersion, String(updated.revision));
      assert.equal((await storage.get(a))?.bytes.toString(), updated.bytes.toString());
    });

    it('does not change or keep the buffer that was written', async () => {
      const value = makeValue('a', 'before');
      const pending = storage.create(a, value);
      const copy = Buffer.from(value);
      const object = written(await pending);
      assert.isTrue(value.equals(copy));
      value.fill(0x20);
      assert.equal(readValue(object.bytes).content, 'before');
      assert.equal(await subject.contentOf('a'), 'before');
    });

    it('refuses to create a key that exists and shows the current object', async () => {
      const first = await subject.create('a', 'first');
      const result = await storage.create(a, makeValue('a', 'second'));
      assert.equal(result.kind, 'conflict');
      assert.equal(result.kind === 'conflict' ? result.current?.revision : 0, first.revision);
      assert.equal(await subject.contentOf('a'), 'first');
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
          assert.equal(result.kind, 'conflict');
          if (result.kind !== 'conflict') continue;
          assert.equal(result.current?.bytes.toString(), object.bytes.toString());
        }
        assert.equal((await storage.get(a))?.revision, object.revision);
      });

      it(`refuses to ${verb} what does not exist`, async () => {
        assert.deepEqual(await write(a, subject.start), { kind: 'conflict', current: undefined });
        assert.deepEqual(await write(a, 0), { kind: 'conflict', current: undefined });
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
      assert.deepEqual(watch.lines, subject.lines);
      if (isAlone) assert.equal(end.revision, object.revision + 1);
    });

    it('returns the last state of a deleted object stamped with the revision of the delete', async () => {
      const deleted = await subject.delete(await subject.create('a', 'last'));
      const resourceVersion = String(deleted.revision);
      assert.deepEqual(readValue(deleted.bytes), { resourceVersion, content: 'last' });
      assert.isUndefined(await storage.get(a));
    });

    it('creates a deleted key again', async () => {
      const first = await subject.create('a', 1);
      const deleted = await subject.delete(first);
      const again = await subject.create('a', 2);
      assert.isAbove(again.revision, deleted.revision);
      assert.equal((await storage.update(a, first.revision, makeValue('a', 3))).kind, 'conflict');
    });

    it('rejects a value without a resourceVersion and goes on working', async () => {
      let failure: unknown;
      const bad = storage.create(subject.key('bad'), Buffer.from('{}')).catch((error: unknown) => {
        failure = error;
      });
      const good = storage.create(subject.key('good'), makeValue('good'));
      await bad;
      assert.instanceOf(failure, RangeError);
      assert.equal((await good).kind, 'ok');
      assert.isUndefined(await storage.get(subject.key('bad')));
    });

    it('keeps large values whole', async () => {
      const content = 'x'.repeat(1_500_000);
      await subject.create('large', content);
      assert.equal(await subject.contentOf('large'), content);
    });
  });
}
