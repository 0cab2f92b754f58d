import { once } from 'node:events';
import { type ClientHttp2Session, connect } from 'node:http2';
import { request as startRequest } from 'node:https';
import { gunzipSync } from 'node:zlib';
import { expect } from 'chai';
import { after, before, describe, it } from 'mocha';
import type { ApiClient } from '../../support/api-client.ts';
import { configMap, inNamespace, service } from '../../support/objects.ts';
import { createRecordingLogger } from '../../support/recording-logger.ts';
import { startTestServer, type TestServer, tokens } from '../../support/test-server.ts';

const maps = inNamespace('default', 'configmaps');
const protobuf = 'application/vnd.orch.protobuf';
const limit = 128 * 1024;

const connectHttp2 = ({ server: { url, authorityPem: ca } }: TestServer): ClientHttp2Session =>
  connect(url, { ca });

describe('the export parameter', () => {
  let server: TestServer;
  let admin: ApiClient;
  before(async () => {
    server = await startTestServer();
    admin = server.admin;
    await admin.create(maps, configMap('a', { k: 'v' }));
    await admin.create(inNamespace('default', 'services'), service('s', { type: 'NodePort' }));
  });
  after(() => server.stop());

  it('leaves out what the server has put there', async () => {
    const { managedFields: _, ...metadata } = (await admin.get(`${maps}/a?export=true`)).body.metadata;
    expect(metadata).to.deep.equal({ name: 'a', creationTimestamp: null });
    const exact = (await admin.get(`${maps}/a?export=true&exact=true`)).body;
    expect(exact.metadata).to.include({ name: 'a', namespace: 'default' });
    expect(exact.data).to.deep.equal({ k: 'v' });
    expect((await admin.get(`${maps}/a?exact=true`)).body.metadata.uid).to.be.a('string');
  });

  it('leaves out the addresses and ports of a service', async () => {
    const path = `${inNamespace('default', 'services')}/s?export=1`;
    const { spec, status } = (await admin.get(path)).body;
    expect(spec).to.not.have.property('clusterIP');
    expect(spec).to.not.have.property('clusterIPs');
    expect(spec.ports).to.deep.equal([{ protocol: 'TCP', port: 80, targetPort: 80 }]);
    expect(status).to.deep.equal({ loadBalancer: {} });
    expect((await admin.get(`${path}&exact=1`)).body.spec.clusterIP).to.be.a('string');
  });

  for (const path of [
    '/api/v1/componentstatuses/absent',
    inNamespace('default', 'pods/absent/status'),
    '/api/v1/namespaces/default/status',
    '/apis/apps/v1/namespaces/default/deployments/absent/scale',
    '/apis/rbac.authorization.orch.io/v1/clusterroles/absent',
    '/apis/rbac.authorization.orch.io/v1/namespaces/default/rolebindings/absent',
  ])
    it(`is refused for ${path}, whatever there is`, async () => {
      const { code, body } = await admin.get(`${path}?export=1`);
      const resource = /(\w+)\/(?:absent|default\/status)/.exec(path)?.[1];
      expect([code, body.message]).to.deep.equal([400, `export of "${resource}" is not supported`]);
      expect((await admin.get(`${path}?export=false`)).code).not.to.equal(400);
    });

  it('can be had in other encodings and forms', async () => {
    const { code, bytes } = await admin.get(`${maps}/a?export=1`, { accept: protobuf });
    expect(code).to.equal(200);
    expect(bytes.includes('default')).to.equal(false);
    const yaml = await admin.get(`${maps}/a?export=1`, { accept: 'application/yaml' });
    expect(yaml.text).to.include('creationTimestamp: null');
  });
});

