import { expect } from 'chai';
import fc from 'fast-check';
import { BodySyntaxError, parseYaml } from '../../../../src/machinery/codec/index.ts';

const read = (text: string): unknown => parseYaml(Buffer.from(text));

describe('plain YAML scalars', () => {
  // As go-yaml 2 resolves them: YAML 1.1, with the octals of 1.2 and without numbers of base 60.
  const rows: readonly (readonly [string, unknown])[] = [
    ['', null],
    ['~', null],
    ['null', null],
    ['Null', null],
    ['NULL', null],
    ['nULL', 'nULL'],
    ['nil', 'nil'],
    ['true', true],
    ['True', true],
    ['TRUE', true],
    ['tRUE', 'tRUE'],
    ['yes', true],
    ['Yes', true],
    ['YES', true],
    ['y', true],
    ['on', true],
    ['On', true],
    ['false', false],
    ['no', false],
    ['No', false],
    ['n', false],
    ['N', false],
    ['off', false],
    ['OFF', false],
    ['oN', 'oN'],
    ['0', 0],
    ['-0', 0],
    ['7', 7],
    ['+7', 7],
    ['-7', -7],
    ['1_000', 1000],
    ['0x1F', 31],
    ['-0x1f', -31],
    ['0xg', '0xg'],
    ['0b101', 5],
    ['0b2', '0b2'],
    ['0o17', 15],
    ['017', 15],
    ['-017', -15],
    ['018', 18],
    ['089', 89],
    ['00', 0],
    ['9007199254740991', 9007199254740991],
    ['1.5', 1.5],
    ['-1.5', -1.5],
    ['.5', 0.5],
    ['5.', 5],
    ['1e3', 1000],
    ['1E-2', 0.01],
    ['1.e+2', 100],
    ['1_0.5', 10.5],
    ['1e', '1e'],
    ['.', '.'],
    ['1.2.3', '1.2.3'],
    ['e3', 'e3'],
    ['+', '+'],
    ['-', [null]],
    ['1:30', '1:30'],
    ['190:20:30', '190:20:30'],
    ['2020-01-01', '2020-01-01'],
    ['2020-01-01T00:00:00Z', '2020-01-01T00:00:00Z'],
    ['2020-01-01 10:00:00', '2020-01-01 10:00:00'],
    ['=', '='],
    ['a b', 'a b'],
    ['a#b', 'a#b'],
    ['a #b', 'a'],
    ['http://x', 'http://x'],
    ['100m', '100m'],
    ['1Gi', '1Gi'],
    ['25%', '25%'],
    ['v1', 'v1'],
    ['0x', '0x'],
    ['_1', '_1'],
  ];
  for (const [text, value] of rows) {
    it(`${JSON.stringify(text)} is ${JSON.stringify(value)}`, () => {
      expect(read(`k: ${text === '-' ? '\n-' : text}\n`)).to.deep.equal({ k: value });
    });
  }

  const digits: readonly (readonly [string, string])[] = [
    ['9007199254740993', '9007199254740993'],
    ['18446744073709551615', '18446744073709551615'],
    ['-9223372036854775808', '-9223372036854775808'],
    ['0xffffffffffffffff', '18446744073709551615'],
    // Beyond 64 bits only a double is left.
    ['18446744073709551616', '18446744073709552000'],
    ['-9223372036854775809', '-9223372036854776000'],
    // Of octals beyond them the digits are taken for decimal ones.
    ['07777777777777777777777', '7.777777777777777e+21'],
  ];
  for (const [text, json] of digits) {
    it(`${text} is written as ${json}`, () => expect(JSON.stringify(read(text))).to.equal(json));
  }

  for (const [text, shown] of [
    ['.inf', '+Inf'],
    ['+.INF', '+Inf'],
    ['-.Inf', '-Inf'],
    ['.nan', 'NaN'],
    ['.NaN', 'NaN'],
  ] as const) {
    it(`${text} has no JSON`, () => {
      expect(() => read(`a: ${text}`)).to.throw(BodySyntaxError, `json: unsupported value: ${shown}`);
    });
  }

  it('are texts beyond all doubles, and beyond 64 bits where they are not decimal', () => {
    const texts = ['1e400', '-1e400', '9'.repeat(400), '0x10000000000000000', `0b${'1'.repeat(65)}`];
    expect(read(`[${texts.join(', ')}]`)).to.deep.equal(texts);
  });

  it('such as .Nan and inf are texts', () => {
    expect(read('[.Nan, inf, nan, +.nan]')).to.deep.equal(['.Nan', 'inf', 'nan', '+.nan']);
  });
});

