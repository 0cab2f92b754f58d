import { expect } from 'chai';
import fc from 'fast-check';
import { CompactJsonError, findMember, skipValue } from '../../../../src/machinery/codec/index.ts';

const bytesOf = (value: unknown): Buffer => Buffer.from(JSON.stringify(value));
const member = (text: string, name: string): string | undefined => {
  const bytes = Buffer.from(text);
  const at = findMember(bytes, 1, name);
  return at < 0 ? undefined : bytes.toString('utf8', at, skipValue(bytes, at));
};

describe('findMember', () => {
  const rows: readonly (readonly [text: string, name: string, found: string | undefined])[] = [
    ['{}', 'a', undefined],
    ['{"a":1}', 'a', '1'],
    ['{"a":1}', 'b', undefined],
    ['{"b":{"a":1},"a":2}', 'a', '2'],
    ['{"b":["a",{"a":1}],"a":[3]}', 'a', '[3]'],
    ['{"b":"\\"a\\":1","a":2}', 'a', '2'],
    ['{"b":"\\\\","a":2}', 'a', '2'],
    ['{"ab":1,"a":2}', 'a', '2'],
    ['{"a":1,"ab":2}', 'ab', '2'],
    ['{"\\u0061":1,"a":2}', 'a', '2'],
    ['{"b":"}]","a":"x"}', 'a', '"x"'],
    ['{"b":-1.5e+3,"c":null,"a":true}', 'a', 'true'],
    ['{"é":1,"a":{}}', 'a', '{}'],
  ];
  for (const [text, name, found] of rows) {
    it(`finds ${found ?? 'nothing'} for ${name} in ${text}`, () =>
      expect(member(text, name)).to.equal(found));
  }

  it('finds every member of any object, and no other', () => {
    const name = fc.constantFrom('a', 'bb', 'spec', 'metadata', 'kind');
    fc.assert(
      fc.property(fc.dictionary(fc.oneof(name, fc.string()), fc.jsonValue()), name, (object, wanted) => {
        const expected = Object.hasOwn(object, wanted) ? JSON.stringify(object[wanted]) : undefined;
        expect(member(JSON.stringify(object), wanted)).to.equal(expected);
      }),
    );
  });

  for (const text of [
    '{',
    '{a:1}',
    '{"a"}',
    '{"a" :1}',
    '{"a":}',
    '{"a":1',
    '{"a":1 ,"b":2}',
    '{"a":1]',
    '{"a',
    '{"a":"x',
    '{"a":[1}',
    '{"a":{"b":1',
  ]) {
    it(`refuses ${text}`, () => {
      expect(() => findMember(Buffer.from(text), 1, 'b')).to.throw(CompactJsonError);
    });
  }
});

describe('skipValue', () => {
  it('stops behind any value', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(',', '}', ']'), (value, next) => {
        const bytes = Buffer.concat([bytesOf(value), Buffer.from(next)]);
        expect(skipValue(bytes, 0)).to.equal(bytes.length - 1);
      }),
    );
  });

  it('goes as deep as the text goes without a stack', () => {
    const text = `${'['.repeat(1_000_000)}${']'.repeat(1_000_000)}`;
    expect(skipValue(Buffer.from(text), 0)).to.equal(text.length);
    expect(() => skipValue(Buffer.from('['.repeat(1_000_000)), 0)).to.throw(CompactJsonError);
  });

  it('never reads on behind the end', () => {
    fc.assert(
      fc.property(fc.json(), fc.nat(), (text, cut) => {
        const bytes = Buffer.from(text).subarray(0, cut % (text.length + 1));
        try {
          expect(skipValue(bytes, 0)).to.be.at.most(bytes.length);
        } catch (error) {
          expect(error).to.be.instanceOf(CompactJsonError);
        }
      }),
    );
  });
});
