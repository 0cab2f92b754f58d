import { expect } from 'chai';
import { formatCheck } from '../../../../../src/machinery/schema/structural/formats/formats.ts';

/** Format > texts that are of it, texts that are not. */
const cases: Readonly<Record<string, readonly [good: readonly string[], bad: readonly string[]]>> = {
  'bson-object-id': [['507f1f77bcf86cd799439011'], ['507f1f77bcf86cd79943901', '507f1f77bcf86cd79943901z']],
  uri: [
    [
      'http://a.b/c?d#e',
      '/path',
      'mailto:x',
      'http://[::1]:80/',
      'http://u:p@h/',
      '*',
      'http://h/%20',
      'a:b',
    ],
    [
      '',
      'path',
      ':x',
      'http://a b',
      'http://h:x/',
      'http://h/%2',
      'http://[::1/',
      'http://h%41/',
      '/a\u0001',
    ],
  ],
  email: [
    [
      'a@b',
      'a.b@c.d',
      '"a b"@c',
      'Name <a@b>',
      '"N, M" <a@b>',
      'a@b (N)',
      ' a@b ',
      'ä@ö',
      'N: a@b;',
      'N. M <a@b>',
    ],
    [
      '',
      'a',
      'a@',
      '@b',
      '.a@b',
      'a..b@c',
      'a@b.',
      'a@b c',
      'a@b,c@d',
      'N: a@b, c@d;',
      'N:;',
      '<a@b',
      'a@[1.2.3.4]',
      '""@b',
      'a@b (',
    ],
  ],
  hostname: [
    ['a', 'a.bc', 'a-b.cd', '1.de', 'x\u{1f600}.de', 'a-', `${'a'.repeat(63)}.de`],
    [
      '',
      '-a',
      'a_b',
      'a.b',
      'a.b1',
      'a..bc',
      'a.bc.',
      'a-.bc',
      `${'a'.repeat(64)}.de`,
      'a-b-c',
      `${'a.'.repeat(127)}de`,
    ],
  ],
  ipv4: [
    ['1.2.3.4', '01.2.3.4', '::ffff:1.2.3.4'],
    ['1.2.3', '300.1.1.1', '::1', ''],
  ],
  ipv6: [
    ['::1', '::ffff:1.2.3.4'],
    ['1.2.3.4', ':::', ''],
  ],
  cidr: [
    ['10.0.0.1/8', '::/0'],
    ['10.0.0.1', '10.0.0.1/33'],
  ],
  mac: [
    ['00:11:22:33:44:55', '00-11-22-33-44-55', '0011.2233.4455', '00:11:22:33:44:55:66:77'],
    ['00:11:22:33:44', '00:11-22:33:44:55', '001122334455', '00:11:22:33:44:5g', '0011.2233.4455.66'],
  ],
  uuid: [
    ['123e4567-e89b-12d3-a456-426614174000', '123E4567E89B12D3A456426614174000'],
    ['123e4567-e89b-12d3-a456-42661417400', 'g23e4567-e89b-12d3-a456-426614174000'],
  ],
  uuid3: [['123e4567-e89b-32d3-0456-426614174000'], ['123e4567-e89b-42d3-a456-426614174000']],
  uuid4: [['123e4567-e89b-42d3-a456-426614174000'], ['123e4567-e89b-42d3-c456-426614174000']],
  uuid5: [['123e4567-e89b-52d3-b456-426614174000'], ['123e4567-e89b-42d3-b456-426614174000']],
  isbn: [
    ['0-306-40615-2', '978-0-306-40615-7', '080442957X'],
    ['0-306-40615-3', '978-0-306-40615-8', 'abc'],
  ],
  isbn10: [['0306406152'], ['9780306406157']],
  isbn13: [['978 0306406157'], ['0306406152']],
  creditcard: [
    ['4111 1111 1111 1111', '5555-5555-5555-4444', '378282246310005'],
    ['4111 1111 1111 1112', '1234', ''],
  ],
  ssn: [
    ['111-22-3333', '111 22 3333'],
    ['111223333', '111-22-333'],
  ],
  hexcolor: [
    ['#fff', 'A0B1C2'],
    ['#ffff', 'white'],
  ],
  rgbcolor: [
    ['rgb(0, 31, 255)', 'rgb(1,2,3)'],
    ['rgb(0,0,256)', 'rgb(01,2,3)', 'rgba(1,2,3)'],
  ],
  byte: [
    ['YWJj', 'YWI=', 'YQ==', 'a+/b'],
    ['', 'YWJ', 'YQ=', 'YW-j', '====', 'A==='],
  ],
  password: [['', 'anything'], []],
  date: [
    ['2020-02-29', '0000-01-01'],
    ['2021-02-29', '2020-2-1', '2020-13-01', '2020-01-00', '2020-01-01T00:00:00Z', '1900-02-29'],
  ],
  duration: [
    [
      ...['1h2m', '0', '22 ns', '3 days', 'in 5 weeks or so', '1.5h', '2 HOURS'],
      ...['-1.s', '+.5µs', '0', '0s', `${'0'.repeat(30)}5 s`, '9223372036854775807 ns'],
    ],
    [
      ...['', 'h', '5', '5 x', '99999999999999999999 s', '9223372036854775808 ns', '-', '.s', '00'],
      ...['1'.repeat(100_000), `${'1'.repeat(100_000)} s`],
    ],
  ],
  'date-time': [
    ['2020-01-01T00:00:00Z', '2020-01-01t23:59:59.123z', '2020-01-01T00:00:00+02:00'],
    [
      '2020-01-01',
      '2020-01-01T24:00:00Z',
      '2020-01-01T00:00:60Z',
      '2020-01-01 00:00:00Z',
      '2020-02-30T00:00:00Z',
    ],
  ],
};

describe('formatCheck', () => {
  for (const [format, [good, bad]] of Object.entries(cases)) {
    it(`tells what is of the format ${format}`, () => {
      const check = formatCheck(format);
      for (const text of good) expect(check?.(text), text).to.equal(true);
      for (const text of bad) expect(check?.(text), text).to.equal(false);
    });
  }

  it('knows no others, whatever objects inherit', () => {
    for (const format of ['', 'int32', 'int64', 'float', 'double', 'iri', 'constructor', '__proto__']) {
      expect(formatCheck(format), format).to.equal(undefined);
    }
  });
});
