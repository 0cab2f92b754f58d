import { expect } from 'chai';
import { CopyError, copyStore, createVersionedStorage, StorageError } from '../../../../src/storage/index.ts';
import { openMemoryStorage } from '../../../../src/storage/memory/index.ts';
import { openWatchCache } from '../../../../src/storage/watch-cache/index.ts';
import { createRecordingLogger, type RecordingLogger } from '../../../support/recording-logger.ts';
import { openPodCache, type PodCache, podPrefix } from './pods.ts';
import { settle, shortKey, WatchLog } from './watch-log.ts';

const damaged = { damage: 'yes' };
const marker = Buffer.from('"damage":');
const problem = 'it is damaged';

/** A store in which pods with a certain label cannot be read. */
function openDamagedStore() {
  return createVersionedStorage(openMemoryStorage(), {
    read: (bytes) =>
      bytes.includes(marker)
        ? { bytes: Buffer.alloc(0), isStale: false, problem }
        : { bytes, isStale: false },
    write: (bytes) => bytes,
  });
}

const codeOf = (act: () => unknown): string => {
  try {
    act();
    return 'none';
  } catch (error) {
    return error instanceof StorageError ? error.code : String(error);
  }
};

describe('WatchCache, over values that cannot be read', () => {
  let logger: RecordingLogger;
  let fixture: PodCache;
  beforeEach(async () => {
    logger = createRecordingLogger();
    fixture = await openPodCache({ storage: openDamagedStore(), logger });
    for (const name of ['a/1', 'a/2', 'b/1']) await fixture.put(name);
    await settle();
  });
  afterEach(() => fixture[Symbol.asyncDispose]());

  const keys = (prefix = podPrefix): string[] =>
    fixture.pods.list({ prefix }).objects.map(({ key }) => shortKey(key));

  it('refuses the object and lists that would hold it, and shows the rest', async () => {
    const { pods, put } = fixture;
    await put('a/1', damaged);
    expect(codeOf(() => pods.get(`${podPrefix}a/1`))).to.equal('unreadable');
    expect(codeOf(() => keys())).to.equal('unreadable');
    expect(codeOf(() => keys(`${podPrefix}a/`))).to.equal('unreadable');
    expect(keys(`${podPrefix}b/`)).to.deep.equal(['b/1']);
    expect(pods.get(`${podPrefix}a/2`)?.key).to.equal(`${podPrefix}a/2`);
    expect(fixture.cache.revision).to.equal(await fixture.storage.currentRevision());
    await put('a/1');
    expect(keys()).to.deep.equal(['a/1', 'a/2', 'b/1']);
    await put('a/1', damaged);
    await fixture.remove('a/1');
    expect(keys()).to.deep.equal(['a/2', 'b/1']);
  });

  it('has no list from memory of a state that was before, or while, it could not be read', async () => {
    const { pods, put } = fixture;
    const before = pods.list({ prefix: podPrefix, limit: 1 }).revision;
    const during = (await put('a/1', damaged)).revision;
    const read = (snapshot: number) => codeOf(() => pods.list({ prefix: podPrefix, snapshot }));
    expect([read(before), read(during)]).to.deep.equal(['compacted', 'unreadable']);
    await put('a/1');
    expect([read(before), read(during)]).to.deep.equal(['compacted', 'compacted']);
  });

  it('ends the watches that would show it, takes none, and lets the others go on', async () => {
    const { pods, put } = fixture;
    const start = fixture.cache.revision;
    const watch = (prefix: string, afterRevision: number | 'state' = start): WatchLog =>
      new WatchLog(pods, { prefix, afterRevision });
    const concerned = [watch(podPrefix), watch(`${podPrefix}a/`), watch(`${podPrefix}a/1`, 'state')];
    const others = [watch(`${podPrefix}b/`), watch(`${podPrefix}a/2`)];
    await settle();
    await put('a/1', damaged);
    const late = [watch(podPrefix), watch(`${podPrefix}a/1`, 'state')];
    await settle();
    for (const { errors } of [...concerned, ...late])
      expect(errors.map(({ code }) => code)).to.deep.equal(['unreadable']);
    await put('a/1');
    const early = watch(podPrefix);
    await put('b/1', { x: 'y' });
    await put('a/2', { x: 'y' });
    await settle();
    // What happened while there was no object cannot be told.
    expect(early.errors.map(({ code }) => code)).to.deep.equal(['compacted']);
    for (const { errors, events } of others) expect([errors.length, events.length]).to.deep.equal([0, 1]);
  });

  it('tells the log once of a key, also of one that was there before its resource was known', async () => {
    const { storage, put } = fixture;
    await put('a/1', damaged);
    await put('a/1', { ...damaged, more: 'x' });
    const told = ({ lines }: RecordingLogger) =>
      lines.filter(({ message }) => message.includes('cannot be read')).map(({ fields }) => fields);
    const entry = { key: `${podPrefix}a/1`, problem };
    expect(told(logger)).to.deep.equal([entry]);
    const second = createRecordingLogger();
    await using late = await openWatchCache({ storage, root: '/registry/', logger: second });
    const pods = late.resource(podPrefix);
    expect(codeOf(() => pods.list({ prefix: podPrefix }))).to.equal('unreadable');
    expect(told(second)).to.deep.equal([entry]);
  });

  it('is not copied to another store', async () => {
    await fixture.put('a/1', damaged);
    await using target = openMemoryStorage();
    const error = await copyStore(fixture.storage, target, { root: '/registry/' }).catch(
      (failure) => failure,
    );
    expect(error).to.be.instanceOf(CopyError).with.property('code', 'unreadable');
    expect(error.message).to.equal(`the value of ${podPrefix}a/1 cannot be copied: ${problem}`);
  });
});
