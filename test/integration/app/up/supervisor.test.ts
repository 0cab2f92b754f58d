import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { endLeftovers } from '../../../../src/app/up/end-leftovers.ts';
import { prepareMachine } from '../../../../src/app/up/prepare-machine.ts';
import { SupervisedProgram } from '../../../../src/app/up/supervised-program.ts';
import { findUp, upPaths, writeUpState } from '../../../../src/app/up/up-state.ts';
import { systemClock } from '../../../../src/base/index.ts';
import { failureOf } from '../../../support/failure.ts';
import { makeTemporaryDirectory, type TemporaryDirectory } from '../../../support/temporary-directory.ts';

let directory: TemporaryDirectory;
beforeEach(async () => {
  directory = await makeTemporaryDirectory();
});
afterEach(() => directory.remove());

describe('a supervised program', () => {
  const supervise = (script: string, seen: { pids: (number | undefined)[]; reports: string[] }) =>
    new SupervisedProgram({
      name: 'test',
      command: '/bin/sh',
      args: ['-c', script],
      logFile: join(directory.path, 'log'),
      // Pauses are over at once.
      clock: {
        nowMs: systemClock.nowMs,
        setTimer: (_delayMs, callback) => systemClock.setTimer(0, callback),
      },
      report: (text) => seen.reports.push(text),
      onStart: (pid) => seen.pids.push(pid),
    });

  it('is started again whenever it ends, and tells why', async () => {
    const seen = { pids: [] as (number | undefined)[], reports: [] as string[] };
    const lines: string[] = [];
    const program = supervise('echo line; echo wrong >&2; exit 3', seen);
    const third = Promise.withResolvers<void>();
    program.start((line) => {
      if (lines.push(line) === 3) third.resolve();
    });
    await third.promise;
    await program.stop();
    expect(seen.reports.slice(0, 2)).to.deep.equal([
      'test ended (exit code 3); it starts again in 2 s',
      'test ended (exit code 3); it starts again in 4 s',
    ]);
    expect(new Set(seen.pids.filter((pid) => pid !== undefined)).size).to.be.greaterThan(2);
    expect(program.lastOutput).to.match(/line|wrong/);
    expect(await readFile(join(directory.path, 'log'), 'utf8')).to.include('wrong');
  });

  it('says so when it cannot be started', async () => {
    const seen = { pids: [] as (number | undefined)[], reports: [] as string[] };
    const program = new SupervisedProgram({
      name: 'test',
      command: join(directory.path, 'nothing'),
      args: [],
      logFile: undefined,
      clock: systemClock,
      report: (text) => seen.reports.push(text),
      onStart: () => {},
    });
    const ended = Promise.withResolvers<void>();
    program.onEnd(ended.resolve);
    program.start();
    await ended.promise;
    await program.stop();
    expect(seen.reports[0] ?? '').to.match(/ENOENT/);
  });
});

describe('a machine for orch up', () => {
  const prepare = (more: Partial<Parameters<typeof prepareMachine>[0]> = {}) => {
    const reports: string[] = [];
    const done = prepareMachine({
      isRoot: true,
      containerRuntimeEndpoint: 'tcp://127.0.0.1:1',
      cniConfDir: join(directory.path, 'net.d'),
      podCidr: '10.99.0.0/16',
      report: (text) => reports.push(text),
      cniFolders: [join(directory.path, 'cni')],
      ...more,
    });
    return done.then(() => reports);
  };
  const installPlugins = async () => {
    await mkdir(join(directory.path, 'cni'));
    await writeFile(join(directory.path, 'cni', 'bridge'), '');
  };

  it('gets a network for pods when it has none, and keeps the one it has', async () => {
    await installPlugins();
    const file = join(directory.path, 'net.d', '10-orch.conflist');
    expect(await prepare()).to.deep.equal([
      `wrote ${file}: pods get addresses of 10.99.0.0/16 on the bridge orch0`,
    ]);
    const network = JSON.parse(await readFile(file, 'utf8'));
    expect(network.plugins[0].ipam.ranges).to.deep.equal([[{ subnet: '10.99.0.0/16' }]]);
    expect(await prepare()).to.deep.equal([]);
    await mkdir(join(directory.path, 'other'));
    await writeFile(join(directory.path, 'other', 'net.conf'), '{}');
    expect(await prepare({ cniConfDir: join(directory.path, 'other') })).to.deep.equal([]);
    expect(await readdir(join(directory.path, 'other'))).to.deep.equal(['net.conf']);
  });

  it('is told what it lacks, and what to install', async () => {
    expect((await failureOf(prepare({ isRoot: false }))).message).to.match(/needs root/);
    const runtime = prepare({ containerRuntimeEndpoint: 'unix:///nowhere/containerd.sock' });
    expect((await failureOf(runtime)).message).to.match(
      /\/nowhere\/containerd\.sock does not exist.*apt-get install containerd/,
    );
    expect((await failureOf(prepare())).message).to.match(/apt-get install containernetworking-plugins/);
  });
});

