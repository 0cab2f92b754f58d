import { expect } from 'chai';
import fc from 'fast-check';
import { createPullBackOffs, createPullLimits } from '../../../../src/nodeagent/images/pull-limits.ts';
import { ManualClock } from '../../storage/manual-clock.ts';

describe('createPullLimits', () => {
  /** How many of ten pulls may begin now. */
  const takeTen = ({ tryTake }: { tryTake(): boolean }): number =>
    Array.from({ length: 10 }, () => tryTake()).filter(Boolean).length;
  const limitsOf = (options: { isSerial?: boolean; qps?: number; burst?: number }) => {
    const clock = new ManualClock();
    return { clock, limits: createPullLimits({ isSerial: false, qps: 5, burst: 10, ...options, clock }) };
  };

  it('lets the burst through at once and then as many as the rate allows', () => {
    const { clock, limits } = limitsOf({ qps: 2, burst: 3 });
    expect(takeTen(limits)).to.equal(3);
    clock.advance(499);
    expect(takeTen(limits)).to.equal(0);
    clock.advance(1);
    expect(takeTen(limits)).to.equal(1);
    clock.advance(1000);
    expect(takeTen(limits)).to.equal(2);
  });

  it('saves up no more than the burst', () => {
    const { clock, limits } = limitsOf({ qps: 2, burst: 3 });
    clock.advance(3_600_000);
    expect(takeTen(limits)).to.equal(3);
  });

  it('bounds nothing where the rate is not positive', () => {
    for (const qps of [0, -1]) {
      expect(takeTen(limitsOf({ qps, burst: 0 }).limits)).to.equal(10);
    }
  });

  it('never lets more through than the burst and the rate together', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 20 }),
        fc.integer({ min: 1, max: 10 }),
        fc.array(fc.integer({ min: 0, max: 3000 }), { maxLength: 20 }),
        (qps, burst, steps) => {
          const { clock, limits } = limitsOf({ qps, burst });
          let taken = takeTen(limits);
          for (const step of steps) {
            clock.advance(step);
            taken += takeTen(limits);
          }
          expect(taken).to.be.at.most(burst + (clock.nowMs() / 1000) * qps + 1e-6);
        },
      ),
    );
  });

  /** Pulls that end when they are told to, and what has happened. */
  function pulls(isSerial: boolean) {
    const { limits } = limitsOf({ isSerial });
    const log: string[] = [];
    const pull = (name: string) => {
      const { promise, resolve, reject } = Promise.withResolvers<string>();
      const result = limits.inTurn(() => {
        log.push(name);
        return promise;
      });
      return { result, end: () => resolve(name), fail: () => reject(new Error(name)) };
    };
    return { log, pull };
  }

  it('begins pulls at once where they need not wait for one another', () => {
    const { log, pull } = pulls(false);
    for (const name of ['a', 'b', 'c']) pull(name);
    expect(log).to.deep.equal(['a', 'b', 'c']);
  });

  it('runs one pull at a time in the order of asking where they must', async () => {
    const { log, pull } = pulls(true);
    const [a, b, c] = [pull('a'), pull('b'), pull('c')];
    b.end();
    c.end();
    await Promise.resolve();
    expect(log).to.deep.equal(['a']);
    a.end();
    expect(await Promise.all([a.result, b.result, c.result])).to.deep.equal(['a', 'b', 'c']);
    expect(log).to.deep.equal(['a', 'b', 'c']);
  });

  it('goes on after a pull that failed, which only its caller is told of', async () => {
    const { log, pull } = pulls(true);
    const [a, b] = [pull('a'), pull('b')];
    a.fail();
    b.end();
    expect(await a.result.catch(({ message }) => `failed: ${message}`)).to.equal('failed: a');
    expect(await b.result).to.equal('b');
    expect(log).to.deep.equal(['a', 'b']);
  });
});

describe('createPullBackOffs', () => {
  /** How long a key waits after it was extended, to the second. */
  function waitOf(clock: ManualClock, backOffs: ReturnType<typeof createPullBackOffs>, key = 'k'): number {
    const beginMs = clock.nowMs();
    while (backOffs.isWaiting(key) && clock.nowMs() - beginMs < 1_000_000) clock.advance(1000);
    return (clock.nowMs() - beginMs) / 1000;
  }
  const begin = () => {
    const clock = new ManualClock();
    return { clock, backOffs: createPullBackOffs(clock) };
  };

  it('waits for nothing that did not fail', () => {
    expect(begin().backOffs.isWaiting('k')).to.equal(false);
  });

  it('waits ten seconds first, then twice as long each time, five minutes at most', () => {
    const { clock, backOffs } = begin();
    const waits: number[] = [];
    for (let failure = 0; failure < 8; failure++) {
      backOffs.extend('k');
      waits.push(waitOf(clock, backOffs));
    }
    expect(waits).to.deep.equal([10, 20, 40, 80, 160, 300, 300, 300]);
  });

  it('ends a wait to the millisecond', () => {
    const { clock, backOffs } = begin();
    backOffs.extend('k');
    clock.advance(9999);
    expect(backOffs.isWaiting('k')).to.equal(true);
    clock.advance(1);
    expect(backOffs.isWaiting('k')).to.equal(false);
  });

  it('remembers a wait after its end, for twice the longest one', () => {
    for (const [pauseMs, nextSeconds] of [
      [600_000, 20],
      [600_001, 10],
    ] as const) {
      const { clock, backOffs } = begin();
      backOffs.extend('k');
      clock.advance(pauseMs);
      backOffs.extend('k');
      expect(waitOf(clock, backOffs), `${pauseMs} ms later`).to.equal(nextSeconds);
    }
  });

  it('counts the time for forgetting from the last failure', () => {
    const { clock, backOffs } = begin();
    for (let failure = 0; failure < 3; failure++) {
      backOffs.extend('k');
      clock.advance(500_000);
    }
    backOffs.extend('k');
    expect(waitOf(clock, backOffs)).to.equal(80);
  });

  it('has a wait for each key', () => {
    const { clock, backOffs } = begin();
    backOffs.extend('a');
    backOffs.extend('a');
    backOffs.extend('__proto__');
    expect(waitOf(clock, backOffs, '__proto__')).to.equal(10);
    expect(waitOf(clock, backOffs, 'a')).to.equal(10);
    expect(backOffs.isWaiting('b')).to.equal(false);
  });

  it('keeps waits that count when it forgets others', () => {
    const { clock, backOffs } = begin();
    backOffs.extend('old');
    clock.advance(600_001);
    backOffs.extend('new');
    backOffs.sweep();
    expect(backOffs.isWaiting('new')).to.equal(true);
    backOffs.extend('old');
    expect(waitOf(clock, backOffs, 'old')).to.equal(10);
  });
});
