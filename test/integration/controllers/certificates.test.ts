import { generateKeyPairSync, X509Certificate } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { makeSigningRequest } from '../../../src/nodeagent/certificates/signing-request.ts';
import { makeAuthority } from '../../../src/server/pki/index.ts';
import { loadX509 } from '../../../src/server/pki/x509-library.ts';
import { ApiClient, type JsonObject } from '../../support/api-client.ts';
import { eventually } from '../../support/eventually.ts';
import { makeTemporaryDirectory } from '../../support/temporary-directory.ts';
import { startTestServer, type TestServer, tokens } from '../../support/test-server.ts';

const path = '/apis/certificates.orch.io/v1/certificatesigningrequests';
const node = { commonName: 'system:node:n1', organizations: ['system:nodes'], dnsNames: [], ipAddresses: [] };
const usages = ['digital signature', 'key encipherment', 'client auth'];

function signingRequest(name: string, subject: Partial<typeof node> = {}, spec: JsonObject = {}): JsonObject {
  const pem = makeSigningRequest({ ...node, ...subject }, generateKeyPairSync('ec', { namedCurve: 'P-256' }));
  return {
    apiVersion: 'certificates.orch.io/v1',
    kind: 'CertificateSigningRequest',
    metadata: { name },
    spec: {
      request: Buffer.from(pem).toString('base64'),
      signerName: 'orch.io/orch-apiserver-client-nodeagent',
      usages,
      ...spec,
    },
  };
}

/** Lets a user create signing requests, and more of its kind. */
async function allow(admin: ApiClient, user: string, resources: readonly string[]): Promise<void> {
  const group = 'rbac.authorization.orch.io';
  const rules = [{ verbs: ['create'], apiGroups: ['certificates.orch.io'], resources }];
  await admin.create(`/apis/${group}/v1/clusterroles`, { metadata: { name: user }, rules });
  await admin.create(`/apis/${group}/v1/clusterrolebindings`, {
    metadata: { name: user },
    subjects: [{ kind: 'User', apiGroup: group, name: user }],
    roleRef: { apiGroup: group, kind: 'ClusterRole', name: user },
  });
}

async function approve(admin: ApiClient, name: string): Promise<void> {
  const object = await admin.expect('GET', `${path}/${name}`);
  const conditions = [{ type: 'Approved', status: 'True', reason: 'Test', message: '' }];
  await admin.expect('PUT', `${path}/${name}/approval`, { body: { ...object, status: { conditions } } });
}

const untilSigned = (admin: ApiClient, name: string): Promise<string> =>
  eventually(async () => {
    const { status } = await admin.expect('GET', `${path}/${name}`);
    return status.certificate && Buffer.from(status.certificate, 'base64').toString();
  });

