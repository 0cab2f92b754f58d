import { expect } from 'chai';
import fc from 'fast-check';
import { base64Decode, escapeScript } from '../../../../src/machinery/go-template/escapes.ts';
import { anyCharacter } from '../../../support/any-character.ts';

describe('escapeScript', () => {
  const rows: readonly (readonly [title: string, text: string, escaped: string])[] = [
    ['nothing', '', ''],
    ['quotes and backslashes', `"it's" \\`, `\\"it\\'s\\" \\\\`],
    ['what means something to HTML', '<a&b=c>', '\\u003Ca\\u0026b\\u003Dc\\u003E'],
    ['control characters', '\0\n\t\u001f', '\\u0000\\u000A\\u0009\\u001F'],
    // The release takes only those below the space for control characters, and those beyond ASCII.
    ['DEL stays', '\u007f', '\u007f'],
    ['C1 controls', '\u0080\u0085', '\\u0080\\u0085'],
    ['line and paragraph separators', '\u2028\u2029', '\\u2028\\u2029'],
    ['spaces beyond ASCII', '\u00a0\u2003\u3000', '\\u00A0\\u2003\\u3000'],
    ['what is not seen', '\u00ad\u200b\u202e\ufeff', '\\u00AD\\u200B\\u202E\\uFEFF'],
    ['private characters', '\ue000', '\\uE000'],
    ['unseen characters beyond 16 bits', '\u{e0001}', '\\uE0001'],
    ['letters, signs and marks of all scripts', 'é 日本 😀 e\u0301 ½ €', 'é 日本 😀 e\u0301 ½ €'],
    ['other signs', '`/;(){}[]#', '`/;(){}[]#'],
  ];
  for (const [title, text, escaped] of rows) {
    it(`${title}: ${JSON.stringify(text)}`, () => expect(escapeScript(text)).to.equal(escaped));
  }

  it('reads back as the text between quotes of either kind', () => {
    // Code points of 16 bits: longer ones are written with five digits, as the release does.
    const unit = fc.integer({ min: 0, max: 0xd7ff }).map((code) => String.fromCodePoint(code));
    fc.assert(
      fc.property(fc.string({ unit }), (text) => {
        const plain = escapeScript(text).replace(
          /\\(?:u([0-9A-F]{4})|(.))/g,
          (_, code?: string, letter = '') =>
            code === undefined ? letter : String.fromCharCode(Number.parseInt(code, 16)),
        );
        expect(plain).to.equal(text);
      }),
    );
  });
});

describe('base64Decode', () => {
  const fine: readonly (readonly [given: string, text: string])[] = [
    ['', ''],
    ['\n', ''],
    ['YQ==', 'a'],
    ['YWI=', 'ab'],
    ['YWJj', 'abc'],
    ['YW\r\nJj\n', 'abc'],
    ['YQ=\n=\n', 'a'],
    ['4oKs8J+YgA==', '€😀'],
    // Bits behind the last byte belong to nothing.
    ['YR==', 'a'],
  ];
  for (const [given, text] of fine) {
    it(`reads ${JSON.stringify(given)}`, () => expect(base64Decode(given)).to.equal(text));
  }

  // As `encoding/base64` counts: bytes of the text as it stands, its line ends included.
  const wrong: readonly (readonly [given: string, offset: number])[] = [
    ['a', 0],
    ['YWJja', 4],
    ['YQ', 0],
    ['YWI', 0],
    ['YWJjYQ', 4],
    ['=', 0],
    ['Y===', 1],
    ['YWJj=', 4],
    ['YQ=', 3],
    ['YQ=\n', 4],
    ['YQ=x', 2],
    ['YQ==x', 4],
    ['YQ==\nx', 5],
    ['YQ===', 4],
    ['YWI=YWI=', 4],
    ['YW-j', 2],
    ['YW_j', 2],
    ['Y Q==', 1],
    ['YWJj\n!', 5],
    ['\n\nY!', 3],
    ['aé', 1],
  ];
  for (const [given, offset] of wrong) {
    it(`finds byte ${offset} of ${JSON.stringify(given)} wrong`, () =>
      expect(base64Decode(given)).to.equal(offset));
  }

  it('reads back every text, wherever its lines are broken', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter }), fc.integer({ min: 1, max: 80 }), (text, width) => {
        const lines =
          Buffer.from(text)
            .toString('base64')
            .match(new RegExp(`.{1,${width}}`, 'g')) ?? [];
        expect(base64Decode(lines.join('\r\n'))).to.equal(text);
      }),
    );
  });

  it('reads the value of a large secret', () => {
    const text = 'x'.repeat(1_000_000);
    expect(base64Decode(Buffer.from(text).toString('base64'))).to.equal(text);
  });
});
