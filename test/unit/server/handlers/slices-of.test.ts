import { expect } from 'chai';
import fc from 'fast-check';
import { sortInSteps } from '../../../../src/server/handlers/slices-of.ts';

const run = <T>(items: readonly T[], compare: (a: T, b: T) => number) => {
  const steps = sortInSteps(items, compare);
  for (let count = 1; ; count++) {
    const step = steps.next();
    if (step.done === true) return { sorted: step.value, count };
  }
};

describe('sortInSteps', () => {
  it('gives what a stable sort gives, and leaves what it was given alone', () => {
    const byNumber = (a: readonly [number, number], b: readonly [number, number]) => a[0] - b[0];
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 5000 }), fc.integer({ min: 1, max: 1000 }), (length, values) => {
        const items = Array.from({ length }, (_, n) => [(n * 7919) % values, n] as const);
        const given = [...items];
        expect(run(items, byNumber).sorted).to.deep.equal(items.toSorted(byNumber));
        expect(items).to.deep.equal(given);
      }),
      { numRuns: 60, seed: 3 },
    );
  });

  it('compares few pairs in one step', () => {
    let compared = 0;
    let most = 0;
    const items = Array.from({ length: 20_000 }, (_, n) => (n * 7919) % 20_011);
    const steps = sortInSteps(items, (a, b) => {
      compared++;
      return a - b;
    });
    for (let step = steps.next(); step.done !== true; step = steps.next()) {
      most = Math.max(most, compared);
      compared = 0;
    }
    expect(most).to.be.at.most(512 * 10);
  });
});
