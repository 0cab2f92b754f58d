import { expect } from 'chai';
import {
  asJsonObject,
  asList,
  asText,
  isJsonObject,
  isRawNumber,
  isStrings,
  ownValue,
  parseExact,
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

describe('a number that is kept as digits', () => {
  const big = rawNumber('-7889848476955126417');

  it('is written with all its digits', () => {
    expect(JSON.stringify({ big })).to.equal('{"big":-7889848476955126417}');
    expect(`${big}`).to.equal('-7889848476955126417');
  });

  it('is compared as the nearest double', () => {
    // The compiler cannot know that rules compare what is a number in all other objects.
    const value = big as unknown as number;
    expect(value < 0).to.equal(true);
    expect(value > -8e18).to.equal(true);
  });

  it('is no other text than a number', () => {
    expect(() => rawNumber('1 2')).to.throw(SyntaxError);
    expect(() => rawNumber('{}')).to.throw(SyntaxError);
  });
});

describe('parseExact', () => {
  it('keeps the digits of whole numbers beyond doubles', () => {
    for (const text of [
      '[9007199254740993]',
      '{"a":-9223372036854775808}',
      '{"a":[1,12345678901234567]}',
      '9007199254740993',
    ])
      expect(JSON.stringify(parseExact(text))).to.equal(text);
  });

  it('takes all others as they are', () => {
    expect(parseExact('{"a":9007199254740991,"b":"9007199254740993","c":1.5}')).to.deep.equal({
      a: 9007199254740991,
      b: '9007199254740993',
      c: 1.5,
    });
    expect(() => parseExact('{')).to.throw(SyntaxError);
  });
});
