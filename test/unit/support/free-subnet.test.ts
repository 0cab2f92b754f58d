import { expect } from 'chai';
import { routedOctets } from '../../support/free-subnet.ts';

const table = [
  'Iface\tDestination\tGateway \tFlags\tRefCnt\tUse\tMetric\tMask\t\tMTU\tWindow\tIRTT',
  'eth0\t00000000\t010200C0\t0003\t0\t0\t0\t00000000\t0\t0\t0',
  'bridge-without-pods\t00D0680A\t00000000\t0001\t0\t0\t0\t00F0FFFF\t0\t0\t0',
  'bridge-with-pods\t00C0A20A\t00000000\t0001\t0\t0\t0\t00F0FFFF\t0\t0\t0',
  'eth0\t000200C0\t00000000\t0001\t0\t0\t0\t00FFFFFF\t0\t0\t0',
].join('\n');

describe('routedOctets', () => {
  it('names the networks below 10.0.0.0/8 that there are routes to, also by interfaces that do not run', () => {
    expect([...routedOctets(table)]).to.deep.equal([104, 162]);
  });

  it('names none where there are none', () => {
    expect(routedOctets('Iface\tDestination\n').size).to.equal(0);
  });
});
