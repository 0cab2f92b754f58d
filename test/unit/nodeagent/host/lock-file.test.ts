import { type ChildProcess, spawn } from 'node:child_process';
import { rename, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { systemClock } from '../../../../src/base/index.ts';
import { acquireLockFile, untilContended } from '../../../../src/nodeagent/host/index.ts';
import { hasWaiter } from '../../../../src/nodeagent/host/lock-file.ts';
import { eventually } from '../../../support/eventually.ts';
import { makeTemporaryDirectory, type TemporaryDirectory } from '../../../support/temporary-directory.ts';

const never = new AbortController().signal;

/** Whether somebody could take the lock now. */
function isFree(path: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const child = spawn('flock', ['-x', '-n', path, 'true'], { stdio: 'ignore' });
    child.once('error', reject);
    child.once('exit', (code) => resolve(code === 0));
  });
}

describe('acquireLockFile', () => {
  let directory: TemporaryDirectory;
  let path: string;
  const children: ChildProcess[] = [];
  beforeEach(async () => {
    directory = await makeTemporaryDirectory();
    path = join(directory.path, 'lock');
  });
  afterEach(async () => {
    for (const child of children.splice(0)) child.kill('SIGKILL');
    await directory.remove();
  });

  it('holds the lock until it is let go', async () => {
    const lock = await acquireLockFile({ path, signal: never });
    expect(await isFree(path)).to.equal(false);
    expect((await stat(path)).mode & 0o777).to.equal(0o600);
    await lock[Symbol.asyncDispose]();
    expect(await isFree(path)).to.equal(true);
  });

  it('waits for another holder, and sees who waits', async () => {
    const first = await acquireLockFile({ path, signal: never });
    expect(await first.isContended()).to.equal(false);
    const second = acquireLockFile({ path, signal: never });
    const options = { clock: systemClock, periodMs: 10, signal: AbortSignal.timeout(10_000) };
    expect(await untilContended(first, options)).to.equal(true);
    await first[Symbol.asyncDispose]();
    await using held = await second;
    expect(await held.isContended()).to.equal(false);
    expect(await isFree(path)).to.equal(false);
  });

  it('lets go when the process ends, however that happens', async () => {
    const program = `
      import { acquireLockFile } from ${JSON.stringify(import.meta.resolve('../../../../src/nodeagent/host/index.ts'))};
      await acquireLockFile({ path: process.argv[1], signal: new AbortController().signal });
      process.stdout.write('held');
      setInterval(() => {}, 1000);`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', program, path], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    children.push(child);
    await new Promise((resolve) => child.stdout.once('data', resolve));
    expect(await isFree(path)).to.equal(false);
    child.kill('SIGKILL');
    await eventually(async () => ((await isFree(path)) ? true : undefined));
  });

  it('gives up when it is told to', async () => {
    await using _held = await acquireLockFile({ path, signal: never });
    const abort = new AbortController();
    const second = acquireLockFile({ path, signal: abort.signal }).catch((error: unknown) => error);
    abort.abort();
    expect(String(await second)).to.include(`unable to acquire file lock on "${path}"`);
  });

  it('sees that the file is another one', async () => {
    await using lock = await acquireLockFile({ path, signal: never });
    await rename(path, `${path}.old`);
    expect(await lock.isContended()).to.equal(true);
    await writeFile(path, '');
    expect(await lock.isContended()).to.equal(true);
  });

  it('refuses a path that cannot be opened', async () => {
    const failure = await acquireLockFile({ path: join(path, 'below'), signal: never }).catch(
      (error: unknown) => error,
    );
    expect(failure).to.have.property('code', 'ENOENT');
  });
});

describe('hasWaiter', () => {
  const holder = '1: FLOCK  ADVISORY  WRITE 15935 fe:00:2836322 0 EOF';
  const waiter = '1: -> FLOCK  ADVISORY  WRITE 15936 fe:00:2836322 0 EOF';
  const cases: readonly (readonly [what: string, lines: string[], dev: bigint, ino: bigint, is: boolean])[] =
    [
      ['a holder alone', [holder], 0xfe00n, 2836322n, false],
      ['a waiter', [holder, waiter], 0xfe00n, 2836322n, true],
      ['a waiter for another file', [holder, waiter], 0xfe00n, 2836323n, false],
      ['a waiter on another device', [holder, waiter], 0xfe01n, 2836322n, false],
      ['a large device number', ['2: -> FLOCK  ADVISORY  WRITE 7 103:1234:5 0 EOF'], 0x1210334n, 5n, true],
    ];
  for (const [what, lines, dev, ino, is] of cases) {
    it(`${is ? 'finds' : 'does not take for one'}: ${what}`, () => {
      expect(hasWaiter(lines.join('\n'), { dev, ino })).to.equal(is);
    });
  }
});
