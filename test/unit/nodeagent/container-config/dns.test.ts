import { expect } from 'chai';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import type { Pod } from '../../../../src/apis/types/core-v1.ts';
import {
  ContainerConfigError,
  checkNodeSearches,
  type PodDnsOptions,
  parseResolvConf,
  podDns,
} from '../../../../src/nodeagent/container-config/index.ts';
import { nodeOf, podOf } from './pods.ts';

const { dns, clusterDomain, dialect } = nodeOf();
const options: PodDnsOptions = { ...dns, clusterDomain, dialect };

const dnsOf = (spec: Partial<Pod['spec']>, changes: Partial<PodDnsOptions> = {}) =>
  podDns(podOf(spec), { ...options, ...changes });

const cluster = {
  servers: ['10.0.0.10'],
  searches: ['shop.svc.cluster.local', 'svc.cluster.local', 'cluster.local', 'example.test'],
  options: ['ndots:5'],
};
const ofNode = { servers: ['192.0.2.53'], searches: ['example.test'], options: ['ndots:2'] };

describe('podDns', () => {
  const policies: readonly (readonly [string, Partial<Pod['spec']>, object])[] = [
    ['ClusterFirst', { dnsPolicy: 'ClusterFirst' }, cluster],
    ["ClusterFirst on the node's network", { dnsPolicy: 'ClusterFirst', hostNetwork: true }, ofNode],
    ['ClusterFirstWithHostNet', { dnsPolicy: 'ClusterFirstWithHostNet', hostNetwork: true }, cluster],
    ['Default', { dnsPolicy: 'Default' }, ofNode],
    ['None', { dnsPolicy: 'None' }, { servers: [], searches: [], options: [] }],
  ];
  for (const [name, spec, expected] of policies) {
    it(`follows ${name}, as recorded`, () => {
      expect(dnsOf(spec)).to.deep.equal({ dns: expected, notices: [] });
    });
  }

  it('adds what the pod says, options by name', () => {
    const dnsConfig = {
      nameservers: ['192.0.2.1', '10.0.0.10'],
      searches: ['a.test', 'cluster.local'],
      options: [{ name: 'ndots', value: '3' }, { name: 'edns0' }],
    };
    expect(dnsOf({ dnsPolicy: 'ClusterFirst', dnsConfig }).dns).to.deep.equal({
      servers: ['10.0.0.10', '192.0.2.1'],
      searches: [...cluster.searches, 'a.test'],
      options: ['ndots:3', 'edns0'],
    });
  });

  it('keeps to what resolvers heed, and says so, as recorded', () => {
    const dnsConfig = {
      nameservers: ['192.0.2.1', '192.0.2.3', '192.0.2.4'],
      searches: ['a.test', 'b.test', 'c.test'],
    };
    const { dns: result, notices } = dnsOf({ dnsPolicy: 'ClusterFirst', dnsConfig });
    expect(result).to.deep.equal({
      servers: ['10.0.0.10', '192.0.2.1', '192.0.2.3'],
      searches: [...cluster.searches, 'a.test', 'b.test'],
      options: ['ndots:5'],
    });
    expect(notices).to.deep.equal([
      {
        about: 'pod',
        reason: 'DNSConfigForming',
        message:
          'Nameserver limits were exceeded, some nameservers have been omitted, the applied nameserver line is: 10.0.0.10 192.0.2.1 192.0.2.3',
      },
      {
        about: 'pod',
        reason: 'DNSConfigForming',
        message:
          'Search Line limits were exceeded, some search paths have been omitted, the applied search line is: shop.svc.cluster.local svc.cluster.local cluster.local example.test a.test b.test',
      },
    ]);
  });

  it('asks the node where there is no cluster DNS, and says so', () => {
    const { dns: result, notices } = dnsOf({ dnsPolicy: 'ClusterFirst' }, { clusterDns: [] });
    expect(result).to.deep.equal(ofNode);
    expect(notices.map(({ about, reason }) => [about, reason])).to.deep.equal([
      ['node', 'MissingClusterDNS'],
      ['pod', 'MissingClusterDNS'],
    ]);
    expect(notices[1]?.message).to.equal(
      'pod: "web_shop(u-1)". nodeagent does not have ClusterDNS IP configured and cannot create Pod using "ClusterFirst" policy. Falling back to "Default" policy.',
    );
  });

  it('asks the loopback addresses when the agent uses no file', () => {
    const off = { resolvConf: undefined, nodeIps: ['192.0.2.2', 'fd00::2'] };
    const expected = { servers: ['127.0.0.1', '::1'], searches: ['.'], options: [] };
    expect(dnsOf({ dnsPolicy: 'Default' }, off).dns).to.deep.equal(expected);
    expect(dnsOf({ dnsPolicy: 'Default' }, { ...off, nodeIps: [] }).dns.servers).to.deep.equal(['127.0.0.1']);
  });

  it('is not known as long as the lines of the node are not, whatever the policy', () => {
    const resolvConf = new Error('open /etc/resolv.conf: no such file or directory');
    for (const dnsPolicy of ['ClusterFirst', 'Default', 'None']) {
      expect(() => dnsOf({ dnsPolicy }, { resolvConf })).to.throw(resolvConf.message);
    }
  });

  it('searches only the domains of the node without a cluster domain', () => {
    expect(dnsOf({ dnsPolicy: 'ClusterFirst' }, { clusterDomain: '' }).dns.searches).to.deep.equal([
      'example.test',
    ]);
  });

  it('merges anything into beginnings of the lists, without doubles and within limits', () => {
    const domain = fc.stringMatching(/^[a-c]{1,60}\.test$/);
    const list = fc.array(domain, { maxLength: 8 });
    const policy = fc.constantFrom('ClusterFirst', 'Default', 'None');
    fc.assert(
      fc.property(policy, list, list, list, (dnsPolicy, hostSearches, searches, nameservers) => {
        const resolvConf = { servers: [], searches: hostSearches, options: [] };
        const { dns: result, notices } = dnsOf(
          { dnsPolicy, dnsConfig: { searches, nameservers } },
          { resolvConf },
        );
        const base = dnsPolicy === 'ClusterFirst' ? cluster.searches.slice(0, 3) : [];
        const all = [...new Set([...base, ...(dnsPolicy === 'None' ? [] : hostSearches), ...searches])];
        expect(all.slice(0, result.searches.length)).to.deep.equal(result.searches);
        expect(result.searches.length).to.be.at.most(6);
        expect(result.searches.join(' ').length).to.be.at.most(256);
        expect(result.servers.length).to.be.at.most(3);
        const next = all[result.searches.length];
        // Nothing is left out that would have fitted.
        if (next !== undefined && result.searches.length < 6) {
          expect([...result.searches, next].join(' ').length).to.be.greaterThan(256);
        }
        const hasNotice = notices.some(({ message }) => message.startsWith('Search Line'));
        expect(hasNotice).to.equal(next !== undefined);
      }),
      { numRuns: 60 },
    );
  });
});

