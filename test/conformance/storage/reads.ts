import { assert } from 'chai';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type { RangeRequest, Storage, StoredObject } from '../../../src/storage/index.ts';
import { rejectsWith } from './expect.ts';
import { openSubject, type Subject } from './subject.ts';
import type { OpenDriver } from './suite.ts';
import { readValue } from './values.ts';

const names = ['pods/b/2', 'pods/a/1', 'pods/a/10', 'pods/a/2', 'podsx/1', 'pod', 'pods'] as const;

/** What get and range promise. */
export function describeReads(openDriver: OpenDriver): void {
  describe('reads', () => {
    let subject: Subject;
    let storage: Storage;
    let pods: string;
    let objectsBefore: number;
    let created: Map<string, StoredObject>;
    let last: number;
    beforeEach(async () => {
      subject = await openSubject(openDriver);
      storage = subject.storage;
      pods = subject.key('pods/');
      objectsBefore = (await storage.stats()).objectCount;
      created = new Map();
      for (const name of names) created.set(name, await subject.create(name, name));
      last = of('pods').revision;
    });
    afterEach(() => subject[Symbol.asyncDispose]());

    const of = (name: (typeof names)[number]): StoredObject => {
      const object = created.get(name);
      if (object === undefined) throw new Error(`${name} was not created`);
      return object;
    };
    const keysOf = async (request: RangeRequest): Promise<string[]> =>
      (await storage.range(request)).objects.map(({ key }) => key);
    const keys = (...wanted: string[]): string[] => wanted.map((name) => subject.key(name));

    it('finds nothing where nothing was written', async () => {
      assert.isUndefined(await storage.get(subject.key('pods/a/3')));
      assert.deepEqual(await storage.range({ prefix: subject.key('none/') }), {
        objects: [],
        revision: last,
        hasMore: false,
      });
    });

    it('lists the keys of a prefix in byte order, and no others', async () => {
      const { objects, revision, hasMore } = await storage.range({ prefix: pods });
      assert.deepEqual(
        objects.map(({ key }) => key),
        keys('pods/a/1', 'pods/a/10', 'pods/a/2', 'pods/b/2'),
      );
      assert.deepEqual([revision, hasMore], [last, false]);
      for (const { bytes, revision: own, key } of objects) {
        const content = key.slice(subject.prefix.length);
        assert.deepEqual(readValue(bytes), { resourceVersion: String(own), content });
        assert.equal(own, created.get(content)?.revision);
      }
    });

    it('lists a prefix that is no folder, and everything', async () => {
      assert.deepEqual(await keysOf({ prefix: subject.key('pods/a/1') }), keys('pods/a/1', 'pods/a/10'));
      assert.lengthOf(await keysOf({ prefix: subject.prefix }), names.length);
      assert.includeMembers(await keysOf({ prefix: '' }), keys(...names));
    });

    it('starts at the start key, inclusive, and never outside the prefix', async () => {
      const from = (startKey: string, limit?: number) => keysOf({ prefix: pods, startKey, limit });
      assert.deepEqual(await from(subject.key('pods/a/10')), keys('pods/a/10', 'pods/a/2', 'pods/b/2'));
      assert.deepEqual(await from(subject.key('pods/a/1\0'), 1), keys('pods/a/10'));
      assert.lengthOf(await from('/'), 4);
      assert.lengthOf(await from(subject.prefix), 4);
      assert.deepEqual(await from(subject.key('q')), []);
    });

    it('says whether a limit cut the answer short', async () => {
      const page = async (limit: number): Promise<[number, boolean]> => {
        const { objects, hasMore } = await storage.range({ prefix: pods, limit });
        return [objects.length, hasMore];
      };
      assert.deepEqual(await page(3), [3, true]);
      assert.deepEqual(await page(4), [4, false]);
      assert.deepEqual(await page(5), [4, false]);
    });

    it('reads the state of an earlier revision, page by page', async () => {
      await subject.update(of('pods/a/1'), 'new');
      const deleted = await subject.delete(of('pods/a/2'));
      await subject.create('pods/a/3', 'created later');
      await subject.create('pods/a/2', 'again');
      const first = await storage.range({ prefix: pods, revision: last, limit: 2 });
      const startKey = subject.key('pods/a/10\0');
      const rest = await storage.range({ prefix: pods, revision: last, startKey, limit: 2 });
      assert.deepEqual([first.hasMore, rest.hasMore], [true, false]);
      assert.deepEqual([first.revision, rest.revision], [last, last]);
      assert.deepEqual(
        [...first.objects, ...rest.objects].map(({ key, bytes }) => [key, bytes.toString()]),
        (['pods/a/1', 'pods/a/10', 'pods/a/2', 'pods/b/2'] as const).map((name) => [
          subject.key(name),
          of(name).bytes.toString(),
        ]),
      );
      assert.deepEqual(
        await keysOf({ prefix: subject.key('pods/a/'), revision: deleted.revision }),
        keys('pods/a/1', 'pods/a/10'),
      );
    });

    it('refuses a revision that has not happened', async () => {
      const revision = last + 1000;
      await rejectsWith('future-revision', () => storage.range({ prefix: subject.prefix, revision }));
    });

    it('counts objects and bytes', async () => {
      const stats = await storage.stats();
      assert.isAtLeast(stats.revision, last);
      assert.equal(stats.objectCount, objectsBefore + names.length);
      assert.isAbove(stats.sizeBytes, 0);
    });
  });
}
