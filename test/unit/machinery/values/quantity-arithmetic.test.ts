import { expect } from 'chai';
import fc from 'fast-check';
import {
  addQuantities,
  compareQuantities,
  formatQuantity,
  integerQuantity,
  parseQuantity,
  type Quantity,
  type QuantityFormat,
  quantitySign,
  quantityValue,
  roundQuantityText,
  roundTo,
  subtractQuantities,
} from '../../../../src/machinery/values/index.ts';

const quantity: fc.Arbitrary<Quantity> = fc.record({
  unscaled: fc.bigInt({ min: -(10n ** 12n), max: 10n ** 12n }),
  scale: fc.integer({ min: -9, max: 12 }),
  format: fc.constantFrom<QuantityFormat>('DecimalSI', 'BinarySI', 'DecimalExponent'),
});
/** The exact amount in billionths, which every scale here divides. */
const exact = ({ unscaled, scale }: Quantity): bigint => unscaled * 10n ** BigInt(scale + 9);
const sign = (value: bigint): number => (value < 0n ? -1 : value > 0n ? 1 : 0);
const magnitude = (value: bigint): bigint => (value < 0n ? -value : value);

describe('compareQuantities', () => {
  const equal: readonly (readonly [string, string])[] = [
    ['1', '1000m'],
    ['1Ki', '1024'],
    ['1e3', '1k'],
    ['0', '-0Ki'],
    ['1.5Gi', '1536Mi'],
    ['1E', '1e18'],
  ];
  for (const [a, b] of equal) {
    it(`finds ${a} and ${b} equal`, () => {
      expect(compareQuantities(parseQuantity(a), parseQuantity(b))).to.equal(0);
    });
  }

  const ordered =
    '-1Ei -1k -1 -1n 0 1n 999u 1m 999m 1 1023 1Ki 1M 1Mi 1G 1Gi 1T 1Ti 1P 1Pi 1E 1Ei 1e30'.split(' ');
  it(`orders ${ordered.join(' < ')}`, () => {
    for (const [at, a] of ordered.entries()) {
      for (const [other, b] of ordered.entries()) {
        expect(sign(BigInt(compareQuantities(parseQuantity(a), parseQuantity(b))))).to.equal(
          Math.sign(at - other),
          `${a} and ${b}`,
        );
      }
    }
  });

  it('orders amounts as exact numbers do, whatever their scale and format', () => {
    fc.assert(
      fc.property(quantity, quantity, (a, b) => {
        expect(Math.sign(compareQuantities(a, b))).to.equal(sign(exact(a) - exact(b)));
      }),
    );
  });
});

describe('addQuantities and subtractQuantities', () => {
  const sums: readonly (readonly [string, string, string, string])[] = [
    ['1', '500m', '1500m', '500m'],
    ['1Gi', '512Mi', '1536Mi', '512Mi'],
    ['1Gi', '1k', '1073742824', '1073740824'],
    ['0', '1Mi', '1Mi', '-1Mi'],
    ['1Mi', '0', '1Mi', '1Mi'],
    ['1M', '1Mi', '2048576', '-48576'],
    ['1', '1', '2', '0'],
    ['1e3', '1', '1001', '999'],
    ['1n', '1', '1000000001n', '-999999999n'],
  ];
  for (const [a, b, sum, difference] of sums) {
    it(`${a} and ${b} make ${sum} and leave ${difference}`, () => {
      expect(formatQuantity(addQuantities(parseQuantity(a), parseQuantity(b)))).to.equal(sum);
      expect(formatQuantity(subtractQuantities(parseQuantity(a), parseQuantity(b)))).to.equal(difference);
    });
  }

  it('are exact', () => {
    fc.assert(
      fc.property(quantity, quantity, (a, b) => {
        expect(exact(addQuantities(a, b))).to.equal(exact(a) + exact(b));
        expect(exact(subtractQuantities(a, b))).to.equal(exact(a) - exact(b));
      }),
    );
  });

  it('keep the format of the first amount that is not zero', () => {
    fc.assert(
      fc.property(quantity, quantity, (a, b) => {
        const wanted = a.unscaled === 0n ? b.format : a.format;
        expect(addQuantities(a, b).format).to.equal(wanted);
        expect(subtractQuantities(a, b).format).to.equal(wanted);
      }),
    );
  });

  it('forget the text of what they were made from', () => {
    const kept = parseQuantity('007');
    expect(formatQuantity(kept)).to.equal('007');
    expect(formatQuantity(addQuantities(kept, integerQuantity(0)))).to.equal('7');
  });
});

