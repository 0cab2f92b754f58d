import { X509Certificate } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import type { NodeAddress } from '../../../src/apis/types/core-v1.ts';
import type { ProgramIo } from '../../../src/app/program-io.ts';
import { runTokenCreate } from '../../../src/app/run-token-create.ts';
import { runUserAdd } from '../../../src/app/run-user-add.ts';
import { type Clock, silentLogger, systemClock } from '../../../src/base/index.ts';
import { loadClientConfig, resolveContext, saveClientConfig } from '../../../src/client/config/index.ts';
import { createRestClient, type RestClient } from '../../../src/client/rest/index.ts';
import { orchDialect as dialect } from '../../../src/machinery/dialect.ts';
import {
  bootstrapClient,
  openClientKeeper,
  openServingKeeper,
} from '../../../src/nodeagent/certificates/index.ts';
import type { ApiClient, JsonObject } from '../../support/api-client.ts';
import { eventually } from '../../support/eventually.ts';
import { makeTemporaryDirectory, type TemporaryDirectory } from '../../support/temporary-directory.ts';
import { startTestServer, type TestServer } from '../../support/test-server.ts';

const nodeName = 'joiner';
const requests = '/apis/certificates.orch.io/v1/certificatesigningrequests';
/** Looks are made a hundred times as often; moments are those of the machine. */
const fastClock: Clock = {
  nowMs: () => Date.now(),
  setTimer: (delayMs, callback) => systemClock.setTimer(delayMs / 100, callback),
};

async function open(file: string): Promise<RestClient> {
  const config = await loadClientConfig({ files: [file], isExplicit: true, isFromEnvironment: false });
  return createRestClient({ connection: resolveContext(config).connection });
}

/** What a client is called by the server: its refusal of what no user here may do says so. */
async function userOf(client: RestClient): Promise<string | undefined> {
  try {
    await client.send({ method: 'GET', path: '/apis/rbac.authorization.orch.io/v1/clusterroles' });
    return undefined;
  } catch (error) {
    return /User "([^"]*)"/.exec((error as Error).message)?.[1];
  }
}

