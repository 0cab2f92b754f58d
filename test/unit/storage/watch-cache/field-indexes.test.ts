import { expect } from 'chai';
import fc from 'fast-check';
import { createTimeSlices } from '../../../../src/base/index.ts';
import type { CachedObject, FieldLayout, ListRequest } from '../../../../src/storage/watch-cache/index.ts';
import { openPodCache, type PodCache, podPrefix } from './pods.ts';
import { settle, shortKey, WatchLog } from './watch-log.ts';

/** The label `app` as if it were a field. */
const fieldLayout: FieldLayout = {
  locate: (_prefix, field) =>
    field === 'app' ? { path: ['metadata', 'labels', 'app'], zero: '' } : undefined,
  indexedFields: (prefix) => (prefix === podPrefix ? ['app'] : []),
};

/** Rests after each step. */
const restless = createTimeSlices({
  sliceMs: 0,
  nowMs: () => 0,
  defer: (callback) => void setImmediate(callback),
});

const demand = (app: string) => {
  let asked = 0;
  return {
    get asked() {
      return asked;
    },
    requiredValue: (field: string) => (field === 'app' ? app : undefined),
    matches: (object: CachedObject) => {
      asked++;
      return (object.labels.app ?? '') === app;
    },
  };
};

const keysOf = (objects: readonly CachedObject[]): string[] => objects.map(({ key }) => shortKey(key));

describe('an indexed field', () => {
  let fixture: PodCache;
  beforeEach(async () => {
    fixture = await openPodCache({ fieldLayout });
    for (const [key, app] of [
      ['a/1', 'web'],
      ['a/2', 'db'],
      ['b/1', 'web'],
      ['b/2', 'db'],
      ['b/3', 'web'],
    ] as const)
      await fixture.put(key, { app });
    await fixture.put('c/1');
  });
  afterEach(() => fixture[Symbol.asyncDispose]());
  const read = async (app: string, request: Partial<ListRequest> = {}) => {
    const selection = demand(app);
    const result = await fixture.pods.read({ prefix: podPrefix, ...selection, ...request });
    return { ...result, keys: keysOf(result.objects), asked: selection.asked };
  };

  it('finds objects without a look at the others', async () => {
    expect(await read('web'))
      .to.include({ asked: 3 })
      .and.deep.include({ keys: ['a/1', 'b/1', 'b/3'] });
    expect((await read('web', { prefix: `${podPrefix}b/` })).keys).to.deep.equal(['b/1', 'b/3']);
    expect((await read('')).keys).to.deep.equal(['c/1']);
    expect(await read('none')).to.deep.include({ asked: 0, keys: [] });
  });

  it('follows changes once it is built', async () => {
    await read('web');
    await fixture.put('a/1', { app: 'db' });
    await fixture.put('a/2', { app: 'web' });
    await fixture.remove('b/1');
    await fixture.put('d/1', { app: 'web' });
    expect((await read('web')).keys).to.deep.equal(['a/2', 'b/3', 'd/1']);
    expect((await read('db')).keys).to.deep.equal(['a/1', 'b/2']);
  });

  it('pages, and shows the past of the first page', async () => {
    const first = await read('web', { limit: 1 });
    expect(first).to.deep.include({ keys: ['a/1'], remaining: undefined });
    await fixture.remove('b/1');
    await fixture.put('a/2', { app: 'web' });
    const rest = await read('web', { startKey: first.nextKey, snapshot: first.revision });
    expect(rest.keys).to.deep.equal(['b/1', 'b/3']);
  });

  it('asks only the watchers that a change can concern', async () => {
    const [web, db] = [demand('web'), demand('db')];
    const afterRevision = fixture.cache.revision;
    const webLog = new WatchLog(fixture.pods, { prefix: podPrefix, afterRevision, ...web });
    const dbLog = new WatchLog(fixture.pods, { prefix: `${podPrefix}a/`, afterRevision, ...db });
    await settle();
    await fixture.put('b/9', { app: 'db' });
    expect([web.asked, db.asked], 'other value; other namespace').to.deep.equal([0, 0]);
    await fixture.put('a/1', { app: 'db' });
    await fixture.remove('a/1');
    expect(webLog.lines).to.deep.equal(['DELETED a/1@9']);
    expect(dbLog.lines).to.deep.equal(['ADDED a/1@9', 'DELETED a/1@10']);
    webLog.watch.close();
    dbLog.watch.close();
    await fixture.put('a/1', { app: 'web' });
    expect([webLog.lines.length, dbLog.lines.length]).to.deep.equal([1, 2]);
  });

  it('gives watches their state', async () => {
    const web = demand('web');
    const log = new WatchLog(fixture.pods, { prefix: podPrefix, afterRevision: 'state', ...web });
    await settle();
    expect(log.lines).to.deep.equal(['ADDED a/1@2', 'ADDED b/1@4', 'ADDED b/3@6']);
    expect(web.asked).to.equal(3);
  });
});

