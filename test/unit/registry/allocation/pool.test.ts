import { expect } from 'chai';
import fc from 'fast-check';
import { Pool } from '../../../../src/registry/allocation/pool.ts';

describe('Pool', () => {
  it('gives out each number once until all are taken', () => {
    const pool = new Pool(4, () => 0.6);
    expect([1, 2, 3, 4, 5].map(() => pool.takeAny())).to.deep.equal([2, 3, 0, 1, undefined]);
  });

  it('gives out again what was given back', () => {
    const pool = new Pool(2, () => 0);
    pool.take(0);
    pool.take(1);
    pool.free([1]);
    expect(pool.takeAny()).to.equal(1);
  });

  it('refuses what is taken already', () => {
    const pool = new Pool(2, () => 0);
    expect([pool.take(1), pool.take(1)]).to.deep.equal([true, false]);
  });

  it('tries things out without taking anything', () => {
    const pool = new Pool(2, () => 0);
    pool.take(0);
    const trial = pool.trial();
    expect([trial.takeAny(), trial.takeAny()]).to.deep.equal([1, undefined]);
    expect(pool.takeAny()).to.equal(1);
  });

  it('has nothing to give when it is empty', () => {
    expect(new Pool(0, () => 0).takeAny()).to.equal(undefined);
  });

  it('holds as many as before when numbers outside of it are taken', () => {
    const pool = new Pool(2, () => 0);
    for (const outside of [-1, 2, 99]) pool.take(outside);
    expect([pool.takeAny(), pool.takeAny(), pool.takeAny()]).to.deep.equal([0, 1, undefined]);
  });

  it('never gives out a number that is taken, whatever happened before', () => {
    const step = fc.oneof(
      fc.constant({ kind: 'any' } as const),
      fc.record({ kind: fc.constantFrom('take', 'free'), number: fc.integer({ min: -2, max: 9 }) }),
    );
    fc.assert(
      fc.property(fc.array(step), fc.double({ min: 0, max: 0.999, noNaN: true }), (steps, random) => {
        const pool = new Pool(8, () => random);
        const taken = new Set<number>();
        for (const action of steps) {
          if (action.kind === 'any') {
            const number = pool.takeAny();
            if (number === undefined) expect(taken.size).to.equal(8);
            else {
              expect(taken.has(number) || number < 0 || number > 7).to.equal(false);
              taken.add(number);
            }
          } else if ('number' in action) {
            const { kind, number } = action;
            if (kind === 'free') {
              pool.free([number]);
              taken.delete(number);
            } else {
              expect(pool.take(number)).to.equal(!taken.has(number));
              if (number >= 0 && number < 8) taken.add(number);
            }
          }
        }
      }),
    );
  });
});
