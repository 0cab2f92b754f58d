import { expect } from 'chai';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { networkContains, parseCidr } from '../../../../../src/machinery/formats/index.ts';
import {
  gatewayBytes,
  type NetworkConfigOptions,
  parsePodRanges,
  podNetworkConfig,
} from '../../../../../src/nodeagent/legacyrt/bridge/network-config.ts';

const rangesOf = (text: string) => parsePodRanges(text) ?? [];
const optionsOf = (cidr: string, more: Partial<NetworkConfigOptions> = {}): NetworkConfigOptions => ({
  name: 'orchnet',
  bridge: 'cbr0',
  mtuBytes: 1460,
  hairpinMode: 'promiscuous-bridge',
  ranges: rangesOf(cidr),
  addressFolder: '/addresses',
  ...more,
});

describe('podNetworkConfig', () => {
  it('is a bridge that is the way out, with addresses of the range', () => {
    expect(podNetworkConfig(optionsOf('10.244.3.0/24'), {})).to.deep.equal({
      name: 'orchnet',
      cniVersion: '0.4.0',
      plugins: [
        {
          type: 'bridge',
          bridge: 'cbr0',
          mtu: 1460,
          isGateway: true,
          ipMasq: false,
          hairpinMode: false,
          ipam: {
            type: 'host-local',
            ranges: [[{ subnet: '10.244.3.0/24' }]],
            routes: [{ dst: '0.0.0.0/0' }],
            dataDir: '/addresses',
          },
        },
      ],
    });
  });

  it('has a range and a way out for each family', () => {
    const [plugin] = podNetworkConfig(optionsOf('10.1.0.0/24,fd00:1::/112'), {}).plugins;
    expect(plugin?.ipam).to.deep.include({
      ranges: [[{ subnet: '10.1.0.0/24' }], [{ subnet: 'fd00:1::/112' }]],
      routes: [{ dst: '0.0.0.0/0' }, { dst: '::/0' }],
    });
  });

  for (const [hairpinMode, isOn] of [
    ['promiscuous-bridge', false],
    ['hairpin-veth', true],
    ['none', false],
  ] as const) {
    it(`turns ports back on themselves with ${hairpinMode}: ${isOn}`, () => {
      const [plugin] = podNetworkConfig(
        optionsOf('10.1.0.0/24', { hairpinMode, mtuBytes: 9000 }),
        {},
      ).plugins;
      expect(plugin).to.deep.include({ hairpinMode: isOn, mtu: 9000 });
    });
  }

  it('runs plugins for ports and bandwidth only where a pod asks for them', () => {
    const typesFor = (args: Readonly<Record<string, unknown>>) =>
      podNetworkConfig(optionsOf('10.1.0.0/24'), args).plugins.map(({ type }) => type);
    expect(typesFor({ portMappings: [], dns: {} })).to.deep.equal(['bridge']);
    expect(typesFor({ portMappings: [{}] })).to.deep.equal(['bridge', 'portmap']);
    expect(typesFor({ bandwidth: {} })).to.deep.equal(['bridge', 'bandwidth']);
  });
});

describe('parsePodRanges', () => {
  for (const text of ['', 'x', '10.1.0.0', '10.1.0.0/24,', '10.1.0.0/33']) {
    it(`finds none in "${text}"`, () => expect(parsePodRanges(text)).to.equal(undefined));
  }
});

describe('gatewayBytes', () => {
  it('is the second address of any range, whatever address names it', () => {
    fc.assert(
      fc.property(fc.ipV4(), fc.integer({ min: 1, max: 30 }), (address, bits) => {
        const [range] = rangesOf(`${address}/${bits}`);
        if (range === undefined) throw new Error('expected a range');
        const bytes = gatewayBytes(range);
        const network = parseCidr(`${address}/${bits}`);
        expect(network && networkContains(network, { family: 4, bytes })).to.equal(true);
        expect((bytes[3] ?? 0) - (range.network.first.bytes[3] ?? 0)).to.equal(1);
      }),
    );
  });
});
