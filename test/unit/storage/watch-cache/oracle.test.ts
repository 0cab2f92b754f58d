import { expect } from 'chai';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { openPodCache, type PodCache, podPrefix } from './pods.ts';
import { settle, shortKey, WatchLog } from './watch-log.ts';

interface Write {
  readonly key: string;
  readonly app: string | undefined;
}

interface Version {
  readonly revision: number;
  readonly app: string | undefined;
}

/** Every state of the store, kept the simple way: `states[i]` is the state at revision `i + 1`. */
type States = readonly ReadonlyMap<string, Version>[];

const writeArbitrary: fc.Arbitrary<Write> = fc.record({
  key: fc.constantFrom('a/1', 'a/10', 'a/2', 'b/1'),
  app: fc.constantFrom('web', 'db', undefined),
});

async function applyWrites(
  fixture: PodCache,
  writes: readonly Write[],
  states: Map<string, Version>[],
): Promise<void> {
  for (const { key, app } of writes) {
    const state = new Map(states.at(-1));
    if (app !== undefined) {
      const { revision } = await fixture.put(key, { app });
      state.set(key, { revision, app });
    } else if (state.has(key)) {
      await fixture.remove(key);
      state.delete(key);
    } else {
      continue;
    }
    states.push(state);
  }
}

/** What a watcher of `path` and `app` must see after `after`, told from the states alone. */
function expectedEvents(
  states: States,
  watch: { after: number; path: string; app: string | undefined },
): string[] {
  const lines: string[] = [];
  const sees = (version: Version | undefined): boolean =>
    version !== undefined && (watch.app === undefined || version.app === watch.app);
  for (let revision = Math.max(2, watch.after + 1); revision <= states.length; revision++) {
    const before = states[revision - 2] ?? new Map();
    const now = states[revision - 1] ?? new Map();
    for (const key of new Set([...before.keys(), ...now.keys()])) {
      if (before.get(key)?.revision === now.get(key)?.revision) continue;
      if (watch.path.endsWith('/') ? !key.startsWith(watch.path) : watch.path !== '' && key !== watch.path)
        continue;
      const [did, does] = [sees(before.get(key)), sees(now.get(key))];
      if (did || does) lines.push(`${!did ? 'ADDED' : does ? 'MODIFIED' : 'DELETED'} ${key}@${revision}`);
    }
  }
  return lines;
}

const watchArbitrary = fc.record({
  after: fc.nat(30),
  path: fc.constantFrom('', 'a/', 'b/', 'a/1', 'b/1'),
  app: fc.constantFrom('web', 'db', undefined),
});

describe('WatchCache against a naive model', () => {
  for (const maxBytes of [0, 3000, 1e9]) {
    it(`delivers exactly the events after any revision (window of ${maxBytes} bytes)`, async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(writeArbitrary, { maxLength: 25 }),
          fc.array(writeArbitrary, { maxLength: 10 }),
          fc.array(watchArbitrary, { minLength: 1, maxLength: 5 }),
          async (earlier, later, watches) => {
            await using fixture = await openPodCache({
              eventWindow: { maxBytes, maxAgeMs: 1000, minChanges: 2 },
            });
            const states: Map<string, Version>[] = [new Map()];
            await applyWrites(fixture, earlier, states);
            const logs = watches.map(
              ({ after, path, app }) =>
                new WatchLog(fixture.pods, {
                  prefix: podPrefix + path,
                  afterRevision: after,
                  matches: app === undefined ? undefined : ({ labels }) => labels.app === app,
                }),
            );
            await applyWrites(fixture, later, states);
            await settle();
            logs.forEach((log, index) => {
              const watch = watches[index];
              if (watch !== undefined) expect(log.lines).to.deep.equal(expectedEvents(states, watch));
            });
          },
        ),
        { numRuns: 60, seed: 42 },
      );
    });
  }

  it('lists every revision of the window exactly, whole and in pages', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(writeArbitrary, { maxLength: 30 }),
        fc.integer({ min: 1, max: 3 }),
        async (writes, limit) => {
          await using fixture = await openPodCache();
          const states: Map<string, Version>[] = [new Map()];
          await applyWrites(fixture, writes, states);
          states.forEach((state, index) => {
            const snapshot = index + 1;
            const seen: string[] = [];
            for (let startKey: string | undefined = podPrefix; startKey !== undefined; ) {
              const page = fixture.pods.list({ prefix: podPrefix, snapshot, startKey, limit });
              for (const { key, revision } of page.objects) seen.push(`${shortKey(key)}@${revision}`);
              if (page.remaining !== undefined) expect(page.remaining).to.equal(state.size - seen.length);
              startKey = page.nextKey;
            }
            const keys = [...state.keys()].sort();
            expect(seen).to.deep.equal(keys.map((key) => `${key}@${state.get(key)?.revision}`));
          });
        },
      ),
      { numRuns: 60, seed: 42 },
    );
  });
});
