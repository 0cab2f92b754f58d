import { expect } from 'chai';
import fc from 'fast-check';
import { parseQuery } from '../../../../src/net/http/index.ts';

describe('parseQuery', () => {
  const cases: [text: string, read: string][] = [
    ['', ''],
    ['a=1&b', 'a=1&b='],
    ['a=%', ''],
    ['a=%zz&b=1&%2=3&c=%41', 'b=1&c=A'],
    ['a=1&b=%3B&&c&d=1;e', 'a=1&b=%3B&c='],
    ['a=b+c', 'a=b+c'],
  ];
  for (const [text, read] of cases) {
    it(`reads ${JSON.stringify(text)}`, () => expect(parseQuery(text).toString()).to.equal(read));
  }

  it('reads what it wrote', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.string(), fc.string())), (pairs) => {
        const written = new URLSearchParams();
        for (const [name, value] of pairs) written.append(name.toWellFormed(), value.toWellFormed());
        expect([...parseQuery(written.toString())]).to.deep.equal([...written]);
      }),
    );
  });
});
