import { expect } from 'chai';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import type { Clock } from '../../../../src/base/index.ts';
import type { Cluster } from '../../../../src/storage/etcd/cluster.ts';
import { LeasePool } from '../../../../src/storage/etcd/lease-pool.ts';
import { ManualClock } from '../manual-clock.ts';

/** etcd's part: numbers the leases and notes when each ends. */
function grantLeases(clock: Clock) {
  const endsAtMs: number[] = [];
  const call = async (_method: unknown, request: unknown) => {
    // The pool makes this call only.
    const { ttlSeconds } = request as { readonly ttlSeconds: number };
    endsAtMs.push(clock.nowMs() + ttlSeconds * 1000);
    return { id: endsAtMs.length - 1, ttlSeconds };
  };
  // The answer is that of the one call that is made.
  const cluster = { call } as unknown as Pick<Cluster, 'call'>;
  return { endsAtMs, cluster };
}

describe('LeasePool', () => {
  it('never gives a lease that ends early, nor one that ends late by more than a twentieth and a second', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.record({
            afterMs: fc.integer({ min: 0, max: 90_000 }),
            ttlSeconds: fc.constantFrom(1, 15, 600, 3600),
          }),
        ),
        async (takes) => {
          const clock = new ManualClock();
          const { endsAtMs, cluster } = grantLeases(clock);
          const pool = new LeasePool(cluster, clock);
          for (const { afterMs, ttlSeconds } of takes) {
            clock.advance(afterMs);
            const { id } = await pool.take(ttlSeconds);
            const livesMs = (endsAtMs[Number(id)] ?? 0) - clock.nowMs();
            expect(livesMs).to.be.at.least(ttlSeconds * 1000);
            expect(livesMs).to.be.at.most(ttlSeconds * 1050 + 1000);
          }
        },
      ),
      { numRuns: 200 },
    ));

  it('shares one lease among writes that come close together', async () => {
    const clock = new ManualClock();
    const { endsAtMs, cluster } = grantLeases(clock);
    const pool = new LeasePool(cluster, clock);
    await Promise.all(Array.from({ length: 100 }, () => pool.take(3600)));
    clock.advance(59_000);
    await pool.take(3600);
    expect(endsAtMs).to.have.length(1);
  });

  it('does not share a lease for longer when the clock is set back', async () => {
    const steady = new ManualClock();
    let setBackMs = 0;
    const clock: Clock = {
      nowMs: () => steady.nowMs() - setBackMs,
      setTimer: (delayMs, callback) => steady.setTimer(delayMs, callback),
    };
    const { endsAtMs, cluster } = grantLeases(steady);
    const pool = new LeasePool(cluster, clock);
    await pool.take(600);
    setBackMs = 3_600_000;
    steady.advance(300_000);
    const { id } = await pool.take(600);
    expect((endsAtMs[Number(id)] ?? 0) - steady.nowMs()).to.be.at.least(600_000);
  });

  it('forgets a lease that is lost, but not the one that has taken its place', async () => {
    const clock = new ManualClock();
    const { cluster } = grantLeases(clock);
    const pool = new LeasePool(cluster, clock);
    const lost = await pool.take(60);
    await Promise.all([pool.forget(60, lost), pool.forget(60, lost)]);
    const next = await pool.take(60);
    expect(next).not.to.equal(lost);
    await pool.forget(60, lost);
    expect(await pool.take(60)).to.equal(next);
  });
});
