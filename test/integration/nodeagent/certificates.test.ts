import { X509Certificate } from 'node:crypto';
import { existsSync } from 'node:fs';
import { lstat, readdir, readFile, readlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import type { CertificateSigningRequest } from '../../../src/apis/types/certificates-v1.ts';
import type { NodeAddress } from '../../../src/apis/types/core-v1.ts';
import { type AgentClients, openAgentClients } from '../../../src/app/node-agent/agent-clients.ts';
import { renewalCounts, showLifetime } from '../../../src/app/node-agent/certificate-metrics.ts';
import { type Clock, silentLogger, systemClock } from '../../../src/base/index.ts';
import { ClientConfigError, saveClientConfig } from '../../../src/client/config/index.ts';
import { orchDialect as dialect } from '../../../src/machinery/dialect.ts';
import { type AgentMetrics, createAgentMetrics } from '../../../src/nodeagent/api/index.ts';
import {
  bootstrapClient,
  CertificateRequestError,
  openClientKeeper,
  openServingKeeper,
} from '../../../src/nodeagent/certificates/index.ts';
import type { KeyPair } from '../../../src/server/pki/index.ts';
import { loadX509 } from '../../../src/server/pki/x509-library.ts';
import { CertificateSigner, subjectAltName } from '../../support/certificate-signer.ts';
import { eventually } from '../../support/eventually.ts';
import { failureOf } from '../../support/failure.ts';
import { makeTemporaryDirectory, type TemporaryDirectory } from '../../support/temporary-directory.ts';
import { startTestServer, type TestServer, tokens } from '../../support/test-server.ts';

const nodeName = 'gn-boot';
const stamp = String.raw`\d{4}-\d\d-\d\d-\d\d-\d\d-\d\d`;
/** Waits pass a hundred times as fast; moments are those of the machine. */
const fastClock: Clock = {
  nowMs: () => Date.now(),
  setTimer: (delayMs, callback) => systemClock.setTimer(delayMs / 100, callback),
};

/** Subject and alternative names of a request. */
async function readRequest({ spec }: CertificateSigningRequest) {
  const x509 = await loadX509();
  const request = new x509.Pkcs10CertificateRequest(Buffer.from(spec.request ?? '', 'base64').toString());
  const extension = request.getExtension(subjectAltName);
  const names =
    extension == null ? [] : new x509.SubjectAlternativeNameExtension(extension.rawData).names.items;
  return {
    subject: request.subject,
    algorithm: request.publicKey.algorithm,
    names: names.map(({ type, value }) => `${type}:${value}`),
  };
}

describe('certificates of a node', () => {
  let authority: KeyPair;
  let directory: TemporaryDirectory;
  let server: TestServer;
  let signer: CertificateSigner;
  let certDir: string;
  let orchconfigPath: string;
  let metrics: AgentMetrics;
  let bootstrapOrchconfigPath: string;

  beforeEach(async () => {
    directory = await makeTemporaryDirectory();
    authority = await CertificateSigner.makeAuthority();
    const authorityPath = join(directory.path, 'authority.pem');
    await writeFile(authorityPath, authority.certificatePem);
    server = await startTestServer({
      flags: [`--client-ca-file=${authorityPath}`, '--authorization-mode=AlwaysAllow'],
    });
    signer = CertificateSigner.with(authority, server.admin);
    certDir = join(directory.path, 'pki');
    metrics = createAgentMetrics({ nodeName, dialect, startedAtMs: 0 });
    orchconfigPath = join(directory.path, 'orchconfig');
    bootstrapOrchconfigPath = join(directory.path, 'bootstrap');
    await saveClientConfig(bootstrapOrchconfigPath, {
      clusters: new Map([['c', { server: server.server.url, insecureSkipTlsVerify: true }]]),
      users: new Map([['u', { token: tokens.admin }]]),
      contexts: new Map([['x', { cluster: 'c', user: 'u' }]]),
      currentContext: 'x',
    });
  });
  afterEach(async () => {
    await server.stop();
    await directory.remove();
  });
  /** What the metrics show; undefined for what they do not. */
  const shown = (name: string): number | undefined => {
    const value = new RegExp(`^${name} (.*)$`, 'm').exec(metrics.text())?.[1];
    return value === undefined ? undefined : Number(value.replace('Inf', 'Infinity'));
  };

  const bootstrap = (signal = new AbortController().signal): Promise<void> =>
    bootstrapClient({
      orchconfigPath,
      bootstrapOrchconfigPath,
      certDir,
      nodeName,
      userAgent: 'nodeagent/test',
      credentials: { dialect, env: { PATH: process.env.PATH }, clock: systemClock, isInteractive: false },
      dialect,
      clock: systemClock,
      logger: silentLogger,
      signal,
    });

  const open = (path: string): Promise<AgentClients> =>
    openAgentClients(
      {
        orchconfigPath: path,
        orchApiQps: 100,
        orchApiBurst: 100,
        orchApiContentType: 'application/json',
        chaosChance: 0,
      },
      { dialect, version: '1', environment: {}, clock: systemClock, logger: silentLogger },
    );

  /** Has a client certificate with this life. */
  async function bootstrapWith(life: { readonly notBeforeMs: number; readonly notAfterMs: number }) {
    const done = bootstrap();
    const request = await signer.waitForRequest();
    await signer.approve(request);
    await signer.sign(request, life);
    await done;
  }

  describe('bootstrapClient', () => {
    it('asks for a certificate, and writes it and the configuration once it is signed', async () => {
      const done = bootstrap();
      const request = await signer.waitForRequest();
      expect(request.metadata.name).to.match(/^node-csr-[\w-]{86}$/);
      expect(request.spec).to.deep.include({
        signerName: 'orch.io/orch-apiserver-client-nodeagent',
        usages: ['digital signature', 'key encipherment', 'client auth'],
        username: 'admin',
      });
      expect(await readRequest(request)).to.deep.equal({
        subject: `O=system:nodes, CN=system:node:${nodeName}`,
        algorithm: { name: 'ECDSA', namedCurve: 'P-256' },
        names: [],
      });
      await signer.approve(request);
      expect(existsSync(orchconfigPath)).to.equal(false);
      const pem = await signer.sign(request);
      await done;

      const current = join(certDir, 'nodeagent-client-current.pem');
      expect(await readFile(orchconfigPath, 'utf8')).to.equal(
        `apiVersion: v1
clusters:
- cluster:
    insecure-skip-tls-verify: true
    server: ${server.server.url}
  name: default-cluster
contexts:
- context:
    cluster: default-cluster
    namespace: default
    user: default-auth
  name: default-context
current-context: default-context
kind: Config
preferences: {}
users:
- name: default-auth
  user:
    client-certificate: ${current}
    client-key: ${current}
`,
      );
      const names = (await readdir(certDir)).sort();
      expect(names.join(' ')).to.match(
        new RegExp(`^nodeagent-client-${stamp}\\.pem nodeagent-client-current\\.pem$`),
      );
      const target = join(certDir, names[0] ?? '');
      expect(await readlink(current)).to.equal(target);
      for (const path of [target, orchconfigPath]) expect((await lstat(path)).mode & 0o777).to.equal(0o600);
      expect(await readFile(target, 'utf8'))
        .to.include(pem.trim())
        .and.match(/BEGIN EC PRIVATE KEY/);
    });

    it('asks for nothing when the configuration can be used', async () => {
      await bootstrapWith({ notBeforeMs: Date.now(), notAfterMs: Date.now() + 60_000 });
      await bootstrap();
      expect(await signer.list()).to.have.length(1);
    });

    it('asks again when the certificate has expired', async () => {
      await bootstrapWith({ notBeforeMs: Date.now() - 2000, notAfterMs: Date.now() - 1000 });
      const former = await readlink(join(certDir, 'nodeagent-client-current.pem'));
      await bootstrapWith({ notBeforeMs: Date.now(), notAfterMs: Date.now() + 60_000 });
      expect(former).to.include(certDir);
      const pem = await readFile(join(certDir, 'nodeagent-client-current.pem'));
      expect(new X509Certificate(pem).validToDate.getTime()).to.be.greaterThan(Date.now());
    });

    /** Writes the client configuration with one user. */
    const writeConfig = async (user: object): Promise<string> => {
      const text = JSON.stringify({
        clusters: [{ name: 'c', cluster: { server: server.server.url } }],
        users: [{ name: 'u', user }],
        contexts: [{ name: 'x', context: { cluster: 'c', user: 'u' } }],
        'current-context': 'x',
      });
      await writeFile(orchconfigPath, text);
      return text;
    };

    const exec = { command: 'x', apiVersion: 'client.authentication.orch.io/v1beta1' };
    for (const user of [{ token: 't' }, { username: 'u' }, { exec }, { 'auth-provider': { name: 'oidc' } }]) {
      it(`asks for nothing when there are other credentials: ${Object.keys(user)}`, async () => {
        await writeConfig(user);
        await bootstrap();
        expect(await signer.list()).to.have.length(0);
      });
    }

    for (const [what, user] of [
      ['no credentials', {}],
      ['a certificate that is missing', { 'client-certificate': 'gone.pem', 'client-key': 'gone.pem' }],
    ] as const) {
      it(`asks when the configuration has ${what}`, async () => {
        await writeConfig(user);
        await bootstrapWith({ notBeforeMs: Date.now(), notAfterMs: Date.now() + 60_000 });
        expect(await readFile(orchconfigPath, 'utf8')).to.contain('nodeagent-client-current.pem');
      });
    }

    it('fails for a configuration that makes no sense, and leaves it as it is', async () => {
      const broken = join(directory.path, 'broken.pem');
      await writeFile(broken, 'x');
      const cases: readonly [write: () => Promise<string>, message: RegExp][] = [
        [() => writeText('{'), /^error loading config file ".*orchconfig": /],
        [() => writeText('current-context: other\n'), /orchconfig: context was not found for .*: other$/],
        [
          () => writeText('users: [{name: u, user: {token: t}}]\n'),
          /orchconfig: there is no current-context$/,
        ],
        [
          () => writeConfig({ token: 7 }),
          /^error loading config file ".*orchconfig": token must be a string$/,
        ],
        [() => writeConfig({ exec: {} }), /^command must be specified for u /],
        [
          () => writeConfig({ 'client-certificate': broken, 'client-key': broken }),
          /orchconfig: unable to parse client-cert: /,
        ],
      ];
      for (const [write, message] of cases) {
        const text = await write();
        const error = await failureOf(bootstrap());
        expect(error).to.be.instanceOf(ClientConfigError);
        expect(error.message).to.match(message);
        expect(await readFile(orchconfigPath, 'utf8')).to.equal(text);
      }
      expect(await signer.list()).to.have.length(0);
    });

    const writeText = async (text: string): Promise<string> => {
      await writeFile(orchconfigPath, text);
      return text;
    };

    it('asks with the credentials that a program gives', async () => {
      const answer = { kind: 'ExecCredential', apiVersion: exec.apiVersion, status: { token: tokens.admin } };
      await saveClientConfig(bootstrapOrchconfigPath, {
        clusters: new Map([['c', { server: server.server.url, insecureSkipTlsVerify: true }]]),
        users: new Map([['u', { exec: { ...exec, command: 'echo', args: [JSON.stringify(answer)] } }]]),
        contexts: new Map([['x', { cluster: 'c', user: 'u' }]]),
        currentContext: 'x',
      });
      await bootstrapWith({ notBeforeMs: Date.now(), notAfterMs: Date.now() + 60_000 });
      expect((await signer.list())[0]?.spec.username).to.equal('admin');
    });

    it('goes on with its request after an interruption', async () => {
      const interruption = new AbortController();
      const first = bootstrap(interruption.signal).catch((error: unknown) => error);
      const request = await signer.waitForRequest();
      interruption.abort();
      expect(await first).to.be.instanceOf(CertificateRequestError);
      const second = bootstrap();
      await signer.approve(request);
      await signer.sign(request);
      await second;
      expect(await signer.list()).to.have.length(1);
    });

    it('fails when it is denied, and asks with another key after that', async () => {
      const done = bootstrap().catch((error: unknown) => error);
      const request = await signer.waitForRequest();
      await signer.deny(request);
      const failure = await done;
      expect(failure).to.be.instanceOf(CertificateRequestError).with.property('code', 'refused');
      expect(String(failure)).to.include('is denied, reason: Test, message: it may not');
      expect(await readdir(certDir)).to.deep.equal([]);
      await bootstrapWith({ notBeforeMs: Date.now(), notAfterMs: Date.now() + 60_000 });
      expect(await signer.list()).to.have.length(2);
    });
  });

  describe('openClientKeeper', () => {
    it('renews a certificate whose time is nearly over, as the node, in the clients that run', async () => {
      await bootstrapWith({ notBeforeMs: Date.now() - 600_000, notAfterMs: Date.now() + 60_000 });
      const clients = await open(orchconfigPath);
      await using keeper = await openClientKeeper({
        config: { certDir },
        connection: clients.connection,
        client: clients.main,
        nodeName,
        dialect,
        clock: fastClock,
        logger: silentLogger,
        random: () => 0.5,
        counts: renewalCounts('serving', metrics),
      });
      try {
        const former = keeper.current();
        let changes = 0;
        keeper.onChange(() => {
          changes++;
          const pair = keeper.current();
          if (pair !== undefined) clients.useCertificate(pair);
        });
        const request = await signer.waitForRequest();
        expect(request.metadata.name).to.match(/^csr-.{5}$/);
        expect(request.spec).to.deep.include({
          username: `system:node:${nodeName}`,
          groups: ['system:nodes', 'system:authenticated'],
        });
        await signer.approve(request);
        const pem = await signer.sign(request);
        await eventually(async () => (changes === 1 ? true : undefined));
        expect(keeper.current()?.certificatePem.trim()).to.equal(pem.trim());
        expect(keeper.current()?.privateKeyPem).to.not.equal(former?.privateKeyPem);
        expect(shown('nodeagent_certificate_manager_server_rotation_seconds_sum')).to.be.within(600, 700);
        const { connection } = clients;
        expect(connection.tls.cert?.toString()).to.include(former?.certificatePem.trim());
        await clients.main.json({ method: 'GET', path: '/version' });
        expect(await readFile(join(certDir, 'nodeagent-client-current.pem'), 'utf8')).to.include(pem.trim());
      } finally {
        clients.close();
      }
    });
  });

  describe('a signer that gives less than it is asked for', () => {
    it('is asked again after a while only', async () => {
      const clients = await open(bootstrapOrchconfigPath);
      let pauses = 0;
      const clock: Clock = {
        nowMs: () => Date.now(),
        setTimer(delayMs, callback) {
          if (delayMs === 60_000) pauses++;
          return systemClock.setTimer(delayMs, callback);
        },
      };
      await using _keeper = await openClientKeeper({
        config: { certDir },
        connection: clients.connection,
        client: clients.main,
        nodeName,
        dialect,
        clock,
        logger: silentLogger,
        random: () => 0,
        counts: renewalCounts('client', metrics),
      });
      try {
        const request = await signer.waitForRequest();
        await signer.approve(request);
        await signer.sign(request, { notBeforeMs: Date.now() - 600_000, notAfterMs: Date.now() + 1000 });
        await eventually(async () => (pauses === 1 ? true : undefined));
        expect(await signer.list()).to.have.length(1);
      } finally {
        clients.close();
      }
    });
  });

  describe('openServingKeeper', () => {
    it('has no certificate until one is signed, and another one when addresses come up', async () => {
      const addresses: NodeAddress[] = [];
      const clients = await open(bootstrapOrchconfigPath);
      await using keeper = await openServingKeeper({
        config: { certDir, tlsCertFile: '', tlsPrivateKeyFile: '' },
        addresses: () => addresses,
        client: clients.main,
        nodeName: 'gn-serve',
        dialect,
        clock: fastClock,
        logger: silentLogger,
        random: () => 0.5,
        counts: renewalCounts('serving', metrics),
      });
      showLifetime('serving', keeper, { metrics, clock: fastClock });
      try {
        expect(keeper.current()).to.equal(undefined);
        expect(shown('nodeagent_certificate_manager_server_ttl_seconds')).to.equal(Infinity);
        addresses.push(
          { type: 'InternalIP', address: '192.0.2.7' },
          { type: 'Hostname', address: 'gn-serve' },
        );
        const request = await signer.waitForRequest();
        expect(request.metadata).to.deep.include({ generateName: 'csr-' });
        expect(request.spec).to.deep.include({
          signerName: 'orch.io/nodeagent-serving',
          usages: ['digital signature', 'key encipherment', 'server auth'],
        });
        expect(await readRequest(request)).to.deep.equal({
          subject: 'O=system:nodes, CN=system:node:gn-serve',
          algorithm: { name: 'ECDSA', namedCurve: 'P-256' },
          names: ['dns:gn-serve', 'ip:192.0.2.7'],
        });
        await signer.approve(request);
        await signer.sign(request, { notBeforeMs: Date.now(), notAfterMs: Date.now() + 3_600_000 });
        await eventually(async () => keeper.current());
        expect(shown('nodeagent_certificate_manager_server_ttl_seconds')).to.be.within(3500, 3600);
        expect(shown('nodeagent_server_expiration_renew_errors')).to.equal(0);

        addresses.push({ type: 'InternalIP', address: 'fd00::7' });
        const second = await signer.waitForRequest();
        expect((await readRequest(second)).names).to.deep.equal([
          'dns:gn-serve',
          'ip:192.0.2.7',
          'ip:fd00::7',
        ]);
        expect((await readdir(certDir)).filter((name) => name.endsWith('-current.pem'))).to.deep.equal([
          'nodeagent-server-current.pem',
        ]);
        await signer.deny(second);
        await eventually(async () => shown('nodeagent_server_expiration_renew_errors') === 1 || undefined);
      } finally {
        clients.close();
      }
    });
  });
});
