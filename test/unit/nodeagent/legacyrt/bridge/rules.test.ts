import { expect } from 'chai';
import { describe, it } from 'mocha';
import { createDialect, orchDialect } from '../../../../../src/machinery/dialect.ts';
import type { RunProgram } from '../../../../../src/nodeagent/host/index.ts';
import { BridgeKeeper } from '../../../../../src/nodeagent/legacyrt/bridge/bridge-keeper.ts';
import { dedupRules, hasDedupRules } from '../../../../../src/nodeagent/legacyrt/bridge/dedup-rules.ts';
import {
  keepMasquerade,
  masqueradeRule,
  ownRules,
  settleMasquerade,
} from '../../../../../src/nodeagent/legacyrt/bridge/masquerade.ts';
import { parsePodRanges } from '../../../../../src/nodeagent/legacyrt/bridge/network-config.ts';
import { createRecordingLogger } from '../../../../support/recording-logger.ts';

const comment = 'orchnet: SNAT for outbound traffic from cluster';
const ruleLine = (range: string): string =>
  `-A POSTROUTING ! -d ${range} -m comment --comment "${comment}" -m addrtype ! --dst-type LOCAL -j MASQUERADE`;

/** Programs that answer as told, and note what they were asked for. */
function fakePrograms(answers: Readonly<Record<string, string | { readonly code: number | undefined }>>) {
  const calls: string[] = [];
  const run: RunProgram = async (program, args) => {
    const call = [program, ...args].join(' ').replace(' -w 5 -t nat', '').replace(' -t filter', '');
    calls.push(call);
    const [, answer = ''] = Object.entries(answers).find(([start]) => call.startsWith(start)) ?? [];
    return typeof answer === 'string' ? { code: 0, output: answer } : { code: answer.code, output: 'no' };
  };
  return { run, calls };
}

describe('masqueradeRule', () => {
  it('is for packets that leave the range, of its family, in the words of the dialect', () => {
    const nonMasqueradeCidr = 'fd00::/8';
    expect(masqueradeRule({ dialect: createDialect('kubernetes'), nonMasqueradeCidr })).to.deep.equal({
      family: 6,
      rule: [
        ...['-m', 'comment', '--comment', 'kubenet: SNAT for outbound traffic from cluster'],
        ...['-m', 'addrtype', '!', '--dst-type', 'LOCAL', '!', '-d', 'fd00::/8', '-j', 'MASQUERADE'],
      ],
    });
  });

  for (const nonMasqueradeCidr of ['0.0.0.0/0', '::/0']) {
    it(`is none for ${nonMasqueradeCidr}`, () =>
      expect(masqueradeRule({ dialect: orchDialect, nonMasqueradeCidr })).to.equal(undefined));
  }
});

describe('ownRules', () => {
  it('finds the rules with the comment among others, whatever quotes they have', () => {
    const others = '-P POSTROUTING ACCEPT\n-A POSTROUTING -m comment --comment "say \\"orchnet\\"" -j OTHER';
    expect(ownRules(`${others}\n${ruleLine('10.0.0.0/8')}`, comment)).to.deep.equal([
      [
        ...['-D', 'POSTROUTING', '!', '-d', '10.0.0.0/8', '-m', 'comment', '--comment', comment],
        ...['-m', 'addrtype', '!', '--dst-type', 'LOCAL', '-j', 'MASQUERADE'],
      ],
    ]);
    expect(ownRules(others, 'say "orchnet"')).to.have.length(1);
  });
});

describe('settleMasquerade', () => {
  const dialect = orchDialect;
  const nonMasqueradeCidr = '10.0.0.0/8';
  const changes = (calls: readonly string[]) =>
    calls.filter((call) => / -[AD] /.test(call)).map((call) => call.slice(0, 13));

  it('leaves the one rule that is wanted alone', async () => {
    const { run, calls } = fakePrograms({ 'iptables -S': ruleLine('10.0.0.0/8') });
    await settleMasquerade({ dialect, nonMasqueradeCidr, run });
    expect(changes(calls)).to.deep.equal([]);
  });

  it('puts one in the place of several, also of the other family', async () => {
    const two = [ruleLine('10.0.0.0/8'), ruleLine('10.0.0.0/8')].join('\n');
    const { run, calls } = fakePrograms({ 'iptables -S': two, 'ip6tables -S': ruleLine('fd00::/8') });
    await settleMasquerade({ dialect, nonMasqueradeCidr, run });
    expect(changes(calls)).to.deep.equal([
      'iptables -D P',
      'iptables -D P',
      'iptables -A P',
      'ip6tables -D ',
    ]);
  });

  it('fails when the rules cannot be read, but goes without those of a family that it does not need', async () => {
    const { run, calls } = fakePrograms({ ip6tables: { code: 3 } });
    await settleMasquerade({ dialect, nonMasqueradeCidr, run });
    expect(changes(calls)).to.deep.equal(['iptables -A P']);
    const without = fakePrograms({ iptables: { code: undefined } });
    const failure = await settleMasquerade({ dialect, nonMasqueradeCidr, run: without.run }).catch(String);
    expect(failure).to.contain('rules of POSTROUTING cannot be read');
  });

  it('is kept by a rule that is made where it is missing', async () => {
    const missing = fakePrograms({ 'iptables -C': { code: 1 } });
    await keepMasquerade({ dialect, nonMasqueradeCidr, run: missing.run });
    expect(changes(missing.calls)).to.deep.equal(['iptables -A P']);
    const there = fakePrograms({});
    await keepMasquerade({ dialect, nonMasqueradeCidr, run: there.run });
    expect(changes(there.calls)).to.deep.equal([]);
  });
});

