import { expect } from 'chai';
import fc from 'fast-check';
import { deepEqual } from '../../../../src/apis/validation/index.ts';

describe('deepEqual', () => {
  const equal: [unknown, unknown][] = [
    [undefined, null],
    [undefined, []],
    [{}, undefined],
    [{ a: [], b: undefined }, { c: {} }],
    [
      { a: 1, b: { c: ['x'] } },
      { b: { c: ['x'] }, a: 1 },
    ],
  ];
  for (const [a, b] of equal) {
    it(`${JSON.stringify(a)} means the same as ${JSON.stringify(b)}`, () => {
      expect(deepEqual(a, b)).to.equal(true);
      expect(deepEqual(b, a)).to.equal(true);
    });
  }

  const different: [unknown, unknown][] = [
    [0, undefined],
    ['', undefined],
    [false, undefined],
    [1, '1'],
    [
      ['a', 'b'],
      ['b', 'a'],
    ],
    [['a'], { 0: 'a' }],
    [{ a: 1 }, { a: 1, b: 0 }],
    [{}, { toString: 'x' }],
    [{ a: [{}] }, { a: [] }],
  ];
  for (const [a, b] of different) {
    it(`${JSON.stringify(a)} differs from ${JSON.stringify(b)}`, () => {
      expect(deepEqual(a, b)).to.equal(false);
      expect(deepEqual(b, a)).to.equal(false);
    });
  }

  it('finds every value equal to its copy', () => {
    fc.assert(fc.property(fc.jsonValue(), (value) => deepEqual(value, structuredClone(value))));
  });
});