describe('large answers', () => {
  let server: TestServer;
  let admin: ApiClient;
  const zipped = { 'accept-encoding': 'br, gzip' };
  const logger = createRecordingLogger();
  before(async () => {
    server = await startTestServer({ logger });
    admin = server.admin;
    await admin.create(maps, configMap('small', { k: 'v' }));
    for (let n = 0; n < 6; n++) await admin.create(maps, configMap(`wide-${n}`, { k: 'v'.repeat(300_000) }));
  });
  after(() => server.stop());

  /** The second page of a paged list: the token of the first one tells when it was asked for. */
  async function laterPage(path: string): Promise<string> {
    const { metadata } = await admin.expect('GET', path);
    return path.includes('limit') ? `${path}&continue=${encodeURIComponent(metadata.continue)}` : path;
  }

  for (const accept of ['application/json', 'application/yaml', protobuf]) {
    for (const place of [maps, `${maps}/wide-0`, `${maps}?limit=2`]) {
      it(`of ${place} as ${accept} are compressed for who takes that`, async () => {
        const path = await laterPage(place);
        const plain = await admin.get(path, { accept });
        const answer = await admin.get(path, { accept, ...zipped });
        expect(plain.bytes.length).to.be.above(limit);
        expect(answer.headers['content-encoding']).to.equal('gzip');
        expect(answer.headers.vary).to.equal('Accept-Encoding');
        expect(answer.bytes.length).to.be.below(limit);
        expect(gunzipSync(answer.bytes).equals(plain.bytes)).to.equal(true);
        expect(plain.headers).to.not.have.property('content-encoding');
      });
    }
  }

  it('are the only ones that are compressed', async () => {
    for (const path of [`${maps}/small`, `${maps}?limit=1`, '/api/v1']) {
      const { headers, body } = await admin.get(path, zipped);
      expect(headers).to.not.have.property('content-encoding');
      expect(body.kind).to.be.a('string');
    }
  });

  it('are made as they are where the answer is to a write', async () => {
    const body = configMap('other', { k: 'v'.repeat(limit) });
    const { code, headers, bytes } = await admin.send('POST', maps, { body, headers: zipped });
    expect([code, headers['content-encoding']]).to.deep.equal([201, 'gzip']);
    expect(JSON.parse(String(gunzipSync(bytes))).metadata.name).to.equal('other');
  });

  it('are compressed over HTTP/2 too', async () => {
    const session = connectHttp2(server);
    const stream = session.request({ ':path': maps, authorization: `Bearer ${tokens.admin}`, ...zipped });
    const chunks: Buffer[] = [];
    for await (const chunk of stream) chunks.push(chunk as Buffer); // no encoding is set, so chunks are bytes
    session.close();
    const plain = await admin.get(maps);
    expect(gunzipSync(Buffer.concat(chunks)).equals(plain.bytes)).to.equal(true);
  });

  it('end without a word when the client has left', async () => {
    const { url, authorityPem: ca } = server.server;
    const headers = { authorization: `Bearer ${tokens.admin}`, ...zipped };
    for (let n = 0; n < 5; n++) {
      const request = startRequest(`${url}${maps}`, { ca, headers, agent: false });
      request.end();
      const [answer] = await once(request, 'response');
      answer.destroy();
      const session = connectHttp2(server);
      const stream = session.request({ ':path': maps, ...headers });
      await once(stream, 'response');
      session.destroy();
    }
    expect((await admin.get(maps, zipped)).code).to.equal(200);
    expect(logger.lines.filter(({ level }) => level === 'error')).to.deep.equal([]);
  });

  it('are left alone when the gate is off', async () => {
    const plain = await startTestServer({ flags: ['--feature-gates=APIResponseCompression=false'] });
    await plain.admin.create(maps, configMap('wide', { k: 'v'.repeat(2 * limit) }));
    const { headers } = await plain.admin.get(maps, zipped);
    await plain.stop();
    expect(headers).to.not.have.property('content-encoding');
  });
});

describe('JSON for people', () => {
  let server: TestServer;
  before(async () => {
    server = await startTestServer();
  });
  after(() => server.stop());

  it('says the same in lines, for objects, lists, tables, errors and discovery', async () => {
    const { admin } = server;
    const table = 'application/json;as=Table;v=v1;g=meta.orch.io';
    const paths: [path: string, accept: string][] = [
      ['/api/v1/namespaces/default', 'application/json'],
      ['/api/v1/namespaces', 'application/json'],
      ['/api/v1/pods', 'application/json'],
      ['/api/v1/namespaces', table],
      ['/api/v1/namespaces/none', 'application/json'],
      ['/apis/apps/v1', 'application/json'],
    ];
    for (const [path, accept] of paths) {
      const plain = await admin.get(path, { accept });
      const pretty = await admin.get(`${path}?pretty=true`, { accept });
      expect(pretty.text).to.match(/^\{\n {2}"kind": "/);
      // Ages in tables go on meanwhile.
      if (accept !== table)
        expect(pretty.text.replace(/\s/g, ''), path).to.equal(plain.text.replace(/\s/g, ''));
      expect(Object.keys(pretty.body)).to.deep.equal(Object.keys(plain.body));
    }
  });
});
