import { expect } from 'chai';
import {
  canonicalQuantity,
  compareQuantities,
  formatQuantity,
  parseQuantity,
  QuantityError,
} from '../../../../src/machinery/values/index.ts';

describe('canonicalQuantity', () => {
  const table: readonly (readonly [string, string])[] = [
    ['1000k', '1M'],
    ['1500M', '1500M'],
    ['1.5G', '1500M'],
    ['1000m', '1'],
    ['0.1', '100m'],
    ['.5', '500m'],
    ['12e-1', '1200e-3'],
    ['1.5Gi', '1536Mi'],
    ['1024Ki', '1Mi'],
    ['512', '512'],
    ['0.5Ki', '512'],
    ['-0', '0'],
    ['00', '0'],
    ['0m', '0'],
    ['-1', '-1'],
    ['0.1n', '1n'],
    ['-0.1n', '-1n'],
    ['100E', '100E'],
    // The reference keeps these as they come.
    ['5.', '5.'],
    ['+1', '+1'],
    ['007', '007'],
    ['1E3', '1E3'],
    ['1e+21', '1e+21'],
    ['123456789E3', '123456789E3'],
    // Nothing at all is 0, but not with every suffix.
    ['Ti', '0'],
    ['+E', '0'],
    ['.n', '0'],
    // More digits than surely fit 64 bits.
    ['1234567890123456789E3', '1234567890123456789e3'],
    // Beyond 64 bits.
    ['9223372036854775808Ki', '9223372036854775807'],
  ];
  for (const [text, canonical] of table) {
    it(`writes ${text} as ${canonical}`, () => expect(canonicalQuantity(text)).to.equal(canonical));
  }

  for (const text of [
    '',
    'x',
    '1.2.3',
    '1 Gi',
    '1ki',
    '--1',
    '1e',
    '0x10',
    '1Mi5',
    '1i',
    'Pi',
    '-.Ei',
    'e-12',
  ]) {
    it(`refuses ${JSON.stringify(text)}`, () =>
      expect(() => canonicalQuantity(text)).to.throw(QuantityError));
  }

  it('takes huge exponents without work', () => {
    expect(canonicalQuantity('1e999999999')).to.equal('1e999999999');
    expect(compareQuantities(parseQuantity('1e999999999'), parseQuantity('1E'))).to.be.above(0);
    expect(formatQuantity(parseQuantity('1e-999999999'))).to.equal('1e-9');
  });
});
