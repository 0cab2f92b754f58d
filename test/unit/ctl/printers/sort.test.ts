import { expect } from 'chai';
import { sortByPath } from '../../../../src/ctl/printers/sort.ts';

const sorted = (values: readonly unknown[]): readonly unknown[] =>
  sortByPath(values, '.v', (v) => (v === undefined ? {} : { v }));

describe('sortByPath', () => {
  const orders: readonly (readonly unknown[])[] = [
    ['pod1', 'pod2', 'pod02', 'pod10', 'pod10a'],
    ['1', '1k', '2Ki', '500m', 'abc'],
    ['', '0', '00', '1', '01', 'A', 'a', 'é'],
    ['a', 'a0', 'a0b', 'a1', 'ab'],
    [-1, 0.5, 3, 20],
  ];
  for (const order of orders) {
    it(`takes ${JSON.stringify(order)} for ordered`, () => {
      expect(sorted(order.toReversed())).to.deep.equal(order);
      expect(sorted(order)).to.deep.equal(order);
    });
  }

  it('puts objects without the field first, the last of them before the others', () => {
    const items = [{ n: 1, v: 'b' }, { n: 2 }, { n: 3, v: 'a' }, { n: 4 }];
    expect(sortByPath(items, '.v', (item) => item).map(({ n }) => n)).to.deep.equal([4, 2, 3, 1]);
  });

  it('refuses a field that no object has', () => {
    expect(() => sorted([undefined])).to.throw(
      `couldn't find any field with path "{.v}" in the list of objects`,
    );
  });
});
