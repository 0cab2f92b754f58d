import { expect } from 'chai';
import fc from 'fast-check';
import { findJsonFault } from '../../../../src/machinery/schema/index.ts';

describe('findJsonFault', () => {
  const cases: readonly (readonly [text: string, fault: string | undefined])[] = [
    ['{"a":[1,true,null,"\\u0041"]}', undefined],
    ['null', undefined],
    [' [1, -0.5e+3, {}] ', undefined],
    ['0', undefined],
    ['-12', undefined],
    ['1.50', undefined],
    ['1e9', undefined],
    ['1E-9', undefined],
    ['', 'unexpected end of JSON input'],
    ['{"a":', 'unexpected end of JSON input'],
    ['{"a', 'unexpected end of JSON input'],
    ['{"a":1', 'unexpected end of JSON input'],
    ['tru', "invalid character ' ' in literal true (expecting 'e')"],
    ['{"a":-', "invalid character ' ' in numeric literal"],
    ['1.', "invalid character ' ' after decimal point in numeric literal"],
    ['1e', "invalid character ' ' in exponent of numeric literal"],
    ['"\\', "invalid character ' ' in string escape code"],
    ['"\\u00', "invalid character ' ' in \\u hexadecimal character escape"],
    ['\f1', "invalid character '\\f' looking for beginning of value"],
    ['\v1', "invalid character '\\v' looking for beginning of value"],
    ['nope', "invalid character 'o' in literal null (expecting 'u')"],
    ['{a:1}', "invalid character 'a' looking for beginning of object key string"],
    ['{"a":1,}', "invalid character '}' looking for beginning of object key string"],
    ['{é', "invalid character 'Ã' looking for beginning of object key string"],
    ['{"a" 1}', "invalid character '1' after object key"],
    ['{"a":1 "b"}', "invalid character '\"' after object key:value pair"],
    ['[1 2]', "invalid character '2' after array element"],
    ['[1,]', "invalid character ']' looking for beginning of value"],
    ['{} x', "invalid character 'x' after top-level value"],
    ["'a'", "invalid character '\\'' looking for beginning of value"],
    ['"\n"', "invalid character '\\n' in string literal"],
    ['"\u0001"', "invalid character '\\x01' in string literal"],
    ['"\\q"', "invalid character 'q' in string escape code"],
    ['"\\u12g"', "invalid character 'g' in \\u hexadecimal character escape"],
    ['01', "invalid character '1' after top-level value"],
    ['-a', "invalid character 'a' in numeric literal"],
    ['1.a', "invalid character 'a' after decimal point in numeric literal"],
    ['1ea', "invalid character 'a' in exponent of numeric literal"],
  ];
  for (const [text, fault] of cases) {
    it(`reads ${JSON.stringify(text)}`, () => expect(findJsonFault(Buffer.from(text))).to.equal(fault));
  }

  it('finds a fault just where JSON cannot be parsed', () => {
    const text = fc.oneof(
      fc.json(),
      fc.string(),
      fc.json().map((each) => each.slice(1)),
    );
    fc.assert(fc.property(text, (each) => (findJsonFault(Buffer.from(each)) === undefined) === isJson(each)));
  });

  it('takes as many levels as the reader that it speaks for, without exhausting the stack', () => {
    const nested = (levels: number): Buffer => Buffer.from('['.repeat(levels) + ']'.repeat(levels));
    expect(findJsonFault(nested(10_000))).to.equal(undefined);
    expect(findJsonFault(nested(10_001))).to.equal("invalid character '[' exceeded max depth");
    expect(findJsonFault(Buffer.from('['.repeat(100_000)))).to.contain('exceeded max depth');
    expect(findJsonFault(nested(3), 2)).to.equal("invalid character '[' exceeded max depth");
    expect(findJsonFault(Buffer.from('{,{{{'), 2)).to.contain('looking for beginning of object key');
  });
});

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
