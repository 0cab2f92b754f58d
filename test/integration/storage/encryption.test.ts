import { type ChildProcess, spawn } from 'node:child_process';
import { createDecipheriv } from 'node:crypto';
import { once } from 'node:events';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { readEncryptionConfig } from '../../../src/app/read-encryption-config.ts';
import { systemClock } from '../../../src/base/index.ts';
import { createDialect } from '../../../src/machinery/dialect.ts';
import type { JsonObject } from '../../support/api-client.ts';
import { etcdctl, startEtcd } from '../../support/etcd-process.ts';
import { createRecordingLogger } from '../../support/recording-logger.ts';
import { makeTemporaryDirectory, type TemporaryDirectory } from '../../support/temporary-directory.ts';
import { startTestServer, type TestServer } from '../../support/test-server.ts';

const secrets = '/api/v1/namespaces/default/secrets';
const configMaps = '/api/v1/namespaces/default/configmaps';
const base64 = (fill: number): string => Buffer.alloc(32, fill).toString('base64');
const aes = (...names: readonly string[]): object => ({
  aescbc: { keys: names.map((name) => ({ name, secret: base64(name.charCodeAt(1)) })) },
});
const identity = { identity: {} };
const secretOf = (name: string): JsonObject => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name },
  stringData: { a: 'plain-text-of-the-value' },
});

