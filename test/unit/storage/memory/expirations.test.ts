import { expect } from 'chai';
import { describe, it } from 'mocha';
import { Expirations } from '../../../../src/storage/memory/expirations.ts';
import { openMemoryStorage } from '../../../../src/storage/memory/index.ts';
import { makeValue } from '../../../conformance/storage/values.ts';
import { ManualClock } from '../manual-clock.ts';

/** Keys in the order in which they expired, and the clock that moves them. */
function makeExpirations(): { clock: ManualClock; gone: string[]; expirations: Expirations } {
  const clock = new ManualClock();
  const gone: string[] = [];
  return { clock, gone, expirations: new Expirations({ clock, expire: (key) => gone.push(key) }) };
}

describe('Expirations', () => {
  it('expires keys in the order of their times, never early', () => {
    const { clock, gone, expirations } = makeExpirations();
    expirations.set('/c', 30);
    expirations.set('/a', 1);
    expirations.set('/b', 2);
    clock.advance(999);
    expect(gone).to.deep.equal([]);
    clock.advance(1);
    expect(gone).to.deep.equal(['/a']);
    clock.advance(60_000);
    expect(gone).to.deep.equal(['/a', '/b', '/c']);
    expect(clock.timerCount).to.equal(0);
  });

  it('forgets the earlier time of a key that is set again', () => {
    const { clock, gone, expirations } = makeExpirations();
    expirations.set('/later', 1);
    expirations.set('/later', 5);
    expirations.set('/never', 1);
    expirations.set('/never', undefined);
    clock.advance(4999);
    expect(gone).to.deep.equal([]);
    clock.advance(1);
    expect(gone).to.deep.equal(['/later']);
  });

  it('takes thousands that end together in batches, other timers between them', () => {
    const clock = new ManualClock();
    let turns = 0;
    const gone: number[] = [];
    const expirations = new Expirations({ clock, expire: () => gone.push(turns) });
    for (let i = 0; i < 5000; i++) expirations.set(`/${i}`, 1);
    const countTurns = (): void => {
      turns++;
      if (gone.length < 5000) clock.setTimer(0, countTurns);
    };
    clock.setTimer(1000, countTurns);
    clock.advance(1000);
    expect(gone).to.have.lengthOf(5000);
    const perTurn = [...Map.groupBy(gone, (turn) => turn).values()];
    const largest = Math.max(...perTurn.map(({ length }) => length));
    expect(largest).to.be.at.most(100);
  });

  it('waits for times beyond what timers can count', () => {
    const { clock, gone, expirations } = makeExpirations();
    const fortyDaysMs = 40 * 86_400_000;
    expirations.set('/a', fortyDaysMs / 1000);
    clock.advance(fortyDaysMs - 1);
    expect(gone).to.deep.equal([]);
    clock.advance(1);
    expect(gone).to.deep.equal(['/a']);
  });

  it('expires nothing after it was stopped', () => {
    const { clock, gone, expirations } = makeExpirations();
    expirations.set('/a', 1);
    expirations.stop();
    clock.advance(5000);
    expect(gone).to.deep.equal([]);
    expect(clock.timerCount).to.equal(0);
  });
});

describe('openMemoryStorage with keys that expire', () => {
  it('leaves no timer behind when it is closed', async () => {
    const clock = new ManualClock();
    const storage = openMemoryStorage({ clock });
    await storage.create('/a', makeValue('a'), { ttlSeconds: 1 });
    await storage[Symbol.asyncDispose]();
    expect(clock.timerCount).to.equal(0);
  });
});