describe('dedupRules', () => {
  const link = {
    name: 'cbr0',
    kind: 'bridge',
    mac: 'aa:bb:cc:dd:ee:ff',
    mtuBytes: 1460,
    isPromiscuous: true,
    addresses: [
      { text: '10.1.0.1', prefixBits: 24 },
      { text: 'fd00::1', prefixBits: 112 },
    ],
  };

  it('lets the gateway of each range through, and no other address of it', () => {
    const rules = dedupRules(link, parsePodRanges('10.1.0.0/24,fd00::/112') ?? []).map((rule) =>
      rule.join(' '),
    );
    expect(rules).to.deep.equal([
      '-p IPv4 -s aa:bb:cc:dd:ee:ff -o veth+ --ip-src 10.1.0.1 -j ACCEPT',
      '-p IPv6 -s aa:bb:cc:dd:ee:ff -o veth+ --ip6-src fd00::1 -j ACCEPT',
      '-p IPv4 -s aa:bb:cc:dd:ee:ff -o veth+ --ip-src 10.1.0.0/24 -j DROP',
      '-p IPv6 -s aa:bb:cc:dd:ee:ff -o veth+ --ip6-src fd00::/112 -j DROP',
    ]);
  });

  const own = 'Bridge chain: ORCH-DEDUP, entries: 2, policy: RETURN';
  const listings: readonly (readonly [what: string, listing: string, isThere: boolean])[] = [
    ['all', `Bridge chain: OUTPUT, entries: 1, policy: ACCEPT\n-j ORCH-DEDUP\n\n${own}`, true],
    ['nothing that leads there', `Bridge chain: OUTPUT, entries: 0, policy: ACCEPT\n\n${own}`, false],
    [
      'an empty chain',
      'Bridge chain: OUTPUT, entries: 1\n-j ORCH-DEDUP\n\nBridge chain: ORCH-DEDUP, entries: 0,',
      false,
    ],
    ['nothing', '', false],
  ];
  for (const [what, listing, isThere] of listings) {
    it(`are${isThere ? '' : ' not'} there with ${what}`, () =>
      expect(hasDedupRules(listing, 'ORCH-DEDUP', 2)).to.equal(isThere));
  }

  it('are left out, and that is said once, on a machine that has no ebtables', async () => {
    const address = { family: 'inet', local: '10.1.0.1', prefixlen: 24, scope: 'global' };
    const bridge = { ifname: 'cbr0', mtu: 1460, address: link.mac, flags: [], addr_info: [address] };
    const { run, calls } = fakePrograms({
      'ip -details': JSON.stringify([bridge]),
      ebtables: { code: undefined },
    });
    const logger = createRecordingLogger();
    const options = {
      bridge: 'cbr0',
      mtuBytes: 1460,
      hairpinMode: 'promiscuous-bridge',
      run,
      logger,
    } as const;
    const keeper = new BridgeKeeper({ ...options, dialect: orchDialect });
    const ranges = parsePodRanges('10.1.0.0/24') ?? [];
    await keeper.keep(ranges);
    await keeper.keep(ranges);
    expect(logger.lines.filter(({ message }) => message.includes('ebtables'))).to.have.length(1);
    expect(calls.filter((call) => call.startsWith('ebtables'))).to.deep.equal(['ebtables --version']);
    expect(calls).to.include('ip link set dev cbr0 promisc on');
  });

  it('are not for a thing of that name that is no bridge', async () => {
    const { run } = fakePrograms({
      'ip -details': JSON.stringify([{ ifname: 'cbr0', mtu: 1500, linkinfo: { info_kind: 'dummy' } }]),
    });
    const options = { bridge: 'cbr0', mtuBytes: 1460, hairpinMode: 'none', run } as const;
    const keeper = new BridgeKeeper({ ...options, dialect: orchDialect, logger: createRecordingLogger() });
    expect(await keeper.settle([]).catch(String)).to.contain('"cbr0" already exists but is not a bridge');
  });
});
