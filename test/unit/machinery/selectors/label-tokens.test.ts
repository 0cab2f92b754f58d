import { expect } from 'chai';
import fc from 'fast-check';
import { type TokenKind, tokenizeLabelSelector } from '../../../../src/machinery/selectors/label-tokens.ts';

/** Tokens without the end, words in quotes. */
const shown = (text: string): string =>
  tokenizeLabelSelector(text)
    .slice(0, -1)
    .map((token) => (token.kind === 'identifier' ? `'${token.text}'` : token.kind))
    .join(' ');

describe('tokenizeLabelSelector', () => {
  const rows: readonly (readonly [text: string, tokens: string])[] = [
    ['', ''],
    [' \t\r\n', ''],
    ['a', "'a'"],
    ['a=b', "'a' = 'b'"],
    ['a==b', "'a' == 'b'"],
    ['a!=b', "'a' != 'b'"],
    ['a>1,b<2', "'a' > '1' , 'b' < '2'"],
    ['!a', "! 'a'"],
    [' a\tin\r(\nx , y )', "'a' in ( 'x' , 'y' )"],
    ['a notin()', "'a' notin ( )"],
    // The longest symbol at each place.
    ['===', '== ='],
    ['!==', '!= ='],
    ['!!=', '! !='],
    ['=!=', '= !='],
    ['= =', '= ='],
    ['<=', '< ='],
    ['>=', '> ='],
    ['<>', '< >'],
    // Words are what they are as a whole, in small letters.
    ['in', 'in'],
    ['notin', 'notin'],
    ['In NOTIN inn not', "'In' 'NOTIN' 'inn' 'not'"],
    ['in=in', 'in = in'],
    ['not in', "'not' in"],
    // Checks of names are another's.
    ['example.com/a_b-c', "'example.com/a_b-c'"],
    ['"a b"', "'\"a' 'b\"'"],
    ['a|b&c;d', "'a|b&c;d'"],
    ['é日本😀', "'é日本😀'"],
    // Only these four are white space.
    ['a\u00a0b\u2003c\vd\fe', "'a\u00a0b\u2003c\vd\fe'"],
    ['\va', "'\va'"],
  ];
  for (const [text, tokens] of rows) {
    it(`${JSON.stringify(text)}: ${tokens || 'nothing'}`, () => expect(shown(text)).to.equal(tokens));
  }

  // The release's lexer takes a NUL for the end of a token; where one should begin, for that of the text.
  const withNul: readonly (readonly [text: string, tokens: string])[] = [
    ['\0a', ''],
    ['a\0', "'a'"],
    ['a\0b', "'a' 'b'"],
    ['a=b\0,c=d', "'a' = 'b' , 'c' = 'd'"],
    ['a=\0b', "'a' = 'b'"],
    ['=\0=', '= ='],
    ['a\0\0b', "'a'"],
    ['a \0b', "'a'"],
    ['a\0 \0b', "'a'"],
    ['in\0(\0x)\0', "in ( 'x' )"],
  ];
  for (const [text, tokens] of withNul) {
    it(`${JSON.stringify(text)}: ${tokens || 'nothing'}`, () => expect(shown(text)).to.equal(tokens));
  }

  it('shows symbols and words as they are, and the end as nothing', () => {
    expect(tokenizeLabelSelector('a notin (b')).to.deep.equal([
      { kind: 'identifier', text: 'a' },
      { kind: 'notin', text: 'notin' },
      { kind: '(', text: '(' },
      { kind: 'identifier', text: 'b' },
      { kind: 'end', text: '' },
    ]);
  });

  it('loses nothing but white space', () => {
    const unit = fc.constantFrom(...'a1.-_/=!(),<> \t\r\né😀', 'in', 'notin');
    fc.assert(
      fc.property(fc.string({ unit }), (text) => {
        const tokens = tokenizeLabelSelector(text);
        expect(tokens.map((token) => token.text).join('')).to.equal(text.replace(/[ \t\r\n]/g, ''));
        expect(tokens.filter(({ kind }) => kind === 'end')).to.have.lengthOf(1);
      }),
    );
  });

  it('reads back tokens that are written apart', () => {
    const kinds: readonly TokenKind[] = ['in', 'notin', '!', '=', '==', '!=', '>', '<', '(', ')', ','];
    const token = fc.constantFrom(...kinds).map((kind) => ({ kind, text: kind as string }));
    fc.assert(
      fc.property(fc.array(token), (tokens) => {
        const text = tokens.map((each) => each.text).join(' ');
        expect(tokenizeLabelSelector(text)).to.deep.equal([...tokens, { kind: 'end', text: '' }]);
      }),
    );
  });

  it('takes a long text', () => {
    expect(tokenizeLabelSelector('a,'.repeat(100_000))).to.have.lengthOf(200_001);
    expect(tokenizeLabelSelector('a'.repeat(1_000_000))).to.have.lengthOf(2);
  });
});
