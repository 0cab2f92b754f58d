import { expect } from 'chai';
import { orchDialect } from '../../../../src/machinery/dialect.ts';
import { ensureNetworkChains, networkChains } from '../../../../src/nodeagent/host/index.ts';
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

describe('ensureNetworkChains', () => {
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
    expect(ran).to.deep.equal(['ip6tables', 'ip6tables']);
    expect(logger.lines).to.have.length(1);
    expect(String(logger.lines[0]?.fields.error)).to.include('spawn ip6tables ENOENT');
  });
});
