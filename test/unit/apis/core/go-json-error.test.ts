import { expect } from 'chai';
import fc from 'fast-check';
import { describeJsonObjectError } from '../../../../src/apis/core/go-json-error.ts';

describe('describeJsonObjectError', () => {
  const cases: readonly (readonly [text: string, problem: string | undefined])[] = [
    ['{"a":[1,true,null,"\\u0041"]}', undefined],
    ['null', undefined],
    ['', 'unexpected end of JSON input'],
    ['{"a":', 'unexpected end of JSON input'],
    ['nope', "invalid character 'o' in literal null (expecting 'u')"],
    ['{a:1}', "invalid character 'a' looking for beginning of object key string"],
    ['{"a" 1}', "invalid character '1' after object key"],
    ['{"a":1 "b"}', "invalid character '\"' after object key:value pair"],
    ['[1 2]', "invalid character '2' after array element"],
    ['{} x', "invalid character 'x' after top-level value"],
    ['"\n"', "invalid character '\\n' in string literal"],
    ['[1]', 'json: cannot unmarshal array into Go value of type map[string]interface {}'],
    ['1.', 'unexpected end of JSON input'],
  ];
  for (const [text, problem] of cases) {
    it(`reads ${JSON.stringify(text)}`, () => expect(describeJsonObjectError(text)).to.equal(problem));
  }
  it('accepts exactly the objects that JSON has', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const isObject = value === null || (typeof value === 'object' && !Array.isArray(value));
        return (describeJsonObjectError(JSON.stringify(value)) === undefined) === isObject;
      }),
    );
  });
  it('does not exhaust the stack', () => {
    expect(describeJsonObjectError('['.repeat(100_000))).to.equal('exceeded max depth');
  });
});
