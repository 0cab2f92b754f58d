import { spawn } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { holdLockFile, prepareMachine } from '../../../../src/app/node-agent/prepare-machine.ts';
import { MachineError } from '../../../../src/app/node-agent/prepare-process.ts';
import { silentLogger, systemClock } from '../../../../src/base/index.ts';
import { orchDialect } from '../../../../src/machinery/dialect.ts';
import { acquireLockFile } from '../../../../src/nodeagent/host/index.ts';
import { eventually } from '../../../support/eventually.ts';
import { makeTemporaryDirectory, type TemporaryDirectory } from '../../../support/temporary-directory.ts';
import { agentConfig } from '../../nodeagent/agent-config.ts';

describe('prepareMachine', () => {
  let directory: TemporaryDirectory;
  let ran: string[];
  let end: AbortController;
  beforeEach(async () => {
    directory = await makeTemporaryDirectory();
    ran = [];
    end = new AbortController();
    await mkdir(join(directory.path, 'sys/vm'), { recursive: true });
    await writeFile(join(directory.path, 'sys/vm/overcommit_memory'), '0\n');
    for (const name of ['cpu', 'memory']) await mkdir(join(directory.path, name));
  });
  afterEach(async () => {
    end.abort();
    await directory.remove();
  });

  const prepare = (...flags: string[]): Promise<void> =>
    prepareMachine({
      config: agentConfig(flags),
      dialect: orchDialect,
      clock: systemClock,
      logger: silentLogger,
      signal: end.signal,
      roots: { settings: join(directory.path, 'sys'), cgroups: directory.path },
      run(program, args) {
        ran.push([program, ...args].join(' '));
        // Nothing is there yet, and everything can be made.
        return Promise.resolve({ code: args.includes('-C') || args.includes('-L') ? 1 : 0, output: '' });
      },
    });

  it('changes settings of the kernel', async () => {
    await prepare('--make-iptables-util-chains=false', '--max-open-files=0');
    expect(await readFile(join(directory.path, 'sys/vm/overcommit_memory'), 'utf8')).to.equal('1');
    expect(ran).to.deep.equal([]);
  });

  it('refuses to run where they are protected', async () => {
    const failure = await prepare('--protect-kernel-defaults').catch((error: unknown) => error);
    expect(failure).to.be.instanceOf(MachineError);
    expect(String(failure)).to.include(
      'Failed to start ContainerManager [invalid kernel flag: vm/overcommit_memory, expected value: 1, actual value: 0]',
    );
  });

  it('bounds its open files', async () => {
    await prepare('--make-iptables-util-chains=false', '--max-open-files=4321');
    expect(ran).to.deep.equal([`prlimit --pid=${process.pid} --nofile=4321:4321`]);
  });

  it('makes chains of iptables, in the family of the node address', async () => {
    await prepare('--max-open-files=0', '--node-ip=fd00::1', '--iptables-drop-bit=3');
    await eventually(async () => (ran.some((line) => line.includes('-j MASQUERADE')) ? true : undefined));
    expect(ran.every((line) => /^ip6tables (-w |--version)/.test(line))).to.equal(true);
    expect(ran.some((line) => line.includes('ORCH-MARK-DROP -j MARK --or-mark 0x00000008'))).to.equal(true);
  });

  it('moves itself into its group, and ungrouped processes into that of the system', async () => {
    const child = spawn('sleep', ['60'], { stdio: 'ignore' });
    try {
      await writeFile(join(directory.path, 'cpu/cgroup.procs'), `${process.pid}\n${child.pid}\n`);
      await prepare(
        ...['--make-iptables-util-chains=false', '--max-open-files=0', '--cgroup-root=/'],
        ...['--nodeagent-cgroups=/agents', '--system-cgroups=/system'],
      );
      const read = (name: string): Promise<string> => readFile(join(directory.path, 'cpu', name), 'utf8');
      expect(await read('agents/cgroup.procs')).to.equal(`${process.pid}`);
      await eventually(async () => {
        const text = await read('system/cgroup.procs').catch(() => '');
        return text === `${child.pid}` ? true : undefined;
      });
    } finally {
      child.kill('SIGKILL');
    }
  });
});

describe('holdLockFile', () => {
  let directory: TemporaryDirectory;
  beforeEach(async () => {
    directory = await makeTemporaryDirectory();
  });
  afterEach(() => directory.remove());

  it('tells when another one wants the lock, if the options ask for it', async () => {
    const path = join(directory.path, 'lock');
    const end = new AbortController();
    const { signal } = end;
    const contended = Promise.withResolvers<void>();
    const config = agentConfig([`--lock-file=${path}`, '--exit-on-lock-contention']);
    const clock = { ...systemClock, setTimer: (_: number, act: () => void) => systemClock.setTimer(5, act) };
    const lock = await holdLockFile({ config, clock, logger: silentLogger, signal }, contended.resolve);
    const other = acquireLockFile({ path, signal });
    await contended.promise;
    await lock?.[Symbol.asyncDispose]();
    await (await other)[Symbol.asyncDispose]();
    end.abort();
  });

  it('holds nothing without a path', async () => {
    const { signal } = new AbortController();
    const options = { config: agentConfig(), clock: systemClock, logger: silentLogger, signal };
    expect(await holdLockFile(options, () => {})).to.equal(undefined);
  });
});
