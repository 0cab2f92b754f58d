import { expect } from 'chai';
import fc from 'fast-check';
import {
  addQuantities,
  canonicalQuantity,
  formatQuantity,
  integerQuantity,
  parseQuantity,
  type Quantity,
  QuantityError,
  quantityValue,
} from '../../../../src/machinery/values/index.ts';

const formatWrong =
  "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";
const suffixWrong = "unable to parse quantity's suffix";

describe('parseQuantity', () => {
  const long: readonly (readonly [what: string, text: string])[] = [
    ['a whole number', '9'.repeat(1001)],
    ['a power of ten', `1${'0'.repeat(1_000_000)}`],
    ['a fraction', `0.${'3'.repeat(1_000_000)}`],
    ['both', `${'1'.repeat(600)}.${'1'.repeat(600)}Gi`],
    ['a negative one', `-${'9'.repeat(1001)}m`],
  ];
  for (const [what, text] of long) {
    it(`refuses more than a thousand digits: ${what}`, () => {
      expect(() => parseQuantity(text)).to.throw(QuantityError, 'quantities have at most 1000 digits');
    });
  }

  it('reads a thousand digits as they are', () => {
    for (const text of ['9'.repeat(1000), `-${'7'.repeat(1000)}`, `${'9'.repeat(999)}k`]) {
      expect(formatQuantity(parseQuantity(text))).to.equal(text);
    }
  });

  const billionths: readonly (readonly [string, bigint])[] = [
    ['1n', 1n],
    ['1u', 10n ** 3n],
    ['1m', 10n ** 6n],
    ['1', 10n ** 9n],
    ['1k', 10n ** 12n],
    ['1M', 10n ** 15n],
    ['1G', 10n ** 18n],
    ['1T', 10n ** 21n],
    ['1P', 10n ** 24n],
    ['1E', 10n ** 27n],
    ['1Ki', 1024n * 10n ** 9n],
    ['1Mi', 1024n ** 2n * 10n ** 9n],
    ['1Gi', 1024n ** 3n * 10n ** 9n],
    ['1Ti', 1024n ** 4n * 10n ** 9n],
    ['1Pi', 1024n ** 5n * 10n ** 9n],
    ['1Ei', 1024n ** 6n * 10n ** 9n],
    ['1e0', 10n ** 9n],
    ['1e3', 10n ** 12n],
    ['1E3', 10n ** 12n],
    ['1e+3', 10n ** 12n],
    ['1e-3', 10n ** 6n],
    ['1.5', 15n * 10n ** 8n],
    ['.5', 5n * 10n ** 8n],
    ['5.', 5n * 10n ** 9n],
    ['-1.5Ki', -1536n * 10n ** 9n],
    ['+2', 2n * 10n ** 9n],
    ['0000.001', 10n ** 6n],
    ['0.0000000001', 1n],
    ['-0.0000000001', -1n],
    ['1.0000000001', 10n ** 9n + 1n],
    ['1e-10', 1n],
    ['0.001Ki', 1_024_000_000n],
  ];
  for (const [text, amount] of billionths) {
    it(`reads ${text} as ${amount} billionths`, () => {
      expect(quantityValue(parseQuantity(text), -9)).to.equal(amount);
    });
  }

  const refused: readonly (readonly [string, string])[] = [
    ['', formatWrong],
    ['x', formatWrong],
    [' 1', formatWrong],
    ['1 ', formatWrong],
    ['1_000', formatWrong],
    ['1,5', formatWrong],
    ['1.5.5', formatWrong],
    ['1e3.5', formatWrong],
    ['1Kib', formatWrong],
    ['1m5x', formatWrong],
    ['1KI', formatWrong],
    ['0x1f', formatWrong],
    ['NaN', formatWrong],
    ['1\n', formatWrong],
    ['１', formatWrong],
    ['1K', suffixWrong],
    ['1ki', suffixWrong],
    ['1mi', suffixWrong],
    ['1i', suffixWrong],
    ['1kk', suffixWrong],
    ['1e', suffixWrong],
    ['1e+', suffixWrong],
    ['1ee3', suffixWrong],
    ['1M5', suffixWrong],
    ['1+5', suffixWrong],
    ['1-', suffixWrong],
    ['+-1', suffixWrong],
    ['--1', suffixWrong],
  ];
  for (const [text, message] of refused) {
    it(`refuses ${JSON.stringify(text)}`, () => {
      expect(() => parseQuantity(text)).to.throw(QuantityError, message);
    });
  }

  it('takes a text as large as a request at once', () => {
    // What is tried again from every digit would not end before the test's time.
    const size = 3_000_000;
    for (const digits of ['0', '1', '.', 'e', 'n']) {
      expect(() => parseQuantity(`${digits.repeat(size)}x`)).to.throw(QuantityError);
    }
    expect(() => parseQuantity(`1.${'0'.repeat(size)}x`)).to.throw(QuantityError);
    expect(parseQuantity(`${'0'.repeat(size)}7`)).to.include({ unscaled: 7n, scale: 0 });
  });
});

