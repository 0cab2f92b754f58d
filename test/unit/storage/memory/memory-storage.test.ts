import { expect } from 'chai';
import { describe, it } from 'mocha';
import { openMemoryStorage } from '../../../../src/storage/memory/index.ts';
import { makeValue } from '../../../conformance/storage/values.ts';
import { ManualClock } from '../manual-clock.ts';

describe('openMemoryStorage', () => {
  it('forgets history by age', async () => {
    const clock = new ManualClock();
    await using storage = openMemoryStorage({ clock, historyMs: 1000 });
    await storage.create('/a', makeValue('a'));
    clock.advance(500);
    await storage.create('/b', makeValue('b'));
    expect((await storage.stats()).compactedRevision).to.equal(0);
    clock.advance(900);
    expect((await storage.stats()).compactedRevision).to.equal(2);
    clock.advance(1000);
    expect((await storage.stats()).compactedRevision).to.equal(3);
  });

  it('keeps history for ever when that is asked for', async () => {
    const clock = new ManualClock();
    await using storage = openMemoryStorage({ clock, historyMs: 0 });
    await storage.create('/a', makeValue('a'));
    clock.advance(24 * 60 * 60_000);
    expect((await storage.stats()).compactedRevision).to.equal(0);
    expect((await storage.range({ prefix: '/', revision: 1 })).objects).to.have.lengthOf(0);
    expect(storage.revisionAt(clock.nowMs() - 1000)).to.equal(2);
  });

  it('forgets the oldest history when it grows too large', async () => {
    await using storage = openMemoryStorage({ clock: new ManualClock(), maxHistoryBytes: 10_000 });
    await storage.create('/a', makeValue('a', 'x'.repeat(900)));
    for (let revision = 2; revision < 102; revision++) {
      await storage.update('/a', revision, makeValue('a', 'x'.repeat(900)));
    }
    const { compactedRevision, revision } = await storage.stats();
    expect(revision).to.equal(102);
    expect(compactedRevision).to.be.at.least(92);
    expect((await storage.range({ prefix: '/', revision: compactedRevision })).objects).to.have.lengthOf(1);
  });

  it('counts the bytes of current objects', async () => {
    await using storage = openMemoryStorage({ clock: new ManualClock() });
    const value = makeValue('a');
    await storage.create('/a', value);
    await storage.update('/a', 2, value);
    expect((await storage.stats()).sizeBytes).to.equal(value.length + 1);
    await storage.delete('/a', 3);
    expect((await storage.stats()).sizeBytes).to.equal(0);
  });
});
