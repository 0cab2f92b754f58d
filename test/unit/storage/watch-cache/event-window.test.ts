import { expect } from 'chai';
import { openPodCache, type PodCache, podPrefix } from './pods.ts';
import { settle, WatchLog } from './watch-log.ts';

const day = 24 * 60 * 60_000;
const key = '/registry/leases/a/1';

describe('recent changes', () => {
  /** Writes another resource, as a server does all the time. */
  async function touchOther({ storage }: PodCache): Promise<void> {
    const current = await storage.get(key);
    const value = Buffer.from('{"metadata":{"resourceVersion":""}}');
    if (current === undefined) await storage.create(key, value);
    else await storage.update(key, current.revision, value);
  }

  it('go by age, but for the last ones of each resource', async () => {
    const eventWindow = { maxBytes: 1e9, maxAgeMs: 1000, minChanges: 3 };
    await using fixture = await openPodCache({ eventWindow });
    for (let i = 0; i < 5; i++) await fixture.put('a/1'); // 2 to 6
    expect(fixture.pods.windowStart).to.equal(1);
    fixture.clock.advance(1001);
    await touchOther(fixture); // 7
    expect(fixture.pods.windowStart).to.equal(3);
    fixture.clock.advance(day);
    await touchOther(fixture); // 8
    expect(fixture.pods.windowStart).to.equal(3);
    await fixture.put('a/1'); // 9
    fixture.clock.advance(101);
    await touchOther(fixture);
    expect(fixture.pods.windowStart).to.equal(4);
  });

  it('let watches go on that the store would refuse', async () => {
    await using fixture = await openPodCache();
    await fixture.put('a/1'); // 2
    await fixture.put('a/2'); // 3
    fixture.clock.advance(day);
    await touchOther(fixture); // 4
    await fixture.storage.compact(4);
    const log = new WatchLog(fixture.pods, { prefix: podPrefix, afterRevision: 2 });
    await settle();
    expect(log.lines).to.deep.equal(['ADDED a/2@3']);
  });

  it('are at least a thousand of each resource when nothing else is asked for', async () => {
    await using fixture = await openPodCache();
    for (let i = 0; i < 1200; i++) await fixture.put('a/1'); // 2 to 1201
    fixture.clock.advance(day);
    await touchOther(fixture);
    await fixture.storage.compact(1202);
    const kept = new WatchLog(fixture.pods, { prefix: podPrefix, afterRevision: 201 });
    const gone = new WatchLog(fixture.pods, { prefix: podPrefix, afterRevision: 200 });
    await settle();
    expect(kept.events.map(({ revision }) => revision)).to.deep.equal(
      Array.from({ length: 1000 }, (_, index) => 202 + index),
    );
    expect(gone.errors.map(({ code }) => code)).to.deep.equal(['compacted']);
  });

  it('of a quiet resource stay where a busy one fills the memory for them', async () => {
    const eventWindow = { maxBytes: 50_000, maxAgeMs: 1000, minChanges: 1000 };
    await using fixture = await openPodCache({ eventWindow });
    const leases = fixture.cache.resource('/registry/leases/');
    await touchOther(fixture); // 2
    await touchOther(fixture); // 3
    for (let i = 0; i < 500; i++) await fixture.put('a/1');
    expect(leases.windowStart).to.equal(1);
    expect(fixture.pods.windowStart).to.be.within(400, 500);
    let held = 0;
    for (const { log } of [leases, fixture.pods]) held += log.bytes;
    expect(held).to.be.within(40_000, 50_000);
  });
});