describe('canonical text', () => {
  /** The amount without the text that it was read from, as after any arithmetic. */
  const computed = (text: string): Quantity => addQuantities(parseQuantity(text), integerQuantity(0));

  const rows: readonly (readonly [string, string])[] = [
    ['1000', '1k'],
    ['1000000000000000000', '1E'],
    ['1000E', '1000E'],
    ['1001', '1001'],
    ['1500', '1500'],
    ['0.1', '100m'],
    ['0.01', '10m'],
    ['0.0001', '100u'],
    ['-2000m', '-2'],
    ['1Ki', '1Ki'],
    ['1024', '1024'],
    ['2048Ki', '2Mi'],
    ['1.5Ki', '1536'],
    ['0.5Mi', '512Ki'],
    ['1000Ki', '1000Ki'],
    ['-1024Ki', '-1Mi'],
    // Below 1024 and with fractions, binary suffixes say nothing.
    ['0.25Ki', '256'],
    ['0.1Ki', '102400m'],
    ['0.0001Ki', '102400u'],
    ['1e3', '1e3'],
    ['10e3', '10e3'],
    ['1000e3', '1e6'],
    ['1e4', '10e3'],
    ['1e-1', '100e-3'],
    ['5e0', '5'],
    ['0e5', '0'],
  ];
  for (const [text, canonical] of rows) {
    it(`of ${text} is ${canonical}`, () => expect(formatQuantity(computed(text))).to.equal(canonical));
  }

  const amount = fc.record({
    unscaled: fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n }).filter((value) => value !== 0n),
    scale: fc.integer({ min: -9, max: 30 }),
  });

  it('in decimal has no fraction and the largest suffix that keeps it so', () => {
    fc.assert(
      fc.property(amount, (parts) => {
        const text = formatQuantity({ ...parts, format: 'DecimalSI' });
        expect(text).to.match(/^-?[1-9]\d*[numkMGTPE]?$/);
        if (!text.endsWith('E')) expect(text).to.not.match(/000[numkMGTP]?$/);
      }),
    );
  });

  it('with exponents uses multiples of three', () => {
    fc.assert(
      fc.property(amount, (parts) => {
        const match = /^-?[1-9]\d*(?:e(-?\d+))?$/.exec(
          formatQuantity({ ...parts, format: 'DecimalExponent' }),
        );
        expect(Number(match?.[1] ?? 0) % 3).to.be.oneOf([0, -0]);
        expect(match).to.not.equal(null);
      }),
    );
  });

  it('in binary keeps whole numbers from 1024 on, and no mantissa that another suffix would shorten', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 1024n, max: 2n ** 62n }), (value) => {
        const match = /^(\d+)([KMGTPE]i)?$/.exec(formatQuantity(integerQuantity(value, 'BinarySI')));
        const mantissa = BigInt(match?.[1] ?? 0);
        if (match?.[2] !== 'Ei') expect(mantissa % 1024n).to.not.equal(0n);
        expect(quantityValue(parseQuantity(match?.[0] ?? ''))).to.equal(value);
      }),
    );
  });
});

describe('canonicalQuantity', () => {
  it('looks past spaces around the text, not past blanks that are escapes in JSON', () => {
    expect(canonicalQuantity(' 1000m\u00a0')).to.equal('1');
    for (const text of ['1\n', '\t1', '1\ufeff'])
      expect(() => canonicalQuantity(text)).to.throw(QuantityError);
  });

  it('gives the same for the same text, however often it is asked', () => {
    for (let round = 0; round < 3; round++) expect(canonicalQuantity('2500m')).to.equal('2500m');
    for (let count = 0; count < 5000; count++) canonicalQuantity(`${count}m`);
    expect(canonicalQuantity('3000m')).to.equal('3');
  });

  it('is its own canonical text', () => {
    const suffix = fc.constantFrom('', 'n', 'u', 'm', 'k', 'M', 'E', 'Ki', 'Mi', 'Ei', 'e3', 'E-3', 'e7');
    const digits = fc.stringMatching(/^[+-]?\d{1,6}(\.\d{0,4})?$/);
    fc.assert(
      fc.property(digits, suffix, (number, unit) => {
        const once = canonicalQuantity(number + unit);
        expect(canonicalQuantity(once)).to.equal(once);
      }),
    );
  });

  it('answers with text or a QuantityError, whatever comes', () => {
    const unit = fc.constantFrom('0', '1', '9', '.', '-', '+', 'e', 'E', 'K', 'i', 'm', 'n', ' ', 'é', '\0');
    fc.assert(
      fc.property(fc.string({ unit }), (text) => {
        try {
          expect(canonicalQuantity(text)).to.be.a('string');
        } catch (error) {
          expect(error).to.be.instanceOf(QuantityError);
        }
      }),
    );
  });
});
