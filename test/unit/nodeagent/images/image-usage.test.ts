import { expect } from 'chai';
import fc from 'fast-check';
import {
  type ImageRecord,
  removableImages,
  updateRecords,
} from '../../../../src/nodeagent/images/image-usage.ts';
import { imageOf } from './fake-images.ts';

const web = imageOf('sha256:web', { tags: ['web:1', 'web:latest'], digests: ['web@sha256:d'] });
const db = imageOf('sha256:db', { tags: ['db:1'] });
const set = (...names: string[]): ReadonlySet<string> => new Set(names);

/** When images were seen first and used last. */
const shown = (records: ReadonlyMap<string, ImageRecord>) =>
  Object.fromEntries(
    [...records].map(([id, { firstSeenAtMs, lastUsedAtMs }]) => [id, [firstSeenAtMs, lastUsedAtMs]]),
  );

describe('updateRecords', () => {
  it('takes images of the first detection for older than this program', () => {
    const records = updateRecords(undefined, { images: [web, db], used: set(), nowMs: 1000 });
    expect(shown(records)).to.deep.equal({ 'sha256:web': [0, 0], 'sha256:db': [0, 0] });
  });

  it('takes images that come later for new', () => {
    const first = updateRecords(undefined, { images: [web], used: set(), nowMs: 1000 });
    const second = updateRecords(first, { images: [web, db], used: set(), nowMs: 2000 });
    expect(shown(second)).to.deep.equal({ 'sha256:web': [0, 0], 'sha256:db': [2000, 0] });
  });

  it('takes images for new that come after a detection of none', () => {
    const first = updateRecords(undefined, { images: [], used: set(), nowMs: 1000 });
    const second = updateRecords(first, { images: [web], used: set(), nowMs: 2000 });
    expect(shown(second)).to.deep.equal({ 'sha256:web': [2000, 0] });
  });

  it('remembers when an image was seen in use last', () => {
    const first = updateRecords(undefined, { images: [web], used: set('web:1'), nowMs: 1000 });
    const second = updateRecords(first, { images: [web], used: set(), nowMs: 2000 });
    const third = updateRecords(second, { images: [web], used: set('web:1'), nowMs: 3000 });
    expect([first, second, third].map((records) => shown(records)['sha256:web'])).to.deep.equal([
      [0, 1000],
      [0, 1000],
      [0, 3000],
    ]);
  });

  it('forgets images that are gone, also for when they come again', () => {
    const first = updateRecords(undefined, { images: [web, db], used: set('db:1'), nowMs: 1000 });
    const second = updateRecords(first, { images: [web], used: set(), nowMs: 2000 });
    expect(shown(second)).to.deep.equal({ 'sha256:web': [0, 0] });
    const third = updateRecords(second, { images: [web, db], used: set(), nowMs: 3000 });
    expect(shown(third)['sha256:db']).to.deep.equal([3000, 0]);
  });

  it('knows an image in use by its id, each of its tags and its digests', () => {
    for (const name of [web.id, ...web.tags, ...web.digests]) {
      const records = updateRecords(undefined, { images: [web, db], used: set(name), nowMs: 7 });
      expect(shown(records), name).to.deep.equal({ 'sha256:web': [0, 7], 'sha256:db': [0, 0] });
    }
    const records = updateRecords(undefined, { images: [web], used: set('web', 'web:', 'eb:1'), nowMs: 7 });
    expect(shown(records)).to.deep.equal({ 'sha256:web': [0, 0] });
  });

  it('keeps the newest form of an image, and changes no record that there was', () => {
    const first = updateRecords(undefined, { images: [web], used: set(), nowMs: 1000 });
    const before = shown(first);
    const renamed = { ...web, tags: ['web:2'] };
    const second = updateRecords(first, { images: [renamed], used: set('web:2'), nowMs: 2000 });
    expect(second.get(web.id)?.image.tags).to.deep.equal(['web:2']);
    expect(shown(first)).to.deep.equal(before);
  });
});

describe('removableImages', () => {
  const recordsOf = (...list: readonly [id: string, firstSeenAtMs: number, lastUsedAtMs: number][]) =>
    new Map(
      list.map(([id, firstSeenAtMs, lastUsedAtMs]) => [
        id,
        { image: imageOf(id, { tags: [`${id}:1`] }), firstSeenAtMs, lastUsedAtMs },
      ]),
    );
  const ids = (
    records: ReadonlyMap<string, ImageRecord>,
    options: Partial<Parameters<typeof removableImages>[1]> = {},
  ) =>
    removableImages(records, { used: set(), minimumAgeMs: 0, nowMs: 10_000, ...options }).map(({ id }) => id);

  it('begins with those that were used longest ago', () => {
    expect(ids(recordsOf(['a', 0, 300], ['b', 0, 100], ['c', 0, 200]))).to.deep.equal(['b', 'c', 'a']);
  });

  it('begins with those that were seen first where none was used later', () => {
    expect(ids(recordsOf(['a', 300, 0], ['b', 100, 0], ['c', 200, 50]))).to.deep.equal(['b', 'a', 'c']);
  });

  it('keeps the order of detection otherwise', () => {
    expect(ids(recordsOf(['b', 1, 1], ['a', 1, 1], ['c', 1, 1]))).to.deep.equal(['b', 'a', 'c']);
  });

  it('leaves out those in use', () => {
    const records = recordsOf(['a', 0, 0], ['b', 0, 0], ['c', 0, 0]);
    expect(ids(records, { used: set('a', 'c:1') })).to.deep.equal(['b']);
  });

  it('leaves out those that are too young, to the millisecond', () => {
    const records = recordsOf(['old', 4999, 0], ['just', 5000, 0], ['young', 5001, 0]);
    expect(ids(records, { minimumAgeMs: 5000 })).to.deep.equal(['old', 'just']);
  });

  it('leaves out those from the future of a clock that was set back', () => {
    expect(ids(recordsOf(['a', 20_000, 20_000]))).to.deep.equal([]);
  });

  it('finds none of none', () => expect(ids(new Map())).to.deep.equal([]));

  it('sorts any images that may go by use, then by age, and loses none', () => {
    const time = fc.integer({ min: 0, max: 20 });
    const list = fc.uniqueArray(fc.tuple(fc.string({ minLength: 1, maxLength: 3 }), time, time), {
      selector: ([id]) => id,
      maxLength: 12,
    });
    fc.assert(
      fc.property(list, time, (given, minimumAgeMs) => {
        const records = recordsOf(...given);
        const found = ids(records, { minimumAgeMs, nowMs: 20 });
        const old = given.filter(([, firstSeenAtMs]) => 20 - firstSeenAtMs >= minimumAgeMs);
        expect(found).to.have.members(old.map(([id]) => id));
        for (const [at, id] of found.entries()) {
          const record = records.get(id);
          const next = records.get(found[at + 1] ?? id);
          if (record === undefined || next === undefined) throw new Error('a stranger was found');
          expect(record.lastUsedAtMs).to.be.at.most(next.lastUsedAtMs);
          if (record.lastUsedAtMs === next.lastUsedAtMs)
            expect(record.firstSeenAtMs).to.be.at.most(next.firstSeenAtMs);
        }
      }),
    );
  });
});
