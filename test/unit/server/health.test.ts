import { expect } from 'chai';
import { Health, type HealthCheck, StartHooks } from '../../../src/server/health.ts';
import { buildHealthChecks } from '../../../src/server/health-checks.ts';
import { openMemoryStorage } from '../../../src/storage/memory/index.ts';
import { openWatchCache, type WatchCache } from '../../../src/storage/watch-cache/index.ts';
import { makeExchange } from '../../support/exchange.ts';
import { expectStatus } from '../../support/expect-status.ts';
import { ManualClock } from '../storage/manual-clock.ts';

const fine = (name: string): HealthCheck => ({ name, check() {} });
const broken = (name: string): HealthCheck => ({
  name,
  async check() {
    throw new Error('secret of the inside');
  },
});

/** Health of a server that started at 0 and whose liveness has a grace of 10 seconds. */
function healthOf(checks: readonly HealthCheck[], nowMs = 60_000) {
  const health = new Health({
    checks: { healthz: checks, livez: checks, readyz: checks },
    livezGraceMs: 10_000,
    startedAtMs: 0,
    nowMs: () => nowMs,
  });
  return async (url: string) => {
    const exchange = makeExchange({ url });
    await health.handle(exchange);
    return [exchange.answer.statusCode, exchange.answer.text] as const;
  };
}

describe('Health', () => {
  const ask = healthOf([fine('ping'), fine('a/b')]);
  const sick = healthOf([fine('ping'), broken('log'), fine('last')]);

  for (const endpoint of ['healthz', 'livez', 'readyz']) {
    it(`answers ok on /${endpoint} when all is well`, async () => {
      expect(await ask(`/${endpoint}`)).to.deep.equal([200, 'ok']);
      expect(await ask(`/${endpoint}/`)).to.deep.equal([200, 'ok']);
    });

    it(`lists the checks of /${endpoint} when asked to`, async () => {
      const text = `[+]ping ok\n[+]a/b ok\n${endpoint} check passed\n`;
      expect(await ask(`/${endpoint}?verbose`)).to.deep.equal([200, text]);
      expect(await ask(`/${endpoint}?verbose=true`)).to.deep.equal([200, text]);
    });

    it(`lists the checks of /${endpoint} unasked when one fails, without its reason`, async () => {
      expect(await sick(`/${endpoint}`)).to.deep.equal([
        500,
        `[+]ping ok\n[-]log failed: reason withheld\n[+]last ok\n${endpoint} check failed\n`,
      ]);
    });
  }

  describe('leaves out checks', () => {
    const passed = 'readyz check passed\n';
    const cases: [query: string, code: number, text: string][] = [
      ['exclude=log', 200, 'ok'],
      ['exclude=log&verbose', 200, `[+]ping ok\n[+]log excluded: ok\n[+]last ok\n${passed}`],
      [
        'exclude=log&exclude=ping&verbose',
        200,
        `[+]ping excluded: ok\n[+]log excluded: ok\n[+]last ok\n${passed}`,
      ],
      [
        'exclude=log&exclude=ping,last&verbose',
        200,
        `[+]ping ok\n[+]log excluded: ok\n[+]last ok\nwarn: some health checks cannot be excluded: no matches for "ping,last"\n${passed}`,
      ],
      [
        'exclude=log&exclude=other&exclude=none&verbose',
        200,
        `[+]ping ok\n[+]log excluded: ok\n[+]last ok\nwarn: some health checks cannot be excluded: no matches for "none","other"\n${passed}`,
      ],
      [
        'exclude=none',
        500,
        '[+]ping ok\n[-]log failed: reason withheld\n[+]last ok\nwarn: some health checks cannot be excluded: no matches for "none"\nreadyz check failed\n',
      ],
    ];
    for (const [query, code, text] of cases) {
      it(`by ${query}`, async () => {
        expect(await sick(`/readyz?${query}`)).to.deep.equal([code, text]);
      });
    }
  });

  describe('answers for one check', () => {
    it('that is well', async () => {
      expect(await ask('/readyz/ping')).to.deep.equal([200, 'ok']);
      expect(await ask('/readyz/a/b')).to.deep.equal([200, 'ok']);
    });

    it('that is not, with its reason', () =>
      expectStatus(sick('/readyz/log'), {
        code: 500,
        message: /readyz check log failed: secret of the inside/,
      }));
  });

  it('serves its endpoints and their checks, and nothing else', () => {
    const checks = [fine('ping'), fine('a/b')];
    const health = new Health({
      checks: { healthz: checks, livez: [], readyz: [] },
      livezGraceMs: 0,
      startedAtMs: 0,
      nowMs: () => 0,
    });
    const paths = ['/healthz', '/healthz/ping', '/healthz/a/b', '/livez', '/readyz'];
    expect(paths.filter((path) => health.serves(path))).to.deep.equal(paths);
    const others = [
      '/',
      '/healthz/',
      '/health',
      '/healthzz',
      '/healthz/none',
      '/livez/ping',
      '/healthz/a',
      '/x/healthz',
    ];
    expect(others.filter((path) => health.serves(path))).to.deep.equal([]);
  });

  it('does not call a server dead while it starts, but not ready either', async () => {
    const early = healthOf([broken('start')], 9_999);
    expect((await early('/livez'))[0]).to.equal(200);
    expect((await early('/readyz'))[0]).to.equal(500);
    expect((await early('/healthz'))[0]).to.equal(500);
    expect((await healthOf([broken('start')], 10_000)('/livez'))[0]).to.equal(500);
  });
});

