import { expect } from 'chai';
import fc from 'fast-check';
import { sortedKeys } from '../../../../src/machinery/schema/index.ts';

describe('sortedKeys', () => {
  it('gives all keys in the order of their bytes, few or many', () => {
    const key = fc.oneof(fc.string({ maxLength: 3 }), fc.constantFrom('😀', '\uffee', '\ud7ff', 'a', 'B'));
    fc.assert(
      fc.property(fc.uniqueArray(key, { maxLength: 40 }), (keys) => {
        const object = Object.fromEntries(keys.map((name) => [name, 1]));
        const expected = [...keys].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
        expect(sortedKeys(object)).to.deep.equal(expected);
      }),
    );
  });
});
