import { type ChildProcess, spawn } from 'node:child_process';
import { expect } from 'chai';
import { silentLogger } from '../../../src/base/index.ts';
import { orchDialect } from '../../../src/machinery/dialect.ts';
import {
  ensureNetworkChains,
  hasNetworkChains,
  type RunProgram,
  runProgram,
} from '../../../src/nodeagent/host/index.ts';
import { eventually } from '../../support/eventually.ts';
import { requireContainerd } from '../../support/require-containerd.ts';

describe('chains of iptables in a network of their own', () => {
  requireContainerd();
  let holder: ChildProcess;
  before(async () => {
    holder = spawn('unshare', ['--net', 'sleep', '60'], { stdio: 'ignore' });
    const own = await runProgram('readlink', ['/proc/self/ns/net']);
    await eventually(async () => {
      const theirs = await runProgram('readlink', [`/proc/${holder.pid}/ns/net`]);
      return theirs.code === 0 && theirs.output !== own.output ? true : undefined;
    });
  });
  after(() => {
    holder?.kill('SIGKILL');
  });

  const run: RunProgram = (program, args) =>
    runProgram('nsenter', ['--net', `--target=${holder.pid}`, program, ...args]);
  const options = {
    dialect: orchDialect,
    dropBit: 15,
    masqueradeBit: 14,
    family: 4,
    run,
    logger: silentLogger,
  } as const;
  const ensure = () => ensureNetworkChains(options);
  const rules = async (table: string): Promise<string[]> =>
    (await run('iptables', ['-t', table, '-S'])).output.split('\n').filter((line) => line.startsWith('-A'));

  it('are made once, and again when somebody has flushed them', async () => {
    expect(await hasNetworkChains(options)).to.equal(false);
    expect(await ensure()).to.equal(true);
    expect(await hasNetworkChains(options)).to.equal(true);
    const filter = await rules('filter');
    const nat = await rules('nat');
    expect(filter).to.include('-A INPUT -j ORCH-FIREWALL').and.include('-A OUTPUT -j ORCH-FIREWALL');
    expect(filter.filter((line) => line.startsWith('-A ORCH-FIREWALL'))).to.have.length(2);
    expect(nat).to.include('-A ORCH-MARK-DROP -j MARK --set-xmark 0x8000/0x8000');
    expect(nat).to.include('-A ORCH-MARK-MASQ -j MARK --set-xmark 0x4000/0x4000');
    expect(nat.filter((line) => line.startsWith('-A ORCH-POSTROUTING'))).to.have.length(3);
    expect(nat.find((line) => line.startsWith('-A POSTROUTING'))).to.match(/-j ORCH-POSTROUTING$/);

    expect(await ensure()).to.equal(true);
    expect(await rules('filter')).to.deep.equal(filter);
    expect(await rules('nat')).to.deep.equal(nat);

    await run('iptables', ['-F', 'INPUT']);
    await run('iptables', ['-F', 'ORCH-FIREWALL']);
    expect(await hasNetworkChains(options)).to.equal(false);
    expect(await ensure()).to.equal(true);
    expect((await rules('filter')).toSorted()).to.deep.equal(filter.toSorted());
  });
});
