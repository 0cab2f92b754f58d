import { expect } from 'chai';
import { KeptValue } from '../../../../src/nodeagent/api/stats/kept-value.ts';
import { ManualClock } from '../../storage/manual-clock.ts';

describe('KeptValue', () => {
  function open(maxAgeMs: number) {
    const clock = new ManualClock();
    let count = 0;
    const outcome = { clock, isBroken: false };
    const measure = async (): Promise<number> => {
      count += 1;
      if (outcome.isBroken) throw new Error('away');
      return count;
    };
    return { outcome, clock, kept: new KeptValue({ maxAgeMs, clock, measure }) };
  }

  it('finds out at the first question, and anew when that is too old', async () => {
    const { clock, kept } = open(10_000);
    expect(await kept.get()).to.equal(1);
    clock.advance(9999);
    expect(await kept.get()).to.equal(1);
    clock.advance(1);
    expect(await kept.get()).to.equal(2);
  });

  it('gives all who ask at once one answer', async () => {
    const { kept } = open(10_000);
    expect(await Promise.all([kept.get(), kept.get(), kept.get()])).to.deep.equal([1, 1, 1]);
  });

  it('does not keep failures', async () => {
    const { outcome, kept } = open(10_000);
    outcome.isBroken = true;
    const failures = await Promise.allSettled([kept.get(), kept.get()]);
    expect(failures.map(({ status }) => status)).to.deep.equal(['rejected', 'rejected']);
    outcome.isBroken = false;
    expect(await kept.get()).to.equal(2);
  });

  it('keeps nothing without an interval, nor over a clock that was set back', async () => {
    const { kept } = open(0);
    expect([await kept.get(), await kept.get()]).to.deep.equal([1, 2]);
    const other = open(10_000);
    await other.kept.get();
    other.clock.advance(-60_000);
    expect(await other.kept.get()).to.equal(2);
  });
});
