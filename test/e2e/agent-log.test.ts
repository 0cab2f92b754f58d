import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { eventually } from '../support/eventually.ts';
import { freePort } from '../support/free-ports.ts';
import { makeTemporaryDirectory } from '../support/temporary-directory.ts';

const root = join(import.meta.dirname, '../..');
const called = /\.(?:error|info|debug)\(/;
const line = /^\d\d:\d\d:\d\d\.\d{3} (?:error|info|debug) (\S+\.ts):(\d+) (.*)$/;

/** Lines of sources that `folder/file.ts:12` may mean. */
function sourceLines(file: string, number: number): string[] {
  return globSync(`src/**/${file}`, { cwd: root }).map(
    (path) => readFileSync(join(root, path), 'utf8').split('\n')[number - 1] ?? '',
  );
}

describe('the log of the built nodeagent', () => {
  it('names lines of the sources, in files that are complete when it was told to stop', async function () {
    this.timeout(60_000);
    await using directory = await makeTemporaryDirectory();
    const { path } = directory;
    const port = await freePort();
    const flags = [
      `--root-dir=${path}/root`,
      `--cert-dir=${path}/pki`,
      `--log-dir=${path}/logs`,
      '--logtostderr=false',
      '--log-flush-frequency=1h',
      '--add-dir-header',
      '--container-runtime=remote',
      `--container-runtime-endpoint=unix://${path}/none.sock`,
      '--enable-server=false',
      `--healthz-port=${port}`,
      '--cgroups-per-qos=false',
      '--enforce-node-allocatable=',
      '--make-iptables-util-chains=false',
      '--fail-swap-on=false',
    ];
    const agent = spawn(join(root, 'bin/nodeagent'), flags, { stdio: 'ignore' });
    const exited = once(agent, 'exit');
    try {
      const isUp = () => fetch(`http://127.0.0.1:${port}/healthz`).catch(() => undefined);
      await eventually(isUp, { patienceMs: 30_000 });
    } finally {
      agent.kill('SIGTERM');
      await exited;
    }
    const text = await readFile(`${path}/logs/nodeagent.INFO`, 'utf8');
    const lines = text.split('\n').filter((each) => /^\d\d:/.test(each));
    expect(lines.length).to.be.greaterThan(2);
    for (const each of lines) {
      const [, file = '', number = ''] = line.exec(each) ?? [];
      expect(
        sourceLines(file, Number(number)).filter((source) => called.test(source)),
        each,
      ).to.have.length(1);
    }
    const [, file = '', number = '', message] = line.exec(lines.at(-1) ?? '') ?? [];
    expect(message).to.equal('stopping; pods run on reason=SIGTERM');
    expect(sourceLines(file, Number(number)).join()).to.include("logger.info('stopping; pods run on'");
  });
});
