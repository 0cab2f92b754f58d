import { expect } from 'chai';
import fc from 'fast-check';
import { load } from 'js-yaml';
import { parseJson, parseYaml, writeYaml } from '../../../../src/machinery/codec/index.ts';
import { compareNaturally } from '../../../../src/machinery/codec/natural-order.ts';
import { cpuMsOf } from '../../../support/cpu-time.ts';

const long =
  'Lorem ipsum dolor sit amet, consectetur adipiscing elit, sed do eiusmod tempor incididunt ut labore';

describe('writeYaml', () => {
  // Each text as the reference prints it.
  const scalars: readonly (readonly [unknown, string])[] = [
    ['plain', 'plain'],
    ['', '""'],
    ['12', '"12"'],
    ['017', '"017"'],
    ['1.5e3', '"1.5e3"'],
    ['true', '"true"'],
    ['n', '"n"'],
    ['~', '"~"'],
    ['2020-01-01T00:00:00Z', '"2020-01-01T00:00:00Z"'],
    ['1:20', '"1:20"'],
    ['10.0.0.1', '10.0.0.1'],
    ['v1.2', 'v1.2'],
    ['a: b', "'a: b'"],
    ['a:b', 'a:b'],
    ['a #b', "'a #b'"],
    ["it's", "it's"],
    ['- x', "'- x'"],
    ['-x', '-x'],
    ['*a', "'*a'"],
    ['x ', "'x '"],
    ['a\tb', '"a\\tb"'],
    ['x😀y', '"x\\U0001F600y"'],
    ['häß', 'häß'],
    ['a\r\nb', '"a\\r\\nb"'],
    ['\u001b[1m', '"\\e[1m"'],
    ['a\nb\n', '|\n  a\n  b'],
    ['a\nb', '|-\n  a\n  b'],
    [' a\nb', '|2-\n   a\n  b'],
    ['a \nb', '"a \\nb"'],
    ['<<', '<<'],
    ['a\u00a0b', 'a\u00a0b'],
    ['a:\u00a0b', 'a:\u00a0b'],
    ['\t\u00a0', '"\\t\u00a0"'],
    // Separators of lines and paragraphs are ends of lines, which stay.
    ['a\u2028b', "'a\u2028  b'"],
    ['\u2029\u2029a\u2028', "'\u2029\u2029  a\u2028'"],
    ['a \u2028', '"a \\L"'],
    ['a\u2029 b', '"a\\P b"'],
    ['a\nb\u2028c', '|-\n  a\n  b\u2028  c'],
    ['\u2028a\nb', '|2-\n\u2028  a\n  b'],
    [`${long}\u2028x`, `'${long.replace('tempor ', 'tempor\n  ')}\u2028  x'`],
    [long, long.replace('tempor ', 'tempor\n  ')],
    [5, '5'],
    [1.5, '1.5'],
    [1234567.5, '1.2345675e+06'],
    [999999.5, '999999.5'],
    [999999.9999999999, '999999.9999999999'],
    [0.00001, '1e-05'],
    [-0.0001, '-0.0001'],
    [100000000000000000, '100000000000000000'],
    [1e20, '1e+20'],
    [true, 'true'],
    [null, 'null'],
    [[], '[]'],
    [{}, '{}'],
  ];
  for (const [value, text] of scalars) {
    it(`writes ${JSON.stringify(value).slice(0, 40)} as the reference does`, () => {
      expect(writeYaml({ k: value })).to.equal(`k: ${text}\n`);
    });
  }

  it('keeps line feeds at the end', () => {
    expect(writeYaml({ a: 'x\n\n', b: 1 })).to.equal('a: |+\n  x\n\nb: 1\n');
  });

  it('begins the next line where a separator at the end has begun it', () => {
    expect(writeYaml({ a: 'x\ny\u2028', b: 1 })).to.equal('a: |\n  x\n  y\u2028b: 1\n');
    expect(writeYaml({ a: 'x\n\u2028', b: 1 })).to.equal('a: |+\n  x\n\u2028b: 1\n');
  });

  // Each as the client of release 1.20 prints it.
  const keys: readonly (readonly [string, unknown, string])[] = [
    ['one of several lines', { 'a\nb': 1 }, '? |-\n  a\n  b\n: 1\n'],
    ['one with a carriage return', { 'a\rb': 1 }, '? "a\\rb"\n: 1\n'],
    ['one with a separator', { 'a\u2028b': 'x' }, "? 'a\u2028  b'\n: x\n"],
    ['a map below one', { 'a\nb': { c: 1, d: [2] } }, '? |-\n  a\n  b\n: c: 1\n  d:\n  - 2\n'],
    ['a list below one', { 'a\nb': [1, { c: 2, d: 3 }] }, '? |-\n  a\n  b\n: - 1\n  - c: 2\n    d: 3\n'],
    ['nothing below one', { 'a\nb': {} }, '? |-\n  a\n  b\n: {}\n'],
    ['one of 128 bytes', { ['é'.repeat(64)]: 1 }, `${'é'.repeat(64)}: 1\n`],
    ['a longer one', { [`${'é'.repeat(64)}a`]: 1 }, `? ${'é'.repeat(64)}a\n: 1\n`],
    [
      'a long one that folds',
      { k: { q: { [`${long} ${long}`]: 1 } } },
      `k:\n  q:\n    ? ${long.replace('tempor ', 'tempor\n      ')} ${long.replace('elit, ', 'elit,\n      ')}\n    : 1\n`,
    ],
  ];
  for (const [name, value, text] of keys) {
    it(`writes ${name} in the explicit form where a key needs it`, () => {
      expect(writeYaml(value)).to.equal(text);
    });
  }

  it('puts lists at the column of their key and nests without gaps', () => {
    expect(writeYaml({ l: [{ b: [1, [2, 3]], a: { c: [] } }, 'x'] })).to.equal(
      'l:\n- a:\n    c: []\n  b:\n  - 1\n  - - 2\n    - 3\n- x\n',
    );
  });

  it('keeps the digits of integers up to 64 bits', () => {
    const numbers = parseJson(Buffer.from('[9223372036854775807,-9223372036854775808,18446744073709551615]'));
    expect(writeYaml(numbers)).to.equal(
      '- 9223372036854775807\n- -9223372036854775808\n- 18446744073709551615\n',
    );
    const larger = parseJson(Buffer.from('[18446744073709551616,-10000000000000000000000]'));
    expect(writeYaml(larger)).to.equal('- 1.8446744073709552e+19\n- -1e+22\n');
  });

  it('leaves out properties without a value, as JSON does', () => {
    expect(writeYaml({ a: undefined, b: { c: undefined }, d: 1 })).to.equal('b: {}\nd: 1\n');
  });

  it('writes a document that is nothing but a scalar or empty', () => {
    expect(writeYaml('x')).to.equal('x\n');
    expect(writeYaml(null)).to.equal('null\n');
    expect(writeYaml([])).to.equal('[]\n');
    expect(writeYaml({})).to.equal('{}\n');
  });

  it('sorts keys naturally and quotes those that look like something else', () => {
    expect(writeYaml({ y: 1, a10: 2, a2: 3, '12': 4, '': 5 })).to.equal(
      '"": 5\n"12": 4\na2: 3\na10: 2\n"y": 1\n',
    );
  });

  it('writes keys beyond 128 characters in the explicit form', () => {
    const key = 'k'.repeat(129);
    expect(writeYaml([{ [key]: 1, a: { [key]: [2] } }])).to.equal(
      `- a:\n    ? ${key}\n    : - 2\n  ? ${key}\n  : 1\n`,
    );
  });

  it('folds text after a key, an explicit key and a dash at the same width', () => {
    const words = 'ab '.repeat(40).trim();
    const lines = writeYaml({ list: [words, [words]], key: words, ['k'.repeat(129)]: words }).split('\n');
    const widths = lines.filter((line) => /ab/.test(line)).map((line) => line.length);
    expect(Math.max(...widths)).to.be.within(80, 84);
    expect(parseYaml(Buffer.from(lines.join('\n')))).to.deep.equal({
      list: [words, [words]],
      key: words,
      ['k'.repeat(129)]: words,
    });
  });

  it('takes time in proportion to the document', () => {
    const timeMs = (count: number): number => {
      const value = Array.from({ length: count }, (_, n) => ({
        name: `object-${n}`,
        labels: { app: 'web' },
      }));
      return cpuMsOf(() => writeYaml(value));
    };
    timeMs(1000);
    // A writer that copies what it has written so far needs minutes for this.
    expect(timeMs(100_000)).to.be.below(5000);
  });

  it('can be read back, whatever the texts', () => {
    const value = fc.letrec((tie) => ({
      node: fc.oneof(
        { maxDepth: 3 },
        fc.string({ unit: 'binary' }),
        fc.string(),
        fc.integer(),
        fc.boolean(),
        fc.constant(null),
        tie('list'),
        tie('map'),
      ),
      list: fc.array(tie('node'), { maxLength: 4 }),
      map: fc.dictionary(fc.string({ maxLength: 8 }), tie('node'), { maxKeys: 4, noNullPrototype: true }),
    })).map;
    fc.assert(
      fc.property(value, (map) => {
        expect(load(writeYaml(map))).to.deep.equal(map);
        expect(parseYaml(Buffer.from(writeYaml(map)))).to.deep.equal(map);
      }),
      { numRuns: 300 },
    );
  });
});

describe('compareNaturally', () => {
  it('orders numbers by value and puts letters last', () => {
    const keys = ['b', 'a10', 'a2', '_x', '1', 'A', 'a1'];
    expect(keys.sort(compareNaturally)).to.deep.equal(['_x', '1', 'A', 'a1', 'a2', 'a10', 'b']);
  });

  // Lower keys first.
  const pairs: readonly (readonly [string, string, string])[] = [
    ['a prefix first', 'a', 'ab'],
    ['a prefix that ends in a digit first', 'a1', 'a10'],
    ['numbers with common first digits by value', 'a19', 'a100'],
    ['leading zeros by value, then by length', 'a1', 'a01'],
    ['zeros after common digits as part of the number', 'a10', 'a100'],
    ['letters of other scripts by code point', 'z', 'ä'],
    ['letters beyond the basic plane after those of it', '豈', '𐐀'],
    ['other characters before letters', '😀', 'a'],
  ];
  for (const [rule, lower, higher] of pairs) {
    it(`puts ${rule}`, () => {
      expect(compareNaturally(lower, higher)).to.be.below(0);
      expect(compareNaturally(higher, lower)).to.be.above(0);
      expect(compareNaturally(lower, lower)).to.equal(0);
    });
  }
});
