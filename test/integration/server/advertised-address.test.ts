import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { canMakeNetworks } from '../../support/member-networks.ts';

const child = fileURLToPath(new URL('./advertised-address-child.ts', import.meta.url));

/** A machine with a bridge of containers, which comes first by name and number, and a network behind it. */
const links = [
  'ip link set lo up',
  'ip link add br-1 type bridge',
  'ip address add 10.88.0.1/16 dev br-1',
  'ip link set br-1 up',
  'ip link add eth0 type veth peer name eth1',
  'ip address add 198.51.100.2/24 dev eth0',
  'ip address add fd00:1::2/64 dev eth0 nodad',
  'ip link set eth0 up',
  'ip link set eth1 up',
];
const routes = ['ip route add default via 198.51.100.1', 'ip -6 route add default via fd00:1::1 dev eth0'];

/** What a server says of itself on a machine that was set up so. */
async function startIn(setup: readonly string[], flags: readonly string[]): Promise<Record<string, string>> {
  const script = `${setup.join(' && ')} && exec "$@"`;
  const args = ['--net', 'sh', '-c', script, 'sh', process.execPath, child, ...flags];
  const { stdout } = await promisify(execFile)('unshare', args);
  return JSON.parse(stdout);
}

describe('the address that a server advertises', function () {
  this.timeout(60_000);
  before(function () {
    // Networks take the rights of root, which only the machines of the project's checks are sure to have.
    if (!canMakeNetworks()) this.skip();
  });

  const cases = [
    {
      what: 'of the default route’s interface',
      setup: [...links, ...routes],
      flags: [],
      address: '198.51.100.2',
    },
    {
      what: 'of IPv6 for servers that listen there',
      setup: [...links, ...routes],
      flags: ['--bind-address=::'],
      address: 'fd00:1::2',
    },
    { what: 'the first one without routes', setup: links, flags: [], address: '10.88.0.1' },
    {
      what: 'the one that a flag names',
      setup: [...links, ...routes],
      flags: ['--advertise-address=203.0.113.7'],
      address: '203.0.113.7',
    },
  ];
  for (const { what, setup, flags, address } of cases) {
    it(`is ${what}, the same wherever it is told`, async () => {
      const { certificate, ...said } = await startIn(setup, flags);
      const host = address.includes(':') ? `[${address}]` : address;
      expect(said).to.deep.equal({
        endpoints: address,
        slice: address,
        discovery: `${host}:PORT`,
        keySet: `https://${host}:PORT/openid/v1/jwks`,
      });
      expect(certificate).to.include(address.includes(':') ? 'FD00:1:0:0:0:0:0:2' : address);
    });
  }

  it('is nobody’s on a machine on its own, where this machine is told the loopback', async () => {
    const { certificate: _, ...said } = await startIn(['ip link set lo up'], []);
    expect(said).to.deep.equal({
      discovery: '127.0.0.1:PORT',
      keySet: 'https://127.0.0.1:PORT/openid/v1/jwks',
    });
  });

  for (const [name, told] of [
    ['api.example.org', 'api.example.org:PORT'],
    ['api.example.org:8443', 'api.example.org:8443'],
  ] as const) {
    it(`gives way to the name ${name} in documents, not in endpoints`, async () => {
      const said = await startIn([...links, ...routes], [`--external-hostname=${name}`]);
      expect(said.endpoints).to.equal('198.51.100.2');
      expect(said.discovery).to.equal(told);
      expect(said.keySet).to.equal(`https://${told}/openid/v1/jwks`);
      expect(said.certificate).to.include('DNS:api.example.org,');
    });
  }
});