describe('quoted YAML scalars', () => {
  const rows: readonly (readonly [string, unknown])[] = [
    ['"yes"', 'yes'],
    ["'5'", '5'],
    ["'it''s'", "it's"],
    ["''", ''],
    ['"a\\tb\\n\\u00e9\\x41"', 'a\tb\né\u0041'],
    ['"\\U0001F600"', '😀'],
    ['"/\\"\\\\"', '/"\\'],
    ['"\\e\\a\\_\\N"', '\u001b\u0007\u00a0\u0085'],
    ['"a\n  b"', 'a b'],
    ['"a\n\n  b"', 'a\nb'],
    ['"a\\\n  b"', 'ab'],
    ["'a\n  b'", 'a b'],
  ];
  for (const [text, value] of rows) {
    it(`${JSON.stringify(text)} is ${JSON.stringify(value)}`, () => expect(read(text)).to.equal(value));
  }
});

describe('block YAML scalars', () => {
  const rows: readonly (readonly [string, string, string])[] = [
    ['literal', '|\n  a\n  b\n', 'a\nb\n'],
    ['literal, stripped', '|-\n  a\n  b\n\n', 'a\nb'],
    ['literal, kept', '|+\n  a\n\n', 'a\n\n'],
    ['literal with a hint', '|2\n   a\n  b\n', ' a\nb\n'],
    ['literal with deeper lines', '|\n  a\n    b\n  c\n', 'a\n  b\nc\n'],
    ['literal with what looks like a comment', '|\n  # a\n', '# a\n'],
    ['folded', '>\n  a\n  b\n\n  c\n', 'a b\nc\n'],
    ['folded, stripped', '>-\n  a\n  b\n', 'a b'],
    ['folded with deeper lines', '>\n  a\n    b\n  c\n', 'a\n  b\nc\n'],
    ['literal with CRLF', '|\r\n  a\r\n  b\r\n', 'a\nb\n'],
  ];
  for (const [title, text, value] of rows) {
    it(`${title}: ${JSON.stringify(value)}`, () => expect(read(`k: ${text}`)).to.deep.equal({ k: value }));
  }
});

describe('tagged YAML scalars', () => {
  const rows: readonly (readonly [string, unknown])[] = [
    ['!!str 5', '5'],
    ['!!str yes', 'yes'],
    ['!!int "5"', 5],
    ['!!float 5', 5],
    ['!!bool "yes"', true],
    ['!!null ""', null],
    ['!!binary aGVsbG8=', 'hello'],
    ['!!timestamp 2020-01-01', '2020-01-01'],
  ];
  for (const [text, value] of rows) {
    it(`${text} is ${JSON.stringify(value)}`, () => expect(read(text)).to.equal(value));
  }
});

describe('any text', () => {
  it('is a value or a BodySyntaxError', () => {
    const unit = fc.constantFrom(
      'a',
      '1',
      ':',
      ' ',
      '\n',
      '-',
      '[',
      ']',
      '{',
      '}',
      ',',
      '"',
      "'",
      '&a',
      '*a',
      '|',
      '>',
      '!',
      '#',
      '\t',
      '?',
      '%',
      '<<: ',
      '\u0000',
      '\ufeff',
    );
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 40 }), (text) => {
        try {
          const value = read(text);
          expect(JSON.stringify(value)).to.be.a('string');
        } catch (error) {
          expect(error).to.be.instanceOf(BodySyntaxError);
        }
      }),
      { numRuns: 1000 },
    );
  });
});
