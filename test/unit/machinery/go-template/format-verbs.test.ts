import { expect } from 'chai';
import fc from 'fast-check';
import { formatVerbs } from '../../../../src/machinery/go-template/format-verbs.ts';
import type { Value } from '../../../../src/machinery/go-template/values.ts';

type Row = readonly [format: string, args: readonly Value[], text: string];

function check(rows: readonly Row[]): void {
  for (const [format, args, text] of rows) {
    const shown = JSON.stringify(args, (_, value) => (typeof value === 'bigint' ? `${value}n` : value));
    it(`${JSON.stringify(format)} of ${shown}: ${JSON.stringify(text)}`, () =>
      expect(formatVerbs(format, args)).to.equal(text));
  }
}

describe('formatVerbs: what stands around', () => {
  check([
    ['', [], ''],
    ['plain é 😀', [], 'plain é 😀'],
    ['%%', [], '%'],
    ['%5%|%-d%%', [1], '%|1%'],
    ['100%', [], '100%!(NOVERB)'],
    ['%-5', [1], '%!(NOVERB)%!(EXTRA int64=1)'],
    ['%d', [], '%!d(MISSING)'],
    ['%d %s', [1], '1 %!s(MISSING)'],
    ['%é', ['a'], '%!é(string=a)'],
    ['%😀', [], '%!😀(MISSING)'],
    [
      'a',
      ['b', 1n, 1.5, true, null, ['x'], { k: 'v' }],
      'a%!(EXTRA string=b, int=1, float64=1.5, bool=true, <nil>, []interface {}=[x], map[string]interface {}=map[k:v])',
    ],
    ['%s%%%s', ['a', 'b'], 'a%b'],
  ]);
});

describe('formatVerbs: values of the wrong kind', () => {
  check([
    ['%d', ['a'], '%!d(string=a)'],
    ['%s', [1], '%!s(int64=1)'],
    ['%s', [1n], '%!s(int=1)'],
    ['%s', [true], '%!s(bool=true)'],
    ['%t', ['true'], '%!t(string=true)'],
    ['%d', [1.5], '%!d(float64=1.5)'],
    ['%f', [1n], '%!f(int=1)'],
    ['%z', [null], '%!z(<nil>)'],
    ['%s|%v|%T', [undefined, null, null], '%!s(<nil>)|<nil>|<nil>'],
    ['%d', [['a', 1]], '[%!d(string=a) 1]'],
    ['%s', [{ b: 'x', a: 1 }], 'map[a:%!s(int64=1) b:x]'],
  ]);
});

describe('formatVerbs: any value', () => {
  check([
    ['%v %v %v %v', ['a', 1, 1.5, true], 'a 1 1.5 true'],
    ['%v', [{ b: [1, 'x', null], a: {} }], 'map[a:map[] b:[1 x <nil>]]'],
    ['%5v|%-5v|%5v', ['a', 'b', 1], '    a|b    |    1'],
    ['%+v|%+v', [1, 1.5], '1|1.5'],
    ['%3v', [[1, 'a', null, { k: true }]], '[  1   a <nil> map[  k:true]]'],
    ['%d', [[null, 1]], '[<nil> 1]'],
    ['%7v|%-7v|', [null, null], '  <nil>|<nil>  |'],
    ['%#v', ['a"b'], '"a\\"b"'],
    ['%#v', [{ b: 1, a: ['x'] }], 'map[string]interface {}{"a":[]interface {}{"x"}, "b":1}'],
    ['%T %T %T %T', ['a', 1, 1.5, {}], 'string int64 float64 map[string]interface {}'],
    ['%8T|', [true], '    bool|'],
    ['%5t|%-6t|', [true, false], ' true|false |'],
  ]);
});

describe('formatVerbs: texts', () => {
  check([
    ['%s', ['é😀'], 'é😀'],
    ['%5s|%-5s|%1s', ['ab', 'ab', 'ab'], '   ab|ab   |ab'],
    // Characters are counted, not bytes.
    ['%3s|%.1s', ['é', '😀😀'], '  é|😀'],
    ['%.0s|%.s|%.9s', ['ab', 'ab', 'ab'], '||ab'],
    ['%6.2s|', ['abc'], '    ab|'],
    // Go 1.15 writes zeros before texts too.
    ['%05s|%-05s|%06t', ['ab', 'ab', true], '000ab|ab   |00true'],
    ['%q', ['a"b\\\n\t'], '"a\\"b\\\\\\n\\t"'],
    ['%q', ['\u0007\u007f\u00a0\u200b'], '"\\a\\x7f\\u00a0\\u200b"'],
    ['%q', ['é😀'], '"é😀"'],
    ['%6q|', ['ab'], '  "ab"|'],
    ['%.1q', ['ab'], '"a"'],
    ['%#q', ['a"b'], '`a"b`'],
    ['%#q', ['a\tb'], '`a\tb`'],
    ['%#q|%#q', ['a`b', 'a\nb'], '"a`b"|"a\\nb"'],
    ['%x|%X', ['hé', 'hé'], '68c3a9|68C3A9'],
    ['%.2x', ['hé'], '68c3'],
    ['% x|%#x|%# X', ['abc', 'abc', 'abc'], '61 62 63|0x616263|0X61 0X62 0X63'],
    ['%#x|% x', ['', ''], '|'],
  ]);
});

