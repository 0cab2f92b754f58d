import { expect } from 'chai';
import fc from 'fast-check';
import {
  isCreditCard,
  isIsbn10,
  isIsbn13,
  isRequestUri,
} from '../../../../../../src/machinery/schema/structural/formats/computed-formats.ts';

type Rows = readonly (readonly [title: string, ...texts: readonly string[]])[];

function check(is: (text: string) => boolean, taken: Rows, refused: Rows): void {
  for (const [rows, answer] of [
    [taken, true],
    [refused, false],
  ] as const) {
    for (const [title, ...texts] of rows) {
      it(`${answer ? 'takes' : 'refuses'} ${title}`, () => {
        for (const text of texts) expect(is(text), JSON.stringify(text)).to.equal(answer);
      });
    }
  }
}

describe('isRequestUri', () => {
  check(
    isRequestUri,
    [
      ['absolute URIs', 'http://h', 'https://h/', 'http://h/p?q=1', 'HTTP://H', 'a+b-c.1://h'],
      ['absolute paths', '/', '/a/b', '/a?b', '//h/p', '///', '/a:b'],
      ['a star', '*'],
      ['what a # stands in', '/a#b', 'http://h/#', 'mailto:a#b'],
      ['whatever follows a scheme', 'mailto:a@b', 'a:', 'a:b c', 'urn:x:%zz', 'a:?', 'a:é'],
      ['letters and signs in paths', '/é 日本😀', '/a b"<>\\^`{|}', '/%41', '/%C3%A9'],
      ['anything in a query', '/?%', '/?%zz', '/??', 'http://h?%', 'http://h/?a b'],
      ['no host', 'http://', 'http:///p', 'file:///p', 'http://:80', 'http://@/'],
      ['ports', 'http://h:80', 'http://h:', 'http://h:99999/', 'http://[::1]:80', 'http://[::1]:'],
      [
        'users',
        'http://u@h',
        'http://u:p@h:1',
        'http://u:p:q@h',
        'http://a@b@h',
        'http://%41@h',
        "http://!$&'()*+,;=~@h",
      ],
      [
        'addresses in brackets',
        'http://[::1]',
        'http://[fe80::1%25eth0]/',
        'http://[::1%25]',
        'http://[]',
        'http://[a]b]',
      ],
      ['escapes of zones', 'http://[::1%25a%20b]', 'http://[::1%25%25]', 'http://[::1%25%41]'],
      ['marks in hosts', "http://!$&'()*+,;=", 'http://a<b>"', 'http://a_b~c'],
      [
        'letters beyond ASCII in hosts, also escaped',
        'http://é',
        'http://日本:1',
        'http://%C3%A9',
        'http://a%25b',
      ],
    ],
    [
      ['nothing', ''],
      ['what is relative', 'a', 'a/b', '?a', '#a', '.', './a', '**', ' /a', '1:a', '+a:b', 'é:a'],
      ['no scheme before its colon', ':', '://h', ':a'],
      ['control characters', '/\n', '/a\0', '/\u007f', 'a:\t', 'http://h\r\n'],
      ['wrong escapes in paths', '/%', '/%4', '/%zz', '/%4g', 'http://h/%', '//h%zz'],
      [
        'wrong ports',
        'http://h:a',
        'http://h:80a',
        'http://h:-1',
        'http://[::1]80',
        'http://[::1]:a',
        'http://h:1:a',
      ],
      [
        'space and other marks in hosts',
        'http://a b',
        'http://a\\b',
        'http://a^b',
        'http://a{b',
        'http://a|b',
        'http://`',
      ],
      ['escapes of ASCII in hosts', 'http://%41', 'http://a%20b', 'http://%', 'http://%8', 'http://%zz'],
      ['an open bracket', 'http://[::1', 'http://[', 'http://[::1/]'],
      [
        'wrong users',
        'http://a b@h',
        'http://é@h',
        'http://%@h',
        'http://%4:1@h',
        'http://a[b@h',
        'http://a"b@h',
      ],
      [
        'wrong zones',
        'http://[::1%eth0]',
        'http://[::1%25a b]',
        'http://[::1%25^]',
        'http://[::1%25%zz]',
        'http://[::1%25a%]',
      ],
      [
        'escapes of zones that are not asked for',
        'http://[::1%25%C3]',
        'http://[::1%25%5E]',
        'http://[::1%25%00]',
        'http://[::1%25%C325]',
        'http://[::1%25%%4125]',
      ],
      ['wrong addresses before zones', 'http://[ ::1%25a]', 'http://[%41%25a]'],
    ],
  );
});

describe('isIsbn10', () => {
  check(
    isIsbn10,
    [
      [
        'numbers of books',
        '3836221195',
        '1-61729-085-8',
        '3 423 21412 0',
        '3 401 01319 X',
        '0000000000',
        '080442957X',
      ],
      ['spaces and dashes anywhere', '-3 836\t22\n119-5 ', '- 0 8 0 4 4 2 9 5 7 - X'],
    ],
    [
      ['a wrong digit', '3836221194', '080442957 1', '3401013190'],
      ['two digits that changed places', '8336221195'],
      ['too few or many digits', '', '383622119', '38362211950', '9783836221191'],
      ['X in another place', 'X836221195', '08044295X7', '080442957x'],
      ['other signs', '3836221195a', '3.836221195', '3836–221195', '٣836221195'],
    ],
  );
});

describe('isIsbn13', () => {
  check(
    isIsbn13,
    [
      [
        'numbers of books',
        '9783836221191',
        '978-3401013190',
        '978 3 8362 2119 1',
        '978-4-87311-368-5',
        '0000000000000',
      ],
      ['a check digit of zero', '9783401013190'],
    ],
    [
      ['a wrong digit', '9783836221190', '9783836221192', '9793836221191'],
      ['too few or many digits', '', '978383622119', '97838362211910', '3836221195'],
      ['X', '978383622119X'],
      ['other signs', '978.3836221191', '+9783836221191'],
    ],
  );

  it('has one check digit for all twelve digits before it', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 12, maxLength: 12 }), (digits) => {
        const fitting = Array.from('0123456789').filter((last) => isIsbn13(digits.join('') + last));
        expect(fitting).to.have.lengthOf(1);
      }),
    );
  });
});

describe('isCreditCard', () => {
  check(
    isCreditCard,
    [
      ['Visa', '4111111111111111', '4012888888881881', '4222222222222'],
      ['Mastercard', '5555555555554444', '5105105105105100', '2223003122003222', '2720992222222229'],
      ['American Express', '378282246310005', '371449635398431'],
      ['Discover', '6011111111111117', '6011000990139424'],
      ['Diners Club', '30569309025904', '38520000023237'],
      ['JCB', '3530111333300000', '3566002020360505'],
      ['UnionPay', '6200000000000005', '6222988812340003'],
      ['what is no digit between digits', '4111-1111 1111/1111', ' 4111x1111x1111x1111é'],
    ],
    [
      ['a wrong check digit', '4111111111111112', '378282246310006'],
      ['two digits that changed places', '4012888888888181'],
      ['too few or many digits', '', '411111111111111', '41111111111111111', '37828224631000'],
      [
        'numbers of nobody',
        '0000000000000000',
        '1111111111111117',
        '5000000000000009',
        '2220000000000000',
        '2721000000000004',
      ],
      ['digits of other scripts', '٤111111111111111'],
    ],
  );
});
