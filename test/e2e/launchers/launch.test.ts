import { spawnSync } from 'node:child_process';
import { chmod, cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect } from 'chai';

const project = join(import.meta.dirname, '../../..');
/** Stands in for the runtime: shows what the launcher hands over. */
const fakeRuntime =
  '#!/bin/sh\necho "cache=$NODE_COMPILE_CACHE"\nfor argument in "$@"; do echo "<$argument>"; done\n';

describe('bin/orch, bin/ctl and bin/nodeagent', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'orch-launch-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  /** Makes a package folder with launchers, and with the runtime and program where they are asked for. */
  async function layOut(options: { root: string; runtime?: string; isBuilt: boolean }): Promise<void> {
    await cp(join(project, 'bin'), join(options.root, 'bin'), { recursive: true });
    if (options.runtime !== undefined) {
      await mkdir(dirname(options.runtime), { recursive: true });
      await writeFile(options.runtime, fakeRuntime);
      await chmod(options.runtime, 0o755);
    }
    if (options.isBuilt) {
      for (const main of ['dist/src/app/main.js', 'dist/ctl/start.cjs']) {
        await mkdir(join(options.root, dirname(main)), { recursive: true });
        await writeFile(join(options.root, main), '');
      }
    }
  }

  function run(command: string, args: readonly string[] = [], env: Record<string, string> = {}) {
    const home = { HOME: join(folder, 'home'), PATH: process.env.PATH ?? '' };
    return spawnSync(command, args, { encoding: 'utf8', env: { ...home, ...env }, cwd: env.PWD ?? folder });
  }

  it('hand their name and the arguments, unchanged, to the runtime of a clone or prefix', async () => {
    const root = join(folder, 'with space');
    await layOut({ root, runtime: join(root, 'node_modules/node/bin/node'), isBuilt: true });
    for (const program of ['orch', 'ctl', 'nodeagent']) {
      const { stdout } = run(join(root, 'bin', program), ['a b', '--x=$HOME', '']);
      const lines = stdout.trim().split('\n');
      expect(lines[0]).to.equal(`cache=${folder}/home/.cache/orch/compiled`);
      const file = program === 'ctl' ? 'dist/ctl/start.cjs' : 'dist/src/app/main.js';
      const main = lines.findIndex((line) => line.endsWith(`with space/bin/../${file}>`));
      expect(main).to.be.greaterThan(0);
      // Before it come flags of the runtime, which have no blanks and no values of their own.
      expect(lines.slice(1, main).every((line) => /^<--[a-z0-9=-]+>$/.test(line))).to.equal(true);
      expect(lines.slice(main + 1)).to.deep.equal([`<${program}>`, '<a b>', '<--x=$HOME>', '<>']);
    }
  });

  it('find their folder through absolute and relative symbolic links, and by PATH', async () => {
    const root = join(folder, 'lib/orch');
    await layOut({ root, runtime: join(root, 'node_modules/node/bin/node'), isBuilt: true });
    await mkdir(join(folder, 'bin'));
    await symlink('../lib/orch/bin/orch', join(folder, 'bin/orch'));
    await symlink(join(folder, 'bin/orch'), join(folder, 'second'));
    expect(run(join(folder, 'bin/orch')).stdout).to.include('<orch>');
    expect(run(join(folder, 'second')).stdout).to.include('<orch>');
    expect(run('sh', ['-c', 'orch x'], { PATH: `${folder}/bin:${process.env.PATH}` }).stdout).to.include(
      '<x>',
    );
    expect(run('sh', ['orch'], { PWD: join(root, 'bin') }).stdout).to.include('<orch>');
  });

  it('find the runtime beside a package whose dependencies are hoisted', async () => {
    const root = join(folder, 'node_modules/orch');
    await layOut({ root, runtime: join(folder, 'node_modules/node/bin/node'), isBuilt: true });
    expect(run(join(root, 'bin/ctl'), ['get']).stdout).to.include('<get>');
  });

  it('keep a cache folder that the user chose, and do without one where there is no home', async () => {
    await layOut({ root: folder, runtime: join(folder, 'node_modules/node/bin/node'), isBuilt: true });
    const orch = join(folder, 'bin/orch');
    expect(run(orch, [], { NODE_COMPILE_CACHE: '/elsewhere' }).stdout).to.include('cache=/elsewhere\n');
    expect(run(orch, [], { XDG_CACHE_HOME: '/xdg' }).stdout).to.include('cache=/xdg/orch/compiled\n');
    expect(run(orch, [], { HOME: '' }).stdout).to.include('cache=\n');
  });

  it('say what to do when the runtime or the build is missing', async () => {
    await layOut({ root: folder, isBuilt: true });
    const noRuntime = run(join(folder, 'bin/orch'));
    expect([noRuntime.status, noRuntime.stderr]).to.deep.equal([
      1,
      `orch: its Node.js runtime is missing; run 'npm ci' in ${folder}\n`,
    ]);
    await rm(join(folder, 'dist'), { recursive: true });
    await layOut({ root: folder, runtime: join(folder, 'node_modules/node/bin/node'), isBuilt: false });
    const notBuilt = run(join(folder, 'bin/ctl'));
    expect(notBuilt.status).to.equal(1);
    expect(notBuilt.stderr).to.match(/^ctl: not built yet; run 'npm ci && npm run build' in /);
  });
});