describe('StartHooks', () => {
  it('fail until the parts that they wait for are done, each by itself', () => {
    const hooks = new StartHooks();
    const [quick, slow] = [hooks.check('quick', ['a']), hooks.check('slow', ['a', 'b'])];
    expect(() => quick.check()).to.throw('not finished');
    expect(() => slow.check()).to.throw('not finished');
    hooks.finish('a');
    quick.check();
    expect(() => slow.check()).to.throw('not finished');
    expect([...hooks.pending]).to.deep.equal(['b']);
    hooks.finish('b');
    slow.check();
    expect([...hooks.pending]).to.deep.equal([]);
  });
});

describe('buildHealthChecks', () => {
  it('asks storage, the cache, the start and the end', async () => {
    const storage = openMemoryStorage({ clock: new ManualClock() });
    const watchCache = await openWatchCache({ storage, root: '/registry/', clock: new ManualClock() });
    const hooks = new StartHooks();
    let isShuttingDown = false;
    const checks = buildHealthChecks({
      storage,
      watchCache,
      hooks,
      spell: (text) => text,
      isShuttingDown: () => isShuttingDown,
      checkLog() {},
    });
    const failing = async () => {
      const results = await Promise.all(
        checks.readyz.map(async ({ name, check }) => {
          try {
            await check();
            return undefined;
          } catch {
            return name;
          }
        }),
      );
      return results.filter((name) => name !== undefined && !/poststarthook|autoregister/.test(name));
    };
    const names = (endpoint: 'healthz' | 'livez' | 'readyz') => checks[endpoint].map(({ name }) => name);
    expect(names('livez')).to.deep.equal(names('healthz'));
    expect(names('readyz').slice(0, 4)).to.deep.equal(['ping', 'log', 'etcd', 'informer-sync']);
    expect(names('readyz').at(-1)).to.equal('shutdown');
    expect(names('livez')).not.to.include('shutdown');
    expect(await failing()).to.deep.equal([]);
    isShuttingDown = true;
    expect(await failing()).to.deep.equal(['shutdown']);
    await watchCache[Symbol.asyncDispose]();
    await storage[Symbol.asyncDispose]();
    expect(await failing()).to.deep.equal(['etcd', 'informer-sync', 'shutdown']);
  });

  const parts: [part: string, checks: string[]][] = [
    ['definitions', ['start-apiextensions-informers', 'crd-informer-synced']],
    ['definition-keeper', ['start-apiextensions-controllers']],
    ['priorityclasses', ['scheduling/bootstrap-system-priority-classes']],
    ['configmaps', ['start-cluster-authentication-info-controller']],
    ['api-service-conditions', ['apiservice-status-available-controller']],
  ];
  for (const [part, finished] of parts) {
    it(`tells of ${finished.join(' and ')} once the ${part} are done`, () => {
      const hooks = new StartHooks();
      const { readyz } = buildHealthChecks({
        storage: { ping: async () => {} },
        watchCache: { isCurrent: true } as WatchCache, // nothing else is asked
        hooks,
        spell: (text) => text,
        isShuttingDown: () => false,
        checkLog() {},
      });
      const pending = () =>
        readyz.filter(({ check }) => {
          try {
            check();
            return false;
          } catch {
            return true;
          }
        });
      for (const other of hooks.pending) if (other !== part) hooks.finish(other);
      const awaited = pending().map(({ name }) => name.replace('poststarthook/', ''));
      expect(awaited).to.include.members(finished);
      hooks.finish(part);
      expect(pending()).to.deep.equal([]);
    });
  }
});
