import { expect } from 'chai';
import fc from 'fast-check';
import { listRepeatedJsonKeys } from '../../../../src/ctl/convert/repeated-json-keys.ts';

describe('listRepeatedJsonKeys', () => {
  const cases: [text: string, found: string[]][] = [
    ['{"a":1,"b":{"a":2},"c":[{"a":3},{"a":4}]}', []],
    ['{"a":1,\n\n"a":2}', ['a@3']],
    ['{"a":"a","b":"a\\"a","a" \t:[]}', ['a@1']],
    ['[{"x":[1,{"k":1}]},{"x":[1,[],{"k":1,"\\u006b":2}]}]', ['[1].x[2].k@1']],
    ['{"a.b":{"":1,"":2},"a.b":3,"a.b":4}', ['[a.b][]@1', '[a.b]@1', '[a.b]@1']],
    ['{"__proto__":1,"constructor":1,"__proto__":2}', ['__proto__@1']],
    ['{"a":"{[,\\\\","a":1}', ['a@1']],
    ['"a"', []],
  ];
  for (const [text, found] of cases) {
    it(`finds ${found.join(' ') || 'none'} in ${JSON.stringify(text)}`, () => {
      const shown = listRepeatedJsonKeys(text).map(({ path, line }) => `${path}@${line}`);
      expect(shown).to.deep.equal(found);
    });
  }

  it('finds none in what was written from objects, and one that is added', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string(), fc.jsonValue()),
        fc.constantFrom(undefined, 1, '\t'),
        (object, indent) => {
          const text = JSON.stringify(object, null, indent);
          expect(listRepeatedJsonKeys(text)).to.deep.equal([]);
          const [key] = Object.keys(object);
          if (key === undefined) return;
          const twice = `{${JSON.stringify(key)}: 1, ${text.slice(1)}`;
          expect(listRepeatedJsonKeys(twice)).to.have.length(1);
        },
      ),
    );
  });
});
