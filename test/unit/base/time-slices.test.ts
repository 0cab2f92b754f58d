import { expect } from 'chai';
import { createTimeSlices } from '../../../src/base/index.ts';

describe('createTimeSlices', () => {
  let nowMs: number;
  let deferred: (() => void)[];
  const make = () =>
    createTimeSlices({ sliceMs: 5, nowMs: () => nowMs, defer: (run) => void deferred.push(run) });
  /** One round of the event loop. */
  const round = async () => {
    const due = deferred;
    deferred = [];
    for (const run of due) run();
    for (let i = 0; i < 5; i++) await Promise.resolve();
  };
  beforeEach(() => {
    nowMs = 0;
    deferred = [];
  });

  it('gives each round to one piece of work, in turn', async () => {
    const slices = make();
    const log: string[] = [];
    const work = async (name: string) => {
      const slice = await slices.begin();
      for (let step = 0; step < 2; step++) {
        log.push(name);
        await slice.rest();
      }
    };
    const all = [work('a'), work('b'), work('c')];
    expect(log).to.deep.equal([]);
    for (let count = 1; count <= 6; count++) {
      await round();
      expect(log).to.have.length(count);
    }
    expect(log.join('')).to.equal('abcabc');
    for (let i = 0; i < 3; i++) await round();
    await Promise.all(all);
    expect(deferred, 'nothing is left to run').to.deep.equal([]);
  });

  it('says that a turn is over when its time is', async () => {
    const begun = make().begin();
    await round();
    const slice = await begun;
    const isSpentSoon = () => Array.from({ length: 20 }, () => slice.isSpent()).includes(true);
    expect(isSpentSoon()).to.equal(false);
    nowMs = 5;
    expect(isSpentSoon()).to.equal(true);
    const rested = slice.rest();
    await round();
    await rested;
    expect(isSpentSoon()).to.equal(false);
  });
});
