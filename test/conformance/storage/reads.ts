import { assert } from 'chai';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type { RangeRequest, Storage } from '../../../src/storage/index.ts';
import { rejectsWith } from './expect.ts';
import type { OpenDriver } from './suite.ts';
import { makeValue, readValue } from './values.ts';

/** What get and range promise. */
export function describeReads(openDriver: OpenDriver): void {
  describe('reads', () => {
    let storage: Storage;
    beforeEach(async () => {
      storage = await openDriver();
      for (const key of ['/pods/b/2', '/pods/a/1', '/pods/a/10', '/pods/a/2', '/podsx/1', '/pod', '/pods']) {
        await storage.create(key, makeValue('x', key));
      }
    });
    afterEach(() => storage[Symbol.asyncDispose]());

    const keysOf = async (request: RangeRequest): Promise<string[]> =>
      (await storage.range(request)).objects.map(({ key }) => key);

    it('finds nothing where nothing was written', async () => {
      assert.isUndefined(await storage.get('/pods/a/3'));
      assert.deepEqual(await storage.range({ prefix: '/none/' }), {
        objects: [],
        revision: 8,
        hasMore: false,
      });
    });

    it('lists the keys of a prefix in byte order, and no others', async () => {
      const { objects, revision, hasMore } = await storage.range({ prefix: '/pods/' });
      assert.deepEqual(
        objects.map(({ key }) => key),
        ['/pods/a/1', '/pods/a/10', '/pods/a/2', '/pods/b/2'],
      );
      assert.deepEqual([revision, hasMore], [8, false]);
      for (const { bytes, revision: own, key } of objects) {
        assert.deepEqual(readValue(bytes), { resourceVersion: String(own), content: key });
      }
    });

    it('lists a prefix that is no folder, and everything for the empty prefix', async () => {
      assert.deepEqual(await keysOf({ prefix: '/pods/a/1' }), ['/pods/a/1', '/pods/a/10']);
      assert.lengthOf(await keysOf({ prefix: '' }), 7);
    });

    it('starts at the start key, inclusive, and never outside the prefix', async () => {
      assert.deepEqual(await keysOf({ prefix: '/pods/', startKey: '/pods/a/10' }), [
        '/pods/a/10',
        '/pods/a/2',
        '/pods/b/2',
      ]);
      assert.deepEqual(await keysOf({ prefix: '/pods/', startKey: '/pods/a/1\0', limit: 1 }), ['/pods/a/10']);
      assert.lengthOf(await keysOf({ prefix: '/pods/', startKey: '/' }), 4);
      assert.deepEqual(await keysOf({ prefix: '/pods/', startKey: '/q' }), []);
    });

    it('says whether a limit cut the answer short', async () => {
      const page = async (limit: number): Promise<[number, boolean]> => {
        const { objects, hasMore } = await storage.range({ prefix: '/pods/', limit });
        return [objects.length, hasMore];
      };
      assert.deepEqual(await page(3), [3, true]);
      assert.deepEqual(await page(4), [4, false]);
      assert.deepEqual(await page(5), [4, false]);
    });

    it('reads the state of an earlier revision, page by page', async () => {
      await storage.update('/pods/a/1', 3, makeValue('x', 'new'));
      await storage.delete('/pods/a/2', 5);
      await storage.create('/pods/a/3', makeValue('x', 'created later'));
      await storage.create('/pods/a/2', makeValue('x', 'again'));
      const first = await storage.range({ prefix: '/pods/', revision: 8, limit: 2 });
      const rest = await storage.range({ prefix: '/pods/', revision: 8, startKey: '/pods/a/10\0', limit: 2 });
      assert.deepEqual([first.hasMore, rest.hasMore, first.revision, rest.revision], [true, false, 8, 8]);
      assert.deepEqual(
        [...first.objects, ...rest.objects].map(({ key, revision, bytes }) => [
          key,
          revision,
          readValue(bytes).content,
        ]),
        [
          ['/pods/a/1', 3, '/pods/a/1'],
          ['/pods/a/10', 4, '/pods/a/10'],
          ['/pods/a/2', 5, '/pods/a/2'],
          ['/pods/b/2', 2, '/pods/b/2'],
        ],
      );
      assert.deepEqual(await keysOf({ prefix: '/pods/a/', revision: 10 }), ['/pods/a/1', '/pods/a/10']);
    });

    it('refuses a revision that has not happened', async () => {
      await rejectsWith('future-revision', () => storage.range({ prefix: '/', revision: 9 }));
    });

    it('counts objects and bytes', async () => {
      const stats = await storage.stats();
      assert.deepEqual([stats.revision, stats.objectCount], [8, 7]);
      assert.isAbove(stats.sizeBytes, 0);
    });
  });
}