describe('encryption of stored values', () => {
  let directory: TemporaryDirectory;
  beforeEach(async () => {
    directory = await makeTemporaryDirectory();
  });
  afterEach(() => directory.remove());

  async function start(providers: readonly object[] | undefined, logger = createRecordingLogger()) {
    const path = join(directory.path, 'encryption.yaml');
    const resources = [{ resources: ['secrets'], providers }];
    await writeFile(
      path,
      JSON.stringify({
        apiVersion: 'apiserver.config.orch.io/v1',
        kind: 'EncryptionConfiguration',
        resources,
      }),
    );
    const server = await startTestServer({
      logger,
      flags: [
        `--data-dir=${join(directory.path, 'data')}`,
        ...(providers === undefined ? [] : [`--encryption-provider-config=${path}`]),
      ],
    });
    const stop = { [Symbol.asyncDispose]: () => server.stop() };
    return { ...server, ...stop } as TestServer & AsyncDisposable;
  }

  const storedBytes = async (): Promise<Buffer> => {
    const folder = join(directory.path, 'data');
    const names = (await readdir(folder, { recursive: true, withFileTypes: true })).filter((entry) =>
      entry.isFile(),
    );
    return Buffer.concat(
      await Promise.all(names.map(({ parentPath, name }) => readFile(join(parentPath, name)))),
    );
  };
  const hasText = async (): Promise<boolean> => {
    const bytes = await storedBytes();
    return (
      bytes.includes(Buffer.from('plain-text-of-the-value').toString('base64')) ||
      bytes.includes('plain-text')
    );
  };
  const readValue = async ({ admin }: TestServer, name: string): Promise<string> => {
    const { body } = await admin.send('GET', `${secrets}/${name}`);
    return Buffer.from(body.data?.a ?? '', 'base64').toString();
  };

  it('keeps values of the named resources unreadable on disk, and serves them as before', async () => {
    await using server = await start([aes('k1'), identity]);
    expect((await server.admin.send('POST', secrets, { body: secretOf('s') })).code).to.equal(201);
    await server.admin.send('POST', configMaps, {
      body: { metadata: { name: 'c' }, data: { a: 'clear-text' } },
    });
    expect(await readValue(server, 's')).to.equal('plain-text-of-the-value');
    const { body } = await server.admin.send('GET', secrets);
    expect(body.items).to.have.length(1);
    const patch = { metadata: { labels: { a: 'b' } } };
    const contentType = 'application/merge-patch+json';
    expect((await server.admin.send('PATCH', `${secrets}/s`, { body: patch, contentType })).code).to.equal(
      200,
    );
    expect((await server.admin.send('DELETE', `${secrets}/s`)).code).to.equal(200);
    expect(await hasText()).to.equal(false);
    expect((await storedBytes()).includes('clear-text')).to.equal(true);
  });

  it('rotates keys as objects are written again, and encrypts what was plain', async () => {
    {
      await using first = await start(undefined);
      await first.admin.send('POST', secrets, { body: secretOf('plain') });
    }
    {
      await using second = await start([aes('k1'), identity]);
      await second.admin.send('POST', secrets, { body: secretOf('old') });
      await rewrite(second);
    }
    {
      await using third = await start([aes('k2', 'k1')]);
      expect(await readValue(third, 'plain')).to.equal('plain-text-of-the-value');
      expect(await readValue(third, 'old')).to.equal('plain-text-of-the-value');
      await rewrite(third);
    }
    await using last = await start([
      { aescbc: { keys: [{ name: 'k2', secret: base64('2'.charCodeAt(0)) }] } },
    ]);
    expect(await readValue(last, 'plain')).to.equal('plain-text-of-the-value');
    expect(await readValue(last, 'old')).to.equal('plain-text-of-the-value');
  });

  async function rewrite({ admin }: TestServer): Promise<void> {
    const { body } = await admin.send('GET', secrets);
    for (const item of body.items as JsonObject[]) {
      const path = `${secrets}/${item.metadata.name}`;
      const object = { ...item, apiVersion: 'v1', kind: 'Secret' };
      expect((await admin.send('PUT', path, { body: object })).code).to.equal(200);
    }
  }

  it('says which key is missing, and serves what it can', async () => {
    {
      await using server = await start([aes('k1')]);
      await server.admin.send('POST', secrets, { body: secretOf('s') });
      await server.admin.send('POST', configMaps, { body: { metadata: { name: 'c' } } });
    }
    const logger = createRecordingLogger();
    {
      await using server = await start([aes('other')], logger);
      for (const path of [`${secrets}/s`, secrets]) {
        const { code, body } = await server.admin.send('GET', path);
        expect([code, body.reason]).to.deep.equal([500, 'InternalError']);
        expect(body.message).to.contain(
          'no matching key was found for the provided AES transformer: aescbc key "k1"',
        );
      }
      expect((await server.admin.send('GET', `${configMaps}/c`)).code).to.equal(200);
      expect((await server.admin.send('POST', secrets, { body: secretOf('t') })).code).to.equal(201);
      expect(await readValue(server, 't')).to.equal('plain-text-of-the-value');
    }
    const log = logger.lines.map(({ message, fields }) => `${message} ${JSON.stringify(fields)}`).join();
    expect(log.replaceAll('\\"', '"'))
      .to.contain('aescbc key "k1"')
      .and.not.to.contain(base64('1'.charCodeAt(0)));
    await using plain = await start(undefined);
    const { body } = await plain.admin.send('GET', `${secrets}/s`);
    expect(body.message).to.contain('identity transformer tried to read encrypted data');
  });

  describe('by a key management service', () => {
    let service: ChildProcess;
    let socket: string;
    const startService = async (): Promise<void> => {
      const program = fileURLToPath(new URL('../../support/kms-process.ts', import.meta.url));
      service = spawn(process.execPath, [program, socket], { stdio: ['ignore', 'pipe', 'inherit'] });
      if (service.stdout !== null) await once(service.stdout, 'data');
    };
    const stopService = async (): Promise<void> => {
      if (service.exitCode !== null || service.signalCode !== null) return;
      service.kill();
      await once(service, 'exit');
    };
    beforeEach(async () => {
      socket = join(directory.path, 'kms.sock');
      await startService();
    });
    afterEach(() => stopService());
    const kms = () => ({
      kms: { name: 'service', endpoint: `unix://${socket}`, cachesize: 10, timeout: '2s' },
    });

    it('seals, opens after a restart, and is a health check', async () => {
      {
        await using server = await start([kms(), identity]);
        for (const name of ['a', 'b', 'c']) {
          expect((await server.admin.send('POST', secrets, { body: secretOf(name) })).code).to.equal(201);
        }
        expect(await hasText()).to.equal(false);
      }
      await using server = await start([kms(), identity]);
      for (const name of ['a', 'b', 'c']) {
        expect(await readValue(server, name)).to.equal('plain-text-of-the-value');
      }
      const health = await server.admin.send('GET', '/healthz?verbose');
      expect(health.text).to.contain('[+]kms-provider-0 ok');
    });

    it('stores nothing while the service is gone, and tells so', async () => {
      await using server = await start([kms(), identity]);
      await server.admin.send('POST', secrets, { body: secretOf('a') });
      await stopService();
      expect((await server.admin.send('POST', secrets, { body: secretOf('b') })).code).to.equal(500);
      expect(await readValue(server, 'a')).to.equal('plain-text-of-the-value');
      const health = await server.admin.send('GET', '/healthz');
      expect([health.code, health.text.includes('kms-provider-0 failed')]).to.deep.equal([500, true]);
      expect(await hasText()).to.equal(false);
    });
  });
});

