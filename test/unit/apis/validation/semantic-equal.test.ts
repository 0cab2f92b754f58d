import { expect } from 'chai';
import fc from 'fast-check';
import { deepEqual, deepEqualUntyped } from '../../../../src/apis/validation/index.ts';

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
    [
      {
        resources: { limits: { cpu: '1e3', memory: '1Ki' } },
        emptyDir: { medium: 'Memory', sizeLimit: '1Ki' },
      },
      {
        resources: { limits: { cpu: '1k', memory: '1024' } },
        emptyDir: { medium: 'Memory', sizeLimit: '1024' },
      },
    ],
    [{ resourceFieldRef: { divisor: '1k' } }, { resourceFieldRef: { divisor: '1e3' } }],
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
    [{ limits: { cpu: '1Ki' } }, { limits: { cpu: '1025' } }],
    [{ limits: { cpu: '1Ki' } }, { limits: { cpu: '1024', memory: '1' } }],
    [{ limits: { cpu: 'a' } }, { limits: { cpu: 'b' } }],
    [{ labels: { limits: '1Ki' } }, { labels: { limits: '1024' } }],
    [{ emptyDir: { medium: '1Ki', sizeLimit: '1Ki' } }, { emptyDir: { medium: '1024', sizeLimit: '1024' } }],
  ];
  for (const [a, b] of different) {
    it(`${JSON.stringify(a)} differs from ${JSON.stringify(b)}`, () => {
      expect(deepEqual(a, b)).to.equal(false);
      expect(deepEqual(b, a)).to.equal(false);
    });
  }

  it('tells amounts in other units apart only where no field is known', () => {
    const [a, b] = [{ limits: { cpu: '1k' } }, { limits: { cpu: '1e3' } }];
    expect([deepEqual(a, b), deepEqualUntyped(a, b), deepEqualUntyped(a, { ...a })]).to.deep.equal([
      true,
      false,
      true,
    ]);
  });

  it('finds every value equal to its copy', () => {
    fc.assert(fc.property(fc.jsonValue(), (value) => deepEqual(value, structuredClone(value))));
  });
});