describe('parseResolvConf', () => {
  it('adds name servers up, and takes the last of the other lines', () => {
    const text = `# a comment
nameserver 192.0.2.1 and more
domain ignored.test
search old.test
\tnameserver\tfd00::1\r
search a.test. b.test
options ndots:1
options ndots:2 edns0
`;
    expect(parseResolvConf(text)).to.deep.equal({
      servers: ['192.0.2.1', 'fd00::1'],
      searches: ['a.test', 'b.test'],
      options: ['ndots:2', 'edns0'],
    });
  });

  it('finds nothing in nothing', () => {
    expect(parseResolvConf('')).to.deep.equal({ servers: [], searches: [], options: [] });
    expect(parseResolvConf('search\noptions')).to.deep.equal({ servers: [], searches: [], options: [] });
  });

  it('refuses a name server without an address, and text without end', () => {
    expect(() => parseResolvConf('nameserver')).to.throw(ContainerConfigError, 'nameserver list is empty');
    expect(() => parseResolvConf('#'.repeat(11 * 1024 * 1024))).to.throw(ContainerConfigError, 'larger than');
  });

  it('reads back what was written', () => {
    const word = fc.stringMatching(/^[a-z0-9:-]{1,9}$/);
    const words = fc.array(word, { maxLength: 4 });
    fc.assert(
      fc.property(words, words, words, (servers, searches, opts) => {
        const lines = servers.map((server) => `nameserver ${server}`);
        const text = [`search ${searches.join(' ')}`, ...lines, `options ${opts.join('  ')}`].join('\n');
        expect(parseResolvConf(text)).to.deep.equal({ servers, searches, options: opts });
      }),
      { numRuns: 60 },
    );
  });
});

describe('checkNodeSearches', () => {
  const searchesOf = (...searches: string[]) => ({ servers: [], searches, options: [] });
  const messagesOf = (searches: string[], domain: string) =>
    checkNodeSearches(searchesOf(...searches), '/etc/resolv.conf', domain).map(({ message }) => message);

  it('leaves room for the domains of the cluster', () => {
    expect(messagesOf(['a', 'b', 'c'], 'cluster.local')).to.deep.equal([]);
    expect(messagesOf(['a', 'b', 'c', 'd'], '')).to.deep.equal([]);
    expect(messagesOf(['a', 'b', 'c', 'd'], 'cluster.local')).to.deep.equal([
      "Resolv.conf file '/etc/resolv.conf' contains search line consisting of more than 3 domains!",
    ]);
    expect(messagesOf(['a'.repeat(257)], '')).to.deep.equal([
      "Resolv.conf file '/etc/resolv.conf' contains search line which length is more than allowed 256 chars!",
    ]);
  });
});
