import { expect } from 'chai';
import { derInteger, derOid, derTime, derValue } from '../../../../src/nodeagent/certificates/der.ts';

const nowMs = Date.parse('2026-11-21T10:00:00Z');

describe('DER values', () => {
  const cases: readonly (readonly [what: string, value: Buffer, hex: string])[] = [
    ['a short length', derValue(0x04, Buffer.alloc(127)).subarray(0, 2), '047f'],
    ['a length of one byte', derValue(0x04, Buffer.alloc(128)).subarray(0, 3), '048180'],
    ['a length of two bytes', derValue(0x04, Buffer.alloc(300)).subarray(0, 4), '0482012c'],
    ['an identifier', derOid('1.2.840.113549.1.1.11'), '06092a864886f70d01010b'],
    ['a number without leading zeros', derInteger(Buffer.from([0, 0, 5])), '020105'],
    ['a number that is not negative', derInteger(Buffer.from([0x80])), '02020080'],
    ['zero', derInteger(Buffer.from([0])), '020100'],
    ['a time before 2050', derTime(nowMs), `170d${Buffer.from('261121100000Z').toString('hex')}`],
    [
      'a time after 2050',
      derTime(Date.parse('2051-01-02T03:04:05Z')),
      `180f${Buffer.from('20510102030405Z').toString('hex')}`,
    ],
  ];
  for (const [what, value, hex] of cases) {
    it(`write ${what}`, () => {
      expect(value.toString('hex')).to.equal(hex);
    });
  }
});
