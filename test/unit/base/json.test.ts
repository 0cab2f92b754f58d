import { expect } from 'chai';
import {
  asJsonObject,
  asList,
  asText,
  isJsonObject,
  isRawNumber,
  isStrings,
  ownValue,
  rawNumber,
  setOwn,
} from '../../../src/base/index.ts';

const values: readonly unknown[] = [undefined, null, true, 1, 'text', [], ['a'], {}, rawNumber('1.0')];

describe('tests of JSON types', () => {
  it('tell objects from lists, null and numbers that are kept as digits', () => {
    expect(values.filter(isJsonObject)).to.deep.equal([{}]);
    expect(values.filter(isRawNumber)).to.have.length(1);
    expect(values.filter(isStrings)).to.deep.equal([[], ['a']]);
    expect(isStrings(['a', 1])).to.equal(false);
  });

  it('have something empty for what is of another type', () => {
    expect(values.map(asJsonObject)).to.deep.equal(values.map(() => ({})));
    expect(values.map(asList).filter(({ length }) => length > 0)).to.deep.equal([['a']]);
    expect(values.map(asText).filter((text) => text !== '')).to.deep.equal(['text']);
  });
});

describe('ownValue', () => {
  it('finds what the object itself has, and nothing that it inherits', () => {
    expect(ownValue({ a: 1 }, 'a')).to.equal(1);
    expect(ownValue({ a: 1 }, 'toString')).to.equal(undefined);
    expect(ownValue({ a: 1 }, '__proto__')).to.equal(undefined);
    expect(ownValue(undefined, 'a')).to.equal(undefined);
  });
});

describe('setOwn', () => {
  it('sets a member of any name as data', () => {
    const object = {};
    setOwn(object, '__proto__', { a: 1 });
    setOwn(object, 'b', 2);
    expect(JSON.stringify(object)).to.equal('{"__proto__":{"a":1},"b":2}');
    expect(Object.getPrototypeOf(object)).to.equal(Object.prototype);
  });
});