describe('encrypted values in etcd', () => {
  it('are as release 1.20 writes them', async () => {
    await using etcd = await startEtcd();
    const endpoint = etcd.endpoints[0] ?? '';
    const directory = await makeTemporaryDirectory();
    await using _ = { [Symbol.asyncDispose]: () => directory.remove() };
    const path = join(directory.path, 'encryption.yaml');
    const resources = [{ resources: ['secrets'], providers: [aes('k1')] }];
    await writeFile(
      path,
      JSON.stringify({
        apiVersion: 'apiserver.config.orch.io/v1',
        kind: 'EncryptionConfiguration',
        resources,
      }),
    );
    const server = await startTestServer({
      flags: [
        `--data-dir=${join(directory.path, 'data')}`,
        `--etcd-servers=${endpoint}`,
        `--encryption-provider-config=${path}`,
      ],
    });
    await using __ = { [Symbol.asyncDispose]: () => server.stop() };
    await server.admin.send('POST', secrets, { body: secretOf('s') });
    const stored = JSON.parse(await etcdctl(endpoint, ['get', '/registry/secrets/default/s', '-w', 'json']));
    const value = Buffer.from(stored.kvs[0].value, 'base64');
    const prefix = 'k8s:enc:aescbc:v1:k1:';
    expect(value.toString('latin1', 0, prefix.length)).to.equal(prefix);
    const key = Buffer.from(base64('1'.charCodeAt(0)), 'base64');
    const sealed = value.subarray(prefix.length);
    const decipher = createDecipheriv('aes-256-cbc', key, sealed.subarray(0, 16));
    const plain = Buffer.concat([decipher.update(sealed.subarray(16)), decipher.final()]).toString();
    expect(plain).to.match(/^\{"kind":"Secret","apiVersion":"v1","metadata":\{"name":"s"/);
    expect(plain).not.to.contain('resourceVersion');
  });
});

describe('readEncryptionConfig', () => {
  const options = { dialect: createDialect('orch'), clock: systemClock };
  const configOf = (provider: unknown): object => ({
    apiVersion: 'apiserver.config.orch.io/v1',
    kind: 'EncryptionConfiguration',
    resources: [{ resources: ['secrets'], providers: [provider] }],
  });
  const refused: readonly (readonly [provider: unknown, problem: RegExp])[] = [
    [{}, /^resources\[0\]\.providers\[0\]: provider does not contain any/],
    [{ identity: {}, aescbc: {} }, /more than one provider/],
    [{ rot13: {} }, /unknown field "rot13"/],
    [{ aescbc: { keys: [] } }, /aescbc\.keys: must be a list of 1 to/],
    [
      { aescbc: { keys: [{ name: 'a', secret: 'c2hvcnQ=' }] } },
      /keys\[0\]\.secret: must be 16, 24, 32 bytes .* has 5$/,
    ],
    [
      { secretbox: { keys: [{ name: 'a', secret: Buffer.alloc(16).toString('base64') }] } },
      /must be 32 bytes/,
    ],
    [{ aesgcm: { keys: [{ name: 'a:b', secret: base64(1) }] } }, /no colon/],
    [{ kms: { name: 'a', endpoint: 'http://x' } }, /must be unix:/],
    [{ kms: { name: 'a', endpoint: 'unix:///x', cachesize: 0 } }, /positive number/],
    [{ kms: { name: 'a', endpoint: 'unix:///x', timeout: 'soon' } }, /positive duration/],
  ];
  for (const [provider, problem] of refused) {
    it(`refuses ${JSON.stringify(provider).slice(0, 60)}`, () => {
      expect(() => readEncryptionConfig(configOf(provider), options)).to.throw(problem);
    });
  }
});
