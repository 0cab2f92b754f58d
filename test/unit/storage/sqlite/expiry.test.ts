import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect } from 'chai';
import { describe, it } from 'mocha';
import { silentLogger } from '../../../../src/base/index.ts';
import { Expiry } from '../../../../src/storage/sqlite/expiry.ts';
import { ManualClock } from '../manual-clock.ts';

describe('Expiry', () => {
  it('looks keys up once and removes them in rounds, neighbours together', async () => {
    const clock = new ManualClock();
    const names = Array.from({ length: 250 }, (_, i) => `/k/${String((i * 7) % 250).padStart(3, '0')}`);
    let reads = 0;
    const removed: string[] = [];
    const rounds: number[] = [];
    const expiry = new Expiry({
      clock,
      logger: silentLogger,
      nextMs: 1,
      read: async () => ({
        keys: reads++ === 0 ? names : [],
        revisions: names.map((_, i) => i + 2),
        nextMs: 0,
      }),
      remove: async (key, revision) => {
        expect(revision).to.equal(names.indexOf(key) + 2);
        removed.push(key);
        return { kind: 'conflict', current: undefined };
      },
    });
    while (removed.length < names.length) {
      clock.advance(1000);
      await nextTurn();
      if (removed.length !== (rounds.at(-1) ?? 0)) rounds.push(removed.length);
    }
    expiry.stop();
    expect(removed).to.deep.equal(names.toSorted());
    expect(rounds).to.deep.equal([100, 200, 250]);
    expect(reads).to.equal(1);
  });
});
