import { expect } from 'chai';
import { after, before, describe, it } from 'mocha';
import type { StoredObject } from '../../../src/storage/index.ts';
import type { WatchRecorder } from './recorder.ts';
import { assertWholeBatches, openSubject, type Subject } from './subject.ts';
import type { OpenDriver, SuiteOptions } from './suite.ts';
import { readValue } from './values.ts';

/** How late a key may go: the contract's few seconds, on a busy machine. */
const maxLateMs = 6_000;

/** How far apart the clocks of a store and of a test may be when both round. */
const roundingMs = 20;

/** Keys that go by themselves. One timeline serves all tests, because time is real for most drivers. */
export function describeExpiry(openDriver: OpenDriver, { isDurable }: SuiteOptions): void {
  describe('expiry', function () {
    this.timeout(60_000);
    let subject: Subject;
    let timeline: Timeline;
    before(async () => {
      subject = await openSubject(openDriver);
      timeline = await runTimeline(subject);
    });
    after(() => subject[Symbol.asyncDispose]());

    const deletesOf = ({ key }: StoredObject) =>
      timeline.watch.events.filter(({ kind, object }) => kind === 'delete' && object.key === key);

    it('removes a key when its seconds are over, never early and not much later', () => {
      expect(timeline.lifeMs('short')).to.be.at.least(1000 - roundingMs);
      expect(timeline.lifeMs('short')).to.be.at.most(1000 + maxLateMs);
    });

    it('removes it with an ordinary delete event: once, in order, with the last state', async () => {
      const events = deletesOf(timeline.short);
      expect(events).to.have.lengthOf(1);
      const [event] = events;
      expect(event?.previous?.bytes.toString()).to.equal(timeline.short.bytes.toString());
      expect(event && readValue(event.object.bytes)).to.deep.equal({
        resourceVersion: String(event?.revision),
        content: 'short',
      });
      // A shared store may remove several keys in one revision.
      assertWholeBatches(timeline.watch.batches);
      const late = subject.watch();
      await late.reaches(await subject.storage.currentRevision());
      expect(late.lines).to.have.members(timeline.watch.lines);
      assertWholeBatches(late.batches);
    });

    it('leaves history as it was', async () => {
      const { revision } = timeline.short;
      expect(await subject.contents(revision)).to.have.property('short');
      expect(await subject.contents()).to.not.have.property('short');
    });

    it('lets the key be created again, without its old time', async () => {
      expect(await subject.contentOf('again')).to.equal('second');
    });

    it('keeps a key for good once it was updated without a time', async () => {
      expect(await subject.contentOf('kept')).to.equal('for good');
      expect(deletesOf(timeline.kept)).to.have.lengthOf(0);
    });

    it('counts anew from an update with a time', () => {
      expect(timeline.lifeMs('restarted')).to.be.at.least(timeline.updatedAfterMs + 2000 - roundingMs);
      expect(timeline.lifeMs('restarted')).to.be.at.most(timeline.updatedAfterMs + 2000 + maxLateMs);
    });

    it('shortens a long time by an update with a short one', () => {
      expect(timeline.lifeMs('shortened')).to.be.at.most(timeline.updatedAfterMs + 1000 + maxLateMs);
    });

    it('does not touch keys whose time is not over, nor what was deleted before', () => {
      expect(deletesOf(timeline.long)).to.have.lengthOf(0);
      expect(deletesOf(timeline.deleted)).to.have.lengthOf(1);
    });

    it('removes many keys that end together, each once', () => {
      const gone = timeline.watch.lines.filter((line) => line.startsWith(`delete ${subject.key('many/')}`));
      expect(gone).to.have.lengthOf(manyKeys);
      expect(new Set(gone.map((line) => line.split('@')[0]))).to.have.lengthOf(manyKeys);
    });

    if (isDurable) {
      it('counts over restarts', async () => {
        await using restarted = await openSubject(openDriver);
        const gone = await restarted.create('gone', 1, { ttlSeconds: 1 });
        await restarted.create('stays', 1, { ttlSeconds: 60 });
        await restarted.storage[Symbol.asyncDispose]();
        await restarted.passTime(1000);
        const again = await restarted.reopen();
        while ((await again.get(gone.key)) !== undefined) await restarted.passTime(20);
        expect(await again.get(restarted.key('stays'))).to.not.equal(undefined);
      });
    }
  });
}

const manyKeys = 250;

interface Timeline {
  readonly watch: WatchRecorder;
  readonly short: StoredObject;
  readonly kept: StoredObject;
  readonly long: StoredObject;
  readonly deleted: StoredObject;
  /** When the updates began, after the creates. */
  readonly updatedAfterMs: number;
  /** How long a name lived since just before the creates. */
  lifeMs(name: string): number;
}

/** Writes keys with times, waits until all that must go is gone, and tells when what went. */
async function runTimeline(subject: Subject): Promise<Timeline> {
  let passedMs = 0;
  const startMs = performance.now();
  const nowMs = (): number => (subject.hasOwnClock ? passedMs : performance.now() - startMs);
  const goneAt = new Map<string, number>();
  const pass = async (ms: number): Promise<void> => {
    passedMs += ms;
    await subject.passTime(ms);
  };
  const watch = subject.watch();
  const unwatch = subject.storage.watch(
    { prefix: subject.prefix, afterRevision: subject.start },
    {
      onEvents: (events) => {
        for (const event of events) if (event.kind === 'delete') goneAt.set(event.object.key, nowMs());
      },
      onProgress() {},
      onError() {},
    },
  );
  const ttl = (ttlSeconds: number) => ({ ttlSeconds });
  const [short, kept, restarted, shortened, long, deleted, first] = await Promise.all([
    subject.create('short', 'short', ttl(1)),
    subject.create('kept', 'kept', ttl(1)),
    subject.create('restarted', 1, ttl(1)),
    subject.create('shortened', 1, ttl(3600)),
    subject.create('long', 1, ttl(3600)),
    subject.create('deleted', 1, ttl(1)),
    subject.create('again', 'first', ttl(1)),
    ...Array.from({ length: manyKeys }, (_, i) => subject.create(`many/${i}`, i, ttl(1))),
  ]);
  await pass(300);
  const updatedAfterMs = nowMs();
  await Promise.all([
    subject.update(kept, 'for good'),
    subject.update(restarted, 2, ttl(2)),
    subject.update(shortened, 2, ttl(1)),
    subject.delete(deleted),
    subject.delete(first),
  ]);
  await subject.create('again', 'second');
  const mustGo = [short, restarted, shortened].map(({ key }) => key);
  const isOver = (): boolean => mustGo.every((key) => goneAt.has(key)) && goneAt.size >= manyKeys + 5;
  for (const endMs = nowMs() + 2000 + maxLateMs; !isOver() && nowMs() < endMs; ) await pass(20);
  await watch.reaches(await subject.storage.currentRevision());
  unwatch.close();
  const lifeMs = (name: string): number => goneAt.get(subject.key(name)) ?? Number.POSITIVE_INFINITY;
  return { watch, short, kept, long, deleted, updatedAfterMs, lifeMs };
}
