import { expect } from 'chai';
import { StorageError } from '../../../../src/storage/index.ts';
import { openPodCache, type PodCache, podPrefix } from './pods.ts';

const maxAgeMs = 60_000;

describe('snapshots of paged lists', () => {
  let fixture: PodCache;
  const open = async (maxBytes: number) => {
    fixture = await openPodCache({
      eventWindow: { maxBytes: 0, maxAgeMs: 0, minChanges: 0 },
      snapshotLimits: { maxBytes, maxAgeMs },
    });
    for (const key of ['a/1', 'a/2', 'a/3']) await fixture.put(key);
  };
  afterEach(() => fixture[Symbol.asyncDispose]());
  const page = (snapshot?: number) => fixture.pods.list({ prefix: podPrefix, limit: 1, snapshot });
  const isReadable = (snapshot: number): boolean => {
    try {
      page(snapshot);
      return true;
    } catch (error) {
      expect(error).to.be.instanceOf(StorageError).with.property('code', 'compacted');
      return false;
    }
  };

  it('are not limited by their number', async () => {
    await open(10_000_000);
    const revisions: number[] = [];
    for (let count = 0; count < 300; count++) {
      revisions.push(page().revision);
      await fixture.put('a/2');
    }
    expect(revisions.filter((revision) => !isReadable(revision))).to.deep.equal([]);
  });

  it('are limited by the memory that only they need; the oldest go first', async () => {
    await open(20_000);
    const revisions: number[] = [];
    for (let count = 0; count < 50; count++) {
      revisions.push(page().revision);
      await fixture.put('a/2');
    }
    const readable = revisions.map(isReadable);
    expect(readable[0]).to.equal(false);
    expect(readable.at(-1)).to.equal(true);
    expect(readable.lastIndexOf(false), 'no hole').to.equal(readable.indexOf(true) - 1);
    expect(fixture.cache.snapshotBudget.bytes).to.be.within(1, 20_000);
  });

  it('cost nothing that others need too', async () => {
    await open(5000);
    const { revision } = page();
    const before = fixture.cache.snapshotBudget.bytes;
    for (let count = 0; count < 10; count++)
      await fixture.storage.create(
        `/registry/other/${count}`,
        Buffer.from('{"metadata":{"resourceVersion":""}}'),
      );
    expect(fixture.cache.snapshotBudget.bytes).to.equal(before);
    expect(isReadable(revision)).to.equal(true);
  });

  it('share the memory among resources', async () => {
    await open(20_000);
    const others = fixture.cache.resource('/registry/other/');
    const value = Buffer.from(`{"metadata":{"resourceVersion":""},"x":"${'y'.repeat(3000)}"}`);
    for (const name of ['1', '2']) await fixture.storage.create(`/registry/other/${name}`, value);
    const { revision } = page();
    const other = others.list({ prefix: others.prefix, limit: 1 });
    await fixture.put('a/2');
    for (let count = 0; count < 8; count++) {
      const current = await fixture.storage.get('/registry/other/1');
      await fixture.storage.update('/registry/other/1', current?.revision ?? 0, value);
    }
    expect(isReadable(revision)).to.equal(false);
    expect(() => others.list({ prefix: others.prefix, snapshot: other.revision })).to.throw(StorageError);
    expect(fixture.cache.snapshotBudget.bytes).to.equal(0);
  });

  it('are gone when they are too old, and leave no timer', async () => {
    await open(1e9);
    const { revision } = page();
    await fixture.put('a/2');
    fixture.clock.advance(maxAgeMs - 1);
    expect(isReadable(revision)).to.equal(true);
    fixture.clock.advance(1);
    expect(isReadable(revision)).to.equal(false);
    expect(fixture.cache.snapshotBudget.bytes).to.equal(0);
  });

  it('are let go with the last page', async () => {
    await open(1e9);
    const first = page();
    await fixture.put('a/2');
    fixture.pods.list({ prefix: podPrefix, snapshot: first.revision, startKey: first.nextKey });
    expect(fixture.cache.snapshotBudget.bytes).to.equal(0);
  });
});
