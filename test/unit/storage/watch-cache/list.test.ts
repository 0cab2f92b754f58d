import { expect } from 'chai';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { StorageError, type StorageErrorCode } from '../../../../src/storage/index.ts';
import type { ListPage, ListRequest } from '../../../../src/storage/watch-cache/index.ts';
import { openPodCache, type PodCache, podPrefix } from './pods.ts';
import { shortKey } from './watch-log.ts';

describe('ResourceCache.list', () => {
  let fixture: PodCache;
  beforeEach(async () => {
    fixture = await openPodCache();
    for (const key of ['a/1', 'a/2', 'b/1', 'a/3', 'b/2'])
      await fixture.put(key, { key: key.replace('/', '-') }); // 2 to 6
  });
  afterEach(() => fixture[Symbol.asyncDispose]());

  const list = (request: Partial<ListRequest> = {}): ListPage =>
    fixture.pods.list({ prefix: podPrefix, ...request });
  const keys = ({ objects }: ListPage): string[] => objects.map(({ key }) => shortKey(key));
  const versions = ({ objects }: ListPage): string[] =>
    objects.map(({ key, revision }) => `${shortKey(key)}@${revision}`);
  const failsWith = (code: StorageErrorCode, request: Partial<ListRequest>): void => {
    try {
      list(request);
    } catch (error) {
      expect(error).to.be.instanceOf(StorageError);
      expect((error as StorageError).code).to.equal(code);
      return;
    }
    expect.fail('expected an error');
  };

  it('returns all objects in key order at the current revision', () => {
    const result = list();
    expect(versions(result)).to.deep.equal(['a/1@2', 'a/2@3', 'a/3@5', 'b/1@4', 'b/2@6']);
    expect([result.revision, result.nextKey, result.remaining]).to.deep.equal([6, undefined, undefined]);
  });

  it('keeps to a folder, to a key, and to what matches', () => {
    expect(keys(list({ prefix: `${podPrefix}a/` }))).to.deep.equal(['a/1', 'a/2', 'a/3']);
    expect(keys(list({ prefix: `${podPrefix}a/1` }))).to.deep.equal(['a/1']);
    expect(keys(list({ prefix: `${podPrefix}c/` }))).to.deep.equal([]);
    expect(keys(list({ matches: ({ labels }) => labels.key === 'b-1' }))).to.deep.equal(['b/1']);
  });

  it('pages with the number of objects that follow', () => {
    const first = list({ limit: 2 });
    expect([keys(first), first.remaining]).to.deep.equal([['a/1', 'a/2'], 3]);
    const second = list({ limit: 2, startKey: first.nextKey, snapshot: first.revision });
    expect([keys(second), second.remaining]).to.deep.equal([['a/3', 'b/1'], 1]);
    const third = list({ limit: 2, startKey: second.nextKey, snapshot: first.revision });
    expect([keys(third), third.remaining, third.nextKey]).to.deep.equal([['b/2'], undefined, undefined]);
  });

  it('does not say what follows when a filter makes it unknown', () => {
    const first = list({ limit: 1, matches: ({ key }) => key.endsWith('1') });
    expect([keys(first), first.remaining]).to.deep.equal([['a/1'], undefined]);
    expect(first.nextKey).to.not.equal(undefined);
    const second = list({ limit: 5, startKey: first.nextKey, matches: ({ key }) => key.endsWith('1') });
    expect(keys(second)).to.deep.equal(['b/1']);
  });

  it('keeps the pages of one list exact while objects change', async () => {
    const first = list({ limit: 2 });
    await fixture.put('a/0');
    await fixture.put('b/1');
    await fixture.remove('b/2');
    const rest = list({ limit: 9, startKey: first.nextKey, snapshot: first.revision });
    expect(versions(rest)).to.deep.equal(['a/3@5', 'b/1@4', 'b/2@6']);
    expect(rest.revision).to.equal(6);
    expect(versions(list())).to.deep.equal(['a/0@7', 'a/1@2', 'a/2@3', 'a/3@5', 'b/1@8']);
  });

  it('reconstructs any revision of the event window', async () => {
    const expected = new Map<number, string[]>();
    const note = (): unknown => expected.set(fixture.cache.revision, versions(list()));
    for (const key of ['a/1', 'c/1', 'b/2']) {
      note();
      await fixture.put(key);
      note();
      await fixture.remove(key);
    }
    note();
    for (const [revision, lines] of expected)
      expect(versions(list({ snapshot: revision }))).to.deep.equal(lines);
    expect(keys(list({ snapshot: 1 }))).to.deep.equal([]);
  });

  it('refuses revisions that are gone or have not happened', async () => {
    failsWith('future-revision', { snapshot: 7 });
    await using late = await openPodCache({ storage: fixture.storage });
    expect(late.pods.list({ prefix: podPrefix, snapshot: 6 }).objects).to.have.lengthOf(5);
    expect(() => late.pods.list({ prefix: podPrefix, snapshot: 5 })).to.throw(StorageError, 'compacted');
  });

  it('reads an old revision of a resource that has not changed since, though others have', async () => {
    await fixture.storage.create('/registry/other/x', Buffer.from('{"metadata":{"resourceVersion":""}}'));
    expect(fixture.cache.revision).to.equal(7);
    expect([list().revision, list({ snapshot: 6 }).revision]).to.deep.equal([7, 6]);
    expect(list({ snapshot: 6 }).objects).to.have.lengthOf(5);
  });

  it('forgets old events, but not the pages of a list that has begun', async () => {
    await using small = await openPodCache({
      eventWindow: { maxBytes: 3000, maxAgeMs: 60_000, minChanges: 10 },
    });
    for (const key of ['a/1', 'a/2', 'a/3']) await small.put(key);
    const first = small.pods.list({ prefix: podPrefix, limit: 1 });
    for (let i = 0; i < 20; i++) await small.put('a/2');
    expect(small.pods.windowStart).to.be.above(first.revision);
    const rest = small.pods.list({
      prefix: podPrefix,
      snapshot: first.revision,
      startKey: first.nextKey,
      limit: 5,
    });
    expect(versions(rest)).to.deep.equal(['a/2@3', 'a/3@4']);
    // The last page was read: the state is no longer needed.
    expect(() => small.pods.list({ prefix: podPrefix, snapshot: first.revision })).to.throw(
      StorageError,
      'compacted',
    );
  });

  it('forgets abandoned lists after five minutes', async () => {
    await using small = await openPodCache({ eventWindow: { maxBytes: 0, maxAgeMs: 0, minChanges: 0 } });
    for (const key of ['a/1', 'a/2']) await small.put(key);
    const { revision, nextKey } = small.pods.list({ prefix: podPrefix, limit: 1 });
    await small.put('a/3');
    small.clock.advance(299_000);
    expect(small.pods.list({ prefix: podPrefix, snapshot: revision, limit: 1 }).objects).to.have.lengthOf(1);
    small.clock.advance(601_000);
    expect(() => small.pods.list({ prefix: podPrefix, snapshot: revision, startKey: nextKey })).to.throw(
      StorageError,
    );
  });
});

describe('WatchCache.resource', () => {
  it('takes over the objects that were loaded before it was known', async () => {
    await using fixture = await openPodCache();
    await fixture.put('a/1');
    for (const name of ['x', 'y']) {
      await fixture.storage.create(
        `/registry/services/specs/a/${name}`,
        Buffer.from('{"metadata":{"resourceVersion":""}}'),
      );
    }
    const services = fixture.cache.resource('/registry/services/specs/');
    expect(services.size).to.equal(2);
    await fixture.storage.delete('/registry/services/specs/a/x', 3);
    expect(services.list({ prefix: services.prefix }).objects.map(({ key }) => key)).to.deep.equal([
      '/registry/services/specs/a/y',
    ]);
    expect(fixture.cache.resource('/registry/services/specs/')).to.equal(services);
    expect(fixture.pods.size).to.equal(1);
  });

  for (const prefix of ['/registry/pods/a/', '/registry/', '/other/', '/registry/services']) {
    it(`refuses ${prefix}`, async () => {
      await using fixture = await openPodCache();
      expect(() => fixture.cache.resource(prefix)).to.throw(RangeError);
    });
  }
});
