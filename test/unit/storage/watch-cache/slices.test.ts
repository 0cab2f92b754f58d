import { expect } from 'chai';
import type { CachedObject, FieldLayout, ListRequest } from '../../../../src/storage/watch-cache/index.ts';
import { HandTurned } from './hand-turned.ts';
import { openPodCache, type PodCache, podPrefix } from './pods.ts';
import { settle, shortKey, WatchLog } from './watch-log.ts';

const count = 200;
const all = Array.from({ length: count }, (_, n) => `a/${1000 + n}`);
const fieldLayout: FieldLayout = {
  locate: (_prefix, field) =>
    field === 'app' ? { path: ['metadata', 'labels', 'app'], zero: '' } : undefined,
  indexedFields: (prefix) => (prefix === podPrefix ? ['app'] : []),
};
const isWeb = ({ labels }: CachedObject): boolean => labels.app === 'web';
const requiredValue = (field: string) => (field === 'app' ? 'web' : undefined);
const keysOf = (objects: readonly CachedObject[]): string[] => objects.map(({ key }) => shortKey(key));

describe('ResourceCache.read in slices', () => {
  let hand: HandTurned;
  let fixture: PodCache;
  beforeEach(async () => {
    hand = new HandTurned(3);
    fixture = await openPodCache({ fieldLayout, slices: hand.slices });
    for (const key of all) await fixture.put(key, { app: 'web' });
    while (await hand.turn());
  });
  afterEach(() => fixture[Symbol.asyncDispose]());

  /** A list, with the rounds of the event loop that it took beyond the first. */
  const listed = async (request: Partial<ListRequest>, meanwhile?: () => Promise<unknown>) => {
    const reading = Promise.resolve(fixture.pods.read({ prefix: podPrefix, ...request }));
    let page: Awaited<typeof reading> | undefined;
    void reading.then((result) => {
      page = result;
    });
    await settle();
    let rounds = 0;
    for (; page === undefined; rounds++) {
      await meanwhile?.();
      await hand.turn();
    }
    return { rounds, page };
  };

  for (const [what, request] of [
    ['everything', {}],
    ['what a label selects', { matches: isWeb }],
    ['what an indexed field selects', { matches: isWeb, requiredValue }],
    ['an earlier state', { snapshot: 150 }],
    ['a large page', { limit: count - 1 }],
  ] as const) {
    it(`takes several rounds of the event loop to list ${what}`, async () => {
      const { rounds, page } = await listed(request);
      expect(rounds).to.be.at.least(3);
      expect(page.objects.length).to.be.at.least(149);
    });
  }

  it('takes none for what is small', () => {
    for (const request of [{ limit: 10 }, { prefix: `${podPrefix}a/1000` }, { prefix: `${podPrefix}b/` }]) {
      expect(fixture.pods.read({ prefix: podPrefix, ...request })).not.to.be.instanceOf(Promise);
    }
  });

  it('shows one state, whatever happens meanwhile', async () => {
    const { revision } = fixture.cache;
    const removed = [...all];
    const { page, rounds } = await listed({}, async () => {
      await fixture.remove(removed.pop() ?? '');
      await fixture.put('a/0');
      await fixture.put('z/9');
    });
    expect(rounds).to.be.at.least(3);
    expect(page.revision).to.equal(revision);
    expect(page.objects).to.have.length(count);
    expect(Math.max(...page.objects.map((object) => object.revision))).to.equal(revision);
  });

  it('keeps the pages of a list that took several rounds exact', async () => {
    const { page } = await listed({ limit: 150 }, () => fixture.put('a/1160', { app: 'db' }));
    expect([page.objects.length, page.remaining]).to.deep.equal([150, 50]);
    const rest = fixture.pods.list({
      prefix: podPrefix,
      startKey: page.nextKey,
      snapshot: page.revision,
      matches: isWeb,
    });
    expect(rest.objects, 'none has become another').to.have.length(50);
  });

  it('shares a round among lists', async () => {
    const alone = (await listed({})).rounds;
    const others = Array.from({ length: 3 }, () => Promise.resolve(fixture.pods.read({ prefix: podPrefix })));
    const { rounds } = await listed({});
    expect(rounds).to.be.at.least(alone * 2);
    while (await hand.turn());
    for (const { objects } of await Promise.all(others)) expect(objects).to.have.length(count);
  });
});

