import { expect } from 'chai';
import fc from 'fast-check';
import { Bitmap } from '../../../../src/registry/allocation/bitmap.ts';

describe('Bitmap', () => {
  it('is one big number, its first bit the lowest', () => {
    const bits = new Bitmap(254);
    for (const number of [0, 9, 16]) bits.add(number);
    expect(bits.toBytes().toString('hex')).to.equal('010201');
    expect([...new Bitmap(254, Buffer.from('010201', 'hex'))]).to.deep.equal([0, 9, 16]);
  });

  it('has no bytes when nothing is in it', () => {
    expect(new Bitmap(100).toBytes()).to.have.length(0);
  });

  it('ignores numbers outside of it, wherever they come from', () => {
    const bits = new Bitmap(3, Buffer.from('ff', 'hex'));
    expect([bits.count, bits.add(3), bits.add(-1), bits.has(7)]).to.deep.equal([3, false, false, false]);
  });

  it('finds the next free number around the end', () => {
    const bits = new Bitmap(4);
    expect(bits.nextFree(3)).to.equal(3);
    bits.add(3);
    bits.add(0);
    expect(bits.nextFree(3)).to.equal(1);
    for (const number of [1, 2]) bits.add(number);
    expect(bits.nextFree(0)).to.equal(undefined);
  });

  it('behaves as a set does, also after it was stored', () => {
    const step = fc.record({ isAdd: fc.boolean(), number: fc.integer({ min: 0, max: 69 }) });
    fc.assert(
      fc.property(fc.array(step), (steps) => {
        const bits = new Bitmap(70);
        const set = new Set<number>();
        for (const { isAdd, number } of steps) {
          expect(isAdd ? bits.add(number) : bits.delete(number)).to.equal(isAdd !== set.has(number));
          if (isAdd) set.add(number);
          else set.delete(number);
        }
        const sorted = [...set].sort((a, b) => a - b);
        for (const copy of [bits, bits.clone(), new Bitmap(70, bits.toBytes())]) {
          expect([...copy]).to.deep.equal(sorted);
          expect(copy.count).to.equal(set.size);
        }
      }),
    );
  });
});