describe('lists and watches of large resources', () => {
  const write = fc.record({
    key: fc.constantFrom(...Array.from({ length: 24 }, (_, number) => `a/${number}`)),
    app: fc.constantFrom('web', 'db', undefined),
  });
  const apply = async (fixture: PodCache, writes: readonly { key: string; app: string | undefined }[]) => {
    for (const { key, app } of writes) {
      if (app !== undefined) await fixture.put(key, { app });
      else if ((await fixture.storage.get(podPrefix + key)) !== undefined) await fixture.remove(key);
      // A round of the event loop, in which others have their turn.
      await new Promise((resolve) => setImmediate(resolve));
    }
  };

  it('show what small ones show, though objects change while they rest', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(write, { minLength: 20, maxLength: 60 }),
        fc.array(write, { maxLength: 8 }),
        fc.boolean(),
        async (earlier, later, isIndexed) => {
          const layout = isIndexed ? { fieldLayout } : {};
          await using fixture = await openPodCache({ ...layout, slices: restless });
          for (const { key, app } of earlier) if (app !== undefined) await fixture.put(key, { app });
          const log = new WatchLog(fixture.pods, {
            prefix: podPrefix,
            afterRevision: 'state',
            ...demand('web'),
          });
          const listed = Promise.resolve(fixture.pods.read({ prefix: podPrefix, ...demand('web') }));
          await apply(fixture, later);
          const { revision, objects } = await listed;
          const { matches } = demand('web');
          const snapshot = fixture.pods.list({ prefix: podPrefix, snapshot: revision, matches });
          expect(keysOf(objects)).to.deep.equal(keysOf(snapshot.objects));
          for (let turn = 0; turn < 60 && !log.watch.isLive; turn++) await settle();
          expect(log.watch.isLive).to.equal(true);
          // What a client would hold now is what is there.
          const held = new Set<string>();
          for (const { type, object } of log.events) {
            if (type === 'DELETED') held.delete(object.key);
            else held.add(object.key);
          }
          const now = fixture.pods.list({ prefix: podPrefix, matches });
          expect([...held].sort()).to.deep.equal(now.objects.map(({ key }) => key));
        },
      ),
      { numRuns: 40, seed: 11 },
    );
  });

  it('let others have their turn', async () => {
    await using fixture = await openPodCache({ slices: restless });
    for (let number = 0; number < 64; number++) await fixture.put(`a/${number}`);
    let rounds = 0;
    let isDone = false;
    const count = (): void => {
      rounds++;
      if (!isDone) setImmediate(count);
    };
    count();
    const { objects } = await fixture.pods.read({ prefix: podPrefix, matches: () => true });
    isDone = true;
    expect(objects).to.have.length(64);
    expect(rounds).to.be.at.least(4);
  });

  it('tell where the state ends', async () => {
    await using fixture = await openPodCache({ slices: restless });
    for (const key of ['a/1', 'a/2', 'a/3']) await fixture.put(key);
    const seen: string[] = [];
    const revision = await new Promise<number>((resolve) => {
      fixture.pods.watch(
        { prefix: podPrefix, afterRevision: 'state' },
        {
          onEvent: ({ object }) => void seen.push(shortKey(object.key)),
          onError: () => {},
          onInitialEnd: resolve,
        },
      );
    });
    expect(seen).to.deep.equal(['a/1', 'a/2', 'a/3']);
    expect(revision).to.equal(4);
  });
});
