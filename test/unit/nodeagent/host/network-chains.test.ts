import { expect } from 'chai';
import { silentLogger } from '../../../../src/base/index.ts';
import { orchDialect } from '../../../../src/machinery/dialect.ts';
import {
  ensureNetworkChains,
  hasNetworkChains,
  networkChains,
  type RunProgram,
} from '../../../../src/nodeagent/host/index.ts';
import { createRecordingLogger } from '../../../support/recording-logger.ts';
import { otherDialect } from '../agent-config.ts';

const bits = { dropBit: 15, masqueradeBit: 14 } as const;

describe('networkChains', () => {
  it('names chains as the dialect does, and marks with the bits of the options', () => {
    const chains = networkChains({ dialect: orchDialect, dropBit: 3, masqueradeBit: 4, family: 4 });
    expect(chains.map(({ table, chain }) => `${table} ${chain}`)).to.deep.equal([
      'nat ORCH-MARK-DROP',
      'filter ORCH-FIREWALL',
      'nat ORCH-MARK-MASQ',
      'nat ORCH-POSTROUTING',
      'mangle ORCH-NODEAGENT-CANARY',
      'nat ORCH-NODEAGENT-CANARY',
      'filter ORCH-NODEAGENT-CANARY',
    ]);
    expect(chains[0]?.rules).to.deep.equal([['-j', 'MARK', '--or-mark', '0x00000008']]);
    expect(chains[2]?.rules).to.deep.equal([['-j', 'MARK', '--or-mark', '0x00000010']]);
    const others = networkChains({ dialect: otherDialect, ...bits, family: 4 });
    expect(others.map(({ chain }) => chain)).to.deep.equal(
      chains.map(({ chain }) => otherDialect.spell(chain.toLowerCase()).toUpperCase()),
    );
  });

  it('knows loopback addresses of the fourth version only', () => {
    const [four, six] = ([4, 6] as const).map((family) =>
      networkChains({ dialect: orchDialect, ...bits, family }).find(({ table }) => table === 'filter'),
    );
    expect([four?.rules.length, six?.rules.length]).to.deep.equal([2, 1]);
  });
});

/** An `iptables` of that version whose chains are all there, and its rules those that `has` says; keeps what was run. */
function fakeIptables(version: string, has: (args: string) => boolean) {
  const ran: string[] = [];
  const run: RunProgram = async (_, args) => {
    const text = args.join(' ');
    ran.push(text);
    if (text === '--version') return { code: 0, output: version };
    return { code: has(text) ? 0 : 1, output: '' };
  };
  return { ran, run };
}

const common = { dialect: orchDialect, ...bits, family: 4, logger: silentLogger } as const;

describe('hasNetworkChains', () => {
  it('is true while all is there', async () => {
    expect(await hasNetworkChains({ ...common, run: fakeIptables('', () => true).run })).to.equal(true);
  });

  for (const gone of ['-t mangle -S ORCH-NODEAGENT-CANARY', '-t nat -S', '-t filter -S', '-C POSTROUTING']) {
    it(`is false when ${gone} finds nothing`, async () => {
      const { run } = fakeIptables('', (args) => !args.includes(gone));
      expect(await hasNetworkChains({ ...common, run })).to.equal(false);
    });
  }
});

describe('ensureNetworkChains', () => {
  const versions = [
    { version: 'iptables v1.8.7 (nf_tables)', isRandom: true },
    { version: 'iptables v1.6.2', isRandom: true },
    { version: 'iptables v1.6.1', isRandom: false },
    { version: 'iptables v1.4.21', isRandom: false },
    { version: 'what?', isRandom: false },
  ];
  for (const { version, isRandom } of versions) {
    it(`masquerades ${isRandom ? 'with' : 'without'} --random-fully by ${version}`, async () => {
      const { ran, run } = fakeIptables(version, (args) => !args.includes('-C'));
      await ensureNetworkChains({ ...common, run }).catch(() => undefined);
      const [made] = ran.filter((args) => args.includes('MASQUERADE'));
      expect(made).to.match(isRandom ? /-j MASQUERADE --random-fully$/ : /-j MASQUERADE$/);
    });
  }

  it('says once what fails, and makes nothing more', async () => {
    const ran: string[] = [];
    const logger = createRecordingLogger();
    const isDone = await ensureNetworkChains({
      dialect: orchDialect,
      ...bits,
      family: 6,
      run: (program) => {
        ran.push(program);
        return Promise.resolve({ code: undefined, output: 'spawn ip6tables ENOENT' });
      },
      logger,
    });
    expect(isDone).to.equal(false);
    expect(ran).to.deep.equal(['ip6tables', 'ip6tables', 'ip6tables']);
    expect(logger.lines).to.have.length(1);
    expect(String(logger.lines[0]?.fields.error)).to.include('spawn ip6tables ENOENT');
  });
});
