import { assert } from 'chai';
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
    assert.deepEqual(log.lines, [], 'nothing before the call has returned');
    await settle();
    await fixture.remove('a/1');
    assert.deepEqual(log.lines, ['ADDED a/1@2', 'MODIFIED a/1@3', 'DELETED a/1@4']);
    assert.deepEqual([log.watch.revision, log.watch.isLive], [4, true]);
  });

  it('starts after any revision', async () => {
    for (let i = 0; i < 4; i++) await fixture.put('a/1');
    for (let after = 1; after <= 6; after++) {
      const log = watch({ afterRevision: after });
      await settle();
      assert.deepEqual(
        log.events.map(({ revision }) => revision),
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
    assert.deepEqual(all.lines, ['ADDED a/1@3', 'ADDED b/1@2', 'MODIFIED b/1@4']);
    assert.deepEqual(web.lines, ['ADDED a/1@3']);
    assert.deepEqual(one.lines, ['ADDED b/1@2', 'MODIFIED b/1@4']);
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
    assert.lengthOf(log.events, 1);
    await fixture.put('a/499');
    await fixture.remove('a/100');
    release();
    await settle();
    assert.lengthOf(log.events, 402);
    assert.deepEqual(log.lines.slice(-3), ['ADDED a/499@401', 'MODIFIED a/499@402', 'DELETED a/100@403']);
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
    assert.isBelow(log.events.length, 300);
    assert.isFalse(log.watch.isLive);
    await fixture.put('a/1');
    release();
    await settle();
    assert.deepEqual(
      log.events.map(({ revision }) => revision),
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
    assert.deepEqual(log.lines, [
      'ADDED a/1@3',
      'MODIFIED a/1@4',
      'DELETED a/1@5',
      'ADDED a/1@8',
      'DELETED a/1@9',
    ]);
    const left = log.events[2]?.object;
    assert.deepEqual(left?.labels, { app: 'web', x: '1' });
    assert.include(left?.bytes.toString(), '"resourceVersion":"5"');
  });

  it('keeps to a folder or to one key', async () => {
    const folder = watch({ prefix: `${podPrefix}a/` });
    const key = watch({ prefix: `${podPrefix}a/1` });
    await settle();
    for (const name of ['a/1', 'a/10', 'ab/1', 'a/2']) await fixture.put(name);
    const late = watch({ prefix: `${podPrefix}a/1` });
    await settle();
    assert.deepEqual(folder.lines, ['ADDED a/1@2', 'ADDED a/10@3', 'ADDED a/2@5']);
    assert.deepEqual(key.lines, ['ADDED a/1@2']);
    assert.deepEqual(late.lines, key.lines);
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
    assert.equal(calls, 0);
  });

  it('shares events and their frames among watchers that see them alike', async () => {
    const logs = [watch(), watch({ prefix: `${podPrefix}a/` }), watch({ matches: isWeb })];
    await settle();
    await fixture.put('a/1', { app: 'web' });
    const [first, ...others] = logs.map(({ events }) => events[0]);
    for (const other of others) assert.strictEqual(other, first);
    const frame = first?.memo('json', () => Buffer.from('frame'));
    assert.strictEqual(
      others[0]?.memo('json', () => Buffer.from('other')),
      frame,
    );
    assert.strictEqual(first?.object, fixture.pods.get(`${podPrefix}a/1`));
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
    assert.notStrictEqual(first, seen);
    assert.strictEqual(second, first);
    assert.deepEqual(
      [first?.type, first?.revision, first?.object],
      [seen?.type, seen?.revision, seen?.object],
    );
  });

  it('delivers an event before the write is acknowledged', async () => {
    const log = watch();
    await settle();
    await fixture.put('a/1');
    assert.lengthOf(log.events, 1);
  });

  it('reads from the store what memory has forgotten', async () => {
    await using small = await openPodCache({ eventWindow: { maxBytes: 3000, maxAgeMs: 60_000 } });
    for (let i = 0; i < 10; i++) await small.put(`a/${i % 2}`, i % 3 === 0 ? { app: 'web' } : {});
    await small.remove('a/0'); // 12
    const all = new WatchLog(small.pods, { prefix: podPrefix, afterRevision: 1 });
    const web = new WatchLog(small.pods, { prefix: podPrefix, afterRevision: 1, matches: isWeb });
    const one = new WatchLog(small.pods, { prefix: `${podPrefix}a/1`, afterRevision: 2 });
    assert.isAbove(small.cache.windowStart, 5);
    await settle();
    await small.put('a/1', { app: 'web' }); // 13
    assert.deepEqual(
      all.events.map(({ revision }) => revision),
      [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13],
    );
    assert.deepEqual(web.lines, [
      'ADDED a/0@2',
      'DELETED a/0@4',
      'ADDED a/1@5',
      'DELETED a/1@7',
      'ADDED a/0@8',
      'DELETED a/0@10',
      'ADDED a/1@11',
      'MODIFIED a/1@13',
    ]);
    assert.deepEqual(
      one.events.map(({ revision }) => revision),
      [3, 5, 7, 9, 11, 13],
    );
  });

  it('resumes after a restart from the store', async () => {
    await fixture.put('a/1');
    await fixture.put('a/1');
    await using restarted = await openPodCache({ storage: fixture.storage });
    const log = new WatchLog(restarted.pods, { prefix: podPrefix, afterRevision: 2 });
    await settle();
    await fixture.put('a/2');
    assert.deepEqual(log.lines, ['MODIFIED a/1@3', 'ADDED a/2@4']);
  });

  it('reports a start that the store has forgotten', async () => {
    await fixture.put('a/1');
    await fixture.put('a/1');
    await fixture.storage.compact(3);
    await using restarted = await openPodCache({ storage: fixture.storage });
    const log = new WatchLog(restarted.pods, { prefix: podPrefix, afterRevision: 2 });
    await settle();
    await fixture.put('a/1');
    assert.deepEqual(
      log.errors.map(({ code }) => code),
      ['compacted'],
    );
    assert.deepEqual(log.events, []);
  });

  it('reports that events before a late registration are only in the store, and delivers them', async () => {
    const value = Buffer.from('{"metadata":{"resourceVersion":""}}');
    await fixture.storage.create('/registry/late/a', value);
    await fixture.storage.create('/registry/late/b', value);
    const late = fixture.cache.resource('/registry/late/');
    const log = new WatchLog(late, { prefix: late.prefix, afterRevision: 2 });
    await settle();
    assert.deepEqual(
      log.events.map(({ object }) => object.key),
      ['/registry/late/b'],
    );
  });

  it('delivers nothing after it was closed', async () => {
    const early = watch();
    early.watch.close();
    const late = watch();
    await settle();
    late.watch.close();
    await fixture.put('a/1');
    await settle();
    assert.deepEqual([early.events, late.events], [[], []]);
    assert.deepEqual([early.errors, late.errors], [[], []]);
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
    assert.deepEqual(errors, ['closed']);
    assert.lengthOf(healthy.events, 2);
  });

  it('ends with the cache', async () => {
    const log = watch();
    await settle();
    await fixture.cache[Symbol.asyncDispose]();
    assert.deepEqual(
      log.errors.map(({ code }) => code),
      ['closed'],
    );
  });

  it('refuses a prefix of another resource', () => {
    assert.throws(() => watch({ prefix: '/registry/services/' }), RangeError);
  });
});
