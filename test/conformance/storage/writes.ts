import { assert } from 'chai';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type { Storage } from '../../../src/storage/index.ts';
import { written } from './expect.ts';
import type { OpenDriver } from './suite.ts';
import { makeValue, readValue } from './values.ts';

/** What create, update and delete promise. */
export function describeWrites(openDriver: OpenDriver): void {
  describe('writes', () => {
    let storage: Storage;
    beforeEach(async () => {
      storage = await openDriver();
    });
    afterEach(() => storage[Symbol.asyncDispose]());

    it('starts at revision 1 and gives every write the next one', async () => {
      assert.equal(await storage.currentRevision(), 1);
      const first = written(await storage.create('/a', makeValue('a')));
      const second = written(await storage.update('/a', first.revision, makeValue('a', 2)));
      const third = written(await storage.delete('/a', second.revision));
      assert.deepEqual([first.revision, second.revision, third.revision], [2, 3, 4]);
      assert.equal(await storage.currentRevision(), 4);
    });

    it('stamps the revision into what it returns and stores, and nothing else', async () => {
      const text = 'quote " and "resourceVersion":"" inside, é and \u{1f600}';
      const object = written(await storage.create('/a', makeValue('a', text)));
      assert.equal(object.key, '/a');
      assert.deepEqual(readValue(object.bytes), { resourceVersion: '2', content: text });
      const read = await storage.get('/a');
      assert.equal(read?.bytes.toString(), object.bytes.toString());
      assert.equal(read?.revision, 2);
    });

    it('replaces a revision that the written value already carries', async () => {
      const object = written(await storage.create('/a', makeValue('a', 1)));
      const updated = written(await storage.update('/a', 2, object.bytes));
      assert.equal(readValue(updated.bytes).resourceVersion, '3');
    });

    it('does not change or keep the buffer that was written', async () => {
      const value = makeValue('a', 'before');
      const pending = storage.create('/a', value);
      const copy = Buffer.from(value);
      const object = written(await pending);
      assert.isTrue(value.equals(copy));
      value.fill(0x20);
      assert.equal(readValue(object.bytes).content, 'before');
      assert.equal(readValue((await storage.get('/a'))?.bytes ?? Buffer.alloc(0)).content, 'before');
    });

    it('refuses to create a key that exists and shows the current object', async () => {
      await storage.create('/a', makeValue('a', 'first'));
      const result = await storage.create('/a', makeValue('a', 'second'));
      assert.equal(result.kind, 'conflict');
      assert.equal(result.kind === 'conflict' ? result.current?.revision : 0, 2);
      assert.equal(await storage.currentRevision(), 2);
      assert.equal(readValue((await storage.get('/a'))?.bytes ?? Buffer.alloc(0)).content, 'first');
    });

    for (const verb of ['update', 'delete'] as const) {
      const write = (key: string, revision: number): ReturnType<Storage['update']> =>
        verb === 'update'
          ? storage.update(key, revision, makeValue('a', 'new'))
          : storage.delete(key, revision);

      it(`refuses to ${verb} at another revision and shows the current object`, async () => {
        const object = written(await storage.create('/a', makeValue('a', 'old')));
        for (const revision of [0, 1, 3]) {
          const result = await write('/a', revision);
          assert.equal(result.kind, 'conflict');
          if (result.kind !== 'conflict') continue;
          assert.equal(result.current?.bytes.toString(), object.bytes.toString());
        }
        assert.equal(await storage.currentRevision(), 2);
      });

      it(`refuses to ${verb} what does not exist`, async () => {
        assert.deepEqual(await write('/a', 1), { kind: 'conflict', current: undefined });
        assert.deepEqual(await write('/a', 0), { kind: 'conflict', current: undefined });
      });
    }

    it('returns the last state of a deleted object stamped with the revision of the delete', async () => {
      await storage.create('/a', makeValue('a', 'last'));
      const deleted = written(await storage.delete('/a', 2));
      assert.equal(deleted.revision, 3);
      assert.deepEqual(readValue(deleted.bytes), { resourceVersion: '3', content: 'last' });
      assert.isUndefined(await storage.get('/a'));
    });

    it('creates a deleted key again', async () => {
      await storage.create('/a', makeValue('a', 1));
      await storage.delete('/a', 2);
      const again = written(await storage.create('/a', makeValue('a', 2)));
      assert.equal(again.revision, 4);
      assert.equal((await storage.update('/a', 2, makeValue('a', 3))).kind, 'conflict');
    });

    it('rejects a value without a resourceVersion and goes on working', async () => {
      let failure: unknown;
      const bad = storage.create('/bad', Buffer.from('{}')).catch((error: unknown) => {
        failure = error;
      });
      const good = storage.create('/good', makeValue('good'));
      await bad;
      assert.instanceOf(failure, RangeError);
      assert.equal((await good).kind, 'ok');
      assert.isUndefined(await storage.get('/bad'));
    });

    it('keeps large values whole', async () => {
      const content = 'x'.repeat(1_500_000);
      await storage.create('/large', makeValue('large', content));
      assert.equal(readValue((await storage.get('/large'))?.bytes ?? Buffer.alloc(0)).content, content);
    });
  });
}