describe('access that is given by commands', () => {
  let directory: TemporaryDirectory;
  let server: TestServer;
  let admin: ApiClient;
  let output: string[];
  let complaints: string[];
  let io: ProgramIo;

  before(async () => {
    directory = await makeTemporaryDirectory();
    server = await startTestServer({
      flags: [
        '--controllers=csrapproving,csrsigning',
        '--enable-bootstrap-token-auth',
        '--cluster-signing-duration=12s',
        `--data-dir=${directory.path}`,
        '--storage=memory:',
      ],
    });
    admin = server.admin;
    const apiGroup = 'rbac.authorization.orch.io';
    await admin.create(`/apis/${apiGroup}/v1/clusterrolebindings`, {
      metadata: { name: 'nodes' },
      roleRef: { apiGroup, kind: 'ClusterRole', name: 'system:node' },
      subjects: [{ apiGroup, kind: 'Group', name: 'system:nodes' }],
    });
    await saveClientConfig(join(directory.path, 'admin.orchconfig'), server.server.clientConfig);
  });
  after(async () => {
    await server.stop();
    await directory.remove();
  });
  beforeEach(() => {
    output = [];
    complaints = [];
    io = {
      env: { ORCH_DATA_DIR: directory.path },
      home: join(directory.path, 'home'),
      isRoot: false,
      out: (text) => void output.push(text),
      err: (text) => void complaints.push(text),
    };
  });

  it('orch user add: a user in groups, for as long as it says', async () => {
    const file = join(directory.path, 'bob.orchconfig');
    const given = ['bob', '--group=devs', '--group=ops', '--expires=30d', `--output=${file}`];
    expect(await runUserAdd([...given, `--data-dir=${directory.path}`], io)).to.equal(0);
    expect((await stat(file)).mode & 0o777).to.equal(0o600);
    const client = await open(file);
    expect(await userOf(client)).to.equal('bob');
    client.close();
    const { users } = await loadClientConfig({ files: [file], isExplicit: true, isFromEnvironment: false });
    const pem = Buffer.from(users.get('bob')?.clientCertificateData ?? '', 'base64');
    const certificate = new X509Certificate(pem);
    expect(certificate.subject).to.equal('O=devs\nO=ops\nCN=bob');
    const days = (certificate.validToDate.getTime() - Date.now()) / 86_400_000;
    expect(days).to.be.within(29.9, 30);
  });

  it('orch user add: refuses what is no name or lifetime, and folders without an authority', async () => {
    const failure = (argv: string[]): Promise<string> =>
      runUserAdd(argv, io).then(String, (error: Error) => error.message);
    expect(await failure([])).to.match(/give NAME/);
    expect(await failure(['a\nb'])).to.match(/names have 1 to 64 characters/);
    expect(await failure(['bob', '--expires=soon'])).to.match(/--expires.*is no lifetime/);
    expect(await failure(['bob', '--expires=0d'])).to.match(/is no lifetime/);
    expect(await failure(['bob', `--data-dir=${directory.path}/none`])).to.match(/there is no authority in/);
  });

  it('orch token create: speaks as the server does, which nobody has to say', async () => {
    await using folder = await makeTemporaryDirectory();
    const other = await startTestServer({
      flags: ['--dialect=kubernetes', '--enable-bootstrap-token-auth', '--controllers=none'],
    });
    try {
      const orchconfig = join(folder.path, 'admin.orchconfig');
      await saveClientConfig(orchconfig, other.server.clientConfig);
      const given = [`--orchconfig=${orchconfig}`, `--output=${join(folder.path, 'bootstrap')}`];
      expect(await runTokenCreate(given, io)).to.equal(0);
      expect(output.join('')).to.match(/\n {2}kubelet --bootstrap-kubeconfig=/);
      const { items } = await other.admin.expect('GET', '/api/v1/namespaces/kube-system/secrets');
      expect(items.map(({ type }: JsonObject) => type)).to.deep.equal(['bootstrap.kubernetes.io/token']);
      const refused = runTokenCreate([...given, '--dialect=orch'], io);
      expect(await refused.catch((error: Error) => error.message)).to.match(/could not find/);
    } finally {
      await other.stop();
    }
  });

  it('orch token create: a node joins with it, and renews what it has', async () => {
    const bootstrap = join(directory.path, 'bootstrap.orchconfig');
    expect(await runTokenCreate([`--output=${bootstrap}`, '--ttl=1h'], io)).to.equal(0);
    expect(complaints).to.deep.equal([]);
    expect(output.join('')).to.match(
      /^token [a-z0-9]{6}\.[a-z0-9]{16} counts until .*\n {2}nodeagent --boot/,
    );
    // Once more: bindings that are there are left alone.
    expect(await runTokenCreate([`--output=${bootstrap}`], io)).to.equal(0);
    const certDir = join(directory.path, 'node-pki');
    const orchconfig = join(directory.path, 'node.orchconfig');
    const basis = { certDir, nodeName, dialect, clock: systemClock, logger: silentLogger };
    await bootstrapClient({
      ...basis,
      orchconfigPath: orchconfig,
      bootstrapOrchconfigPath: bootstrap,
      userAgent: 'nodeagent/test',
      credentials: { dialect, env: {}, clock: systemClock, isInteractive: false },
      signal: new AbortController().signal,
    });
    const first = await readFile(join(certDir, 'nodeagent-client-current.pem'), 'utf8');
    const config = await loadClientConfig({
      files: [orchconfig],
      isExplicit: true,
      isFromEnvironment: false,
    });
    const { connection } = resolveContext(config);
    const client = createRestClient({ connection });
    expect(await userOf(client)).to.equal('system:node:joiner');

    const keeping = {
      ...basis,
      clock: fastClock,
      random: () => 0,
      client,
      counts: { failed() {}, replaced() {} },
    };
    await using keeper = await openClientKeeper({ ...keeping, config: { certDir }, connection });
    const renewed = await eventually(async () => {
      const current = keeper.current()?.certificatePem;
      return current !== undefined && !first.includes(current) ? current : undefined;
    });
    expect(new X509Certificate(renewed).subject).to.equal('O=system:nodes\nCN=system:node:joiner');

    const addresses: readonly NodeAddress[] = [{ type: 'InternalIP', address: '10.1.2.3' }];
    const files = { certDir, tlsCertFile: '', tlsPrivateKeyFile: '' };
    // With the certificate as it is now: the first one ends before the last renewal.
    const renewing = createRestClient({ connection: resolveContext(config).connection });
    await using serving = await openServingKeeper({
      ...keeping,
      client: renewing,
      config: files,
      addresses: () => addresses,
    });
    const serial = async (not?: string): Promise<string> => {
      await approveServing(admin);
      const pem = serving.current()?.certificatePem;
      const found = pem && new X509Certificate(pem);
      return found && found.serialNumber !== not ? found.serialNumber : '';
    };
    const one = await eventually(async () => (await serial()) || undefined);
    const other = await eventually(async () => (await serial(one)) || undefined);
    expect(other).not.to.equal(one);
    expect(new X509Certificate(serving.current()?.certificatePem ?? '').subjectAltName).to.equal(
      'IP Address:10.1.2.3',
    );
    client.close();
    renewing.close();
  });
});

/** As its administrator does: requests for serving certificates are decided by people. */
async function approveServing(admin: ApiClient): Promise<void> {
  const { items } = await admin.expect('GET', requests);
  for (const item of items as JsonObject[]) {
    if (item.spec.signerName !== 'orch.io/nodeagent-serving' || item.status.conditions) continue;
    const conditions = [{ type: 'Approved', status: 'True', reason: 'Test', message: '' }];
    const body = {
      ...item,
      apiVersion: 'certificates.orch.io/v1',
      kind: 'CertificateSigningRequest',
      status: { conditions },
    };
    await admin.expect('PUT', `${requests}/${item.metadata.name}/approval`, { body });
  }
}
