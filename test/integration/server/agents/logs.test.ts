import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { connect as connectHttp2 } from 'node:http2';
import { get } from 'node:https';
import { join } from 'node:path';
import { expect } from 'chai';
import { after, afterEach, before, beforeEach, describe, it } from 'mocha';
import { WebSocket } from 'ws';
import { issueCertificate, makeAuthority } from '../../../../src/server/pki/index.ts';
import type { ApiClient } from '../../../support/api-client.ts';
import { eventually } from '../../../support/eventually.ts';
import { type FakeAgent, registerNode, startFakeAgent } from '../../../support/fake-agent.ts';
import { inNamespace, pod } from '../../../support/objects.ts';
import { makeTemporaryDirectory, type TemporaryDirectory } from '../../../support/temporary-directory.ts';
import { startTestServer, type TestServer, tokens } from '../../../support/test-server.ts';

const pods = inNamespace('default', 'pods');

describe('logs of pods', () => {
  let server: TestServer;
  let admin: ApiClient;
  let agent: FakeAgent;
  before(async () => {
    agent = await startFakeAgent();
    server = await startTestServer();
    admin = server.admin;
    await registerNode(admin, 'near', agent);
    await registerNode(admin, 'dead', { port: 1 });
    for (const [name, nodeName] of Object.entries({ web: 'near', lost: 'dead' })) {
      const { spec, ...rest } = pod(name);
      await admin.create(pods, { ...rest, spec: { ...spec, nodeName } });
    }
  });
  after(async () => {
    await server?.stop();
    await agent?.stop();
  });
  beforeEach(() => {
    agent.seen.length = 0;
  });

  it('come from the agent, which is asked with all that the client wants', async () => {
    agent.onRequest = (_, response) => response.end('one\ntwo\n');
    const query =
      'container=main&follow=true&previous=1&timestamps=true&sinceSeconds=5&tailLines=10&limitBytes=100&pretty=true';
    const answer = await admin.get(`${pods}/web/log?${query}`);
    expect([answer.code, answer.text]).to.deep.equal([200, 'one\ntwo\n']);
    expect(answer.headers['content-type']).to.equal('text/plain');
    const [seen] = agent.seen;
    expect(seen?.url).to.equal(
      '/containerLogs/default/web/main?follow=true&limitBytes=100&previous=true&sinceSeconds=5&tailLines=10&timestamps=true',
    );
    expect(seen?.client).to.equal('orch-apiserver-nodeagent-client');
  });

  it('are asked for with times in UTC, and without what is off', async () => {
    agent.onRequest = (_, response) => response.end();
    await admin.get(`${pods}/web/log?sinceTime=2020-02-03T04:05:06.7%2B02:00&follow=false&previous=0`);
    expect(agent.seen[0]?.url).to.equal('/containerLogs/default/web/main?sinceTime=2020-02-03T02%3A05%3A06Z');
  });

  it('arrive line by line, and are no longer asked for when the client leaves', async () => {
    let line = (_text: string): unknown => undefined;
    agent.onRequest = (_, response) => {
      line = (text) => response.write(text);
      line('first\n');
    };
    const { url, authorityPem: ca } = server.server;
    const request = get(`${url}${pods}/web/log?follow=true`, {
      ca,
      agent: false,
      headers: { authorization: `Bearer ${tokens.admin}` },
    });
    request.on('error', () => {});
    const [answer] = await once(request, 'response');
    expect(String((await once(answer, 'data'))[0])).to.equal('first\n');
    line('second\n');
    expect(String((await once(answer, 'data'))[0])).to.equal('second\n');
    request.destroy();
    await eventually(async () => agent.connectionCount() === 0 || undefined);
  });

  it('are no longer asked for when a client of HTTP/2 leaves', async () => {
    agent.onRequest = (_, response) => response.write('first\n');
    const session = connectHttp2(server.server.url, { ca: server.server.authorityPem });
    session.on('error', () => {});
    const stream = session.request({
      ':path': `${pods}/web/log?follow=true`,
      authorization: `Bearer ${tokens.admin}`,
    });
    stream.on('error', () => {});
    expect(String((await once(stream, 'data'))[0])).to.equal('first\n');
    session.destroy();
    await eventually(async () => agent.connectionCount() === 0 || undefined);
  });

  it('wait for a client that does not read', async () => {
    let sentBytes = 0;
    agent.onRequest = (_, response) => {
      const chunk = Buffer.alloc(64 * 1024, 'x');
      const push = () => {
        while (sentBytes < 256 * 2 ** 20 && !response.destroyed) {
          sentBytes += chunk.length;
          if (!response.write(chunk)) return void response.once('drain', push);
        }
      };
      push();
    };
    const { url, authorityPem: ca } = server.server;
    const request = get(`${url}${pods}/web/log`, {
      ca,
      agent: false,
      headers: { authorization: `Bearer ${tokens.admin}` },
    });
    request.on('error', () => {});
    await once(request, 'response');
    let before = -1;
    await eventually(async () => {
      const isStill = sentBytes > 0 && sentBytes === before;
      before = sentBytes;
      return isStill || undefined;
    });
    expect(sentBytes).to.be.below(64 * 2 ** 20);
    request.destroy();
  });

  const failures: readonly (readonly [number, string, object])[] = [
    [
      400,
      'container "main" is waiting to start',
      { code: 400, reason: 'BadRequest', message: 'container "main" is waiting to start' },
    ],
    [500, 'broken', { code: 500, reason: 'InternalError', message: 'Internal error occurred: broken' }],
    [
      404,
      'pod does not exist',
      {
        code: 404,
        reason: 'NotFound',
        message: 'the server could not find the requested resource ( pods/log web)',
      },
    ],
    [
      401,
      'Unauthorized',
      {
        code: 401,
        reason: 'Unauthorized',
        message: 'the server has asked for the client to provide credentials ( pods/log web)',
      },
    ],
    [
      403,
      'Forbidden (user=x)',
      { code: 403, reason: 'Forbidden', message: 'Forbidden (user=x) ( pods/log web)' },
    ],
    [
      502,
      'x',
      {
        code: 502,
        reason: 'InternalError',
        message: 'an error on the server ("x") has prevented the request from succeeding ( pods/log web)',
      },
    ],
    [
      418,
      'x',
      {
        code: 418,
        message:
          'the server responded with the status code 418 but did not return more information ( pods/log web)',
      },
    ],
  ];
  for (const [code, text, expected] of failures) {
    it(`tell the agent's failure ${code}`, async () => {
      agent.onRequest = (_, response) => response.writeHead(code).end(text);
      const { body } = await admin.get(`${pods}/web/log`);
      expect(body).to.deep.include(expected);
    });
  }

  it('are not looked for where an agent redirects to', async () => {
    agent.onRequest = (_, response) => response.writeHead(302, { location: '/elsewhere' }).end();
    const { body } = await admin.get(`${pods}/web/log`);
    const message = `Get "https://127.0.0.1:${agent.port}/elsewhere": redirects forbidden`;
    expect(body).to.deep.include({ code: 500, message });
    expect(agent.seen).to.have.lengthOf(1);
  });

  it('say when the agent is not reached', async () => {
    const { body } = await admin.get(`${pods}/lost/log`);
    const message =
      'Get "https://127.0.0.1:1/containerLogs/default/lost/main": dial tcp 127.0.0.1:1: connect: connection refused';
    expect(body).to.deep.equal({
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message,
      code: 500,
    });
  });

  for (const protocol of ['binary.orch.io', 'base64.binary.orch.io']) {
    it(`come over a WebSocket as ${protocol}`, async () => {
      agent.onRequest = (_, response) => response.end('one\n');
      const { url, authorityPem: ca } = server.server;
      const socket = new WebSocket(`${url.replace('https', 'wss')}${pods}/web/log`, [protocol], {
        ca,
        headers: { authorization: `Bearer ${tokens.admin}` },
      });
      const messages: string[] = [];
      socket.on('message', (data) => messages.push(String(data)));
      const [code] = await once(socket, 'close');
      expect(code).to.equal(1000);
      expect(messages).to.deep.equal(['', protocol.startsWith('base64') ? 'b25lCg==' : 'one\n']);
    });
  }

  it('end when the server stops', async () => {
    const other = await startTestServer();
    await registerNode(other.admin, 'near', agent);
    const { spec, ...rest } = pod('web');
    await other.admin.create(pods, { ...rest, spec: { ...spec, nodeName: 'near' } });
    agent.onRequest = (_, response) => response.write('first\n');
    const answer = other.admin.get(`${pods}/web/log?follow=true`);
    await eventually(async () => agent.connectionCount() > 0 || undefined);
    const startedAt = Date.now();
    const stopped = other.stop();
    await answer.catch(() => {});
    await stopped;
    expect(Date.now() - startedAt).to.be.below(8000);
    await eventually(async () => agent.connectionCount() === 0 || undefined);
  });
});

