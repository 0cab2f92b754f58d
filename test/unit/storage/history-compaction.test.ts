import { expect } from 'chai';
import {
  HistoryCompaction,
  type HistoryLimits,
  type RevisionMark,
} from '../../../src/storage/history-compaction.ts';
import { ManualClock } from './manual-clock.ts';

const minute = 60_000;

function start(limits: HistoryLimits, marks: readonly RevisionMark[] = []) {
  const clock = new ManualClock();
  clock.advance(marks.at(-1)?.timeMs ?? 0);
  const store = { revision: marks.at(-1)?.revision ?? 1, bytes: 0, compacted: [] as number[] };
  const history = new HistoryCompaction({
    ...limits,
    clock,
    marks,
    currentRevision: () => store.revision,
    writtenBytes: () => store.bytes,
    compact: (revision) => store.compacted.push(revision),
  });
  /** A write of some bytes in each of so many seconds. */
  const write = (seconds: number, bytes = 1): void => {
    for (let second = 0; second < seconds; second++) {
      store.revision++;
      store.bytes += bytes;
      clock.advance(1000);
    }
  };
  return { clock, store, history, write };
}

describe('HistoryCompaction', () => {
  it('tells the revision of a time a few seconds early at most, and of no time before the first', () => {
    const { clock, history, write } = start({ historyMs: 60 * minute });
    const begunMs = clock.nowMs();
    write(600);
    expect(history.revisionAt(begunMs - 1)).to.equal(undefined);
    for (const seconds of [0, 7, 100, 599]) {
      const revision = history.revisionAt(begunMs + seconds * 1000) ?? 0;
      expect(revision).to.be.at.most(1 + seconds + 1);
      expect(revision).to.be.above(1 + seconds - 6);
    }
    clock.advance(30 * minute);
    expect(history.revisionAt(clock.nowMs()), 'nothing was written since').to.equal(601);
  });

  it('forgets what is too old, and goes on to know the revision at which history begins', () => {
    const { clock, store, history, write } = start({ historyMs: 10 * minute });
    write(1200);
    const last = store.compacted.at(-1) ?? 0;
    expect(last).to.be.within(600 - 70, 601);
    expect(history.revisionAt(clock.nowMs() - 11.2 * minute)).to.equal(undefined);
    expect(history.revisionAt(clock.nowMs() - 9 * minute)).to.be.within(650, 662);
    expect(store.compacted.length, 'steps').to.be.at.most(12);
  });

  it('tells since when states can be told, and whether some were forgotten for their bytes', () => {
    const { clock, history, write } = start({ historyMs: 10 * minute, maxHistoryBytes: 100_000 });
    const begunMs = clock.nowMs();
    write(60);
    expect(history.reach).to.deep.equal({ keptMs: 10 * minute, sinceMs: begunMs, isCut: false });
    write(1200);
    expect(history.reach.isCut).to.equal(false);
    expect(clock.nowMs() - history.reach.sinceMs).to.be.within(10 * minute, 11.2 * minute);
    write(60, 10_000);
    expect(history.reach.isCut).to.equal(true);
    expect(clock.nowMs() - history.reach.sinceMs).to.be.below(minute);
    clock.advance(20 * minute);
    expect(history.reach.isCut, 'what was cut would be gone by now').to.equal(false);
  });

  it('forgets early what is too much, but for what is kept in any case', () => {
    const limits = { historyMs: 60 * minute, maxHistoryBytes: 100_000, leastHistoryMs: minute };
    const { store, write } = start(limits);
    write(99, 1000);
    expect(store.compacted).to.deep.equal([]);
    write(60, 1000);
    expect(store.revision - (store.compacted.at(-1) ?? 0)).to.be.within(85, 101);
    write(60, 50_000);
    expect(store.revision - (store.compacted.at(-1) ?? 0), 'a minute is kept').to.be.within(60, 66);
  });

  it('never forgets when it must not, and knows the times of about a day', () => {
    const { clock, store, history, write } = start({ historyMs: 0 });
    write(100);
    expect(store.compacted).to.deep.equal([]);
    expect(history.revisionAt(clock.nowMs() - 50_000)).to.be.within(45, 52);
  });

  it('goes on with what an earlier process noted, its bytes too', () => {
    const first = start({ historyMs: 60 * minute });
    first.write(1200, 1000);
    const marks = first.history.thinned(50);
    expect(marks.length).to.be.within(50, 100);
    const endedMs = first.clock.nowMs();
    expect(marks.at(-1)?.revision).to.equal(first.history.revisionAt(endedMs));
    const limits = { historyMs: 60 * minute, maxHistoryBytes: 1_000_000 };
    const next = start(limits, marks);
    expect(next.store.compacted.at(-1)).to.be.within(190, 340);
    expect(next.history.revisionAt((marks[70]?.timeMs ?? 0) + 1)).to.equal(marks[70]?.revision);
  });
});
