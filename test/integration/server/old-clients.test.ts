import { once } from 'node:events';
import { type ClientHttp2Session, connect } from 'node:http2';
import { request as startRequest } from 'node:https';
import { gunzipSync } from 'node:zlib';
import { assert } from 'chai';
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
    assert.deepEqual(metadata, { name: 'a', creationTimestamp: null });
    const exact = (await admin.get(`${maps}/a?export=true&exact=true`)).body;
    assert.include(exact.metadata, { name: 'a', namespace: 'default' });
    assert.deepEqual(exact.data, { k: 'v' });
    assert.isString((await admin.get(`${maps}/a?exact=true`)).body.metadata.uid);
  });

  it('leaves out the addresses and ports of a service', async () => {
    const path = `${inNamespace('default', 'services')}/s?export=1`;
    const { spec, status } = (await admin.get(path)).body;
    assert.notProperty(spec, 'clusterIP');
    assert.notProperty(spec, 'clusterIPs');
    assert.deepEqual(spec.ports, [{ protocol: 'TCP', port: 80, targetPort: 80 }]);
    assert.deepEqual(status, { loadBalancer: {} });
    assert.isString((await admin.get(`${path}&exact=1`)).body.spec.clusterIP);
  });

  it('can be had in other encodings and forms', async () => {
    const { code, bytes } = await admin.get(`${maps}/a?export=1`, { accept: protobuf });
    assert.equal(code, 200);
    assert.isFalse(bytes.includes('default'));
    const yaml = await admin.get(`${maps}/a?export=1`, { accept: 'application/yaml' });
    assert.include(yaml.text, 'creationTimestamp: null');
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

  for (const accept of ['application/json', 'application/yaml', protobuf]) {
    for (const path of [maps, `${maps}/wide-0`, `${maps}?limit=2`]) {
      it(`of ${path} as ${accept} are compressed for who takes that`, async () => {
        const plain = await admin.get(path, { accept });
        const answer = await admin.get(path, { accept, ...zipped });
        assert.isAbove(plain.bytes.length, limit);
        assert.equal(answer.headers['content-encoding'], 'gzip');
        assert.equal(answer.headers.vary, 'Accept-Encoding');
        assert.isBelow(answer.bytes.length, limit);
        assert.isTrue(gunzipSync(answer.bytes).equals(plain.bytes));
        assert.notProperty(plain.headers, 'content-encoding');
      });
    }
  }

  it('are the only ones that are compressed', async () => {
    for (const path of [`${maps}/small`, `${maps}?limit=1`, '/api/v1']) {
      const { headers, body } = await admin.get(path, zipped);
      assert.notProperty(headers, 'content-encoding');
      assert.isString(body.kind);
    }
  });

  it('are made as they are where the answer is to a write', async () => {
    const body = configMap('other', { k: 'v'.repeat(limit) });
    const { code, headers, bytes } = await admin.send('POST', maps, { body, headers: zipped });
    assert.deepEqual([code, headers['content-encoding']], [201, 'gzip']);
    assert.equal(JSON.parse(String(gunzipSync(bytes))).metadata.name, 'other');
  });

  it('are compressed over HTTP/2 too', async () => {
    const session = connectHttp2(server);
    const stream = session.request({ ':path': maps, authorization: `Bearer ${tokens.admin}`, ...zipped });
    const chunks: Buffer[] = [];
    for await (const chunk of stream) chunks.push(chunk as Buffer); // no encoding is set, so chunks are bytes
    session.close();
    const plain = await admin.get(maps);
    assert.isTrue(gunzipSync(Buffer.concat(chunks)).equals(plain.bytes));
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
    assert.equal((await admin.get(maps, zipped)).code, 200);
    assert.deepEqual(
      logger.lines.filter(({ level }) => level === 'error'),
      [],
    );
  });

  it('are left alone when the gate is off', async () => {
    const plain = await startTestServer({ flags: ['--feature-gates=APIResponseCompression=false'] });
    await plain.admin.create(maps, configMap('wide', { k: 'v'.repeat(2 * limit) }));
    const { headers } = await plain.admin.get(maps, zipped);
    await plain.stop();
    assert.notProperty(headers, 'content-encoding');
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
      assert.match(pretty.text, /^\{\n {2}"kind": "/);
      // Ages in tables go on meanwhile.
      if (accept !== table) assert.equal(pretty.text.replace(/\s/g, ''), plain.text.replace(/\s/g, ''), path);
      assert.deepEqual(Object.keys(pretty.body), Object.keys(plain.body));
    }
  });
});
