import { X509Certificate } from 'node:crypto';
import { expect } from 'chai';
import { ApiClient } from '../../support/api-client.ts';
import { type EtcdCluster, etcdctl, startEtcd } from '../../support/etcd-process.ts';
import { eventually } from '../../support/eventually.ts';
import { type ServerProcess, startServerProcess } from '../../support/server-process.ts';

const accounts = '/api/v1/namespaces/default/serviceaccounts';

describe('servers on one etcd, each with keys of its own', function () {
  this.timeout(120_000);
  let etcd: EtcdCluster;
  let one: ServerProcess;
  let other: ServerProcess;
  const clients: ApiClient[] = [];
  const start = (address: string): Promise<ServerProcess> =>
    startServerProcess([
      `--etcd-servers=${etcd.endpoints.join(',')}`,
      `--advertise-address=${address}`,
      '--leader-elect-retry-period=300ms',
    ]);
  /** Somebody with the credentials of `who` at the server of `where`. */
  const connect = (where: ServerProcess, who: Partial<ApiClient['access']>): ApiClient => {
    const { url, authorityPem } = where.admin.access;
    const client = new ApiClient({ url, authorityPem, ...who });
    clients.push(client);
    return client;
  };
  const certificateOf = ({ admin }: ServerProcess) => {
    const { certificatePem, keyPem } = admin.access;
    return { certificatePem, keyPem };
  };

  before(async () => {
    etcd = await startEtcd();
    one = await start('192.0.2.1');
    other = await start('192.0.2.2');
  });
  after(async () => {
    for (const client of clients) client.close();
    await one?.[Symbol.asyncDispose]();
    await other?.[Symbol.asyncDispose]();
    await etcd?.[Symbol.asyncDispose]();
  });

  it('take the client certificates that the others sign, whoever came first', async () => {
    await connect(other, certificateOf(one)).expect('GET', '/api/v1/nodes');
    await eventually(async () => {
      const { code } = await connect(one, certificateOf(other)).send('GET', '/api/v1/nodes');
      return code === 200 ? true : undefined;
    });
  });

  it('take the tokens of service accounts that the others sign', async () => {
    await one.admin.create(accounts, {
      kind: 'ServiceAccount',
      apiVersion: 'v1',
      metadata: { name: 'robot' },
    });
    for (const [signer, verifier] of [
      [one, other],
      [other, one],
    ] as const) {
      const request = { kind: 'TokenRequest', apiVersion: 'authentication.orch.io/v1', spec: {} };
      const { status } = await signer.admin.create(`${accounts}/robot/token`, request);
      const { code, body } = await connect(verifier, { token: status.token }).send('GET', '/api/v1/nodes');
      expect([code, body.message]).to.deep.equal([
        403,
        'nodes is forbidden: User "system:serviceaccount:default:robot" cannot list resource "nodes" in API group "" at the cluster scope',
      ]);
    }
  });

  it('publish the authorities and keys of all', async () => {
    const count = (text: string): number => text.split('BEGIN CERTIFICATE').length - 1;
    await eventually(async () => {
      const { body } = await one.admin.send('GET', '/api/v1/namespaces/default/configmaps/orch-root-ca.crt');
      return count(body.data?.['ca.crt'] ?? '') === 2 ? true : undefined;
    });
    await eventually(async () => {
      const path = '/api/v1/namespaces/orch-system/configmaps/extension-apiserver-authentication';
      const { body } = await other.admin.send('GET', path);
      return count(body.data?.['client-ca-file'] ?? '') === 2 ? true : undefined;
    });
    const headers = { accept: 'application/jwk-set+json' };
    const sets = await Promise.all(
      [one, other].map(({ admin }) => admin.expect('GET', '/openid/v1/jwks', { headers })),
    );
    const ids = sets.map(({ keys }) => keys.map(({ kid }: { readonly kid: string }) => kid).sort());
    expect(ids[0]).to.have.length(2);
    expect(ids[1]).to.deep.equal(ids[0]);
  });

  it('keep no private key in etcd', async () => {
    const [endpoint = ''] = etcd.endpoints;
    const values = await etcdctl(endpoint, ['get', '', '--prefix', '--print-value-only']);
    expect(values).to.contain('BEGIN CERTIFICATE');
    expect(values).not.to.contain('PRIVATE KEY');
  });

  it('believe no more what was taken out, and tell what is no key', async () => {
    const [endpoint = ''] = etcd.endpoints;
    const third = await start('192.0.2.3');
    const isLetIn = async (): Promise<boolean> =>
      (await connect(one, certificateOf(third)).send('GET', '/api/v1/nodes')).code === 200;
    const names = async (): Promise<string[]> =>
      (await etcdctl(endpoint, ['get', '/registry/servertrust/authority', '--prefix', '--keys-only']))
        .split('\n')
        .filter((line) => line !== '');
    try {
      await eventually(async () => ((await isLetIn()) ? true : undefined));
      for (const name of await names()) {
        const value = await etcdctl(endpoint, ['get', name, '--print-value-only']);
        const authority = new X509Certificate(JSON.parse(value).data['ca.crt']);
        const certificate = new X509Certificate(third.admin.access.certificatePem ?? '');
        if (certificate.verify(authority.publicKey)) await etcdctl(endpoint, ['del', name]);
      }
      expect(await names()).to.have.length(2);
      await eventually(async () => ((await isLetIn()) ? undefined : true));
      const broken = '{"kind":"ConfigMap","metadata":{"resourceVersion":""},"data":{"ca.crt":"x"}}';
      await etcdctl(endpoint, ['put', '/registry/servertrust/authority-x', broken]);
      await eventually(async () =>
        one.log.some((line) => line.includes('published key of a server unusable')) ? true : undefined,
      );
      await connect(one, certificateOf(other)).expect('GET', '/api/v1/nodes');
    } finally {
      await third[Symbol.asyncDispose]();
    }
  });
});
