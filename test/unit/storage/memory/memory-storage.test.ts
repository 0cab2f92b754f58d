import { assert } from 'chai';
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
    assert.equal((await storage.stats()).compactedRevision, 0);
    clock.advance(900);
    assert.equal((await storage.stats()).compactedRevision, 2);
    clock.advance(1000);
    assert.equal((await storage.stats()).compactedRevision, 3);
  });

  it('forgets the oldest history when it grows too large', async () => {
    await using storage = openMemoryStorage({ clock: new ManualClock(), maxHistoryBytes: 10_000 });
    await storage.create('/a', makeValue('a', 'x'.repeat(900)));
    for (let revision = 2; revision < 102; revision++) {
      await storage.update('/a', revision, makeValue('a', 'x'.repeat(900)));
    }
    const { compactedRevision, revision } = await storage.stats();
    assert.equal(revision, 102);
    assert.isAtLeast(compactedRevision, 92);
    assert.lengthOf((await storage.range({ prefix: '/', revision: compactedRevision })).objects, 1);
  });

  it('counts the bytes of current objects', async () => {
    await using storage = openMemoryStorage({ clock: new ManualClock() });
    const value = makeValue('a');
    await storage.create('/a', value);
    await storage.update('/a', 2, value);
    assert.equal((await storage.stats()).sizeBytes, value.length + 1);
    await storage.delete('/a', 3);
    assert.equal((await storage.stats()).sizeBytes, 0);
  });
});
