import { expect } from 'chai';
import { applyMergePatch, sortTouched } from '../../../../src/machinery/patch/index.ts';

describe('sortTouched', () => {
  it('sorts the objects that the patch went into, and only these', () => {
    const original = { kind: 'A', a: { z: 1, b: { y: 1, x: 1 } }, c: { y: 1, x: 1 } };
    const patched = applyMergePatch(original, { a: { n: { r: 1, q: 1 } } });
    expect(JSON.stringify(sortTouched(patched, original))).to.equal(
      '{"a":{"b":{"y":1,"x":1},"n":{"r":1,"q":1},"z":1},"c":{"y":1,"x":1},"kind":"A"}',
    );
  });

  it('gives back what was not patched', () => {
    const original = { b: 1, a: 2 };
    expect(sortTouched(original, original)).to.equal(original);
  });

  it('keeps a member called __proto__', () => {
    const patched: unknown = JSON.parse('{"a":1,"__proto__":{"x":1}}');
    expect(JSON.stringify(sortTouched(patched, {}))).to.equal('{"__proto__":{"x":1},"a":1}');
  });
});
