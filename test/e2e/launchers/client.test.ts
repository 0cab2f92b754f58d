import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { codeFileOf, compileModule } from '../../../src/app/client/compiled-module.ts';

const root = join(import.meta.dirname, '../../..');
const folder = join(root, 'dist/ctl');

describe('the built client', () => {
  let home: string;
  before(async () => {
    home = await mkdtemp(join(tmpdir(), 'orch-client-'));
  });
  after(() => rm(home, { recursive: true }));

  const run = (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
    spawnSync(join(root, 'bin/ctl'), args, {
      encoding: 'utf8',
      env: { HOME: home, PATH: process.env.PATH, ...env },
    });

  it('lies beside compiled code that the runtime takes, in ASCII', () => {
    const files = readdirSync(folder).filter((name) => name.endsWith('.cjs'));
    for (const file of files.map((name) => join(folder, name))) {
      const text = readFileSync(file, 'utf8');
      expect(text, file).to.match(/^[\0-\x7f]*$/);
      const script = compileModule(file, text, readFileSync(codeFileOf(file)));
      expect(script.cachedDataRejected, file).to.equal(false);
    }
  });

  it('keeps nothing of its own code in folders of users', () => {
    expect(run(['config', 'view']).status).to.equal(0);
    const kept = readdirSync(home, { recursive: true, encoding: 'utf8' });
    expect(kept.filter((file) => file.startsWith('.orch'))).to.deep.equal([]);
  });

  it('works with a runtime that takes other compiled code', () => {
    const args = ['create', 'configmap', 'a', '--from-literal=b=c', '--dry-run=client', '-o', 'yaml'];
    const usual = run(args);
    expect([usual.status, usual.stderr]).to.deep.equal([0, '']);
    expect(usual.stdout).to.include('kind: ConfigMap');
    expect(run(args, { NODE_OPTIONS: '--stack-trace-limit=20' })).to.deep.include({
      status: 0,
      stdout: usual.stdout,
      stderr: '',
    });
  });
});
