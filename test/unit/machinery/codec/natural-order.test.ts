import { expect } from 'chai';
import fc from 'fast-check';
import { compareNaturally } from '../../../../src/machinery/codec/natural-order.ts';

describe('compareNaturally', () => {
  const ordered: readonly (readonly [title: string, keys: readonly string[]])[] = [
    ['a beginning before what it begins', ['', 'a', 'ab', 'abc']],
    ['letters by their code', ['A', 'B', 'a', 'b', 'é']],
    ['other characters before letters', ['_a', 'a']],
    ['digits before letters', ['1', 'a']],
    ['numbers by their value', ['a1', 'a2', 'a10', 'a100']],
    ['numbers inside', ['a2b', 'a10b']],
    ['numbers with zeros in front by value first', ['a01', 'a2', 'a010', 'a11']],
    ['equal numbers by their length', ['a1', 'a01']],
    ['versions', ['v1', 'v1.2', 'v1.10', 'v2', 'v10']],
    ['keys of objects', ['apiVersion', 'kind', 'metadata', 'spec', 'status']],
    ['dashes before letters', ['a-b', 'ab']],
    ['characters beyond 16 bits', ['😀', '😁']],
  ];
  for (const [title, keys] of ordered) {
    it(`puts ${title}`, () => {
      for (const [at, left] of keys.entries()) {
        for (const [other, right] of keys.entries()) {
          expect(Math.sign(compareNaturally(left, right)), `${left} and ${right}`).to.equal(
            Math.sign(at - other),
          );
        }
      }
    });
  }

  const key = fc.string({ unit: fc.constantFrom('a', 'b', 'Z', '0', '1', '2', '9', '-', '.', 'é', '😀') });

  it('says the opposite the other way round, and nothing only of equal keys', () => {
    fc.assert(
      fc.property(key, key, (left, right) => {
        expect(Math.sign(compareNaturally(left, right))).to.equal(
          0 - Math.sign(compareNaturally(right, left)),
        );
        expect(compareNaturally(left, right) === 0).to.equal(left === right);
      }),
      { numRuns: 1000 },
    );
  });

  it('orders numbers as numbers, whatever stands in front', () => {
    const number = fc.nat({ max: 100_000 });
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z]{0,3}$/), number, number, (head, a, b) => {
        expect(Math.sign(compareNaturally(`${head}${a}`, `${head}${b}`))).to.equal(Math.sign(a - b));
      }),
    );
  });
});
