import { expect } from 'chai';
import { createTimeSlices, type Slice } from '../../../src/base/index.ts';

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

  /** Steps of which each takes a millisecond, until the work should rest. */
  const stepsOf = (slice: Slice): number => {
    for (let steps = 1; ; steps++) {
      nowMs++;
      if (slice.isSpent()) return steps;
    }
  };

  it('lets work begin at once', () => {
    const slice = make().begin(1);
    expect(slice.isSpent()).to.equal(false);
    expect(stepsOf(slice)).to.equal(5);
  });

  it('gives all work of a round the time of one slice', async () => {
    const slices = make();
    const [first, second, third] = [slices.begin(1), slices.begin(1), slices.begin(1)];
    first.isSpent();
    nowMs += 2;
    expect(stepsOf(second)).to.equal(3);
    expect([first, second, third].map((slice) => slice.isSpent())).to.deep.equal([true, true, true]);
    await round();
    expect([first, second, third].map((slice) => slice.isSpent())).to.deep.equal([false, false, false]);
  });

  it('gives each round to one piece of work that has rested, in turn', async () => {
    const slices = make();
    const log: string[] = [];
    const work = async (name: string) => {
      const slice = slices.begin();
      for (let step = 0; step < 2; step++) {
        await slice.rest();
        log.push(name);
      }
    };
    const all = [work('a'), work('b'), work('c')];
    expect(log).to.deep.equal([]);
    for (let count = 1; count <= 6; count++) {
      await round();
      expect(log).to.have.length(count);
    }
    expect(log.join('')).to.equal('abcabc');
    await Promise.all(all);
    await round();
    expect(deferred, 'nothing is left to run').to.deep.equal([]);
  });

  it('counts the time of new work to the turn of the one that has rested', async () => {
    const slices = make();
    const [rested, fresh] = [slices.begin(1), slices.begin(1)];
    const turn = rested.rest();
    await round();
    await turn;
    expect(stepsOf(rested)).to.equal(5);
    expect(fresh.isSpent()).to.equal(true);
  });

  it('looks at the clock after so many steps only', () => {
    let looks = 0;
    const clock = () => {
      looks++;
      return 0;
    };
    const slice = createTimeSlices({ sliceMs: 5, nowMs: clock, defer: () => {} }).begin(8);
    for (let step = 0; step < 80; step++) slice.isSpent();
    expect(looks).to.be.within(10, 11);
  });
});