describe('signing requests without a hand', () => {
  let server: TestServer;
  let admin: ApiClient;
  let alice: ApiClient;

  before(async () => {
    server = await startTestServer({ flags: ['--controllers=csrapproving,csrsigning'] });
    admin = server.admin;
    alice = server.withToken(tokens.alice);
    await allow(admin, 'alice', ['certificatesigningrequests']);
  });
  after(() => server.stop());

  it('get a certificate for a node whose user may have one', async () => {
    await allow(admin, 'joiner', ['certificatesigningrequests/nodeclient']);
    await admin.expect('PATCH', '/apis/rbac.authorization.orch.io/v1/clusterrolebindings/joiner', {
      contentType: 'application/merge-patch+json',
      body: { subjects: [{ kind: 'User', apiGroup: 'rbac.authorization.orch.io', name: 'alice' }] },
    });
    await alice.create(path, signingRequest('joining'));
    const pem = await untilSigned(admin, 'joining');
    const certificate = new X509Certificate(pem);
    expect(certificate.subject).to.equal('O=system:nodes\nCN=system:node:n1');
    expect(certificate.ca).to.equal(false);
    const authority = new X509Certificate(server.server.authorityPem);
    expect(certificate.verify(authority.publicKey)).to.equal(true);
    expect(certificate.keyUsage).to.deep.equal(['1.3.6.1.5.5.7.3.2']);
    const lifetimeMs = certificate.validToDate.getTime() - certificate.validFromDate.getTime();
    expect(lifetimeMs).to.equal(8760 * 3_600_000);
    const { status } = await admin.expect('GET', `${path}/joining`);
    expect(status.conditions[0]).to.include({
      type: 'Approved',
      status: 'True',
      reason: 'AutoApproved',
      message: 'Auto approving nodeagent client certificate after SubjectAccessReview.',
    });
    await admin.expect('DELETE', '/apis/rbac.authorization.orch.io/v1/clusterrolebindings/joiner');
  });

  it('wait for a decision where the user may have none, and for serving certificates', async () => {
    await alice.create(path, signingRequest('unknown'));
    const serving = {
      signerName: 'orch.io/nodeagent-serving',
      usages: ['digital signature', 'key encipherment', 'server auth'],
    };
    await admin.create(path, signingRequest('serving', { dnsNames: ['n1'] as never }, serving));
    // What comes later in the same queue is decided: so are those before.
    await admin.create(path, signingRequest('later'));
    await untilSigned(admin, 'later');
    for (const name of ['unknown', 'serving']) {
      const { status } = await admin.expect('GET', `${path}/${name}`);
      expect(status, name).to.deep.equal({});
    }
    await approve(admin, 'serving');
    const certificate = new X509Certificate(await untilSigned(admin, 'serving'));
    expect(certificate.subjectAltName).to.equal('DNS:n1');
    expect(certificate.keyUsage).to.deep.equal(['1.3.6.1.5.5.7.3.1']);
  });

  it('fail for good when they break the rules of their signer', async () => {
    await admin.create(path, signingRequest('odd', { organizations: ['system:masters'] }));
    await approve(admin, 'odd');
    const failed = await eventually(async () => {
      const { status } = await admin.expect('GET', `${path}/odd`);
      return status.conditions.find(({ type }: JsonObject) => type === 'Failed');
    });
    expect(failed).to.include({
      status: 'True',
      reason: 'SignerValidationFailure',
      message: 'subject organization is not system:nodes',
    });
  });

  it('let whoever has the certificate in as the node', async () => {
    const keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const request = Buffer.from(makeSigningRequest(node, keys)).toString('base64');
    await admin.create(path, signingRequest('own', {}, { request }));
    const certificatePem = await untilSigned(admin, 'own');
    const keyPem = keys.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
    const { url, authorityPem } = server.server;
    const agent = new ApiClient({ url, authorityPem, certificatePem, keyPem });
    const { body } = await agent.get('/api/v1/namespaces/default/secrets');
    expect(body.message).to.match(/^secrets is forbidden: User "system:node:n1" cannot list/);
    agent.close();
  });
});

describe('--cluster-signing-* of orch serve', () => {
  it('name the authority and the lifetime of what is signed', async () => {
    await using directory = await makeTemporaryDirectory();
    const authority = await makeAuthority({
      commonName: 'signer-of-nodes',
      nowMs: Date.now(),
      lifetimeMs: 3_600_000,
    });
    const [certFile, keyFile] = [join(directory.path, 'ca.crt'), join(directory.path, 'ca.key')];
    await writeFile(certFile, authority.certificatePem);
    await writeFile(keyFile, authority.privateKeyPem);
    const server = await startTestServer({
      flags: [
        '--controllers=csrapproving,csrsigning',
        `--cluster-signing-nodeagent-client-cert-file=${certFile}`,
        `--cluster-signing-nodeagent-client-key-file=${keyFile}`,
        '--cluster-signing-duration=100s',
      ],
    });
    try {
      await server.admin.create(path, signingRequest('short'));
      const certificate = new X509Certificate(await untilSigned(server.admin, 'short'));
      expect(certificate.verify(new X509Certificate(authority.certificatePem).publicKey)).to.equal(true);
      expect(certificate.validToDate.getTime() - certificate.validFromDate.getTime()).to.equal(100_000);
    } finally {
      await server.stop();
    }
  });

  it('never make a certificate outlive its authority, or sign what the key did not', async () => {
    const { signRequest } = await import('../../../src/server/pki/index.ts');
    const nowMs = Date.now();
    const authority = await makeAuthority({ commonName: 'short', nowMs, lifetimeMs: 60_000 });
    const keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const order = { authority, requestPem: makeSigningRequest(node, keys), usages, nowMs, lifetimeMs: 1e9 };
    const x509 = await loadX509();
    const issued = new x509.X509Certificate(await signRequest(order));
    expect(issued.notAfter).to.deep.equal(new x509.X509Certificate(authority.certificatePem).notAfter);
    const other = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const forged = makeSigningRequest(node, { publicKey: keys.publicKey, privateKey: other.privateKey });
    const failure = async (of: Partial<typeof order>): Promise<string> =>
      signRequest({ ...order, ...of }).then(
        () => 'signed',
        (error: Error) => error.message,
      );
    expect(await failure({ requestPem: forged })).to.match(/not signed with its own key/);
    expect(await failure({ requestPem: 'nothing' })).to.match(/no request in PEM/);
    expect(await failure({ nowMs: nowMs + 120_000 })).to.match(/authority has expired/);
    expect(await failure({ usages: ['flying'] })).to.equal('unrecognized usage values: ["flying"]');
  });
});
