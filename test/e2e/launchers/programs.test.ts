import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';

const bin = join(import.meta.dirname, '../../../bin');

describe('the built programs', () => {
  let home: string;
  before(async () => {
    home = await mkdtemp(join(tmpdir(), 'orch-e2e-'));
  });
  after(() => rm(home, { recursive: true }));

  const environment = () => ({
    ...process.env,
    HOME: home,
    ORCHCONFIG: '',
    NODE_COMPILE_CACHE: '',
    XDG_CACHE_HOME: '',
  });
  const run = (program: string, ...args: string[]) =>
    spawnSync(join(bin, program), args, { encoding: 'utf8', env: environment() });

  /** Starts `orch serve` and waits for its ready line. */
  async function serve(...args: string[]) {
    const child = spawn(join(bin, 'orch'), ['serve', '--secure-port=0', ...args], { env: environment() });
    const exit = once(child, 'exit');
    let [out, err] = ['', ''];
    child.stderr.on('data', (chunk) => (err += chunk));
    const ready = new Promise<string>((resolve) => {
      child.stdout.on('data', (chunk) => {
        out += chunk;
        if (out.includes('\n')) resolve(out);
      });
    });
    const line = await Promise.race([
      ready,
      exit.then(() => Promise.reject(new Error(`ended early: ${err}`))),
    ]);
    return { child, exit, line, url: /https:\S+/.exec(line)?.[0] ?? '' };
  }

  it('answer --version and --help', () => {
    expect(run('orch', '--version').stdout).to.match(/^orch \d+\.\d+\.\d+\nAPI v1\.20\.2\nNode\.js v2\d/);
    expect(run('ctl', '--version').stdout).to.equal(run('orch', '--version').stdout);
    expect(run('nodeagent', '--version').stdout).to.equal('Orch v1.20.2\n');
    for (const args of [['--help'], ['serve', '--help'], ['version', '-h'], ['help', 'completion']]) {
      const { status, stdout } = run('orch', ...args);
      expect([status, stdout.includes('Usage:')], args.join(' ')).to.deep.equal([0, true]);
    }
    expect(run('ctl', '--help').stdout).to.include('Usage:');
    expect(run('orch', 'ctl', '--help').stdout).to.equal(run('ctl', '--help').stdout);
  });

  it('explain a wrong command line and end with code 2', () => {
    const wrongFlag = run('orch', 'serve', '--secur-port=1', '--v=x');
    expect(wrongFlag.status).to.equal(2);
    expect(wrongFlag.stderr).to.equal(
      'orch serve: unknown flag: --secur-port; did you mean --secure-port?\norch serve: --v=x: must be a whole number\nSee orch serve --help\n',
    );
    const wrongCommand = run('orch', 'srve');
    expect([wrongCommand.status, wrongCommand.stderr]).to.deep.equal([
      2,
      'orch: unknown command srve; did you mean serve?\nSee orch --help\n',
    ]);
  });

  it('refuse to run a node with a wrong configuration, with code 255', () => {
    const { status, stderr } = run('nodeagent', '--container-runtime=x');
    expect(status).to.equal(255);
    expect(stderr).to.include('unsupported CRI runtime: "x"');
  });

  it('serve, set the client up, and stop when told to', async () => {
    const data = join(home, 'data');
    const { child, exit, line } = await serve(`--data-dir=${data}`);
    try {
      expect(line).to.match(
        /^orch is ready at https:\/\/127\.0\.0\.1:\d+ \(data in .*\)\. Next: ctl get namespaces\n$/,
      );
      expect((await stat(join(data, 'admin.orchconfig'))).mode & 0o777).to.equal(0o600);
      expect((await stat(join(home, '.orch/config'))).mode & 0o777).to.equal(0o600);
      const { status, stdout, stderr } = run('ctl', 'get', 'namespaces');
      expect([status, stderr]).to.deep.equal([0, '']);
      expect(stdout).to.match(/^default +Active/m);
    } finally {
      child.kill('SIGTERM');
    }
    expect(await exit).to.deep.equal([0, null]);
  });

  it("leave another cluster's entries and the current context alone", async () => {
    const file = join(home, '.orch/config');
    const own = `apiVersion: v1
kind: Config
current-context: prod
clusters: [{name: orch, cluster: {server: 'https://prod.example.org'}}]
contexts: [{name: prod, context: {cluster: orch, user: me}}]
users: [{name: me, user: {token: secret}}]
`;
    await mkdir(join(home, '.orch'), { recursive: true });
    await writeFile(file, own);
    const { child, exit, line } = await serve(`--data-dir=${join(home, 'data')}`);
    child.kill('SIGINT');
    await exit;
    expect(await readFile(file, 'utf8')).to.equal(own);
    expect(line).to.include(`Next: ctl --orchconfig=${join(home, 'data/admin.orchconfig')} get namespaces`);
  });

  it('forget everything of an ephemeral server', async () => {
    const { child, exit, line } = await serve('--ephemeral');
    const config = /--orchconfig=(\S+)/.exec(line)?.[1] ?? '';
    expect(run('ctl', `--orchconfig=${config}`, 'get', 'namespaces').status).to.equal(0);
    child.kill('SIGTERM');
    expect(await exit).to.deep.equal([0, null]);
    expect(await stat(config).catch(() => 'gone')).to.equal('gone');
  });

  it('name the port that is in use', async () => {
    const { child, exit, url } = await serve('--ephemeral');
    const { port } = new URL(url);
    const second = run('orch', 'serve', '--ephemeral', `--secure-port=${port}`);
    child.kill('SIGTERM');
    await exit;
    expect(second.status).to.equal(1);
    expect(second.stderr).to.include(`orch serve: port ${port} is in use`);
  });
});
