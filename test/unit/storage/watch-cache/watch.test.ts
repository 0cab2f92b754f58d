import { expect } from 'chai';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type { CachedObject } from '../../../../src/storage/watch-cache/index.ts';
import { openPodCache, type PodCache, podPrefix } from './pods.ts';
import { settle, WatchLog } from './watch-log.ts';

const isWeb = ({ labels }: CachedObject): boolean => labels.app === 'web';

describe('ResourceCache.watch', () => {
  let fixture: PodCache;
  beforeEach(async () => {
    fixture = await openPodCache();
  });
  afterEach(() => fixture[Symbol.asyncDispose]());

  const watch = (request: Partial<ConstructorParameters<typeof WatchLog>[1]> = {}): WatchLog =>
    new WatchLog(fixture.pods, { prefix: podPrefix, afterRevision: 1, ...request });

  it('delivers what is in memory, then what comes', async () => {
    await fixture.put('a/1');
    await fixture.put('a/1');
    const log = watch();
    expect(log.lines, 'nothing before the call has returned').to.deep.equal([]);
    await settle();
    await fixture.remove('a/1');
    expect(log.lines).to.deep.equal(['ADDED a/1@2', 'MODIFIED a/1@3', 'DELETED a/1@4']);
    expect([log.watch.revision, log.watch.isLive]).to.deep.equal([4, true]);
  });

  it('starts after any revision', async () => {
    for (let i = 0; i < 4; i++) await fixture.put('a/1');
    for (let after = 1; after <= 6; after++) {
      const log = watch({ afterRevision: after });
      await settle();
      expect(log.events.map(({ revision }) => revision)).to.deep.equal(
        [2, 3, 4, 5].filter((revision) => revision > after),
      );
    }
  });

  it('begins with the current objects when asked for the state', async () => {
    await fixture.put('b/1');
    await fixture.put('a/1', { app: 'web' });
    const all = watch({ afterRevision: 'state' });
    const web = watch({ afterRevision: 'state', matches: isWeb });
    const one = watch({ afterRevision: 'state', prefix: `${podPrefix}b/` });
    await settle();
    await fixture.put('b/1');
    expect(all.lines).to.deep.equal(['ADDED a/1@3', 'ADDED b/1@2', 'MODIFIED b/1@4']);
    expect(web.lines).to.deep.equal(['ADDED a/1@3']);
    expect(one.lines).to.deep.equal(['ADDED b/1@2', 'MODIFIED b/1@4']);
  });

  it('misses nothing that happens while the state is delivered', async () => {
    for (let i = 100; i < 500; i++) await fixture.put(`a/${i}`);
    const log = watch({ afterRevision: 'state' });
    let release = (): void => {};
    log.drained = () => {
      log.drained = undefined;
      return new Promise((resolve) => {
        release = resolve;
      });
    };
    await settle();
    expect(log.events).to.have.lengthOf(1);
    await fixture.put('a/499');
    await fixture.remove('a/100');
    release();
    await settle();
    expect(log.events).to.have.lengthOf(402);
    expect(log.lines.slice(-3)).to.deep.equal(['ADDED a/499@401', 'MODIFIED a/499@402', 'DELETED a/100@403']);
  });

  it('waits for the sink while it delivers old events', async () => {
    for (let i = 0; i < 300; i++) await fixture.put('a/1');
    const log = watch();
    let release = (): void => {};
    log.drained = () => {
      log.drained = undefined;
      return new Promise((resolve) => {
        release = resolve;
      });
    };
    await settle();
    expect(log.events.length).to.be.below(300);
    expect(log.watch.isLive).to.equal(false);
    await fixture.put('a/1');
    release();
    await settle();
    expect(log.events.map(({ revision }) => revision)).to.deep.equal(
      Array.from({ length: 301 }, (_, i) => i + 2),
    );
  });

  it('turns a change of selection into ADDED and DELETED', async () => {
    const log = watch({ matches: isWeb });
    await fixture.put('a/1', { app: 'db' }); // 2: never seen
    await fixture.put('a/1', { app: 'web' }); // 3: enters
    await fixture.put('a/1', { app: 'web', x: '1' }); // 4
    await fixture.put('a/1', { app: 'db' }); // 5: leaves
    await fixture.put('a/1', { app: 'db', x: '2' }); // 6: never seen
    await fixture.remove('a/1'); // 7: never seen
    await fixture.put('a/1', { app: 'web' }); // 8
    await fixture.remove('a/1'); // 9
    await settle();
    expect(log.lines).to.deep.equal([
      'ADDED a/1@3',
      'MODIFIED a/1@4',
      'DELETED a/1@5',
      'ADDED a/1@8',
      'DELETED a/1@9',
    ]);
    const left = log.events[2]?.object;
    expect(left?.labels).to.deep.equal({ app: 'web', x: '1' });
    expect(left?.bytes.toString()).to.include('"resourceVersion":"5"');
  });

  it('keeps to a folder or to one key', async () => {
    const folder = watch({ prefix: `${podPrefix}a/` });
    const key = watch({ prefix: `${podPrefix}a/1` });
    await settle();
    for (const name of ['a/1', 'a/10', 'ab/1', 'a/2']) await fixture.put(name);
    const late = watch({ prefix: `${podPrefix}a/1` });
    await settle();
    expect(folder.lines).to.deep.equal(['ADDED a/1@2', 'ADDED a/10@3', 'ADDED a/2@5']);
    expect(key.lines).to.deep.equal(['ADDED a/1@2']);
    expect(late.lines).to.deep.equal(key.lines);
  });

  it('costs nothing for keys that it does not watch', async () => {
    let calls = 0;
    watch({
      prefix: `${podPrefix}a/`,
      matches: () => {
        calls++;
        return true;
      },
    });
    await settle();
    await fixture.put('b/1');
    expect(calls).to.equal(0);
  });

  it('shares events and their frames among watchers that see them alike', async () => {
    const logs = [watch(), watch({ prefix: `${podPrefix}a/` }), watch({ matches: isWeb })];
    await settle();
    await fixture.put('a/1', { app: 'web' });
    const [first, ...others] = logs.map(({ events }) => events[0]);
    for (const other of others) expect(other).to.equal(first);
    const frame = first?.memo('json', () => Buffer.from('frame'));
    expect(others[0]?.memo('json', () => Buffer.from('other'))).to.equal(frame);
    expect(first?.object).to.equal(fixture.pods.get(`${podPrefix}a/1`));
  });

  it('keeps no frame once the live watchers have an event, and shares a new one among those that resume', async () => {
    const live = watch();
    await settle();
    const before = fixture.pods.revision;
    await fixture.put('a/1');
    const seen = live.events[0];
    const late = [watch({ afterRevision: before }), watch({ afterRevision: before })];
    await settle();
    const [first, second] = late.map(({ events }) => events[0]);
    expect(first).to.not.equal(seen);
    expect(second).to.equal(first);
    expect([first?.type, first?.revision, first?.object]).to.deep.equal([
      seen?.type,
      seen?.revision,
      seen?.object,
    ]);
  });

  it('delivers an event before the write is acknowledged', async () => {
    const log = watch();
    await settle();
    await fixture.put('a/1');
    expect(log.events).to.have.lengthOf(1);
  });

  it('reads from the store what memory has forgotten', async () => {
    await using small = await openPodCache({
      eventWindow: { maxBytes: 3000, maxAgeMs: 60_000, minChanges: 10 },
    });
    for (let i = 0; i < 10; i++) await small.put(`a/${i % 2}`, i % 3 === 0 ? { app: 'web' } : {});
    await small.remove('a/0'); // 12
    const all = new WatchLog(small.pods, { prefix: podPrefix, afterRevision: 1 });
    const web = new WatchLog(small.pods, { prefix: podPrefix, afterRevision: 1, matches: isWeb });
    const one = new WatchLog(small.pods, { prefix: `${podPrefix}a/1`, afterRevision: 2 });
    expect(small.pods.windowStart).to.be.above(5);
    await settle();
    await small.put('a/1', { app: 'web' }); // 13
    expect(all.events.map(({ revision }) => revision)).to.deep.equal([
      2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13,
    ]);
    expect(web.lines).to.deep.equal([
      'ADDED a/0@2',
      'DELETED a/0@4',
      'ADDED a/1@5',
      'DELETED a/1@7',
      'ADDED a/0@8',
      'DELETED a/0@10',
      'ADDED a/1@11',
      'MODIFIED a/1@13',
    ]);
    expect(one.events.map(({ revision }) => revision)).to.deep.equal([3, 5, 7, 9, 11, 13]);
  });

  it('resumes after a restart from the store', async () => {
    await fixture.put('a/1');
    await fixture.put('a/1');
    await using restarted = await openPodCache({ storage: fixture.storage });
    const log = new WatchLog(restarted.pods, { prefix: podPrefix, afterRevision: 2 });
    await settle();
    await fixture.put('a/2');
    expect(log.lines).to.deep.equal(['MODIFIED a/1@3', 'ADDED a/2@4']);
  });

  it('reports a start that the store has forgotten', async () => {
    await fixture.put('a/1');
    await fixture.put('a/1');
    await fixture.storage.compact(3);
    await using restarted = await openPodCache({ storage: fixture.storage });
    const log = new WatchLog(restarted.pods, { prefix: podPrefix, afterRevision: 2 });
    await settle();
    await fixture.put('a/1');
    expect(log.errors.map(({ code }) => code)).to.deep.equal(['compacted']);
    expect(log.events).to.deep.equal([]);
  });

  it('reports that events before a late registration are only in the store, and delivers them', async () => {
    const value = Buffer.from('{"metadata":{"resourceVersion":""}}');
    await fixture.storage.create('/registry/late/a', value);
    await fixture.storage.create('/registry/late/b', value);
    const late = fixture.cache.resource('/registry/late/');
    const log = new WatchLog(late, { prefix: late.prefix, afterRevision: 2 });
    await settle();
    expect(log.events.map(({ object }) => object.key)).to.deep.equal(['/registry/late/b']);
  });

  it('delivers nothing after it was closed', async () => {
    const early = watch();
    early.watch.close();
    const late = watch();
    await settle();
    late.watch.close();
    await fixture.put('a/1');
    await settle();
    expect([early.events, late.events]).to.deep.equal([[], []]);
    expect([early.errors, late.errors]).to.deep.equal([[], []]);
  });

  it('ends only the watch whose sink throws', async () => {
    const errors: string[] = [];
    fixture.pods.watch(
      { prefix: podPrefix, afterRevision: 1 },
      {
        onEvent: () => {
          throw new Error('broken sink');
        },
        onError: ({ code }) => errors.push(code),
      },
    );
    const healthy = watch();
    await settle();
    await fixture.put('a/1');
    await fixture.put('a/2');
    expect(errors).to.deep.equal(['closed']);
    expect(healthy.events).to.have.lengthOf(2);
  });

  it('ends with the cache', async () => {
    const log = watch();
    await settle();
    await fixture.cache[Symbol.asyncDispose]();
    expect(log.errors.map(({ code }) => code)).to.deep.equal(['closed']);
  });

  it('refuses a prefix of another resource', () => {
    expect(() => watch({ prefix: '/registry/services/' })).to.throw(RangeError);
  });
});
