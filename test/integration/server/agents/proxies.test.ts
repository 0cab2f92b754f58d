import { once } from 'node:events';
import { connect as connectHttp2 } from 'node:http2';
import { gunzipSync, gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { after, before, beforeEach, describe, it } from 'mocha';
import type { ApiClient } from '../../../support/api-client.ts';
import { eventually } from '../../../support/eventually.ts';
import { type FakeAgent, registerNode, startFakeAgent } from '../../../support/fake-agent.ts';
import { startTestServer, type TestServer, tokens } from '../../../support/test-server.ts';
import { openUpgrade } from '../../../support/upgraded-connection.ts';

const nodeProxy = '/api/v1/nodes/near/proxy';

describe('proxies of nodes', () => {
  let server: TestServer;
  let admin: ApiClient;
  let agent: FakeAgent;
  before(async () => {
    agent = await startFakeAgent();
    server = await startTestServer();
    admin = server.admin;
    await registerNode(admin, 'near', agent);
    await registerNode(admin, 'dead', { port: 1 });
    await registerNode(admin, 'link', { port: 10_250, address: '169.254.169.254' });
  });
  after(async () => {
    await server?.stop();
    await agent?.stop();
  });
  beforeEach(() => {
    agent.seen.length = 0;
    agent.onRequest = (_, response) => response.end('ok');
  });

  const targets: readonly (readonly [string, string])[] = [
    [`${nodeProxy}/`, '/'],
    [`${nodeProxy}/stats/summary?only=cpu&x=%20`, '/stats/summary?only=cpu&x=%20'],
    [`${nodeProxy}/logs/`, '/logs/'],
    // An escaped slash separates like any other, for authorization and for the agent alike.
    [`${nodeProxy}/a%2Fb//c/./d/../e%20f`, '/a/b/c/e%20f'],
    [`${nodeProxy}/../../x`, '/x'],
  ];
  for (const [path, target] of targets) {
    it(`ask the agent for ${target} at ${path}`, async () => {
      const answer = await admin.get(path);
      expect([answer.code, answer.text]).to.deep.equal([200, 'ok']);
      expect(agent.seen[0]).to.deep.include({ url: target, client: 'orch-apiserver-nodeagent-client' });
    });
  }

  it('name the port of the agent too', async () => {
    expect((await admin.get(`/api/v1/nodes/https:near:${agent.port}/proxy/pods`)).code).to.equal(200);
    expect(agent.seen[0]?.url).to.equal('/pods');
  });

  it('send who wants no path to the first page', async () => {
    const { code, headers } = await admin.get(`${nodeProxy}?a=b`);
    expect([code, headers.location]).to.deep.equal([301, `${nodeProxy}/?a=b`]);
    expect(agent.seen).to.be.empty;
  });

  it('pass on bodies and headers, but those of the connection and credentials', async () => {
    let received = '';
    agent.onRequest = async (request, response) => {
      for await (const chunk of request) received += chunk;
      response.writeHead(201, 'Made', {
        'content-type': 'text/odd',
        'cache-control': 'max-age=5',
        'access-control-allow-origin': '*',
        connection: 'x-hop',
        'x-hop': '1',
        'x-kept': ['a', 'b'],
      });
      response.end('done');
    };
    const client = server.withToken(tokens.admin);
    const answer = await client.send('PUT', `${nodeProxy}/a`, {
      body: 'sent',
      headers: {
        'x-forwarded-for': '192.0.2.1',
        'x-mine': '1',
        'x-hop': '2',
        connection: 'keep-alive, x-hop',
      },
    });
    expect([answer.code, answer.text, received]).to.deep.equal([201, 'done', 'sent']);
    expect(answer.headers).to.include({ 'content-type': 'text/odd', 'x-kept': 'a, b' });
    expect(answer.headers['cache-control']).to.equal('no-cache, private, max-age=5');
    expect(answer.headers).to.not.have.property('access-control-allow-origin');
    expect(answer.headers).to.not.have.property('x-hop');
    const [seen] = agent.seen;
    expect(seen?.headers).to.deep.include({
      'x-forwarded-for': '192.0.2.1, 127.0.0.1',
      'x-forwarded-uri': `${nodeProxy}/a`,
      'x-mine': '1',
      'content-length': '4',
      host: new URL(server.server.url).host,
    });
    for (const name of ['authorization', 'x-hop']) expect(seen?.headers).to.not.have.property(name);
  });

  it('pass on bodies without a length', async () => {
    let received = '';
    agent.onRequest = async (request, response) => {
      for await (const chunk of request) received += chunk;
      response.end();
    };
    const session = connectHttp2(server.server.url, { ca: server.server.authorityPem });
    const stream = session.request({
      ':method': 'POST',
      ':path': `${nodeProxy}/run`,
      authorization: `Bearer ${tokens.admin}`,
    });
    stream.write('one ');
    stream.end('two');
    const [head] = await once(stream, 'response');
    stream.resume();
    await once(stream, 'close');
    session.close();
    expect([head[':status'], received]).to.deep.equal([200, 'one two']);
    expect(agent.seen[0]?.headers['transfer-encoding']).to.equal('chunked');
  });

  it('pass on codes of failure as they are', async () => {
    agent.onRequest = (_, response) => response.writeHead(403).end('Forbidden (user=x)');
    const { code, text } = await admin.get(`${nodeProxy}/x`);
    expect([code, text]).to.deep.equal([403, 'Forbidden (user=x)']);
  });

  it('lead redirects below their path', async () => {
    agent.onRequest = (_, response) => response.writeHead(301, { location: '/logs/?a=b#c' }).end();
    const { code, headers } = await admin.get(`${nodeProxy}/logs`);
    expect([code, headers.location]).to.deep.equal([301, `${nodeProxy}/logs/?a=b#c`]);
  });

  for (const encoding of ['identity', 'gzip']) {
    it(`lead links of pages below their path, in ${encoding}`, async () => {
      const page = Buffer.from('<a href="/logs/a">a</a>');
      agent.onRequest = (_, response) => {
        const body = encoding === 'gzip' ? gzipSync(page) : page;
        response.writeHead(200, {
          'content-type': 'text/html; charset=utf-8',
          'content-encoding': encoding,
          'content-length': body.length,
        });
        response.end(body);
      };
      const { bytes } = await admin.get(`${nodeProxy}/logs/`, { 'accept-encoding': encoding });
      const text = String(encoding === 'gzip' ? gunzipSync(bytes) : bytes);
      expect(text).to.equal(`<a href="${nodeProxy}/logs/a">a</a>`);
    });
  }

  it('unpack what was packed on the way only', async () => {
    agent.onRequest = (request, response) => {
      expect(request.headers).to.include({ 'accept-encoding': 'gzip' });
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('plain'));
    };
    const { text, headers } = await admin.get(`${nodeProxy}/x`);
    expect(text).to.equal('plain');
    expect(headers).not.to.have.property('content-encoding');
  });

  it('answer HEAD without a body', async () => {
    agent.onRequest = (_, response) => response.writeHead(200, { 'content-length': 7 }).end();
    const { code, headers, text } = await admin.send('HEAD', `${nodeProxy}/x`);
    expect([code, headers['content-length'], text]).to.deep.equal([200, '7', '']);
  });

  it('cut an answer off that the agent cuts off', async () => {
    agent.onRequest = (request, response) => {
      response.writeHead(200, { 'content-length': 100 });
      response.write('part');
      setImmediate(() => request.socket.destroy());
    };
    const failure = await admin.get(`${nodeProxy}/x`).then(
      () => undefined,
      (error: Error) => error,
    );
    expect(failure).to.be.instanceOf(Error);
    await eventually(async () => agent.connectionCount() === 0 || undefined);
  });

  it('say when the agent is not reached', async () => {
    const { body } = await admin.get('/api/v1/nodes/dead/proxy/pods');
    const message = 'error trying to reach service: dial tcp 127.0.0.1:1: connect: connection refused';
    expect(body).to.deep.include({ code: 500, message });
  });

  it('refuse other ports of hosts at loopback and link-local addresses', async () => {
    for (const name of [`near:${agent.port + 1}`, 'http:link:80']) {
      const { body } = await admin.get(`/api/v1/nodes/${name}/proxy/`);
      expect(body, name).to.deep.include({ code: 400, message: 'address not allowed' });
    }
  });

  it('become tunnels for other protocols', async () => {
    agent.onUpgrade = (_, socket) => {
      socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: odd\r\nConnection: Upgrade\r\n\r\n');
      socket.pipe(socket);
    };
    const { socket, read } = await openUpgrade(server, `${nodeProxy}/ws?a=b`, {
      method: 'GET',
      protocol: 'odd',
    });
    socket.write('echo');
    expect(String(await read(4))).to.equal('echo');
    expect(agent.seen[0]?.url).to.equal('/ws?a=b');
    socket.destroy();
    await eventually(async () => agent.connectionCount() === 0 || undefined);
  });

  it('are for those who may', async () => {
    expect((await server.withToken(tokens.alice).get(`${nodeProxy}/pods`)).code).to.equal(403);
    expect(agent.seen).to.be.empty;
  });
});
