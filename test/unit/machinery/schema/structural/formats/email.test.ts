import { expect } from 'chai';
import fc from 'fast-check';
import { isEmail } from '../../../../../../src/machinery/schema/structural/formats/email.ts';

describe('isEmail', () => {
  const right: readonly (readonly [title: string, text: string])[] = [
    ['a plain address', 'a@b'],
    ['dots between letters', 'a.b.c@d.e.f'],
    ['all marks that an atom may have', "!#$%&'*+-/=?^_`{|}~@b"],
    ['letters of any script', 'ä.日本@ö.例'],
    ['signs beyond 16 bits', '😀@😀'],
    ['space around', ' \ta@b\t '],
    ['space behind the sign', 'a@ b'],
    ['quotes', '"a b"@c'],
    ['an at sign and dots between quotes', '"@.."@c'],
    ['escaped quotes', '"a\\"b\\\\"@c'],
    ['a tab between quotes', '"a\tb"@c'],
    ['a name', 'Some Name <a@b>'],
    ['no name', '<a@b>'],
    ['space within the brackets', 'N < a@b>'],
    ['a name without space', 'N<a@b>'],
    ['a name in quotes', '"N, M" <a@b>'],
    ['an empty name in quotes', '"" <a@b>'],
    ['a name of both', '"N" M "O" <a@b>'],
    ['a name with dots', 'J. R. R. T.. <a@b>'],
    ['a comment for a name', 'a@b (N M)'],
    ['comments within comments', 'a@b (N (M (O)) P)'],
    ['escaped parentheses in a comment', 'a@b (N \\) \\( M)'],
    ['several comments', 'a@b (N) (M)\t(O)'],
    ['a comment behind brackets', 'N <a@b> (M)'],
    ['a group of one', 'N: a@b;'],
    ['a group of one that has a name', 'N: M <a@b> (O); (P)'],
    // Go 1.15 lets names have these, which RFC 5322 wants between quotes.
    ['a comma in a name', 'N, M <a@b>'],
    ['other marks in a name', 'N [M] (O); @P \\ <a@b>'],
    ['a name that looks like an address', 'a@ <b@c>'],
  ];
  for (const [title, text] of right) {
    it(`takes ${title}: ${JSON.stringify(text)}`, () => expect(isEmail(text)).to.equal(true));
  }

  const wrong: readonly (readonly [title: string, text: string])[] = [
    ['nothing', ''],
    ['space', ' \t'],
    ['no sign', 'a'],
    ['no name before the sign', '@b'],
    ['no domain', 'a@'],
    ['no domain but space', 'a@ '],
    ['two signs', 'a@b@c'],
    ['space before the sign', 'a @b'],
    ['a dot at the start', '.a@b'],
    ['a dot before the sign', 'a.@b'],
    ['two dots', 'a..b@c'],
    ['dots of the domain', 'a@.b'],
    ['a dot at the end', 'a@b.'],
    ['two dots of the domain', 'a@b..c'],
    ['an address in numbers', 'a@[1.2.3.4]'],
    ['marks outside quotes', 'a,b@c'],
    ['nothing between quotes', '""@b'],
    ['open quotes', '"a@b'],
    ['quotes that are escaped at the end', '"a\\"@b'],
    ['a backslash at the end', '"a\\'],
    ['a line end between quotes', '"a\nb"@c'],
    ['an escaped line end', '"a\\\nb"@c'],
    ['a control character between quotes', '"a\u0001"@c'],
    ['DEL between quotes', '"a\u007f"@c'],
    ['DEL in an atom', 'a\u007f@c'],
    ['a quoted domain', 'a@"b"'],
    ['a second address', 'a@b, c@d'],
    ['text behind', 'a@b c'],
    ['a line end behind', 'a@b\n'],
    ['an open bracket', 'N <a@b'],
    ['space before the closing bracket', 'N <a@b >'],
    ['nothing in brackets', 'N <>'],
    ['a name alone', 'Some Name'],
    ['a name behind', '<a@b> N'],
    ['a colon in a name', 'N:M <a@b>'],
    ['a closing bracket in a name', 'N > <a@b>'],
    ['open quotes in a name', '"N <a@b>'],
    ['an open comment', 'a@b ('],
    ['a comment that is open inside', 'a@b (N (M)'],
    ['a comment too far closed', 'a@b (N))'],
    ['a comment before', '(N) a@b'],
    ['an empty group', 'N:;'],
    ['a group of two', 'N: a@b, c@d;'],
    ['an open group', 'N: a@b'],
    ['a group with a comma at its end', 'N: a@b,;'],
    ['a group in a group', 'N: M: a@b;;'],
    ['text behind a group', 'N: a@b; c'],
  ];
  for (const [title, text] of wrong) {
    it(`refuses ${title}: ${JSON.stringify(text)}`, () => expect(isEmail(text)).to.equal(false));
  }

  it('takes whatever stands between quotes when it is escaped', () => {
    const unit = fc.integer({ min: 0x20, max: 0x2fff }).filter((code) => code !== 0x7f);
    fc.assert(
      fc.property(fc.array(unit, { minLength: 1 }), (codes) => {
        const quoted = codes.map((code) => `\\${String.fromCodePoint(code)}`).join('');
        expect(isEmail(`"${quoted}"@b`)).to.equal(true);
        expect(isEmail(`"${quoted}" <a@b>`)).to.equal(true);
      }),
    );
  });

  it('answers at once, whatever is opened how often', () => {
    for (const [start, end] of [
      ['(', ''],
      ['a@b (', ''],
      ['a@b (', ')'],
      ['"', ''],
      ['N: ', ''],
      ['a ', ''],
      ['\\', ''],
      ['<', '>'],
    ] as const) {
      const text = start.repeat(20_000) + end.repeat(20_000);
      expect(isEmail(text), start).to.equal(false);
    }
  });
});
