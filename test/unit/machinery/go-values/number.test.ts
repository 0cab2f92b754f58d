import { expect } from 'chai';
import fc from 'fast-check';
import { rawNumber } from '../../../../src/base/index.ts';
import { formatDouble, formatNumber, truncate } from '../../../../src/machinery/go-values/index.ts';

describe('formatNumber', () => {
  const texts: readonly [number | string, string][] = [
    [0, '0'],
    [-0, '0'],
    [1_000_000, '1000000'],
    [3.14, '3.14'],
    [100_000.5, '100000.5'],
    [1_234_567.5, '1.2345675e+06'],
    [0.0001, '0.0001'],
    [0.00001, '1e-05'],
    [1e-100, '1e-100'],
    [1e18, '1000000000000000000'],
    [2 ** 63, '9.223372036854776e+18'],
    [1e21, '1e+21'],
    ['9223372036854775807', '9223372036854775807'],
    ['9223372036854775808', '9.223372036854776e+18'],
    ['1.0', '1'],
    ['1e6', '1e+06'],
  ];
  for (const [value, text] of texts) {
    it(`shows ${value} as ${text}`, () => {
      const number = typeof value === 'string' ? rawNumber(value) : value;
      expect(formatNumber(number)).to.equal(text);
    });
  }
});

describe('formatDouble', () => {
  it('shows text that is read as the same double', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        const text = formatDouble(value);
        expect(Number(text) === value).to.equal(true);
        expect(text).to.match(/^-?\d(\.\d+)?e[+-]\d\d+$|^-?\d{1,6}(\.\d+)?$/);
      }),
    );
  });
});

describe('truncate', () => {
  const min = -(2n ** 63n);
  const cases: readonly [number | string, bigint][] = [
    [3.99, 3n],
    [-3.99, -3n],
    ['9007199254740993', 9_007_199_254_740_993n],
    [1e18, 10n ** 18n],
    [1e21, min],
    ['-100000000000000000000', min],
    ['1e3', 1000n],
    ['9223372036854775808', min],
    ['1e400', min],
    ['-1e400', min],
  ];
  for (const [value, whole] of cases) {
    it(`makes ${whole} of ${value}`, () => {
      expect(truncate(typeof value === 'string' ? rawNumber(value) : value)).to.equal(whole);
    });
  }
});