describe('a watch in slices', () => {
  it('delivers a state, and a long log, in several rounds', async () => {
    const hand = new HandTurned(3);
    await using fixture = await openPodCache({ slices: hand.slices });
    for (const key of all) await fixture.put(key);
    const logs = (['state', 1] as const).map(
      (afterRevision) => new WatchLog(fixture.pods, { prefix: podPrefix, afterRevision }),
    );
    const counts: number[][] = [];
    await settle();
    do counts.push(logs.map(({ events }) => events.length));
    while (await hand.turn());
    for (const [index, { events, watch }] of logs.entries()) {
      expect(keysOf(events.map(({ object }) => object))).to.deep.equal(all);
      expect(watch.isLive).to.equal(true);
      expect(new Set(counts.map((row) => row[index])).size, 'rounds with progress').to.be.at.least(3);
    }
  });
});

describe('the delivery to many live watchers', () => {
  const watcherCount = 1000;
  let hand: HandTurned;
  let fixture: PodCache;
  let logs: WatchLog[];
  beforeEach(async () => {
    hand = new HandTurned(2);
    fixture = await openPodCache({ deliverySlices: hand.slices });
    const prefixes = [podPrefix, `${podPrefix}a/`, `${podPrefix}a/1`];
    logs = Array.from(
      { length: watcherCount },
      (_, n) => new WatchLog(fixture.pods, { prefix: prefixes[n % 3] ?? '', afterRevision: 'now' }),
    );
    await settle();
  });
  afterEach(() => fixture[Symbol.asyncDispose]());
  const told = () => logs.filter(({ events }) => events.length > 0).length;

  it('takes several rounds of the event loop, and misses nobody', async () => {
    await fixture.put('a/1');
    const counts = [told()];
    while (await hand.turn()) counts.push(told());
    expect(counts[0]).to.be.within(64, 300);
    const steps = counts.map((value, index) => value - (counts[index - 1] ?? 0));
    expect(Math.max(...steps)).to.be.at.most(300);
    expect(counts.at(-1)).to.equal(watcherCount);
  });

  it('is whole, in order and without doubles for each watcher, also for those that begin meanwhile', async () => {
    const late: { readonly log: WatchLog; readonly since: number }[] = [];
    for (let n = 0; n < 40; n++) {
      await fixture.put('a/1', { n: String(n) });
      if (n % 8 === 0) await hand.turn();
      if (n % 10 === 5) {
        const since = fixture.cache.revision;
        const log = new WatchLog(fixture.pods, { prefix: podPrefix, afterRevision: since });
        late.push({ log, since });
      }
    }
    while (await hand.turn());
    const expected = Array.from({ length: 40 }, (_, n) => n + 2);
    for (const { events } of logs) expect(events.map(({ revision }) => revision)).to.deep.equal(expected);
    for (const { log, since } of late) {
      expect(log.events.map(({ revision }) => revision)).to.deep.equal(expected.filter((n) => n > since));
    }
  });

  it('tells no watcher that it knows what it was not told yet', async () => {
    await fixture.put('a/1');
    await fixture.put('a/1');
    let checked = 0;
    do {
      for (const { watch, events } of logs) {
        if (events.length === 2) continue;
        checked++;
        expect(watch.revision).to.be.at.most(events.at(-1)?.revision ?? 1);
      }
    } while (await hand.turn());
    expect(checked).to.be.above(watcherCount);
    expect(new Set(logs.map(({ watch }) => watch.revision))).to.deep.equal(new Set([3]));
  });

  it('leaves out watchers that ended meanwhile', async () => {
    await fixture.put('a/1');
    const before = told();
    for (const { watch } of logs) watch.close();
    while (await hand.turn());
    expect(told()).to.equal(before);
  });

  it('lets no more than some hundred changes wait', async () => {
    for (let n = 0; n < 400; n++) await fixture.put('a/1');
    const slowest = Math.min(...logs.map(({ events }) => events.length));
    expect(slowest).to.be.within(140, 160);
  });

  it('goes on when a watcher causes a change', async () => {
    let writes = 0;
    fixture.pods.watch(
      { prefix: podPrefix, afterRevision: 'now' },
      { onEvent: () => void (writes++ < 3 && fixture.put('a/1')), onError: () => {} },
    );
    await settle();
    await fixture.put('a/1');
    while (await hand.turn());
    for (const { events } of logs) expect(events.map(({ revision }) => revision)).to.deep.equal([2, 3, 4, 5]);
  });
});
