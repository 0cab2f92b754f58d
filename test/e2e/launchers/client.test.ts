import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import { issueLink } from '../../support/certificate-chain.ts';

const root = join(import.meta.dirname, '../../..');
const folder = join(root, 'dist/ctl');
const source = new URL('../../../src/app/client/compiled-module.ts', import.meta.url).href;

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
    for (const file of files) expect(readFileSync(join(folder, file), 'utf8'), file).to.match(/^[\0-\x7f]*$/);
    // A process of its own: flags that other tests set in this one would make a difference.
    const script = `
      import { readFileSync } from 'node:fs';
      import { codeFileOf, compileModule } from ${JSON.stringify(source)};
      const isTaken = (file) =>
        compileModule(file, readFileSync(file, 'utf8'), readFileSync(codeFileOf(file))).cachedDataRejected === false;
      console.log(JSON.stringify(${JSON.stringify(files)}.filter(isTaken)));`;
    const args = ['--input-type=module', '-e', script];
    const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8', cwd: folder });
    expect(stderr).to.equal('');
    expect(JSON.parse(stdout)).to.deep.equal(files);
  });

  it('lies in its own files only, which the other programs load', () => {
    const files = readdirSync(join(root, 'dist'), { recursive: true, encoding: 'utf8' });
    const sources = files
      .filter((name) => name.endsWith('.js.map'))
      .flatMap((name) => JSON.parse(readFileSync(join(root, 'dist', name), 'utf8')).sources as string[]);
    expect(sources.some((path) => path.endsWith('src/app/client/run-client.ts'))).to.equal(true);
    expect(sources.filter((path) => path.includes('/src/ctl/'))).to.deep.equal([]);
    const [own, ofOrch] = ['ctl', 'orch'].map((program) => {
      const args = program === 'orch' ? ['ctl', 'options'] : ['options'];
      const env = { HOME: home, PATH: process.env.PATH };
      return spawnSync(join(root, 'bin', program), args, { encoding: 'utf8', env }).stdout;
    });
    expect(own).to.include('--orchconfig');
    expect(ofOrch).to.equal(own);
  });

  it('reads and writes YAML of every form', async () => {
    const file = join(home, 'some.yaml');
    await writeFile(
      file,
      'kind: ConfigMap # a comment\napiVersion: v1\nmetadata: {name: &a b}\ndata: {c: *a}\n',
    );
    const labelled = run(['label', '--local', '-f', file, 'd=e', '-o', 'yaml']);
    expect([labelled.status, labelled.stderr]).to.deep.equal([0, '']);
    expect(labelled.stdout).to.include('data:\n  c: b\n').and.to.include('d: e\n');
    const config = join(home, 'config.yaml');
    await writeFile(config, 'clusters: [{name: "f", cluster: {server: "https://g"}}]\n');
    expect(run(['config', 'set-context', 'h', '--cluster=f', `--orchconfig=${config}`]).stderr).to.equal('');
    expect(run(['config', 'get-clusters', `--orchconfig=${config}`]).stdout).to.equal('NAME\nf\n');
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

  describe('for servers whose authority it is not told of', () => {
    let server: Server;
    let url: string;
    before(async () => {
      const root = await issueLink({ name: 'root' });
      const leaf = await issueLink({
        name: 'localhost',
        issuer: root,
        isLeaf: true,
        dnsNames: ['localhost'],
      });
      await writeFile(join(home, 'root.pem'), root.certificatePem);
      const body = JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } });
      server = createServer({ cert: leaf.certificatePem, key: leaf.privateKeyPem }, (_, response) =>
        response.end(body),
      );
      await once(server.listen(0, 'localhost'), 'listening');
      // It listens on a port, so that it has an address that is no path.
      url = `https://localhost:${(server.address() as AddressInfo).port}`;
    });
    after(() => server.close());

    /** Exit code and both outputs. */
    async function answer(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
      const child = spawn(join(root, 'bin/ctl'), args, {
        env: { HOME: home, PATH: process.env.PATH, ...env },
      });
      const [out, err, [code]] = await Promise.all([
        text(child.stdout),
        text(child.stderr),
        once(child, 'close'),
      ]);
      return { code, out, err };
    }
    const commands = () => [
      ['get', '--raw', '/', `--server=${url}`],
      ['label', '--local', '-f', `${url}/a.json`, 'a=b', '-o', 'json'],
    ];

    it('trusts the authorities of the runtime, and those that the user adds', async () => {
      for (const env of [{}, { NODE_OPTIONS: '--use-bundled-ca' }, { NODE_USE_SYSTEM_CA: '1' }]) {
        for (const args of commands()) {
          const refused = await answer(args, env);
          expect([refused.code, refused.out]).to.deep.equal([1, '']);
          expect(refused.err).to.include('x509: certificate signed by unknown authority');
          const added = await answer(args, { ...env, NODE_EXTRA_CA_CERTS: join(home, 'root.pem') });
          expect([added.code, added.err]).to.deep.equal([0, '']);
          expect(added.out).to.include('ConfigMap');
        }
      }
    });
  });
});
