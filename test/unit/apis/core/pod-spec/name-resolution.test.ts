import { expect } from 'chai';
import { checkDnsConfig, checkHostAliases } from '../../../../../src/apis/core/pod-spec/name-resolution.ts';
import type { HostAlias, PodDNSConfig } from '../../../../../src/apis/types/core-v1.ts';
import { type FieldError, fieldPath } from '../../../../../src/machinery/errors/index.ts';

const subdomain =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";

function dnsErrors(dnsConfig: PodDNSConfig | undefined, dnsPolicy = 'ClusterFirst'): string[] {
  const errors: FieldError[] = [];
  checkDnsConfig(errors, { containers: [], dnsPolicy, dnsConfig }, fieldPath('dnsConfig'));
  return errors.map(String);
}

describe('checkDnsConfig', () => {
  it('wants servers where the policy brings none', () => {
    expect(dnsErrors(undefined, 'None')).to.deep.equal([
      'dnsConfig: Required value: must provide `dnsConfig` when `dnsPolicy` is None',
    ]);
    // Nothing else is looked at then.
    for (const config of [{}, { nameservers: [] }, { searches: ['A'], options: [{}] }])
      expect(dnsErrors(config, 'None')).to.deep.equal([
        'dnsConfig.nameservers: Required value: must provide at least one DNS nameserver when `dnsPolicy` is None',
      ]);
    expect(dnsErrors({ nameservers: ['1.2.3.4'] }, 'None')).to.deep.equal([]);
    expect(dnsErrors({ nameservers: ['x'] }, 'None')).to.have.lengthOf(1);
  });

  for (const policy of ['ClusterFirst', 'ClusterFirstWithHostNet', 'Default'])
    it(`wants nothing for ${policy}`, () => {
      expect(dnsErrors(undefined, policy)).to.deep.equal([]);
      expect(dnsErrors({}, policy)).to.deep.equal([]);
    });

  const right: readonly (readonly [title: string, config: PodDNSConfig])[] = [
    ['three servers', { nameservers: ['1.2.3.4', '::1', '2001:db8::ff:1'] }],
    ['addresses of the one kind written as the other', { nameservers: ['::ffff:1.2.3.4'] }],
    ['six paths', { searches: ['a', 'b.c', 'd-e', '1', 'f.g.h', 'i'] }],
    ['a path that ends in a dot', { searches: ['a.b.'] }],
    [
      '256 letters of paths, spaces included',
      { searches: ['a'.repeat(63), 'b'.repeat(63), 'c'.repeat(63), 'd'.repeat(64)] },
    ],
    [
      'options with and without value',
      { options: [{ name: 'ndots', value: '2' }, { name: 'debug' }, { name: ' ' }] },
    ],
  ];
  for (const [title, config] of right)
    it(`takes ${title}`, () => expect(dnsErrors(config)).to.deep.equal([]));

  const tooLong = ['a'.repeat(63), 'b'.repeat(63), 'c'.repeat(63), 'd'.repeat(65)];
  const goList = (texts: readonly string[]) => `[]string{${texts.map((text) => `"${text}"`).join(', ')}}`;
  const wrong: readonly (readonly [title: string, config: PodDNSConfig, ...errors: readonly string[]])[] = [
    [
      'four servers',
      { nameservers: ['1.1.1.1', '1.1.1.2', '1.1.1.3', '1.1.1.4'] },
      'nameservers: Invalid value: []string{"1.1.1.1", "1.1.1.2", "1.1.1.3", "1.1.1.4"}: must not have more than 3 nameservers',
    ],
    [
      'what is no address',
      { nameservers: ['', 'a.b', '1.2.3'] },
      'nameservers[0]: Invalid value: "": must be valid IP address',
      'nameservers[1]: Invalid value: "a.b": must be valid IP address',
      'nameservers[2]: Invalid value: "1.2.3": must be valid IP address',
    ],
    [
      'an address out of range',
      { nameservers: ['1.2.3.256'] },
      'nameservers[0]: Invalid value: "1.2.3.256": must be valid IP address',
    ],
    [
      'space behind an address',
      { nameservers: ['1.2.3.4 '] },
      'nameservers[0]: Invalid value: "1.2.3.4 ": must be valid IP address',
    ],
    [
      'a zone',
      { nameservers: ['fe80::1%eth0'] },
      'nameservers[0]: Invalid value: "fe80::1%eth0": must be valid IP address',
    ],
    [
      'a network',
      { nameservers: ['1.2.3.4/8'] },
      'nameservers[0]: Invalid value: "1.2.3.4/8": must be valid IP address',
    ],
    [
      'seven paths',
      { searches: ['a', 'b', 'c', 'd', 'e', 'f', 'g'] },
      'searches: Invalid value: []string{"a", "b", "c", "d", "e", "f", "g"}: must not have more than 6 search paths',
    ],
    [
      '257 letters of paths',
      { searches: tooLong },
      `searches: Invalid value: ${goList(tooLong)}: must not have more than 256 characters (including spaces) in the search list`,
    ],
    ['capitals in a path', { searches: ['a', 'B.c'] }, `searches[1]: Invalid value: "B.c": ${subdomain}`],
    ['no path', { searches: [''] }, `searches[0]: Invalid value: "": ${subdomain}`],
    ['a dot alone', { searches: ['.'] }, `searches[0]: Invalid value: "": ${subdomain}`],
    // Without the last dot, which it may have.
    ['two dots at the end', { searches: ['a..'] }, `searches[0]: Invalid value: "a.": ${subdomain}`],
    [
      'options without name',
      { options: [{ name: 'a' }, {}, { name: '' }] },
      'options[1]: Required value: must not be empty',
      'options[2]: Required value: must not be empty',
    ],
  ];
  for (const [title, config, ...errors] of wrong) {
    it(`refuses ${title}`, () =>
      expect(dnsErrors(config)).to.deep.equal(errors.map((text) => `dnsConfig.${text}`)));
  }

  it('counts bytes of paths, and tells of servers, paths and options in this order', () => {
    const errors = dnsErrors({ options: [{}], searches: ['é'.repeat(129)], nameservers: ['x'] });
    expect(errors.map((text) => /^dnsConfig\.(\w+)/.exec(text)?.[1])).to.deep.equal([
      'nameservers',
      'searches',
      'searches',
      'searches',
      'options',
    ]);
  });
});

describe('checkHostAliases', () => {
  const errorsOf = (...aliases: readonly HostAlias[]): string[] => {
    const errors: FieldError[] = [];
    checkHostAliases(errors, aliases, fieldPath('hostAliases'));
    return errors.map(String);
  };

  it('takes addresses with any number of names', () => {
    expect(errorsOf()).to.deep.equal([]);
    expect(errorsOf({ ip: '1.2.3.4' }, { ip: '::1', hostnames: [] })).to.deep.equal([]);
    expect(errorsOf({ ip: '1.2.3.4', hostnames: ['a', 'b.c'] }, { ip: '1.2.3.4' })).to.deep.equal([]);
  });

  it('tells of wrong addresses and names, without saying which', () => {
    expect(errorsOf({ ip: '1.2.3.4' }, { hostnames: ['a', 'B', 'c.'] }, { ip: 'localhost' })).to.deep.equal([
      'hostAliases.ip: Invalid value: "": must be valid IP address',
      `hostAliases.hostnames: Invalid value: "B": ${subdomain}`,
      `hostAliases.hostnames: Invalid value: "c.": ${subdomain}`,
      'hostAliases.ip: Invalid value: "localhost": must be valid IP address',
    ]);
  });
});
