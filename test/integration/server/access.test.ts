import { expect } from 'chai';
import { after, before, describe, it } from 'mocha';
import { ApiClient } from '../../support/api-client.ts';
import { configMap, inNamespace } from '../../support/objects.ts';
import { startTestServer, type TestServer, tokens } from '../../support/test-server.ts';

const maps = inNamespace('default', 'configmaps');

describe('who may do what', () => {
  let server: TestServer;
  before(async () => {
    server = await startTestServer();
  });
  after(() => server.stop());

  it('the administrator may, by client certificate and by token', async () => {
    expect((await server.admin.get(maps)).code).to.equal(200);
    expect((await server.withToken(tokens.admin).get(maps)).code).to.equal(200);
  });

  it('a wrong token is refused, also where nobody needs one', async () => {
    const stranger = server.withToken('no-such-token');
    for (const path of [maps, '/api', '/healthz', '/nowhere']) {
      const { code, body } = await stranger.get(path);
      expect(code, path).to.equal(401);
      expect(body).to.deep.equal({
        kind: 'Status',
        apiVersion: 'v1',
        metadata: {},
        status: 'Failure',
        message: 'Unauthorized',
        reason: 'Unauthorized',
        code: 401,
      });
    }
  });

  it('a certificate of another authority makes nobody an administrator', async () => {
    const other = await startTestServer();
    try {
      const { adminCertificatePem: certificatePem, adminKeyPem: keyPem } = other.server;
      const { url, authorityPem } = server.server;
      const impostor = new ApiClient({ url, authorityPem, certificatePem, keyPem });
      const { code } = await impostor.get(maps);
      expect(code).to.equal(401);
      impostor.close();
    } finally {
      await other.stop();
    }
  });

  const refusals = [
    {
      what: 'read of an object',
      method: 'GET',
      path: `${maps}/a`,
      message:
        'configmaps "a" is forbidden: User "alice" cannot get resource "configmaps" in API group "" in the namespace "default"',
      details: { name: 'a', kind: 'configmaps' },
    },
    {
      what: 'create',
      method: 'POST',
      path: maps,
      message:
        'configmaps is forbidden: User "alice" cannot create resource "configmaps" in API group "" in the namespace "default"',
      details: { kind: 'configmaps' },
    },
    {
      what: 'list of all namespaces',
      method: 'GET',
      path: '/apis/apps/v1/deployments',
      message:
        'deployments.apps is forbidden: User "alice" cannot list resource "deployments" in API group "apps" at the cluster scope',
      details: { group: 'apps', kind: 'deployments' },
    },
    {
      what: 'watch',
      method: 'GET',
      path: '/api/v1/nodes?watch=1',
      message:
        'nodes is forbidden: User "alice" cannot watch resource "nodes" in API group "" at the cluster scope',
      details: { kind: 'nodes' },
    },
    {
      what: 'subresource',
      method: 'PATCH',
      path: `${inNamespace('default', 'pods')}/p/status`,
      message:
        'pods "p" is forbidden: User "alice" cannot patch resource "pods/status" in API group "" in the namespace "default"',
      details: { name: 'p', kind: 'pods' },
    },
    {
      what: 'path that is no resource',
      method: 'GET',
      path: '/metrics',
      message: 'forbidden: User "alice" cannot get path "/metrics"',
      details: {},
    },
  ];
  for (const { what, method, path, message, details } of refusals) {
    it(`a user without rights is refused in the reference's words: ${what}`, async () => {
      const { code, body } = await server.withToken(tokens.alice).send(method, path);
      expect(code).to.equal(403);
      expect(body).to.deep.equal({
        kind: 'Status',
        apiVersion: 'v1',
        metadata: {},
        status: 'Failure',
        message,
        reason: 'Forbidden',
        details,
        code: 403,
      });
    });
  }

  it('a refused write changes nothing and is refused before its body is looked at', async () => {
    const { code } = await server.withToken(tokens.alice).send('POST', maps, { body: 'this is no object' });
    expect(code).to.equal(403);
    await server.withToken(tokens.alice).send('POST', maps, { body: configMap('sneaky') });
    expect((await server.admin.get(`${maps}/sneaky`)).code).to.equal(404);
  });

  it('every known user may discover, nobody else', async () => {
    for (const path of ['/api', '/apis', '/api/v1', '/apis/apps/v1']) {
      expect((await server.withToken(tokens.alice).get(path)).code, path).to.equal(200);
      const { code, body } = await server.anonymous.get(path);
      expect(code, path).to.equal(403);
      expect(body.message).to.equal(`forbidden: User "system:anonymous" cannot get path "${path}"`);
    }
  });

  it('everybody may ask for health and version', async () => {
    for (const path of ['/healthz', '/livez', '/readyz', '/version']) {
      expect((await server.anonymous.get(path)).code, path).to.equal(200);
    }
  });
});

describe('who may do what, by flags', () => {
  it('nobody unknown comes in without anonymous access', async () => {
    const server = await startTestServer({ flags: ['--anonymous-auth=false'] });
    try {
      expect((await server.anonymous.get('/healthz')).code).to.equal(401);
      expect((await server.withToken(tokens.alice).get('/healthz')).code).to.equal(200);
    } finally {
      await server.stop();
    }
  });

  it('everybody may do everything with AlwaysAllow', async () => {
    const server = await startTestServer({ flags: ['--authorization-mode=AlwaysAllow'] });
    try {
      await server.anonymous.create(maps, configMap('mine'));
    } finally {
      await server.stop();
    }
  });
});
