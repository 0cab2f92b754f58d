import { expect } from 'chai';
import fc from 'fast-check';
import { rawNumber } from '../../../../src/base/index.ts';
import { canonicalText, compareValues, equalValues } from '../../../../src/machinery/apply/value/index.ts';

describe('equalValues', () => {
  const cases: [string, unknown, unknown, boolean][] = [
    ['names in another order', { a: 1, b: 2 }, { b: 2, a: 1 }, true],
    ['an undefined member', { a: 1, b: undefined }, { a: 1 }, true],
    ['a null member', { a: 1, b: null }, { a: 1 }, false],
    ['another order of a list', [1, 2], [2, 1], false],
    ['a list and an object', [], {}, false],
    ['whole numbers beyond a double', rawNumber('9007199254740993'), rawNumber('9007199254740992'), false],
    ['the same number in two forms', rawNumber('10'), 10, true],
    ['a number and its text', 1, '1', false],
    ['an inherited name', { toString: 1 }, {}, false],
  ];
  for (const [what, left, right, isEqual] of cases) {
    it(`${isEqual ? 'accepts' : 'tells apart'} ${what}`, () => {
      expect(equalValues(left, right)).to.equal(isEqual);
      expect(equalValues(right, left)).to.equal(isEqual);
    });
  }

  it('agrees with the order and with canonical texts', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 3 }), fc.jsonValue({ maxDepth: 3 }), (left, right) => {
        const a = JSON.parse(JSON.stringify(left));
        const b = JSON.parse(JSON.stringify(right));
        expect(equalValues(a, b)).to.equal(compareValues(a, b) === 0);
        expect(equalValues(a, b)).to.equal(canonicalText(a) === canonicalText(b));
        expect(Math.sign(compareValues(a, b))).to.equal(0 - Math.sign(compareValues(b, a)));
      }),
      { numRuns: 300 },
    );
  });
});

describe('compareValues', () => {
  it('puts numbers before texts, booleans, lists, objects and null', () => {
    const ordered = [
      -1,
      2,
      rawNumber('9007199254740993'),
      'a',
      'b',
      '\uffee',
      '\u{1f600}',
      false,
      true,
      [],
      [1],
      {},
      null,
    ];
    expect([...ordered].reverse().sort(compareValues)).to.deep.equal(ordered);
  });
});
