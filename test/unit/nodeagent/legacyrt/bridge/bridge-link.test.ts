import { expect } from 'chai';
import { describe, it } from 'mocha';
import {
  type BridgeLink,
  parseBridge,
  parsePorts,
  planBridge,
} from '../../../../../src/nodeagent/legacyrt/bridge/bridge-link.ts';
import {
  type HairpinMode,
  parsePodRanges,
} from '../../../../../src/nodeagent/legacyrt/bridge/network-config.ts';

const told = JSON.stringify([
  {
    ifname: 'cbr0',
    flags: ['BROADCAST', 'PROMISC', 'UP'],
    mtu: 1460,
    address: '32:39:a7:18:e2:54',
    linkinfo: { info_kind: 'bridge' },
    addr_info: [
      { family: 'inet', local: '10.244.3.1', prefixlen: 24, scope: 'global' },
      { family: 'inet6', local: 'fd00:0:0::1', prefixlen: 112, scope: 'global' },
      { family: 'inet6', local: 'fe80::1', prefixlen: 64, scope: 'link' },
    ],
  },
]);
const link: BridgeLink = {
  name: 'cbr0',
  kind: 'bridge',
  mac: '32:39:a7:18:e2:54',
  mtuBytes: 1460,
  isPromiscuous: true,
  addresses: [
    { text: '10.244.3.1', prefixBits: 24 },
    { text: 'fd00:0:0::1', prefixBits: 112 },
  ],
};

describe('parseBridge', () => {
  it('reads what ip tells', () => expect(parseBridge(told)).to.deep.equal(link));

  for (const text of ['', 'Device "cbr0" does not exist.', '[]', '{}', '[1]', '[{"ifname":"cbr0"}]']) {
    it(`finds no link in ${JSON.stringify(text)}`, () => expect(parseBridge(text)).to.equal(undefined));
  }
});

describe('parsePorts', () => {
  it('reads which ports turn back, and leaves out what is none', () => {
    const port = (ifname: string, hairpin: boolean) => ({
      ifname,
      linkinfo: { info_kind: 'veth', info_slave_kind: 'bridge', info_slave_data: { hairpin } },
    });
    expect(
      parsePorts(JSON.stringify([port('veth1', true), port('veth2', false), { ifname: 'x' }])),
    ).to.deep.equal([
      { name: 'veth1', isHairpin: true },
      { name: 'veth2', isHairpin: false },
    ]);
    expect(parsePorts('')).to.deep.equal([]);
  });
});

describe('planBridge', () => {
  const ports = [
    { name: 'veth1', isHairpin: true },
    { name: 'veth2', isHairpin: false },
  ];
  const planOf = (hairpinMode: HairpinMode, cidr = '10.244.3.0/24,fd00::/112', mtuBytes = 1460) =>
    planBridge(link, ports, { mtuBytes, hairpinMode, ranges: parsePodRanges(cidr) ?? [] }).map((args) =>
      args.join(' '),
    );

  it('changes nothing but ports that another mode has left', () => {
    expect(planOf('promiscuous-bridge')).to.deep.equal(['link set dev veth1 type bridge_slave hairpin off']);
  });

  it('changes what differs, and takes addresses of other ranges away', () => {
    expect(planOf('hairpin-veth', '10.244.3.0/25,fd00::/112', 1400)).to.deep.equal([
      'link set dev cbr0 mtu 1400',
      'link set dev cbr0 promisc off',
      'address delete 10.244.3.1/24 dev cbr0',
      'link set dev veth2 type bridge_slave hairpin on',
    ]);
    expect(planOf('none', '10.9.0.0/24')).to.include('address delete fd00:0:0::1/112 dev cbr0');
  });
});
