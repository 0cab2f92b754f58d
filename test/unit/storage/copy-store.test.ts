import { expect } from 'chai';
import fc from 'fast-check';
import {
  CopyError,
  type CopyProgress,
  copyStore,
  readPages,
  type Storage,
} from '../../../src/storage/index.ts';
import { openMemoryStorage } from '../../../src/storage/memory/index.ts';
import { makeValue, readValue } from '../../conformance/storage/values.ts';
import { InterruptibleStorage } from '../../support/interruptible-storage.ts';

const root = '/registry/';

async function fill(store: Storage, names: readonly string[], content: unknown = {}): Promise<void> {
  for (const name of names) {
    const result = await store.create(`${root}${name}`, makeValue(name, content));
    expect(result.kind).to.equal('ok');
  }
}

async function contents(store: Storage): Promise<readonly (readonly [string, unknown])[]> {
  const { objects } = await store.range({ prefix: root });
  return objects.map(({ key, bytes }) => [key, readValue(bytes).content]);
}

const failureOf = async (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  );

describe('copyStore', () => {
  let source: Storage;
  let target: Storage;
  beforeEach(() => {
    source = openMemoryStorage();
    target = openMemoryStorage();
  });
  afterEach(async () => {
    await source[Symbol.asyncDispose]();
    await target[Symbol.asyncDispose]();
  });

  it('copies every object, each with a revision later than all of the source', async () => {
    await fill(source, ['a/1', 'a/2', 'b/1'], { deep: ['"resourceVersion":"7"'] });
    const result = await copyStore(source, target, { root });
    expect(await contents(target)).to.deep.equal(await contents(source));
    expect(result).to.deep.equal({ objectCount: 3, sourceRevision: 4, targetRevision: 7, skipped: [] });
    const { objects } = await target.range({ prefix: root });
    for (const { revision, bytes } of objects) {
      expect(revision).to.be.greaterThan(4);
      expect(readValue(bytes).resourceVersion).to.equal(String(revision));
    }
  });

  it('copies any content, and back again with revisions that only grow', async () => {
    const names = fc.uniqueArray(fc.stringMatching(/^[a-z0-9]{1,12}(\/[a-z0-9.-]{1,12}){0,2}$/), {
      maxLength: 60,
    });
    await fc.assert(
      fc.asyncProperty(names, fc.jsonValue(), async (keys, content) => {
        await using one = openMemoryStorage();
        await using two = openMemoryStorage();
        await using three = openMemoryStorage();
        await fill(one, keys, content);
        const there = await copyStore(one, two, { root });
        const back = await copyStore(two, three, { root });
        expect(await contents(three)).to.deep.equal(await contents(one));
        expect(there.targetRevision).to.be.at.least(there.sourceRevision);
        expect(back.sourceRevision).to.equal(there.targetRevision);
        expect(back.targetRevision).to.be.at.least(back.sourceRevision);
      }),
      { numRuns: 40 },
    );
  });

  it('copies an empty store: only the revision goes over', async () => {
    await source.advanceRevision(500);
    const { objectCount, targetRevision } = await copyStore(source, target, { root });
    expect([objectCount, targetRevision]).to.deep.equal([0, 500]);
  });

  it('shows one moment of a store that is being written', async () => {
    await fill(
      source,
      Array.from({ length: 100 }, (_, index) => `things/${String(index).padStart(3, '0')}`),
    );
    const before = await contents(source);
    const busy = new InterruptibleStorage(target);
    for (let index = 0; index < 100; index++) {
      busy.interruptNextWrite(() => source.create(`${root}things/zzz${index}`, makeValue('late')));
    }
    await copyStore(source, busy, { root });
    expect(await contents(target)).to.deep.equal(before);
  });

  it('leaves out what is to be skipped and says below which prefixes it was', async () => {
    const events = Array.from({ length: 200 }, (_, index) => `events/default/${index}`);
    await fill(source, ['configs/a', ...events, 'pods/a']);
    const skip = [`${root}events/`, `${root}leases/`];
    const { objectCount, skipped } = await copyStore(source, target, { root, skip });
    expect([objectCount, skipped]).to.deep.equal([2, [`${root}events/`]]);
    expect((await contents(target)).map(([key]) => key)).to.deep.equal([`${root}configs/a`, `${root}pods/a`]);
  });

  it('gives keys the time to live that they are to have', async () => {
    await fill(source, ['events/1', 'pods/1']);
    const given = new Map<string, number | undefined>();
    const noting: Storage = Object.create(target, {
      create: {
        value: (...[key, value, options]: Parameters<Storage['create']>) => {
          given.set(key, options?.ttlSeconds);
          return target.create(key, value, options);
        },
      },
      range: { value: target.range.bind(target) },
      advanceRevision: { value: target.advanceRevision.bind(target) },
      currentRevision: { value: target.currentRevision.bind(target) },
    });
    await copyStore(source, noting, {
      root,
      ttlSecondsOf: (key) => (key.includes('events') ? 60 : undefined),
    });
    expect([...given]).to.deep.equal([
      [`${root}events/1`, 60],
      [`${root}pods/1`, undefined],
    ]);
  });

  it('refuses a target that holds objects, such as those of an interrupted copy', async () => {
    await fill(source, ['a', 'b']);
    const failing = new InterruptibleStorage(target);
    failing.interruptNextWrite(() => {});
    failing.interruptNextWrite(() => {
      throw new Error('the network is gone');
    });
    expect(await failureOf(copyStore(source, failing, { root }))).to.match(/the network is gone/);
    const error = await failureOf(copyStore(source, target, { root }));
    expect(error).to.be.instanceOf(CopyError).with.property('code', 'not-empty');
    expect(error).to.match(/interrupted/);
  });

  it('leaves alone what lies outside of the root', async () => {
    await target.create('/elsewhere/a', makeValue('a'));
    await source.create('/elsewhere/b', makeValue('b'));
    await fill(source, ['a']);
    const { objectCount } = await copyStore(source, target, { root });
    expect(objectCount).to.equal(1);
    expect(await target.get('/elsewhere/b')).to.equal(undefined);
  });

  it('copies below another root', async () => {
    await fill(source, ['a', 'b/c']);
    await copyStore(source, target, { root, targetRoot: '/other/place/' });
    const { objects } = await target.range({ prefix: '/' });
    expect(objects.map(({ key }) => key)).to.deep.equal(['/other/place/a', '/other/place/b/c']);
  });

  it('notices a target that is written by somebody else', async () => {
    await fill(source, ['a', 'b']);
    const shared = new InterruptibleStorage(target);
    shared.interruptNextWrite(() => target.create(`${root}c`, makeValue('c')));
    expect(await failureOf(copyStore(source, shared, { root }))).to.have.property('code', 'different');
  });

  it('notices a value that arrived changed', async () => {
    await fill(source, ['a', 'b'], 'good');
    const lossy: Storage = Object.create(target, {
      create: { value: (key: string) => target.create(key, makeValue('a', 'baad')) },
      range: { value: target.range.bind(target) },
      advanceRevision: { value: target.advanceRevision.bind(target) },
      currentRevision: { value: target.currentRevision.bind(target) },
    });
    expect(await failureOf(copyStore(source, lossy, { root }))).to.match(
      /differs from the source at \/registry\/a/,
    );
  });

  it('tells how far it is, and stops when told to', async () => {
    await fill(
      source,
      Array.from({ length: 1200 }, (_, index) => `a/${index}`),
    );
    const seen: CopyProgress[] = [];
    await copyStore(source, target, { root, onProgress: (progress) => seen.push(progress) });
    const copied = seen.filter(({ phase }) => phase === 'copy').map(({ done }) => done);
    expect(copied).to.deep.equal([...copied].sort((a, b) => a - b));
    expect([copied.length > 1, copied.at(-1)]).to.deep.equal([true, 1200]);
    expect(seen.at(-1)).to.deep.equal({ phase: 'verify', done: 1000 });

    await using other = openMemoryStorage();
    const stop = new AbortController();
    const stopped = copyStore(source, other, { root, signal: stop.signal, onProgress: () => stop.abort() });
    expect(await failureOf(stopped)).to.have.property('name', 'AbortError');
    expect((await other.stats()).objectCount).to.be.lessThan(1200);
  });
});

describe('copyStore into a store whose revision rises slowly', () => {
  it('stops at once when told to', async () => {
    await using source = openMemoryStorage();
    await using target = openMemoryStorage();
    const stop = new AbortController();
    const slow: Storage = Object.create(target, {
      range: { value: target.range.bind(target) },
      advanceRevision: {
        value() {
          stop.abort();
          return new Promise(() => {});
        },
      },
    });
    const stopped = await failureOf(copyStore(source, slow, { root, signal: stop.signal }));
    expect(stopped).to.have.property('name', 'AbortError');
  });
});

describe('readPages', () => {
  it('keeps pages of large objects small', async () => {
    await using store = openMemoryStorage();
    await fill(
      store,
      Array.from({ length: 80 }, (_, index) => `a/${String(index).padStart(2, '0')}`),
      'x'.repeat(10_000),
    );
    const sizes: number[] = [];
    for await (const { objects } of readPages(store, { root, pageBytes: 50_000 })) sizes.push(objects.length);
    expect(sizes[0]).to.equal(32);
    expect(new Set(sizes.slice(1))).to.deep.equal(new Set([4]));
  });
});
