import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ApiException, CoreV1Api, KubeConfig } from '@kubernetes/client-node';
import { expect } from 'chai';
import { issueCertificate } from '../../../src/server/pki/index.ts';
import { CertificateSigner } from '../../support/certificate-signer.ts';
import { OidcProviderServer } from '../../support/oidc-provider.ts';
import { requireReleaseClient, runReleaseClient } from '../../support/release-client.ts';
import { makeTemporaryDirectory, type TemporaryDirectory } from '../../support/temporary-directory.ts';
import { startTestServer, type TestServer, tokens } from '../../support/test-server.ts';
import { run } from '../../unit/ctl/support/run.ts';

const nodes = 'nodes is forbidden: User';

/** A user of a client configuration, and who that is to the server. */
interface Case {
  readonly what: string;
  readonly user: () => Promise<object> | object;
  readonly name: () => string;
  /** Why clients cannot do it. */
  readonly lacks?: { readonly library?: string; readonly release?: string };
}

describe('clients with each kind of credential', () => {
  let directory: TemporaryDirectory;
  let provider: OidcProviderServer;
  let server: TestServer;
  let configPath: string;
  let pair: { readonly certificatePem: string; readonly privateKeyPem: string };
  const file = async (name: string, content: string | Buffer): Promise<string> => {
    const path = join(directory.path, name);
    await writeFile(path, content);
    return path;
  };

  before(async () => {
    directory = await makeTemporaryDirectory();
    configPath = join(directory.path, 'config');
    provider = await OidcProviderServer.start();
    // What all three clients can do: one of them sends no secret.
    provider.manner.methods = ['client_secret_basic', 'none'];
    const authority = await CertificateSigner.makeAuthority();
    pair = await issueCertificate({
      authority,
      subject: { commonName: 'carol' },
      usage: 'client',
      nowMs: Date.now(),
      lifetimeMs: 3_600_000,
    });
    server = await startTestServer({
      flags: [
        '--dialect=kubernetes',
        `--client-ca-file=${await file('clients.pem', authority.certificatePem)}`,
        `--oidc-issuer-url=${provider.issuer}`,
        '--oidc-client-id=orch',
        '--oidc-username-prefix=oidc:',
        `--oidc-ca-file=${await file('provider.pem', Buffer.from(provider.caData, 'base64'))}`,
      ],
    });
  });
  after(async () => {
    await server?.stop();
    await provider?.[Symbol.asyncDispose]();
    await directory.remove();
  });

  const base64 = (text: string): string => Buffer.from(text).toString('base64');
  const writeConfig = (user: object): Promise<void> =>
    writeFile(
      configPath,
      JSON.stringify({
        apiVersion: 'v1',
        kind: 'Config',
        clusters: [
          {
            name: 'c',
            cluster: {
              server: server.server.url,
              'certificate-authority-data': base64(server.server.authorityPem),
            },
          },
        ],
        users: [{ name: 'u', user }],
        contexts: [{ name: 'x', context: { cluster: 'c', user: 'u' } }],
        'current-context': 'x',
      }),
    );
  const program = async (version: string, status: object): Promise<object> => {
    const apiVersion = `client.authentication.k8s.io/${version}`;
    const answer = JSON.stringify({ kind: 'ExecCredential', apiVersion, status });
    return { exec: { apiVersion, command: '/bin/cat', args: [await file('answer.json', answer)] } };
  };
  const oidc = (config: Readonly<Record<string, string>>) => ({ 'auth-provider': { name: 'oidc', config } });
  const certificate = () => ({
    clientCertificateData: pair.certificatePem,
    clientKeyData: pair.privateKeyPem,
  });

  const cases: readonly Case[] = [
    { what: 'a token', user: () => ({ token: tokens.alice }), name: () => 'alice' },
    {
      what: 'a file of a token',
      user: async () => ({ tokenFile: await file('token', tokens.alice) }),
      name: () => 'alice',
      lacks: { library: 'reads no such field' },
    },
    {
      what: 'a certificate in the configuration',
      user: () => ({
        'client-certificate-data': base64(pair.certificatePem),
        'client-key-data': base64(pair.privateKeyPem),
      }),
      name: () => 'carol',
    },
    {
      what: 'files of a certificate and its key',
      user: async () => ({
        'client-certificate': await file('client.pem', pair.certificatePem),
        'client-key': await file('client.key', pair.privateKeyPem),
      }),
      name: () => 'carol',
    },
    ...['v1alpha1', 'v1beta1'].flatMap((version) => [
      {
        what: `a program that gives a token (${version})`,
        user: () => program(version, { token: tokens.alice }),
        name: () => 'alice',
      },
      {
        what: `a program that gives a certificate (${version})`,
        user: () => program(version, certificate()),
        name: () => 'carol',
      },
    ]),
    {
      what: 'a token of a provider',
      user: async () => oidc(provider.settings(await provider.sign())),
      name: () => 'oidc:bob',
    },
    {
      what: 'a token of a provider that has expired',
      user: async () => oidc(provider.settings(await provider.sign(-60))),
      name: () => 'oidc:bob',
      lacks: {
        library: 'version 2.0.1 gives its own OpenID library a text where that wants a URL',
        release: 'built with a newer Go than its time, it can crash when it writes the configuration',
      },
    },
  ];

  describe("the release's own client", () => {
    let path: string;
    before(async function () {
      path = await requireReleaseClient(this);
    });
    for (const { what, user, name } of cases.filter(({ lacks }) => lacks?.release === undefined))
      it(`is who it says, with ${what}`, async () => {
        await writeConfig(await user());
        const cache = `--cache-dir=${directory.path}/cache`;
        const { code, stderr } = await runReleaseClient(path, ['get', 'nodes', '-v0', cache], {
          KUBECONFIG: configPath,
        });
        expect(stderr).to.contain(`${nodes} "${name()}"`);
        expect(code).to.equal(1);
      });

    it('goes on with the tokens that ctl wrote', async () => {
      provider.manner.rotates = true;
      await writeConfig(oidc(provider.settings(await provider.sign(-60))));
      const before = await readFile(configPath, 'utf8');
      expect((await runCtl()).err).to.contain(`${nodes} "oidc:bob"`);
      const after = await readFile(configPath, 'utf8');
      expect(after).not.to.equal(before);
      const count = provider.refreshes.length;
      const { stderr } = await runReleaseClient(
        path,
        ['get', 'nodes', `--cache-dir=${directory.path}/cache`],
        {
          KUBECONFIG: configPath,
        },
      );
      expect(stderr).to.contain(`${nodes} "oidc:bob"`);
      expect(provider.refreshes.length).to.equal(count);
      provider.manner.rotates = false;
    });
  });

  const runCtl = () => run(['get', 'nodes', '--dialect=kubernetes', `--kubeconfig=${configPath}`]);

  describe('ctl', () => {
    for (const { what, user, name } of cases)
      it(`is who it says, with ${what}`, async () => {
        await writeConfig(await user());
        const { code, err } = await runCtl();
        expect(err).to.contain(`${nodes} "${name()}"`);
        expect(code).to.equal(1);
      });
  });

  describe('the client library of that ecosystem', () => {
    const whoIs = async (config: KubeConfig): Promise<string> => {
      try {
        await config.makeApiClient(CoreV1Api).listNode();
        return 'somebody who may list nodes';
      } catch (error) {
        if (error instanceof ApiException) return String(error.body);
        throw error;
      }
    };
    for (const { what, user, name } of cases.filter(({ lacks }) => lacks?.library === undefined))
      it(`is who it says, with ${what}`, async () => {
        await writeConfig(await user());
        const config = new KubeConfig();
        config.loadFromFile(configPath);
        expect(JSON.parse(await whoIs(config)).message).to.contain(`${nodes} "${name()}"`);
      });

    it('is the service account of its pod', async () => {
      const account = '/api/v1/namespaces/default/serviceaccounts';
      await server.admin.create(account, {
        kind: 'ServiceAccount',
        apiVersion: 'v1',
        metadata: { name: 'robot' },
      });
      const { status } = await server.admin.create(`${account}/robot/token`, {
        kind: 'TokenRequest',
        apiVersion: 'authentication.k8s.io/v1',
        spec: {},
      });
      const mount = join(directory.path, 'pod/var/run/secrets/kubernetes.io/serviceaccount');
      await mkdir(mount, { recursive: true });
      await writeFile(join(mount, 'token'), status.token);
      await writeFile(join(mount, 'ca.crt'), server.server.authorityPem);
      await writeFile(join(mount, 'namespace'), 'default');
      const { KUBERNETES_SERVICE_HOST: host, KUBERNETES_SERVICE_PORT: port } = process.env;
      const url = new URL(server.server.url);
      Object.assign(process.env, {
        KUBERNETES_SERVICE_HOST: url.hostname,
        KUBERNETES_SERVICE_PORT: url.port,
      });
      try {
        const config = new KubeConfig();
        config.loadFromCluster(join(directory.path, 'pod'));
        expect(JSON.parse(await whoIs(config)).message).to.contain(
          `${nodes} "system:serviceaccount:default:robot"`,
        );
      } finally {
        for (const [name, value] of Object.entries({
          KUBERNETES_SERVICE_HOST: host,
          KUBERNETES_SERVICE_PORT: port,
        }))
          if (value === undefined) delete process.env[name];
          else process.env[name] = value;
      }
    });
  });
});
