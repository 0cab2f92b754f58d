import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { ApiClient, type JsonObject } from '../support/api-client.ts';
import { eventually } from '../support/eventually.ts';
import { freePort } from '../support/free-ports.ts';
import { type ServeProcess, startServe } from '../support/serve-process.ts';
import { makeTemporaryDirectory, type TemporaryDirectory } from '../support/temporary-directory.ts';

const run = promisify(execFile);
const program = (name: string): string => fileURLToPath(new URL(`../../bin/${name}`, import.meta.url));
const requests = '/apis/certificates.orch.io/v1/certificatesigningrequests';

describe('a fresh node', () => {
  let directory: TemporaryDirectory;
  let server: ServeProcess;

  before(async () => {
    directory = await makeTemporaryDirectory();
    const data = join(directory.path, 'data');
    server = await startServe([`--data-dir=${data}`, '--enable-bootstrap-token-auth']);
  });
  after(async () => {
    await server.stop();
    await directory.remove();
  });

  it('joins with what orch token create has written, without a hand', async () => {
    const bootstrap = join(directory.path, 'bootstrap.orchconfig');
    const given = ['token', 'create', `--orchconfig=${server.configPath}`, `--output=${bootstrap}`];
    const { stdout, stderr } = await run(program('orch'), given);
    expect(stdout).to.contain(`nodeagent --bootstrap-orchconfig=${bootstrap}`);
    expect(stderr).to.equal('');
    const port = await freePort();
    const certDir = join(directory.path, 'pki');
    // Nothing answers as a container runtime: certificates do not wait for one.
    const agent = spawn(
      program('nodeagent'),
      [
        `--bootstrap-orchconfig=${bootstrap}`,
        `--orchconfig=${join(directory.path, 'orchconfig')}`,
        `--cert-dir=${certDir}`,
        `--root-dir=${join(directory.path, 'root')}`,
        '--hostname-override=fresh',
        '--address=127.0.0.1',
        `--port=${port}`,
        '--healthz-port=0',
        '--read-only-port=0',
        '--rotate-certificates',
        '--container-runtime=remote',
        `--container-runtime-endpoint=unix://${join(directory.path, 'none.sock')}`,
      ],
      { stdio: 'ignore' },
    );
    const ended = once(agent, 'exit');
    try {
      const current = join(certDir, 'nodeagent-client-current.pem');
      await eventually(async () => (existsSync(current) ? true : undefined));
      const admin = new ApiClient(server.access);
      const { items } = await admin.expect('GET', requests);
      admin.close();
      const kinds = items.map(({ spec, status }: JsonObject) => [
        spec.username.replace(/:[a-z0-9]{6}$/, ':ID'),
        ...status.conditions.map(({ type, reason }: JsonObject) => `${type} ${reason}`),
      ]);
      expect(kinds).to.deep.equal([['system:bootstrap:ID', 'Approved AutoApproved']]);
    } finally {
      agent.kill('SIGTERM');
      await ended;
    }
  });
});
