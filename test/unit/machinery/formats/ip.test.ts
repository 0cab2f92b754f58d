import { isIPv4, isIPv6 } from 'node:net';
import { expect } from 'chai';
import fc from 'fast-check';
import {
  asIpv4,
  isIpText,
  networkContains,
  parseCidr,
  parseIp,
} from '../../../../src/machinery/formats/index.ts';

describe('parseIp', () => {
  const valid: [string, string][] = [
    ['1.2.3.4', '01020304'],
    ['010.0.0.1', '0a000001'],
    ['::', '0'.repeat(32)],
    ['::1', `${'0'.repeat(31)}1`],
    ['2001:db8::ffff', '20010db800000000000000000000ffff'],
    ['1:2:3:4:5:6:7:8', '00010002000300040005000600070008'],
    ['::ffff:1.2.3.4', '00000000000000000000ffff01020304'],
    ['1:2:3:4:5:6:1.2.3.4', '00010002000300040005000601020304'],
  ];
  for (const [text, hex] of valid) {
    it(`reads ${text}`, () => {
      expect(Buffer.from(parseIp(text)?.bytes ?? []).toString('hex')).to.equal(hex);
    });
  }

  const invalidTexts = [
    '',
    '1.2.3',
    '1.2.3.256',
    '1.2.3.4.5',
    ' 1.2.3.4',
    ':::',
    '1::2::3',
    '1:2',
    '12345::',
    'fe80::1%eth0',
    '::1.2.3',
    '1:2:3:4:5:6:7::8:9',
    '1.2.3.4::',
    '1:2:3:4:5:6:7:8::',
  ];
  for (const text of invalidTexts) {
    it(`refuses "${text}"`, () => expect(parseIp(text)).to.equal(undefined));
  }

  it('agrees with the runtime on generated addresses', () => {
    const unit = fc.constantFrom('0', '1', '9', 'f', ':', '::', '.', '255', '10', 'ffff');
    const noLeadingZeros = /(^|[.:])0\d/;
    fc.assert(
      fc.property(fc.oneof(fc.ipV4(), fc.ipV6(), fc.string({ unit, maxLength: 12 })), (text) => {
        fc.pre(!noLeadingZeros.test(text));
        expect(isIpText(text)).to.equal(isIPv4(text) || isIPv6(text));
      }),
    );
  });
});

describe('parseCidr', () => {
  it('finds the first address of the network', () => {
    expect([...(parseCidr('10.1.255.3/17')?.first.bytes ?? [])]).to.deep.equal([10, 1, 128, 0]);
    expect(parseCidr('10.1.255.3/17')?.prefixBits).to.equal(17);
  });

  for (const text of [
    '10.0.0.0',
    '10.0.0.0/33',
    '::/129',
    '10.0.0.0/-1',
    '10.0.0.0/',
    '10.0.0/8',
    '10.0.0.0/8/8',
  ]) {
    it(`refuses ${text}`, () => expect(parseCidr(text)).to.equal(undefined));
  }
});

describe('networkContains', () => {
  const cases: [string, string, boolean][] = [
    ['10.0.0.0/24', '10.0.0.255', true],
    ['10.0.0.0/24', '10.0.1.0', false],
    ['10.0.0.0/24', '::ffff:10.0.0.1', true],
    ['0.0.0.0/0', '9.9.9.9', true],
    ['0.0.0.0/0', '::1', false],
    ['fe80::/10', 'febf::1', true],
    ['fe80::/10', 'fec0::1', false],
    ['::/0', '1.2.3.4', false],
  ];
  for (const [network, address, wanted] of cases) {
    it(`${network} ${wanted ? 'contains' : 'does not contain'} ${address}`, () => {
      const [parsedNetwork, parsedAddress] = [parseCidr(network), parseIp(address)];
      if (parsedNetwork === undefined || parsedAddress === undefined) throw new Error('the example is wrong');
      expect(networkContains(parsedNetwork, parsedAddress)).to.equal(wanted);
    });
  }
});

describe('asIpv4', () => {
  it('unwraps addresses embedded in IPv6, and no others', () => {
    const unwrap = (text: string): number[] => [
      ...(asIpv4(parseIp(text) ?? { family: 6, bytes: new Uint8Array(16) }) ?? []),
    ];
    expect(unwrap('::ffff:1.2.3.4')).to.deep.equal([1, 2, 3, 4]);
    expect(unwrap('::1.2.3.4')).to.deep.equal([]);
  });
});
