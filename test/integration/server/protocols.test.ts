import { once } from 'node:events';
import { type ClientHttp2Session, type ClientHttp2Stream, connect } from 'node:http2';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import { expect } from 'chai';
import { after, before, describe, it } from 'mocha';
import type { JsonObject } from '../../support/api-client.ts';
import { configMap, inNamespace } from '../../support/objects.ts';
import { startTestServer, type TestServer, tokens } from '../../support/test-server.ts';
import {
  configurationsPath,
  reviewAnswer,
  webhookConfiguration,
} from '../../support/webhook-configurations.ts';
import { WebhookServer } from '../../support/webhook-server.ts';

const maps = inNamespace('default', 'configmaps');

describe('protocols on the one port', () => {
  let server: TestServer;
  before(async () => {
    server = await startTestServer();
  });
  after(() => server.stop());

  const openSession = (): ClientHttp2Session => {
    const { url, authorityPem, adminCertificatePem: cert, adminKeyPem: key } = server.server;
    return connect(url, { ca: authorityPem, cert, key });
  };
  const open = (
    session: ClientHttp2Session,
    method: string,
    path: string,
    body?: unknown,
  ): ClientHttp2Stream => {
    const stream = session.request({
      ':method': method,
      ':path': path,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    });
    stream.end(body === undefined ? undefined : JSON.stringify(body));
    return stream;
  };
  const readAll = async (stream: ClientHttp2Stream): Promise<{ code: number; body: JsonObject }> => {
    const [headers] = await once(stream, 'response');
    stream.setEncoding('utf8');
    let text = '';
    for await (const chunk of stream) text += chunk;
    return { code: headers[':status'], body: JSON.parse(text) as JsonObject };
  };
  /** Events of a watch, in the form in which they come. */
  const watched = (bytes: Buffer): string[] =>
    bytes
      .toString()
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as JsonObject)
      .map(({ type, object }) => `${type} ${object.metadata.name}`);
  const dial = async (...protocols: string[]): Promise<TLSSocket> => {
    const { url, authorityPem } = server.server;
    const socket = connectTls({
      host: '127.0.0.1',
      port: Number(new URL(url).port),
      ca: authorityPem,
      ALPNProtocols: protocols,
    });
    await once(socket, 'secureConnect');
    return socket;
  };

  it('are chosen by what the client offers, HTTP/2 first', async () => {
    for (const [offer, chosen] of [
      [['h2', 'http/1.1'], 'h2'],
      [['http/1.1'], 'http/1.1'],
      [['h2'], 'h2'],
    ] as const) {
      const socket = await dial(...offer);
      expect(socket.alpnProtocol).to.equal(chosen);
      socket.destroy();
    }
  });

  it('see the same objects', async () => {
    const session = openSession();
    const created = await readAll(open(session, 'POST', maps, configMap('made-by-http2')));
    expect(created.code).to.equal(201);
    expect((await server.admin.get(`${maps}/made-by-http2`)).body).to.deep.equal(created.body);
    const missing = await readAll(open(session, 'GET', `${maps}/absent`));
    expect(missing.code).to.equal(404);
    expect(missing.body.reason).to.equal('NotFound');
    session.close();
  });

  it('tell of codes from 600 on, which HTTP/2 does not carry in its headers', async () => {
    await using hooks = await WebhookServer.start((call, response) =>
      response.end(reviewAnswer(call, { allowed: false, status: { code: 600 } })),
    );
    const path = configurationsPath('Validating');
    await server.admin.create(path, webhookConfiguration({ kind: 'Validating' }, hooks, [{}]));
    const session = openSession();
    try {
      const refused = await readAll(open(session, 'POST', maps, configMap('refused')));
      expect([refused.code, refused.body.code]).to.deep.equal([500, 600]);
      const { code } = await server.admin.send('POST', maps, { body: configMap('refused') });
      expect(code).to.equal(600);
    } finally {
      session.close();
      await server.admin.expect('DELETE', path);
    }
  });

  it('HTTP/2 carries two hundred requests at once on one connection', async () => {
    const session = openSession();
    const answers = await Promise.all(
      Array.from({ length: 200 }, (_, n) => readAll(open(session, 'POST', maps, configMap(`parallel-${n}`)))),
    );
    expect(new Set(answers.map(({ code }) => code))).to.deep.equal(new Set([201]));
    session.close();
  });

  it('HTTP/2 carries watches beside other requests, ended by the client or by time', async () => {
    const session = openSession();
    const { resourceVersion } = (await server.admin.get(maps)).body.metadata;
    const path = `${maps}?watch=1&resourceVersion=${resourceVersion}`;
    const left = open(session, 'GET', path);
    await once(left, 'response');
    await readAll(open(session, 'POST', maps, configMap('seen')));
    const [chunk] = await once(left, 'data');
    expect(watched(chunk)).to.deep.equal(['ADDED seen']);
    left.close();
    const ended: Buffer[] = [];
    for await (const chunk of open(session, 'GET', `${path}&timeoutSeconds=1`)) ended.push(chunk);
    expect(watched(Buffer.concat(ended))).to.deep.equal(['ADDED seen']);
    session.close();
  });

  it('HTTP/2 watches of a large state arrive whole, at the pace of the client', async () => {
    const secrets = inNamespace('default', 'secrets');
    const data = { text: Buffer.alloc(600_000, 'x').toString('base64') };
    for (let n = 0; n < 20; n++) {
      await server.admin.create(secrets, {
        kind: 'Secret',
        apiVersion: 'v1',
        metadata: { name: `s-${n}` },
        data,
      });
    }
    const session = openSession();
    const watch = open(session, 'GET', `${secrets}?watch=1`);
    await once(watch, 'response');
    let frames = 0;
    for await (const chunk of watch) {
      for (const byte of chunk as Buffer) if (byte === 0x0a) frames++;
      if (frames === 20) break;
    }
    expect(frames).to.equal(20);
    session.destroy();
  });

  it('HTTP/2 bodies, whose length nobody announces, are cut off at the limit', async () => {
    const session = openSession();
    const wide = configMap('wide', { text: 'x'.repeat(3 * 1024 * 1024) });
    const { code, body } = await readAll(open(session, 'POST', maps, wide));
    expect(code).to.equal(413);
    expect(body.reason).to.equal('RequestEntityTooLarge');
    session.close();
  });

  it('HTTP/1.1 answers pipelined requests in order', async () => {
    const socket = await dial('http/1.1');
    const ask = (path: string) =>
      `GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${tokens.admin}\r\n\r\n`;
    let text = '';
    socket.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
    });
    socket.write(ask('/livez/ping') + ask(`${maps}/absent`) + ask('/version'));
    while (!text.includes('"platform"')) await once(socket, 'data');
    const codes = [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map((match) => match[1]);
    expect(codes).to.deep.equal(['200', '404', '200']);
    socket.destroy();
  });

  it('a client that speaks no HTTP, and one that speaks no TLS, harm nobody', async () => {
    const nonsense = await dial('http/1.1');
    nonsense.on('error', () => {});
    nonsense.write('\0\u0001\u0002 nonsense \r\n\r\n');
    nonsense.resume();
    await once(nonsense, 'close');
    const { connect: connectPlain } = await import('node:net');
    const plain = connectPlain(Number(new URL(server.server.url).port), '127.0.0.1');
    plain.on('error', () => {});
    plain.write('GET / HTTP/1.1\r\n\r\n');
    plain.resume();
    await once(plain, 'close');
    expect((await server.admin.get('/livez')).code).to.equal(200);
  });

  it('a client that breaks off a body leaves no object', async () => {
    const socket = await dial('http/1.1');
    const body = JSON.stringify(configMap('half'));
    socket.write(
      `POST ${maps} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${tokens.admin}\r\n` +
        `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body.slice(0, 20)}`,
    );
    socket.end();
    socket.resume();
    await once(socket, 'close');
    expect((await server.admin.get(`${maps}/half`)).code).to.equal(404);
  });
});
