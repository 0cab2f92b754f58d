import { existsSync } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { ApiClient } from '../support/api-client.ts';
import { configMap, inNamespace } from '../support/objects.ts';
import { type ServeProcess, startServe } from '../support/serve-process.ts';
import { makeTemporaryDirectory, type TemporaryDirectory } from '../support/temporary-directory.ts';

const maps = inNamespace('default', 'configmaps');

describe('orch serve', () => {
  let directory: TemporaryDirectory;
  const running = new Set<ServeProcess>();
  beforeEach(async () => {
    directory = await makeTemporaryDirectory();
  });
  afterEach(async () => {
    for (const server of running) await server.stop();
    running.clear();
    await directory.remove();
  });

  const start = async (...flags: string[]): Promise<ServeProcess> => {
    const server = await startServe(flags);
    running.add(server);
    return server;
  };
  const refusal = (...flags: string[]): Promise<string> =>
    start(...flags).then(
      () => 'it started',
      (error: unknown) => String(error),
    );

  it('ends watches and exits with 0 when it is asked to stop', async () => {
    const server = await start(`--data-dir=${directory.path}`, '--controllers=none');
    const client = new ApiClient(server.access);
    const watch = await client.watch(maps);
    await client.create(maps, configMap('a'));
    await watch.take(1);
    const [code, end] = await Promise.all([server.stop(), watch.ended]);
    client.close();
    expect(code).to.equal(0);
    expect(end).to.equal('end');
    expect(server.log()).to.match(/starting .*\n.* stopping reason=SIGTERM\n.* stopped\n$/s);
  });

  it('keeps its data where only its user can read', async () => {
    const data = join(directory.path, 'data');
    const server = await start(`--data-dir=${data}`);
    const files = await readdir(data, { recursive: true });
    expect(files).to.include.members(['orch.db', 'admin.orchconfig', 'pki']);
    for (const file of ['', ...files]) {
      // Certificates are for everybody, as far as the folder lets them.
      const open = file.endsWith('.crt') ? 0o044 : 0;
      expect((await stat(join(data, file))).mode & 0o077, `${file} is open to others`).to.equal(open);
    }
    expect(await server.stop()).to.equal(0);
  });

  it('leaves nothing behind when it is ephemeral', async () => {
    const server = await start('--ephemeral');
    const folder = dirname(server.configPath);
    expect(existsSync(folder)).to.equal(true);
    expect(await server.stop()).to.equal(0);
    expect(existsSync(folder)).to.equal(false);
  });

  it('says in one line why it does not start on data that another server holds', async () => {
    const { url, pid } = await start(`--data-dir=${directory.path}`);
    const text = await refusal(`--data-dir=${directory.path}`);
    expect(text).to.match(/orch serve: database ".*orch\.db" is in use by another process: [^\n]+\n/);
    expect(text).to.include(`: orch serve at ${url}, process ${pid}; stop it, or give another --data-dir\n`);
    expect(text, 'no stack').to.not.match(/\n {4}at /);
  });

  it('says in one line why it does not start on data of the other dialect', async () => {
    const first = await start(`--data-dir=${directory.path}`);
    await first.stop();
    const text = await refusal(`--data-dir=${directory.path}`, '--dialect=kubernetes');
    expect(text).to.match(/was made with dialect "orch": it cannot be opened with "kubernetes"/);
  });

  it('says which port is in use', async () => {
    const { url } = await start('--ephemeral');
    const { port } = new URL(url);
    expect(await refusal('--ephemeral', `--secure-port=${port}`)).to.include(`port ${port} is in use`);
  });

  it('logs no secrets', async () => {
    const server = await start(`--data-dir=${directory.path}`, '-v=10');
    const client = new ApiClient(server.access);
    const secret = {
      kind: 'Secret',
      apiVersion: 'v1',
      metadata: { name: 's' },
      stringData: { a: 'very-secret-text' },
    };
    await client.create(inNamespace('default', 'secrets'), secret);
    await client.send('GET', maps, { headers: { authorization: 'Bearer very-secret-token' } });
    client.close();
    await server.stop();
    expect(server.log()).to.include('/api/v1/namespaces/default/secrets');
    for (const text of ['very-secret', Buffer.from('very-secret-text').toString('base64')]) {
      expect(server.log()).to.not.include(text);
    }
  });
});
