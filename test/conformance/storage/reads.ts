import { expect } from 'chai';
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
      expect(await storage.get(subject.key('pods/a/3'))).to.equal(undefined);
      expect(await storage.range({ prefix: subject.key('none/') })).to.deep.equal({
        objects: [],
        revision: last,
        hasMore: false,
      });
    });

    it('finds what a key was at a revision', async () => {
      const first = of('pods/a/1');
      const second = await subject.update(first, 'second');
      const gone = await subject.delete(second);
      const again = await subject.create('pods/a/1', 'again');
      const other = await subject.update(of('pods/b/2'), 'other');
      const at = async (name: string, revision: number) =>
        (await storage.get(subject.key(name), revision))?.bytes.toString();
      for (const [revision, expected] of [
        [first.revision - 1, undefined],
        [first.revision, first],
        [second.revision - 1, first],
        [second.revision, second],
        [gone.revision, undefined],
        [again.revision, again],
        [other.revision, again],
      ] as const) {
        expect(await at('pods/a/1', revision), `at ${revision}`).to.equal(expected?.bytes.toString());
      }
      const last = await subject.delete(other);
      expect(await at('pods/b/2', other.revision)).to.equal(other.bytes.toString());
      expect(await at('pods/b/2', other.revision - 1)).to.equal(of('pods/b/2').bytes.toString());
      expect(await at('pods/b/2', last.revision)).to.equal(undefined);
      expect(await at('none', last.revision)).to.equal(undefined);
      await rejectsWith('future-revision', () => storage.get(subject.key('pods/a/2'), last.revision + 1000));
      await storage.compact(other.revision);
      expect(await at('pods/b/2', other.revision)).to.equal(other.bytes.toString());
      await rejectsWith('compacted', () => storage.get(subject.key('pods/b/2'), again.revision));
    });

    it('knows the revision of a time since it was opened', async () => {
      expect(storage.revisionAt(-1)).to.equal(undefined);
      expect(storage.revisionAt(Date.now() + 60_000)).to.be.within(1, last);
    });

    it('lists the keys of a prefix in byte order, and no others', async () => {
      const { objects, revision, hasMore } = await storage.range({ prefix: pods });
      expect(objects.map(({ key }) => key)).to.deep.equal(
        keys('pods/a/1', 'pods/a/10', 'pods/a/2', 'pods/b/2'),
      );
      expect([revision, hasMore]).to.deep.equal([last, false]);
      for (const { bytes, revision: own, key } of objects) {
        const content = key.slice(subject.prefix.length);
        expect(readValue(bytes)).to.deep.equal({ resourceVersion: String(own), content });
        expect(own).to.equal(created.get(content)?.revision);
      }
    });

    it('lists a prefix that is no folder, and everything', async () => {
      expect(await keysOf({ prefix: subject.key('pods/a/1') })).to.deep.equal(keys('pods/a/1', 'pods/a/10'));
      expect(await keysOf({ prefix: subject.prefix })).to.have.lengthOf(names.length);
      expect(await keysOf({ prefix: '' })).to.include.members(keys(...names));
    });

    it('starts at the start key, inclusive, and never outside the prefix', async () => {
      const from = (startKey: string, limit?: number) => keysOf({ prefix: pods, startKey, limit });
      expect(await from(subject.key('pods/a/10'))).to.deep.equal(keys('pods/a/10', 'pods/a/2', 'pods/b/2'));
      expect(await from(subject.key('pods/a/1\0'), 1)).to.deep.equal(keys('pods/a/10'));
      expect(await from('/')).to.have.lengthOf(4);
      expect(await from(subject.prefix)).to.have.lengthOf(4);
      expect(await from(subject.key('q'))).to.deep.equal([]);
    });

    it('says whether a limit cut the answer short', async () => {
      const page = async (limit: number): Promise<[number, boolean]> => {
        const { objects, hasMore } = await storage.range({ prefix: pods, limit });
        return [objects.length, hasMore];
      };
      expect(await page(3)).to.deep.equal([3, true]);
      expect(await page(4)).to.deep.equal([4, false]);
      expect(await page(5)).to.deep.equal([4, false]);
    });

    it('reads the state of an earlier revision, page by page', async () => {
      await subject.update(of('pods/a/1'), 'new');
      const deleted = await subject.delete(of('pods/a/2'));
      await subject.create('pods/a/3', 'created later');
      await subject.create('pods/a/2', 'again');
      const first = await storage.range({ prefix: pods, revision: last, limit: 2 });
      const startKey = subject.key('pods/a/10\0');
      const rest = await storage.range({ prefix: pods, revision: last, startKey, limit: 2 });
      expect([first.hasMore, rest.hasMore]).to.deep.equal([true, false]);
      expect([first.revision, rest.revision]).to.deep.equal([last, last]);
      expect(
        [...first.objects, ...rest.objects].map(({ key, bytes }) => [key, bytes.toString()]),
      ).to.deep.equal(
        (['pods/a/1', 'pods/a/10', 'pods/a/2', 'pods/b/2'] as const).map((name) => [
          subject.key(name),
          of(name).bytes.toString(),
        ]),
      );
      expect(await keysOf({ prefix: subject.key('pods/a/'), revision: deleted.revision })).to.deep.equal(
        keys('pods/a/1', 'pods/a/10'),
      );
    });

    it('refuses a revision that has not happened', async () => {
      const revision = last + 1000;
      await rejectsWith('future-revision', () => storage.range({ prefix: subject.prefix, revision }));
    });

    it('counts objects and bytes', async () => {
      const stats = await storage.stats();
      expect(stats.revision).to.be.at.least(last);
      expect(stats.objectCount).to.equal(objectsBefore + names.length);
      expect(stats.sizeBytes).to.be.above(0);
    });
  });
}
