import { once } from 'node:events';
import { connect } from 'node:tls';
import { expect } from 'chai';
import { after, before, describe, it } from 'mocha';
import { type ClientOptions, WebSocket } from 'ws';
import type { ApiClient, JsonObject } from '../../support/api-client.ts';
import { eventually } from '../../support/eventually.ts';
import { configMap, inNamespace } from '../../support/objects.ts';
import { startTestServer, type TestServer, tokens } from '../../support/test-server.ts';
import { openUpgrade } from '../../support/upgraded-connection.ts';

const maps = inNamespace('default', 'configmaps');

describe('watches over WebSockets', () => {
  let server: TestServer;
  let admin: ApiClient;
  before(async () => {
    server = await startTestServer({ flags: ['--cors-allowed-origins=^https://friend'] });
    admin = server.admin;
  });
  after(() => server.stop());

  const open = (path: string, options: ClientOptions & { readonly protocols?: string[] } = {}): WebSocket => {
    const { protocols = [], ...rest } = options;
    const { url, authorityPem: ca } = server.server;
    const authorization = `Bearer ${tokens.admin}`;
    return new WebSocket(`${url.replace('https', 'wss')}${path}`, protocols, {
      ca,
      ...rest,
      headers: { authorization, ...rest.headers },
    });
  };
  /** Code and body of the answer to a request that was refused. */
  const refusal = async (socket: WebSocket): Promise<{ code: number; body: JsonObject }> => {
    const [, response] = await once(socket, 'unexpected-response');
    const chunks: Buffer[] = [];
    for await (const chunk of response) chunks.push(chunk);
    return { code: response.statusCode, body: JSON.parse(Buffer.concat(chunks).toString()) };
  };
  const collect = (
    socket: WebSocket,
  ): { readonly messages: JsonObject[]; take(count: number): Promise<string[]> } => {
    const messages: JsonObject[] = [];
    socket.on('message', (data, isBinary) => {
      expect(isBinary).to.equal(false);
      messages.push(JSON.parse(String(data)));
    });
    return {
      messages,
      async take(count) {
        while (messages.length < count) await once(socket, 'message');
        return messages.map(({ type, object }) => `${type} ${object.metadata.name}`);
      },
    };
  };

  it('send one text message for each event', async () => {
    await admin.create(maps, configMap('ws-a'));
    const socket = open(`${maps}?watch=1`);
    const reader = collect(socket);
    await reader.take(1);
    const created = await admin.create(maps, configMap('ws-b'));
    await admin.expect('DELETE', `${maps}/ws-b`);
    expect(await reader.take(3)).to.deep.equal(['ADDED ws-a', 'ADDED ws-b', 'DELETED ws-b']);
    expect(reader.messages[1]?.object).to.deep.equal(created);
    socket.close();
    await once(socket, 'close');
  });

  it('take the protocol that is offered, but never a token', async () => {
    const protocols = ['base64url.bearer.authorization.orch.io.abc', 'base64.binary.orch.io'];
    const socket = open(`${maps}?watch=1`, { protocols });
    await once(socket, 'open');
    expect(socket.protocol).to.equal('base64.binary.orch.io');
    socket.close();
  });

  it('are open to whoever has a token in the protocols, from whichever source', async () => {
    const token = Buffer.from(tokens.admin).toString('base64url');
    const protocols = [`base64url.bearer.authorization.orch.io.${token}`, 'base64.binary.orch.io'];
    const { authorityPem: ca, url } = server.server;
    const socket = new WebSocket(`${url.replace('https', 'wss')}${maps}?watch=1`, protocols, { ca });
    await once(socket, 'open');
    expect(socket.protocol).to.equal('base64.binary.orch.io');
    socket.close();
  });

  it('answer pings', async () => {
    const socket = open(`${maps}?watch=1`);
    await once(socket, 'open');
    socket.ping();
    await once(socket, 'pong');
    socket.close();
  });

  it('end in order when their time is up', async () => {
    const [code] = await once(open(`${maps}?watch=1&timeoutSeconds=1`), 'close');
    expect(code).to.equal(1000);
  });

  it('cut off clients that send much', async () => {
    const socket = open(`${maps}?watch=1`);
    await once(socket, 'open');
    socket.send('small'); // of no meaning
    socket.send('x'.repeat(10_000));
    const [code] = await once(socket, 'close');
    expect(code).to.equal(1009);
  });

  it('of clients that do not read are ended', async () => {
    const socket = open(`${maps}?watch=1&labelSelector=big`);
    const reader = collect(socket);
    await once(socket, 'open');
    socket.pause();
    const text = 'x'.repeat(900_000);
    for (let n = 0; n < 30; n++)
      await admin.create(maps, configMap(`big-${n}`, { text }, { labels: { big: '' } }));
    socket.resume();
    await once(socket, 'close');
    expect(reader.messages.length).to.be.above(5);
    expect(reader.messages.length).to.be.below(30);
    await admin.expect('DELETE', `${maps}?labelSelector=big`);
  });

  it('are refused like any request to those who may not', async () => {
    const wrong = await refusal(open(`${maps}?watch=1`, { headers: { authorization: 'Bearer wrong' } }));
    expect([wrong.code, wrong.body.reason]).to.deep.equal([401, 'Unauthorized']);
    const bad = await refusal(open(`${maps}?watch=1&fieldSelector=none%3Dsuch`));
    expect([bad.code, bad.body.reason]).to.deep.equal([400, 'BadRequest']);
  });

  it('can be had for watches only: other requests are answered as if they had not asked', async () => {
    const { code, body } = await refusal(open(maps));
    expect([code, body.kind]).to.deep.equal([200, 'ConfigMapList']);
    const text = JSON.stringify(configMap('plain'));
    const headers = ['Content-Type: application/json', `Content-Length: ${text.length}`, 'Connection: close'];
    for (const protocol of ['h2c', 'TLS/1.2', 'websocket']) {
      const created = await openUpgrade(server, maps, { protocol, headers, first: text });
      expect(created.head).to.match(/^HTTP\/1\.1 201 /);
      const name = `${maps}/plain`;
      const deleted = await openUpgrade(server, name, {
        method: 'DELETE',
        protocol,
        headers: headers.slice(2),
      });
      expect(deleted.head).to.match(/^HTTP\/1\.1 200 /);
      await Promise.all([created.readToEnd(), deleted.readToEnd()]);
      for (const { socket } of [created, deleted]) socket.end();
    }
  });

  it('are open to pages of the server and of allowed origins', async () => {
    for (const origin of [server.server.url, 'https://friend.example']) {
      const socket = open(`${maps}?watch=1`, { origin });
      await once(socket, 'open');
      socket.close();
    }
    const { code, body } = await refusal(open(`${maps}?watch=1`, { origin: 'https://stranger.example' }));
    expect(code).to.equal(403);
    expect(body.message).to.equal('origin "https://stranger.example" may not open WebSockets');
  });

  for (const path of [
    'pods/p/exec',
    'pods/p/attach',
    'pods/p/portforward',
    'pods/p/proxy/x',
    'pods/p/log',
    'services/s/proxy/',
  ]) {
    it(`are refused to pages of strangers for ${path} too`, async () => {
      const url = inNamespace('default', path);
      const { code, body } = await refusal(open(url, { origin: 'https://stranger.example' }));
      expect(code).to.equal(403);
      expect(body.message).to.equal('origin "https://stranger.example" may not open WebSockets');
      expect((await refusal(open(url, { origin: server.server.url }))).code).to.equal(404);
    });
  }

  it('say what a request lacks', async () => {
    const socket = open(`${maps}?watch=1`, { protocolVersion: 8 });
    await once(socket, 'open');
    socket.close();
    const { url, authorityPem: ca } = server.server;
    const { hostname, port } = new URL(url);
    const raw = connect({ host: hostname, port: Number(port), ca });
    await once(raw, 'secureConnect');
    const head = [
      'Connection: Upgrade',
      'Upgrade: websocket',
      `Authorization: Bearer ${tokens.admin}`,
      'Host: x',
    ];
    raw.write(`GET ${maps}?watch=1 HTTP/1.1\r\n${head.join('\r\n')}\r\n\r\n`);
    const chunks: Buffer[] = [];
    for await (const chunk of raw) chunks.push(chunk as Buffer); // a socket without encoding gives bytes
    const answer = Buffer.concat(chunks).toString();
    expect(answer).to.match(/^HTTP\/1\.1 400 /);
    expect(answer).to.include('the connection cannot become a WebSocket: ');
  });

  it('end with the server, and are counted until then', async () => {
    const other = await startTestServer();
    const { url, authorityPem: ca } = other.server;
    const authorization = `Bearer ${tokens.admin}`;
    const socket = new WebSocket(`${url.replace('https', 'wss')}${maps}?watch=1`, {
      ca,
      headers: { authorization },
    });
    await once(socket, 'open');
    const gauge = /apiserver_registered_watchers\{[^}]*kind="ConfigMap"\} 1/;
    await eventually(async () => gauge.test((await other.admin.get('/metrics')).text) || undefined);
    const closed = once(socket, 'close');
    await other.stop();
    await closed;
  });
});
