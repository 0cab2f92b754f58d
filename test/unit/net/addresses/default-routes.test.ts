import { expect } from 'chai';
import { defaultRoutes } from '../../../../src/net/addresses/index.ts';

describe('defaultRoutes', () => {
  const route = [
    'Iface\tDestination\tGateway \tFlags\tRefCnt\tUse\tMetric\tMask',
    'eth0\t000200C0\t00000000\t0001\t0\t0\t0\t00FFFFFF',
    'eth1\t00000000\t010200C0\t0002\t0\t0\t0\t00000000',
    'eth2\t00000000\t010200C0\t0003\t0\t0\t0\t00000080',
    'eth0\t00000000\t010200C0\t0003\t0\t0\t0\t00000000',
    'tun0\t00000000\t00000000\t0001\t0\t0\t0\t00000000',
  ].join('\n');
  const zeros = '0'.repeat(32);
  const gateway = 'fd000000000000000000000000000001';
  const six = (destination: string, gatewayText: string, flags: string, name: string) =>
    `${destination} 00 ${zeros} 00 ${gatewayText} 00000400 00000003 00000000 ${flags}     ${name}`;
  const route6 = [
    six(zeros, zeros, '00200200', 'lo'),
    six(zeros, gateway, '00000203', 'eth9'),
    six(zeros, gateway, '00000003', 'eth0'),
  ].join('\n');

  it('reads both tables of the kernel', () => {
    expect(defaultRoutes(route, route6)).to.deep.equal([
      { interfaceName: 'eth0', family: 'IPv4' },
      { interfaceName: 'tun0', family: 'IPv4' },
      { interfaceName: 'eth0', family: 'IPv6' },
    ]);
  });

  it('finds none in empty tables', () => {
    expect(defaultRoutes('', '')).to.deep.equal([]);
  });
});
