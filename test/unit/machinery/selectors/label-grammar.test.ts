import { expect } from 'chai';
import fc from 'fast-check';
import { parseLabelSelector, SelectorError } from '../../../../src/machinery/selectors/index.ts';

const head = 'unable to parse requirement: ';

describe('grammar of label selectors', () => {
  const canonical: readonly (readonly [text: string, written: string])[] = [
    ['a=b', 'a=b'],
    ['a==b', 'a==b'],
    ['a != b', 'a!=b'],
    ['b=1,a=2', 'a=2,b=1'],
    [' a ', 'a'],
    ['\ta\n,\r!b ', 'a,!b'],
    ['! a', '!a'],
    ['a in (x)', 'a in (x)'],
    ['a in(x,y)', 'a in (x,y)'],
    ['a notin ( y , x )', 'a notin (x,y)'],
    ['a in (x,x)', 'a in (x)'],
    ['a in ()', 'a in ()'],
    ['a in (,)', 'a in ()'],
    ['a in (x,)', 'a in (,x)'],
    ['a in (,x)', 'a in (,x)'],
    ['a in (x,,y)', 'a in (,x,y)'],
    ['in', 'in'],
    ['notin in (in,notin)', 'notin in (in,notin)'],
    ['in in (in)', 'in in (in)'],
    ['a=in', 'a=in'],
    ['a=', 'a='],
    ['a=,b', 'a=,b'],
    ['a!=', 'a!='],
    ['a>1', 'a>1'],
    ['a < 0', 'a<0'],
    ['example.com/a=b', 'example.com/a=b'],
    ['a=b.c_d-e', 'a=b.c_d-e'],
    ['x,y=1,x', 'x,x,y=1'],
    // A NUL ends the word before it.
    ['a\0,b', 'a,b'],
    ['a \0,b', 'a'],
  ];
  for (const [text, written] of canonical) {
    it(`${JSON.stringify(text)} is written as ${JSON.stringify(written)}`, () => {
      expect(parseLabelSelector(text).toString()).to.equal(written);
    });
  }

  const refused: readonly (readonly [text: string, message: string])[] = [
    ['a,,b', "found ',', expected: identifier after ','"],
    ['a,=', "found '=', expected: identifier after ','"],
    ['a,)', "found ')', expected: identifier after ','"],
    ['(a)', "found '(', expected: !, identifier, or 'end of string'"],
    ['!!a', `${head}found '!', expected: identifier`],
    ['!=a', "found '!=', expected: !, identifier, or 'end of string'"],
    ['! =a', `${head}found '=', expected: identifier`],
    ['a (b)', `${head}found '(', expected: '=', '!=', '==', 'in', notin'`],
    ['a!b', `${head}found '!', expected: '=', '!=', '==', 'in', notin'`],
    ['a=(b)', `${head}found '(', expected: identifier`],
    ['a==,=', "found '=', expected: identifier after ','"],
    ['a=b c', "found 'c', expected: ',' or 'end of string'"],
    ['a in (', `${head}found '', expected: ',', ')' or identifier`],
    ['a in (x y)', `${head}found 'y', expected: ',' or ')'`],
    ['a in (x))', "found ')', expected: ',' or 'end of string'"],
    ['a in (x=y)', `${head}found '=', expected: ',' or ')'`],
    ['a in (!x)', `${head}found '!', expected: ',', ')' or identifier`],
    ['a in (x,=)', `${head}found '=', expected: ',', or identifier`],
    ['a>', `${head}for 'Gt', 'Lt' operators, the value must be an integer`],
    ['é=b', `${head}invalid label key "é": name part must consist of`],
  ];
  for (const [text, message] of refused) {
    it(`${JSON.stringify(text)}: ${message}`, () => {
      expect(() => parseLabelSelector(text)).to.throw(SelectorError, message);
    });
  }

  it('is read in one pass, however long the text', () => {
    const many = Array.from({ length: 50_000 }, (_, index) => `k${index}=v`).join(',');
    expect(parseLabelSelector(many).requirements).to.have.length(50_000);
    const values = Array.from({ length: 50_000 }, (_, index) => `v${index}`).join(',');
    expect(parseLabelSelector(`a in (${values})`).requirements[0]?.values).to.have.length(50_000);
    for (const text of [
      '('.repeat(1_000_000),
      '!'.repeat(1_000_000),
      `${' '.repeat(1_000_000)}=`,
      'a'.repeat(1_000_000),
    ]) {
      expect(() => parseLabelSelector(text)).to.throw(SelectorError);
    }
  });

  it('gives white space no meaning', () => {
    const token = fc.constantFrom('a', '=', 'b', ',', '!', 'in', '(', ')', 'notin', '>', '5');
    const space = fc.constantFrom('', ' ', '\t', '\n ');
    const outcome = (text: string): string => {
      try {
        return parseLabelSelector(text).toString();
      } catch (error) {
        if (error instanceof SelectorError) return error.message;
        throw error;
      }
    };
    fc.assert(
      fc.property(fc.array(fc.tuple(token, space), { maxLength: 8 }), (parts) => {
        const tight = parts.map(([text]) => ` ${text}`).join('');
        const loose = parts.map(([text, blank]) => ` ${blank}${text}${blank}`).join('');
        expect(outcome(loose)).to.equal(outcome(tight));
      }),
    );
  });
});