describe('the state of orch up', () => {
  it('is that of a running process only', async () => {
    const paths = upPaths(directory.path);
    expect(await findUp(paths)).to.equal(undefined);
    await mkdir(paths.folder);
    // This process runs, but is no `orch up`.
    const state = { pid: process.pid, nodeName: 'n', serverPid: 1, agentPid: undefined, isReady: true };
    await writeUpState(paths, state);
    expect(await findUp(paths)).to.equal(undefined);
    await writeFile(paths.state, '{"pid":');
    expect(await findUp(paths)).to.equal(undefined);
  });
});

describe('what a killed orch up has left', () => {
  const started: ChildProcess[] = [];
  afterEach(async () => {
    for (const child of started.splice(0)) {
      if (child.exitCode !== null || child.signalCode !== null) continue;
      const exited = once(child, 'exit');
      child.kill('SIGKILL');
      await exited;
    }
  });
  /** A process with such a command line, which says what it does when it is asked to end. */
  const start = async (onTerm: string, ...words: readonly string[]): Promise<ChildProcess> => {
    const script = `trap '${onTerm}' TERM; echo started; while :; do sleep 0.02; done`;
    const child = spawn('/bin/sh', ['-c', script, ...words], { stdio: ['ignore', 'pipe', 'inherit'] });
    started.push(child);
    await once(child.stdout, 'data');
    return child;
  };
  const leave = async (server: ChildProcess, agent: ChildProcess) => {
    const paths = upPaths(directory.path);
    await mkdir(paths.folder);
    // A number that no process has.
    await writeUpState(paths, {
      pid: 2 ** 30,
      nodeName: 'n',
      serverPid: server.pid,
      agentPid: agent.pid,
      isReady: true,
    });
    return paths;
  };
  const end = async (paths: ReturnType<typeof upPaths>, timeoutMs?: number) => {
    const reports: string[] = [];
    const report = (text: string) => reports.push(text);
    const options = { clock: systemClock, report, ...(timeoutMs === undefined ? {} : { timeoutMs }) };
    return { hadAny: await endLeftovers(paths, options), reports };
  };

  it('is asked to end, the agent first', async () => {
    const { dataDirectory, agentConfig } = upPaths(directory.path);
    const server = await start('exit 3', 'orch', 'serve', `--data-dir=${dataDirectory}`);
    const agent = await start('exit 4', 'nodeagent', `--config=${agentConfig}`);
    const exits = [once(server, 'exit'), once(agent, 'exit')];
    const paths = await leave(server, agent);
    expect(await end(paths)).to.deep.equal({
      hadAny: true,
      reports: [
        `ending the node agent that a killed orch up has left, process ${agent.pid}`,
        `ending the server that a killed orch up has left, process ${server.pid}`,
      ],
    });
    expect(await Promise.all(exits)).to.deep.equal([
      [3, null],
      [4, null],
    ]);
    expect(await end(paths)).to.deep.equal({ hadAny: false, reports: [] });
  });

  it('is killed when it does not end', async () => {
    const { dataDirectory, agentConfig } = upPaths(directory.path);
    const server = await start(':', 'orch', 'serve', `--data-dir=${dataDirectory}`);
    const agent = await start(':', 'nodeagent', `--config=${agentConfig}`);
    const exits = [once(server, 'exit'), once(agent, 'exit')];
    await end(await leave(server, agent), 50);
    expect(await Promise.all(exits)).to.deep.equal([
      [null, 'SIGKILL'],
      [null, 'SIGKILL'],
    ]);
  });

  it('is not a process that has only its number', async () => {
    const server = await start('exit 3', 'orch', 'serve', '--data-dir=/elsewhere');
    const agent = await start('exit 4', 'nodeagent', '--config=/elsewhere');
    expect(await end(await leave(server, agent))).to.deep.equal({ hadAny: false, reports: [] });
    expect([server.exitCode, server.signalCode, agent.exitCode, agent.signalCode]).to.deep.equal(
      Array(4).fill(null),
    );
  });
});