describe('quantitySign', () => {
  for (const [text, wanted] of [
    ['-1n', -1],
    ['-0', 0],
    ['0Ki', 0],
    ['1n', 1],
  ] as const) {
    it(`of ${text} is ${wanted}`, () => expect(quantitySign(parseQuantity(text))).to.equal(wanted));
  }
});

describe('roundTo', () => {
  it('gives the nearest multiple that is not closer to zero, and gives it again', () => {
    fc.assert(
      fc.property(quantity, fc.integer({ min: -9, max: 6 }), (value, scale) => {
        const rounded = roundTo(value, scale);
        const step = 10n ** BigInt(scale + 9);
        expect(exact(rounded) % step).to.equal(0n);
        const growth = magnitude(exact(rounded)) - magnitude(exact(value));
        expect(growth >= 0n && growth < step, `${growth}`).to.equal(true);
        expect(exact(rounded) * exact(value) >= 0n, 'the sign').to.equal(true);
        expect(roundTo(rounded, scale)).to.deep.equal(rounded);
      }),
    );
  });

  it('takes digits by the thousand that round to one', () => {
    const tiny: Quantity = { unscaled: -1n, scale: -9, format: 'DecimalSI' };
    expect(roundTo(tiny, 1000)).to.include({ unscaled: -1n, scale: 1000 });
    expect(roundTo({ ...tiny, unscaled: 0n }, 1000)).to.include({ unscaled: 0n });
  });
});

describe('quantityValue', () => {
  const rows: readonly (readonly [string, number, bigint])[] = [
    ['1', 0, 1n],
    ['1n', 0, 1n],
    ['-1n', 0, -1n],
    ['0', 0, 0n],
    ['1001m', 0, 2n],
    ['-1001m', 0, -2n],
    ['100m', -3, 100n],
    ['1u', -3, 1n],
    ['1Ki', 3, 2n],
    ['1Gi', 0, 1073741824n],
    ['1e5', 3, 100n],
  ];
  for (const [text, scale, wanted] of rows) {
    it(`counts ${text} as ${wanted} times 10^${scale}`, () => {
      expect(quantityValue(parseQuantity(text), scale)).to.equal(wanted);
    });
  }
});

describe('roundQuantityText', () => {
  const rows: readonly (readonly [string, string])[] = [
    ['1', '1'],
    ['100m', '100m'],
    ['1u', '1m'],
    ['1500u', '2m'],
    ['-1u', '-1m'],
    ['1.0001', '1001m'],
    ['0.0001Ki', '103m'],
    ['1e-4', '1e-3'],
    ['5.', '5.'],
    ['007', '007'],
  ];
  for (const [text, wanted] of rows) {
    it(`makes ${wanted} thousandths at most of ${text}`, () => {
      expect(roundQuantityText(text, -3)).to.equal(wanted);
    });
  }
});

describe('integerQuantity', () => {
  it('takes numbers and big numbers alike', () => {
    expect(integerQuantity(5)).to.deep.equal(integerQuantity(5n));
    expect(formatQuantity(integerQuantity(2n ** 70n, 'BinarySI'))).to.equal('1024Ei');
    expect(() => integerQuantity(1.5)).to.throw(RangeError);
  });
});
