import { expect } from 'chai';
import fc from 'fast-check';
import { DurationError, formatDuration, parseDuration } from '../../../../src/machinery/go-values/index.ts';

const second = 1_000_000_000n;
const limit = 2n ** 63n - 1n;

describe('parseDuration', () => {
  const rows: readonly (readonly [string, bigint])[] = [
    ['0', 0n],
    ['-0', 0n],
    ['+0', 0n],
    ['0s', 0n],
    ['5s', 5n * second],
    ['30s', 30n * second],
    ['1478s', 1478n * second],
    ['-5s', -5n * second],
    ['+5s', 5n * second],
    ['5.0s', 5n * second],
    ['5.6s', 5_600_000_000n],
    ['5.s', 5n * second],
    ['.5s', 500_000_000n],
    ['1.004s', 1_004_000_000n],
    ['1.0040s', 1_004_000_000n],
    ['100.00100s', 100_001_000_000n],
    ['10ns', 10n],
    ['11us', 11_000n],
    // U+00B5, the micro sign, and U+03BC, the Greek letter.
    ['12\u00b5s', 12_000n],
    ['12\u03bcs', 12_000n],
    ['13ms', 13_000_000n],
    ['14s', 14n * second],
    ['15m', 900n * second],
    ['16h', 57_600n * second],
    ['3h30m', 12_600n * second],
    ['10.5s4m', 250_500_000_000n],
    ['-2m3.4s', -123_400_000_000n],
    ['1h1h', 7200n * second],
    ['39h9m14.425s', 140_954_425_000_000n],
    ['0.3333333333333333333h', 1200n * second],
    ['0.9223372036854775807h', 3_320_413_933_267n],
    ['0.830103483285477580700h', 2_988_372_539_827n],
    ['9007199254.740993ms', 9_007_199_254_740_993n],
    ['0.100000000000000000000h', 360n * second],
    ['1.9ns', 1n],
    ['00000000000000000000000001s', second],
    [`${limit}ns`, limit],
    [`-${limit}ns`, -limit],
    ['9223372036.854775807s', limit],
    ['9223372036s854ms775us807ns', limit],
  ];
  for (const [text, nanos] of rows) {
    it(`reads ${text} as ${nanos} nanoseconds`, () => expect(parseDuration(text)).to.equal(nanos));
  }

  const refused: readonly (readonly [string, string])[] = [
    ['', 'time: invalid duration ""'],
    ['-', 'time: invalid duration "-"'],
    ['+', 'time: invalid duration "+"'],
    ['.', 'time: invalid duration "."'],
    ['-.', 'time: invalid duration "-."'],
    ['.s', 'time: invalid duration ".s"'],
    ['s', 'time: invalid duration "s"'],
    ['+.s', 'time: invalid duration "+.s"'],
    ['--1s', 'time: invalid duration "--1s"'],
    [' 1s', 'time: invalid duration " 1s"'],
    ['3', 'time: missing unit in duration "3"'],
    ['1.5', 'time: missing unit in duration "1.5"'],
    ['1h2', 'time: missing unit in duration "1h2"'],
    ['1d', 'time: unknown unit "d" in duration "1d"'],
    ['1S', 'time: unknown unit "S" in duration "1S"'],
    ['1s ', 'time: unknown unit "s " in duration "1s "'],
    ['1h 2m', 'time: unknown unit "h " in duration "1h 2m"'],
    ['1hs', 'time: unknown unit "hs" in duration "1hs"'],
    ['1toString', 'time: unknown unit "toString" in duration "1toString"'],
    ['9223372036854775808ns', 'time: invalid duration "9223372036854775808ns"'],
    ['2562048h', 'time: invalid duration "2562048h"'],
    ['2562047h60m', 'time: invalid duration "2562047h60m"'],
    ['99999999999999999999999s', 'time: invalid duration "99999999999999999999999s"'],
    ['1"s', 'time: unknown unit "\\"s" in duration "1\\"s"'],
  ];
  for (const [text, message] of refused) {
    it(`refuses ${JSON.stringify(text)}`, () => {
      expect(() => parseDuration(text))
        .to.throw(DurationError)
        .with.property('message', message);
    });
  }

  it('adds up parts in any order', () => {
    const part = fc.tuple(fc.nat({ max: 10_000 }), fc.constantFrom('ns', 'us', 'ms', 's', 'm', 'h'));
    fc.assert(
      fc.property(fc.array(part, { minLength: 1, maxLength: 6 }), (parts) => {
        const texts = parts.map(([count, unit]) => `${count}${unit}`);
        const sum = texts.reduce((total, text) => total + parseDuration(text), 0n);
        expect(parseDuration(texts.join(''))).to.equal(sum);
        expect(parseDuration(texts.toReversed().join(''))).to.equal(sum);
        expect(parseDuration(`-${texts.join('')}`)).to.equal(-sum);
      }),
    );
  });

  it('answers with a number or a DurationError, whatever comes', () => {
    const unit = fc.constantFrom('0', '1', '9', '.', '-', '+', 's', 'm', 'h', 'n', 'µ', ' ', '\0', '😀');
    fc.assert(
      fc.property(fc.string({ unit }), (text) => {
        try {
          const nanos = parseDuration(text);
          expect(nanos <= limit && nanos >= -limit).to.equal(true);
        } catch (error) {
          expect(error).to.be.instanceOf(DurationError);
        }
      }),
    );
  });

  it('takes a text as large as a request at once', () => {
    const size = 100_000;
    expect(parseDuration('0h'.repeat(size))).to.equal(0n);
    for (const text of [`${'1'.repeat(size)}s`, '.'.repeat(size), 'h'.repeat(size), '9h'.repeat(size * 3)]) {
      expect(() => parseDuration(text)).to.throw(DurationError);
    }
  });
});

describe('formatDuration', () => {
  const rows: readonly (readonly [bigint, string])[] = [
    [0n, '0s'],
    [1n, '1ns'],
    [999n, '999ns'],
    [1000n, '1µs'],
    [1100n, '1.1µs'],
    [999_999n, '999.999µs'],
    [1_000_000n, '1ms'],
    [2_200_000n, '2.2ms'],
    [999_999_999n, '999.999999ms'],
    [second, '1s'],
    [3_300_000_000n, '3.3s'],
    [59n * second + 1n, '59.000000001s'],
    [60n * second, '1m0s'],
    [245n * second, '4m5s'],
    [245n * second + 1_000_000n, '4m5.001s'],
    [3600n * second, '1h0m0s'],
    [18_367n * second + 1_000_000n, '5h6m7.001s'],
    [86_400n * second, '24h0m0s'],
    [480n * second + 1n, '8m0.000000001s'],
    [-1n, '-1ns'],
    [-90n * second, '-1m30s'],
    [limit, '2562047h47m16.854775807s'],
  ];
  for (const [nanos, text] of rows) {
    it(`writes ${nanos} nanoseconds as ${text}`, () => expect(formatDuration(nanos)).to.equal(text));
  }

  it('writes no zeros at the end of a fraction', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: limit }), (nanos) => {
        expect(formatDuration(nanos)).to.not.match(/\.(?:\d*0)?(?!\d)/);
      }),
    );
  });
});
