import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { acquireLockFile } from '../../../src/nodeagent/host/index.ts';
import { makeTemporaryDirectory, type TemporaryDirectory } from '../../support/temporary-directory.ts';

const main = fileURLToPath(new URL('../../../src/app/main.ts', import.meta.url));

describe('two agents with one lock file', function () {
  this.timeout(60_000);
  let directory: TemporaryDirectory;
  const children: ChildProcess[] = [];
  before(async () => {
    directory = await makeTemporaryDirectory();
  });
  after(async () => {
    for (const child of children) child.kill('SIGKILL');
    await directory.remove();
  });

  /** An agent without a runtime; `says` resolves when its log has a line. */
  function start(name: string) {
    const folder = join(directory.path, name);
    const child = spawn(
      process.execPath,
      [
        ...[main, 'nodeagent', `--lock-file=${join(directory.path, 'lock')}`, '--exit-on-lock-contention'],
        ...[`--root-dir=${folder}/root`, '--enable-server=false', '--healthz-port=0'],
        ...['--container-runtime=remote', `--container-runtime-endpoint=unix://${folder}/none.sock`],
        ...['--cgroups-per-qos=false', '--enforce-node-allocatable=', '--fail-swap-on=false'],
        '--make-iptables-util-chains=false',
      ],
      { stdio: ['ignore', 'ignore', 'pipe'] },
    );
    children.push(child);
    const exited = new Promise<number | null>((resolve) => child.once('exit', resolve));
    let text = '';
    const says = (line: string): Promise<void> =>
      new Promise((resolve) => {
        const look = (part = ''): void => {
          text += part;
          if (text.includes(line)) resolve();
        };
        child.stderr.on('data', (part) => look(String(part)));
        look();
      });
    return { child, exited, says };
  }

  it('run one after the other: the first makes room for the second', async () => {
    const first = start('first');
    await first.says('started');
    const second = start('second');
    expect(await first.exited).to.equal(0);
    await second.says('started');
    second.child.kill('SIGTERM');
    expect(await second.exited).to.equal(0);
  });

  it('can be stopped while they wait', async () => {
    const path = join(directory.path, 'lock');
    await using _held = await acquireLockFile({ path, signal: new AbortController().signal });
    const waiting = start('waiting');
    await waiting.says('waiting for lock file');
    waiting.child.kill('SIGTERM');
    expect(await waiting.exited).to.equal(0);
  });
});
