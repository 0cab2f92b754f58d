import { once } from 'node:events';
import { connect as connectHttp2 } from 'node:http2';
import type { Duplex } from 'node:stream';
import { expect } from 'chai';
import { after, before, beforeEach, describe, it } from 'mocha';
import { WebSocket, WebSocketServer } from 'ws';
import type { ApiClient } from '../../../support/api-client.ts';
import { eventually } from '../../../support/eventually.ts';
import { type FakeAgent, registerNode, startFakeAgent } from '../../../support/fake-agent.ts';
import { inNamespace, pod } from '../../../support/objects.ts';
import { startTestServer, type TestServer, tokens } from '../../../support/test-server.ts';
import { openUpgrade } from '../../../support/upgraded-connection.ts';

const pods = inNamespace('default', 'pods');
const accepted =
  'HTTP/1.1 101 Switching Protocols\r\nUpgrade: SPDY/3.1\r\nConnection: Upgrade\r\nX-Odd: a\r\n\r\n';

describe('connections to pods', () => {
  let server: TestServer;
  let admin: ApiClient;
  let agent: FakeAgent;
  before(async () => {
    agent = await startFakeAgent();
    server = await startTestServer();
    admin = server.admin;
    await placePods(admin);
  });
  after(async () => {
    await server?.stop();
    await agent?.stop();
  });
  beforeEach(() => {
    agent.seen.length = 0;
    agent.onUpgrade = (_, socket, head) => {
      socket.write(accepted);
      socket.write(head);
      socket.pipe(socket);
    };
  });

  async function placePods(client: ApiClient): Promise<void> {
    await registerNode(client, 'near', agent);
    await registerNode(client, 'dead', { port: 1 });
    for (const [name, nodeName] of Object.entries({ web: 'near', lost: 'dead' })) {
      const { spec, ...rest } = pod(name);
      await client.create(pods, { ...rest, spec: { ...spec, nodeName } });
    }
  }
  const untilClosed = () => eventually(async () => agent.connectionCount() === 0 || undefined);

  const targets: readonly (readonly [string, string])[] = [
    [
      'exec?command=sh&command=-c&command=a%26b+c&stdin=true&stdout=1&tty=false&container=main',
      '/exec/default/web/main?command=sh&command=-c&command=a%26b+c&input=1&output=1',
    ],
    ['attach?stderr=true&tty=true&command=x', '/attach/default/web/main?error=1&tty=1'],
    ['portforward', '/portForward/default/web'],
    ['portforward?ports=80&ports=443', '/portForward/default/web?port=80%2C443'],
  ];
  for (const [path, target] of targets) {
    it(`reach the agent for ${path}`, async () => {
      const { socket, head, read } = await openUpgrade(server, `${pods}/web/${path}`, {
        headers: ['Content-Length: 0', 'X-Stream-Protocol-Version: v4.channel.orch.io'],
        first: 'early',
      });
      expect(head).to.equal(accepted);
      expect(String(await read(5))).to.equal('early');
      socket.write('later');
      expect(String(await read(5))).to.equal('later');
      const [seen] = agent.seen;
      expect(seen).to.deep.include({
        method: 'POST',
        url: target,
        client: 'orch-apiserver-nodeagent-client',
      });
      expect(seen?.headers).to.deep.include({
        upgrade: 'SPDY/3.1',
        'x-stream-protocol-version': 'v4.channel.orch.io',
        'x-forwarded-for': '127.0.0.1',
      });
      expect(seen?.headers).to.not.have.property('authorization');
      socket.destroy();
      await untilClosed();
    });
  }

  it('carry megabytes both ways as they are', async () => {
    const { socket, readToEnd } = await openUpgrade(server, `${pods}/web/exec`);
    const sent = Buffer.alloc(8 * 2 ** 20);
    for (let index = 0; index < sent.length; index += 4) sent.writeUInt32LE(index, index);
    socket.end(sent);
    expect((await readToEnd()).equals(sent)).to.equal(true);
    await untilClosed();
  });

  it('end each direction on its own', async () => {
    let heard = '';
    agent.onUpgrade = (_, socket) => {
      // The server of this test would end its side with the client's.
      socket.allowHalfOpen = true;
      socket.write(accepted);
      socket.on('data', (chunk) => {
        heard += chunk;
      });
      socket.on('end', () => socket.end(`heard ${heard}`));
    };
    const { socket, readToEnd } = await openUpgrade(server, `${pods}/web/attach`);
    socket.end('all');
    expect(String(await readToEnd())).to.equal('heard all');
  });

  it('hold the agent back while the client does not read', async () => {
    let sentBytes = 0;
    agent.onUpgrade = (_, socket: Duplex) => {
      socket.write(accepted);
      const chunk = Buffer.alloc(64 * 1024);
      const push = () => {
        while (sentBytes < 256 * 2 ** 20 && !socket.destroyed) {
          sentBytes += chunk.length;
          if (!socket.write(chunk)) return void socket.once('drain', push);
        }
      };
      push();
    };
    const { socket } = await openUpgrade(server, `${pods}/web/exec`);
    let before = -1;
    await eventually(async () => {
      const isStill = sentBytes > 0 && sentBytes === before;
      before = sentBytes;
      return isStill || undefined;
    });
    expect(sentBytes).to.be.below(64 * 2 ** 20);
    socket.destroy();
    await untilClosed();
  });

  it('bring the agent all that a client sent before it left', async () => {
    let heardBytes = 0;
    agent.onUpgrade = (_, socket) => {
      socket.write(accepted);
      setTimeout(() => {
        socket.on('data', (chunk) => {
          heardBytes += chunk.length;
        });
      }, 100);
    };
    const { socket } = await openUpgrade(server, `${pods}/web/attach`);
    const sizeBytes = 4 * 2 ** 20;
    socket.end(Buffer.alloc(sizeBytes), () => socket.destroy());
    await eventually(async () => heardBytes === sizeBytes || undefined);
    await untilClosed();
  });

  it('close when the agent closes', async () => {
    agent.onUpgrade = (_, socket) => socket.end(`${accepted}bye`);
    const { socket, readToEnd } = await openUpgrade(server, `${pods}/web/exec`);
    expect(String(await readToEnd())).to.equal('bye');
    socket.end();
    await untilClosed();
  });

  it('are WebSockets where client and agent want that', async () => {
    const echo = new WebSocketServer({
      noServer: true,
      handleProtocols: (offered) => [...offered].find((name) => name.startsWith('v4.')) ?? false,
    });
    agent.onUpgrade = (request, socket, head) =>
      echo.handleUpgrade(request, socket, head, (client) =>
        client.on('message', (data, isBinary) => client.send(data, { binary: isBinary })),
      );
    const bearer = `base64url.bearer.authorization.orch.io.${Buffer.from(tokens.admin).toString('base64url')}`;
    const socket = new WebSocket(
      `${server.server.url.replace('https', 'wss')}${pods}/web/exec?command=cat&stdin=1`,
      ['v4.channel.orch.io', bearer],
      { ca: server.server.authorityPem, headers: { authorization: `Bearer ${tokens.admin}` } },
    );
    await once(socket, 'open');
    expect(socket.protocol).to.equal('v4.channel.orch.io');
    socket.send(Buffer.from('\0typed'));
    expect(String((await once(socket, 'message'))[0])).to.equal('\0typed');
    const [seen] = agent.seen;
    expect(seen).to.deep.include({ method: 'GET', url: '/exec/default/web/main?command=cat&input=1' });
    expect(seen?.headers['sec-websocket-protocol']).to.equal('v4.channel.orch.io');
    socket.close();
    await untilClosed();
    echo.close();
  });

  it('pass refusals of the agent on', async () => {
    agent.onUpgrade = (_, socket) =>
      socket.end('HTTP/1.1 403 Forbidden\r\nContent-Type: text/plain\r\nContent-Length: 6\r\n\r\nno way');
    const { head, readToEnd } = await openUpgrade(server, `${pods}/web/exec`);
    expect(head).to.match(/^HTTP\/1\.1 403 Forbidden\r\n/);
    expect(head).to.match(/\r\ncontent-type: text\/plain\r\n/i);
    expect(String(await readToEnd())).to.equal('no way');
  });

  it('fail when the agent answers without upgrading', async () => {
    agent.onUpgrade = (_, socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok');
    const { head, readToEnd } = await openUpgrade(server, `${pods}/web/exec`);
    expect(head).to.match(/^HTTP\/1\.1 500 /);
    expect(String(await readToEnd())).to.include('invalid upgrade response: status code 200');
  });

  it('follow redirects of the agent on its host, and to no other', async () => {
    const answers = [
      'HTTP/1.1 302 Found\r\nLocation: /cri/exec/abc?x=1\r\nContent-Length: 0\r\n\r\n',
      'HTTP/1.1 302 Found\r\nLocation: https://192.0.2.77/cri\r\nContent-Length: 0\r\n\r\n',
    ];
    agent.onUpgrade = (request, socket) => {
      const next = request.url?.startsWith('/cri') ? accepted : answers[0];
      socket.end(next);
    };
    const followed = await openUpgrade(server, `${pods}/web/exec`);
    expect(followed.head).to.equal(accepted);
    followed.socket.destroy();
    expect(agent.seen.map(({ method, url }) => `${method} ${url}`)).to.deep.equal([
      'POST /exec/default/web/main',
      'GET /cri/exec/abc?x=1',
    ]);
    agent.onUpgrade = (_, socket) => socket.end(answers[1]);
    const refused = await openUpgrade(server, `${pods}/web/exec`);
    expect(String(await refused.readToEnd())).to.include(
      'hostname mismatch: expected 127.0.0.1, found 192.0.2.77',
    );
  });

  it('give up on redirects that do not end', async () => {
    agent.onUpgrade = (_, socket) =>
      socket.end('HTTP/1.1 302 Found\r\nLocation: /again\r\nContent-Length: 0\r\n\r\n');
    const { readToEnd } = await openUpgrade(server, `${pods}/web/exec`);
    expect(String(await readToEnd())).to.include('too many redirects (10)');
    expect(agent.seen).to.have.lengthOf(10);
  });

  it('say when the agent is not reached', async () => {
    const { head, readToEnd } = await openUpgrade(server, `${pods}/lost/exec`);
    expect(head).to.match(/^HTTP\/1\.1 500 /);
    const body = JSON.parse(String(await readToEnd()));
    expect(body.message).to.equal('error dialing backend: dial tcp 127.0.0.1:1: connect: connection refused');
  });

  it('need an upgrade, whichever HTTP is spoken', async () => {
    const expected = { code: 400, reason: 'BadRequest', message: 'Upgrade request required' };
    expect((await admin.send('POST', `${pods}/web/exec?command=ls`)).body).to.deep.include(expected);
    const session = connectHttp2(server.server.url, { ca: server.server.authorityPem });
    const stream = session.request({
      ':path': `${pods}/web/exec?command=ls`,
      authorization: `Bearer ${tokens.admin}`,
    });
    let text = '';
    for await (const chunk of stream) text += chunk;
    session.close();
    expect(JSON.parse(text)).to.deep.include(expected);
    expect(agent.seen).to.be.empty;
  });

  it('are for those who may', async () => {
    const { head } = await openUpgrade(server, `${pods}/web/exec`, { token: tokens.alice });
    expect(head).to.match(/^HTTP\/1\.1 403 /);
    expect(agent.seen).to.be.empty;
  });

  it('are counted by their method', async () => {
    const { socket } = await openUpgrade(server, `${pods}/web/exec`);
    const { text: during } = await admin.get('/metrics');
    expect(during).to.match(/^apiserver_longrunning_gauge\{verb="POST",.*subresource="exec",.*\} 1$/m);
    socket.destroy();
    await untilClosed();
    const { text: later } = await admin.get('/metrics');
    expect(later).to.match(/^apiserver_request_total\{verb="POST",.*subresource="exec",.*code="101"\} \d+$/m);
  });

  it('close when the server stops', async () => {
    const other = await startTestServer();
    await placePods(other.admin);
    const { socket } = await openUpgrade(other, `${pods}/web/attach`);
    socket.resume();
    const closed = once(socket, 'close');
    const startedAt = Date.now();
    await other.stop();
    socket.end();
    await closed;
    expect(Date.now() - startedAt).to.be.below(8000);
    await untilClosed();
  });
});
