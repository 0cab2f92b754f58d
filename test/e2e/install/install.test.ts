import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { cp, lstat, mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { expect } from 'chai';

const project = join(import.meta.dirname, '../../..');
const notCopied = new Set(['.git', 'node_modules', 'dist', 'coverage']);

describe('install.sh', function () {
  // Each installation copies some thousand files.
  this.timeout(300_000);
  let folder: string;
  let prefix: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'orch-install-'));
    prefix = join(folder, 'prefix');
    const clone = join(folder, 'clone');
    await cp(project, clone, {
      recursive: true,
      preserveTimestamps: true,
      filter: (path) => path === project || !notCopied.has(basename(path)),
    });
    // Dependencies as `npm ci` leaves them; hard links where both folders are on one file system. The folder itself may
    // be a link in the project: what is installed in the clone must not reach through it.
    const [from, to] = [await realpath(join(project, 'node_modules')), join(clone, 'node_modules')];
    if (spawnSync('cp', ['-al', from, to]).status !== 0) {
      await rm(to, { recursive: true, force: true });
      expect(spawnSync('cp', ['-a', from, to]).status).to.equal(0);
    }
  });
  after(() => rm(folder, { recursive: true }));

  const environment = () => ({ PATH: process.env.PATH ?? '', HOME: join(folder, 'home') });
  const install = (...args: string[]) =>
    spawnSync(join(folder, 'clone/install.sh'), args, { encoding: 'utf8', env: environment(), cwd: folder });
  const runInstalled = (program: string, ...args: string[]) =>
    spawnSync(join(prefix, 'bin', program), args, { encoding: 'utf8', env: environment() });
  const installed = async () =>
    (await readdir(prefix, { recursive: true })).filter((file) => !file.startsWith('lib/orch/')).sort();

  const releases = async () => (await readdir(join(prefix, 'lib/orch'))).filter((name) => name !== 'current');

  it('explains itself and refuses unknown arguments', () => {
    expect(install('--help').stdout).to.match(/^Usage: /);
    const { status, stderr } = install('--prefx', '/x');
    expect([status, stderr.includes('unknown argument --prefx')]).to.deep.equal([1, true]);
  });

  it('installs programs, man pages, completion and a unit under a prefix', async () => {
    const { status, stdout, stderr } = install('--prefix', prefix);
    expect([status, stderr]).to.deep.equal([0, '']);
    expect(stdout).to.include('Next: orch serve');
    expect(stdout).to.include('not on your PATH');
    expect(runInstalled('orch', 'version').stdout).to.match(/^orch /);
    expect(runInstalled('nodeagent', '--version').status).to.equal(0);
    expect(runInstalled('ctl', '--help').status).to.equal(0);
    // oclif runs this: it came along, and finds what it needs.
    expect(runInstalled('orch', 'help', 'serve').stdout).to.include('orch serve [flags]');
    const files = await installed();
    for (const file of [
      'share/man/man1/orch.1',
      'share/man/man1/ctl.1',
      'share/man/man1/ctl-get.1',
      'share/man/man1/ctl-config-use-context.1',
      'share/man/man1/orch-storage-check.1',
      'share/man/man8/nodeagent.8',
      'share/bash-completion/completions/orch',
      'share/zsh/site-functions/_ctl',
      'share/fish/vendor_completions.d/orch.fish',
    ]) {
      expect(files).to.include(file);
    }
    const unit = await readFile(join(prefix, 'share/systemd/user/orch.service'), 'utf8');
    expect(unit).to.include(`ExecStart=${prefix}/bin/orch serve\n`);
    expect((await lstat(join(prefix, 'bin/orch'))).isSymbolicLink()).to.equal(true);
  });

  it('installs what the programs need, and nothing that only development needs', () => {
    const modules = join(prefix, 'lib/orch/current/node_modules');
    expect(existsSync(join(modules, 'pino'))).to.equal(true);
    expect(existsSync(join(modules, 'mocha'))).to.equal(false);
    expect(existsSync(join(modules, 'typescript'))).to.equal(false);
  });

  it('makes manual pages that man can show', () => {
    for (const page of ['orch', 'ctl-get', 'ctl-config-use-context', 'nodeagent']) {
      const { error, status, stdout } = spawnSync('man', ['-M', join(prefix, 'share/man'), page], {
        encoding: 'utf8',
        env: { ...environment(), MANPAGER: 'cat', MANWIDTH: '80' },
      });
      if (error !== undefined && process.env.CI === undefined) return; // no man on this machine: nothing to show them with
      expect(status, page).to.equal(0);
      expect(stdout).to.match(new RegExp(`NAME\\s+${page} - `));
    }
  });

  it('leaves a server that runs all of its files until it is restarted', async () => {
    const started = await realpath(join(prefix, 'lib/orch/current'));
    const args = ['serve', '--ephemeral', '--secure-port=0', '--write-orchconfig=false'];
    const server = spawn(join(prefix, 'bin/orch'), args, {
      env: environment(),
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    try {
      await once(server.stdout, 'data');
      const upgraded = install('--prefix', prefix);
      expect(upgraded.stdout).to.include(`until they are restarted: processes ${server.pid}.`);
      expect(await releases())
        .to.have.length(2)
        .and.to.include(basename(started));
      expect(runInstalled('orch', '--version').status).to.equal(0);
      expect(await realpath(join(prefix, 'lib/orch/current'))).to.not.equal(started);
      expect(existsSync(join(started, 'dist/src/app/main.js'))).to.equal(true);
    } finally {
      const ended = once(server, 'exit');
      server.kill();
      await ended;
    }
  });

  it('upgrades in place and leaves nothing of the old version', async () => {
    const before = await installed();
    // A command of the old version that is gone, and a page of another program.
    for (const file of [
      'lib/orch/current/man/ctl-gone.1',
      'share/man/man1/ctl-gone.1',
      'share/man/man1/ctl-other.1',
    ])
      await writeFile(join(prefix, file), '');
    const old = await releases();
    const { status, stdout } = install('--prefix', prefix);
    expect(status).to.equal(0);
    expect(stdout).to.not.include('Still running');
    expect(await installed()).to.deep.equal([...before, 'share/man/man1/ctl-other.1'].sort());
    await rm(join(prefix, 'share/man/man1/ctl-other.1'));
    expect(await releases())
      .to.have.length(1)
      .and.not.include.members(old);
    expect(await readdir(join(prefix, 'lib'))).to.deep.equal(['orch']);
  });

  it('uninstalls what it installed and keeps data', async () => {
    const data = join(folder, 'home/.local/share/orch');
    await mkdir(data, { recursive: true });
    await writeFile(join(data, 'orch.db'), 'data');
    const { status, stdout } = install('--uninstall', '--prefix', prefix);
    expect(status).to.equal(0);
    expect(stdout).to.include('Data stays');
    const files = await Promise.all(
      (await installed()).map(async (file) => [file, await lstat(join(prefix, file))] as const),
    );
    expect(files.filter(([, stats]) => !stats.isDirectory()).map(([file]) => file)).to.deep.equal([]);
    expect(existsSync(join(prefix, 'lib/orch'))).to.equal(false);
    expect(await readFile(join(data, 'orch.db'), 'utf8')).to.equal('data');
  });
});
