import { expect } from 'chai';
import type { Node } from '../../../../../src/apis/types/core-v1.ts';
import { agentBackend } from '../../../../../src/server/streaming/agent/index.ts';

const choice = {
  preferredAddressTypes: ['Hostname', 'InternalIP', 'ExternalIP'],
  defaultPort: 10_250,
  endpointField: 'nodeAgentEndpoint',
};

// What is looked at stands here; the rest of a node does not matter.
const nodeWith = (addresses: readonly [string, string][], port = 0): Node =>
  ({
    status: {
      addresses: addresses.map(([type, address]) => ({ type, address })),
      daemonEndpoints: { nodeAgentEndpoint: { Port: port } },
    },
  }) as unknown as Node;

describe('agentBackend', () => {
  const cases: readonly (readonly [readonly [string, string][], string])[] = [
    [
      [
        ['InternalIP', '10.0.0.1'],
        ['Hostname', 'n1'],
      ],
      'n1',
    ],
    [
      [
        ['ExternalIP', '192.0.2.1'],
        ['InternalIP', '10.0.0.1'],
        ['InternalIP', '10.0.0.2'],
      ],
      '10.0.0.1',
    ],
    [
      [
        ['InternalDNS', 'x'],
        ['ExternalIP', 'fd00::1'],
      ],
      'fd00::1',
    ],
  ];
  for (const [addresses, host] of cases) {
    it(`takes ${host} of ${addresses.map(([type]) => type).join(', ')}`, () => {
      expect(agentBackend(nodeWith([...addresses]), choice).host).to.equal(host);
    });
  }

  it('takes the port that the node names, or the default', () => {
    expect(agentBackend(nodeWith([['Hostname', 'n']], 30_300), choice).port).to.equal(30_300);
    expect(agentBackend(nodeWith([['Hostname', 'n']]), choice).port).to.equal(10_250);
  });

  it('lists the addresses when none will do', () => {
    const addresses: [string, string][] = [
      ['InternalDNS', 'x'],
      ['ExternalDNS', 'y.z'],
    ];
    expect(() => agentBackend(nodeWith(addresses), choice)).to.throw(
      'no preferred addresses found; known addresses: [{InternalDNS x} {ExternalDNS y.z}]',
    );
    expect(() => agentBackend({} as Node, choice)).to.throw('known addresses: []');
  });
});