describe('formatVerbs: whole numbers', () => {
  check([
    ['%d %d %d', [0, -7, 12345678901n], '0 -7 12345678901'],
    ['%+d|% d|%+ d', [7, 7, 7], '+7| 7|+7'],
    ['%+d|% d', [-7, -7], '-7|-7'],
    ['%5d|%-5d|%05d|%-05d|', [42, 42, 42, 42], '   42|42   |00042|42   |'],
    ['%05d|%+05d|% 05d', [-42, 42, 42], '-0042|+0042| 0042'],
    ['%.4d|%.1d|%6.4d|%-6.4d|', [42, 42, 42, 42], '0042|42|  0042|0042  |'],
    // A precision speaks against the zeros of the width.
    ['%06.3d|%.3d', [42, -42], '   042|-042'],
    ['%.0d|%.d|%3.0d|%.0d', [0, 0, 0, 1], '||   |1'],
    ['%b|%o|%O|%x|%X', [10, 10, 10, 255, 255], '1010|12|0o12|ff|FF'],
    ['%#b|%#o|%#x|%#X', [10, 10, 255, 255], '0b1010|012|0xff|0XFF'],
    ['%x|%#x|%b', [-255, -255, -5], '-ff|-0xff|-101'],
    // Digits fill the width, and the prefix comes before them.
    ['%#06x|%06x|%#8x|', [255, 255, 255], '0x0000ff|0000ff|    0xff|'],
    ['%#.4x|%#o', [255, 0], '0x00ff|0'],
    ['%c|%c|%c', [65, 0x1f600, 0x110000], 'A|😀|\ufffd'],
    ['%3c|', [65], '  A|'],
    ['%q|%q|%q|%q', [65, 39, 10, 34], "'A'|'\\''|'\\n'|'\"'"],
    ['%U|%U|%#U', [65, 0x1f600, 0x1f600], "U+0041|U+1F600|U+1F600 '😀'"],
    ['%.6U', [65], 'U+000041'],
    ['%8U|%08U|', [65, 65], '  U+0041|  U+0041|'],
  ]);
});

describe('formatVerbs: fractions', () => {
  check([
    ['%f|%.2f|%.0f|%.f', [1.5, 1.256, 2.5, 0.5], '1.500000|1.26|2|0'],
    ['%8.2f|%-8.2f|%08.2f|', [1.5, 1.5, 1.5], '    1.50|1.50    |00001.50|'],
    ['%08.2f|%+.1f|% .1f', [-1.5, 1.5, 1.5], '-0001.50|+1.5| 1.5'],
    ['%F', [1.5], '1.500000'],
    ['%e|%.1e|%E', [1.5, 1234.5, 0.00015], '1.500000e+00|1.2e+03|1.500000E-04'],
    ['%.2e', [1.5e-100], '1.50e-100'],
    ['%g|%g|%g|%G', [1.5, 0.00001, 1234567.5, 0.00001], '1.5|1e-05|1.2345675e+06|1E-05'],
    ['%.3g|%.3g|%.3g|%.1g', [1234567.5, 1.23456, 0.000012345, 0.25], '1.23e+06|1.23|1.23e-05|0.2'],
    ['%v', [1234567.5], '1.2345675e+06'],
    // Beyond 64 bits a number is a fraction to the release.
    ['%v|%.1e|%d', [1e20, 1e20, 1e20], '1e+20|1.0e+20|%!d(float64=1e+20)'],
    ['%.1f|%.0f|%.3g', [1e21, -1e22, 1e22], '1000000000000000000000.0|-10000000000000000000000|1e+22'],
    ['%.3g|%.9g|%.2g|%.1g', [99.95, 99.95, 99.95, 0.95], '100|99.95|1e+02|0.9'],
    ['%9v|%09v', [1.5, -1.5], '      1.5|-000001.5'],
  ]);
});

describe('formatVerbs: widths of arguments', () => {
  check([
    ['%*d|%-*d|', [4, 42, 4, 42], '  42|42  |'],
    ['%*d|', [-4, 42], '42  |'],
    ['%0*d|%0*d|', [4, 42, -4, 42], '0042|42  |'],
    ['%.*f', [2, 1.5], '1.50'],
    ['%*.*f|', [6, 1, 1.25], '   1.2|'],
    ['%*d', ['a', 1], '%!(BADWIDTH)1'],
    ['%*d', [1.5, 1], '%!(BADWIDTH)1'],
    ['%*d', [1_000_001, 1], '%!(BADWIDTH)1'],
    ['%.*d', ['a', 1], '%!(BADPREC)1'],
    ['%.*d', [-1, 7], '%!(BADPREC)7'],
    ['%*d', [], '%!(BADWIDTH)%!d(MISSING)'],
    ['%*d', [5], '%!d(MISSING)'],
  ]);

  it('fill a width of many without holding anything up', () => {
    expect(formatVerbs('%1000000d', [1])).to.have.lengthOf(1_000_000);
    expect(formatVerbs('%1000000s|%.1000000s', ['é', 'b'])).to.have.lengthOf(1_000_002);
  });
});

describe('formatVerbs', () => {
  it('writes whole numbers of any base that read back', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), (value) => {
        const size = value < 0n ? -value : value;
        expect(BigInt(formatVerbs('%d', [value]))).to.equal(value);
        for (const format of ['%#b', '%O', '%#x'])
          expect(BigInt(formatVerbs(format, [size])), format).to.equal(size);
      }),
    );
  });

  it('answers with a text, whatever the format and the values', () => {
    const unit = fc.constantFrom(...'%%%%sdvqxXtTcUbofeg*.+-# 019[]é😀\n');
    const value = fc.oneof(fc.jsonValue() as fc.Arbitrary<Value>, fc.bigInt(-1000n, 1000n));
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 12 }), fc.array(value, { maxLength: 3 }), (format, args) => {
        expect(formatVerbs(format, args)).to.be.a('string');
      }),
    );
  });
});
