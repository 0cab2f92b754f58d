import { chmod, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import type { ExecEntry } from '../../../../src/client/config/index.ts';
import { type CredentialContext, openCredentials } from '../../../../src/client/credentials/index.ts';
import { orchDialect } from '../../../../src/machinery/dialect.ts';
import { failureOf } from '../../../support/failure.ts';
import { SimulatedTime } from '../../../support/simulated-time.ts';
import { makeTemporaryDirectory, type TemporaryDirectory } from '../../../support/temporary-directory.ts';

const alpha = 'client.authentication.orch.io/v1alpha1';
const beta = 'client.authentication.orch.io/v1beta1';

describe('openCredentials for a program', () => {
  let directory: TemporaryDirectory;
  const time = new SimulatedTime();
  beforeEach(async () => {
    directory = await makeTemporaryDirectory();
  });
  afterEach(() => directory.remove());

  /** A program that numbers its tokens, and keeps what it was told the last time. */
  async function open(
    apiVersion: string,
    { status = '', body = '', ...more }: { status?: string; body?: string } & Partial<CredentialContext> = {},
  ) {
    const path = join(directory.path, 'plugin');
    const lines = [
      '#!/bin/sh',
      'cd "$(dirname "$0")"',
      'printf x >> count',
      `printf '%s' "$ORCH_EXEC_INFO" > told`,
      body,
      `printf '{"kind":"ExecCredential","apiVersion":"${apiVersion}","status":{"token":"t%s"${status}}}' "$(wc -c < count | tr -d ' ')"`,
    ];
    await writeFile(path, lines.join('\n'));
    await chmod(path, 0o755);
    const exec: ExecEntry = {
      command: path,
      args: [],
      env: {},
      apiVersion,
      installHint: undefined,
      provideClusterInfo: false,
    };
    const context = {
      dialect: orchDialect,
      env: { PATH: process.env.PATH },
      clock: time.clockOf('test'),
      isInteractive: false,
      ...more,
    };
    const connection = { server: 'https://127.0.0.1:1', tls: {}, auth: {} };
    const resolved = { connection, namespace: 'default', isNamespaceEnforced: false, exec };
    const source = openCredentials(resolved, context);
    if (source === undefined) throw new Error('no source');
    return source;
  }
  const told = async () => JSON.parse(await readFile(join(directory.path, 'told'), 'utf8')).spec;

  it('runs it once for requests that come together, and keeps what has no end', async () => {
    const source = await open(beta);
    const found = await Promise.all([source.current(), source.current()]);
    await time.pass(86_400_000);
    expect([...found, await source.current()].map(({ token }) => token)).to.deep.equal(['t1', 't1', 't1']);
  });

  it('runs it again when its credentials have expired', async () => {
    const until = new Date(time.nowMs + 60_000).toISOString();
    const source = await open(beta, { status: `,"expirationTimestamp":"${until}"` });
    expect((await source.current()).token).to.equal('t1');
    await time.pass(59_999);
    expect((await source.current()).token).to.equal('t1');
    await time.pass(1);
    expect((await source.current()).token).to.equal('t2');
  });

  for (const [apiVersion, spec] of [
    [alpha, { response: { header: { 'www-authenticate': ['x'] }, code: 401 } }],
    [beta, {}],
  ] as const) {
    it(`runs it again when a server refuses them, as ${apiVersion} tells it`, async () => {
      const source = await open(apiVersion);
      const first = await source.current();
      const refusal = { code: 401, headers: { 'www-authenticate': ['x'] } };
      source.refuse(first, refusal);
      expect((await source.current()).token).to.equal('t2');
      expect(await told()).to.deep.equal(spec);
      source.refuse(first, refusal); // of a request that was under way
      expect((await source.current()).token).to.equal('t2');
    });
  }

  it('says so when it does not end in time, even when it left another one behind', async () => {
    const source = await open(beta, { body: 'sleep 5 & wait', timeoutMs: 200 });
    expect((await failureOf(source.current())).message).to.match(/failed with exit code -1$/);
  });

  it('says so when the end of its credentials is no time', async () => {
    const source = await open(beta, { status: ',"expirationTimestamp":"soon"' });
    expect((await failureOf(source.current())).message).to.match(/"soon" is no expirationTimestamp$/);
  });
});