describe('certificates on the way to agents', () => {
  let directory: TemporaryDirectory;
  let agent: FakeAgent;
  let server: TestServer | undefined;
  beforeEach(async () => {
    directory = await makeTemporaryDirectory();
  });
  afterEach(async () => {
    await server?.stop();
    await agent?.stop();
    await directory.remove();
  });

  async function readLog(query = '') {
    const { admin } = server as TestServer; // started by each test
    await registerNode(admin, 'near', agent);
    const { spec, ...rest } = pod('web');
    await admin.create(pods, { ...rest, spec: { ...spec, nodeName: 'near' } });
    agent.onRequest = (_, response) => response.end('seen');
    return admin.get(`${pods}/web/log${query}`);
  }
  async function write(name: string, text: string): Promise<string> {
    const file = join(directory.path, name);
    await writeFile(file, text);
    return file;
  }

  it('are verified when there is an authority for them', async () => {
    agent = await startFakeAgent();
    const file = await write('ca.crt', agent.authorityPem);
    server = await startTestServer({ flags: [`--nodeagent-certificate-authority=${file}`] });
    expect((await readLog()).text).to.equal('seen');
  });

  it('are refused when it is another one, unless the client wants them not to be', async () => {
    agent = await startFakeAgent();
    const foreign = await startFakeAgent();
    await foreign.stop();
    const file = await write('ca.crt', foreign.authorityPem);
    server = await startTestServer({ flags: [`--nodeagent-certificate-authority=${file}`] });
    const refused = await readLog();
    expect(refused.code).to.equal(500);
    expect(refused.body.message).to.match(/: x509: certificate signed by unknown authority$/);
    const taken = await server.admin.get(`${pods}/web/log?insecureSkipTLSVerifyBackend=true`);
    expect([taken.code, taken.text]).to.deep.equal([200, 'seen']);
  });

  it("are the server's own, which agents can verify", async () => {
    server = await startTestServer();
    agent = await startFakeAgent({ clientAuthorityPem: server.server.authorityPem });
    expect((await readLog()).text).to.equal('seen');
    expect(agent.seen[0]).to.deep.include({ client: 'orch-apiserver-nodeagent-client', isTrusted: true });
  });

  it('are those that flags name', async () => {
    const period = { nowMs: Date.now(), lifetimeMs: 86_400_000 };
    const authority = await makeAuthority({ commonName: 'clients', ...period });
    const subject = { commonName: 'somebody' };
    const pair = await issueCertificate({ authority, subject, usage: 'client', ...period });
    server = await startTestServer({
      flags: [
        `--nodeagent-client-certificate=${await write('client.crt', pair.certificatePem)}`,
        `--nodeagent-client-key=${await write('client.key', pair.privateKeyPem)}`,
      ],
    });
    agent = await startFakeAgent({ clientAuthorityPem: authority.certificatePem });
    expect((await readLog()).text).to.equal('seen');
    expect(agent.seen[0]).to.deep.include({ client: 'somebody', isTrusted: true });
  });
});
