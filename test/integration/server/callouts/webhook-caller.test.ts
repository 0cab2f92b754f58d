import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { systemClock } from '../../../../src/base/index.ts';
import { CalloutError, type ResolveService, WebhookCaller } from '../../../../src/server/callouts/index.ts';
import { type KeyPair, makeAuthority } from '../../../../src/server/pki/index.ts';
import { freePort } from '../../../support/free-ports.ts';
import { type AnswerCall, WebhookServer } from '../../../support/webhook-server.ts';

const json: AnswerCall = (_call, response) => {
  response.setHeader('Content-Type', 'application/json').end('{"answer":1}');
};
const noServices: ResolveService = ({ name }) => {
  throw new Error(`service "${name}" not found`);
};

describe('calls of webhooks', () => {
  let server: WebhookServer;
  let caller: WebhookCaller;
  let clientPair: KeyPair;
  before(async () => {
    const times = { nowMs: Date.now(), lifetimeMs: 3_600_000 };
    clientPair = await makeAuthority({ commonName: 'me', ...times });
    server = await WebhookServer.start(json, ['hook.space.svc']);
  });
  after(() => server[Symbol.asyncDispose]());
  beforeEach(() => {
    server.answer = json;
    server.calls.length = 0;
    caller = callerWith(noServices);
  });
  afterEach(() => caller.close());

  const callerWith = (resolveService: ResolveService): WebhookCaller =>
    new WebhookCaller({ resolveService, userAgent: 'orch-apiserver-admission', clock: systemClock });
  const client = (path = '/hook', url = server.url) => ({ url: url + path, caBundle: server.caBundle });
  const call = (more: object = {}) =>
    caller.call({ client: client(), body: '{"a":1}', timeoutMs: 5000, maxResponseBytes: 1000, ...more });
  const failureOf = async (promise: Promise<unknown>): Promise<string> => {
    const error = await promise.then(
      () => expect.fail('answered'),
      (reason: unknown) => reason,
    );
    expect(error).to.be.instanceOf(CalloutError);
    return (error as CalloutError).message;
  };

  it('post JSON as the release does', async () => {
    const answer = await call();
    expect(answer.body.toString()).to.equal('{"answer":1}');
    const [sent] = server.calls;
    expect(sent).to.include({ method: 'POST', url: '/hook?timeout=5s', body: '{"a":1}' });
    expect(sent?.headers).to.include({
      host: `127.0.0.1:${server.port}`,
      'user-agent': 'orch-apiserver-admission',
      accept: 'application/json, */*',
      'accept-encoding': 'gzip',
      'content-type': 'application/json',
    });
  });

  it('make themselves known by certificate and header', async () => {
    const more = { clientPair, authorization: 'Bearer t' };
    await call({ client: { ...client(), more } });
    await call();
    expect(server.calls.map(({ clientName, headers }) => [clientName, headers.authorization])).to.deep.equal([
      ['me', 'Bearer t'],
      [undefined, undefined],
    ]);
  });

  it('take a certificate for another name where a file of the operator says so', async () => {
    const named = (serverName: string, isUnverified = false) =>
      call({ client: { ...client(), more: { serverName, isUnverified } } });
    expect(await failureOf(named('elsewhere.example.org'))).to.match(/x509: certificate is valid for/);
    expect(await failureOf(named('127.0.0.2'))).to.match(/x509: certificate is valid for/);
    expect((await named('hook.space.svc')).status).to.equal(200);
    expect((await named('elsewhere.example.org', true)).status).to.equal(200);
  });

  it('go without TLS where a file of the operator says so', async () => {
    const plain = createServer((request, response) => response.end(JSON.stringify(request.headers)));
    plain.listen(0, '127.0.0.1');
    await once(plain, 'listening');
    const { port } = plain.address() as AddressInfo;
    const answer = await call({ client: { url: `http://127.0.0.1:${port}/x` } });
    expect(JSON.parse(answer.body.toString())).to.include({ host: `127.0.0.1:${port}` });
    caller.close();
    plain.close();
  });

  it('tell failures that may be gone a moment later', async () => {
    const codes: number[] = [];
    for (const code of [400, 401, 404, 429, 500, 502, 503, 504]) {
      server.answer = (_call, response) => response.writeHead(code).end('x');
      const error = await call().catch((reason: unknown) => reason);
      if ((error as CalloutError).isTransient) codes.push(code);
    }
    expect(codes).to.deep.equal([429, 500, 502, 504]);
  });

  it('share connections', async () => {
    const before = server.connections;
    for (let count = 0; count < 20; count++) await call();
    // A second one is opened when a call begins just as the one before ends.
    expect(server.connections - before).to.be.at.most(2);
  });

  it('unpack what is packed', async () => {
    server.answer = (_call, response) => {
      response.setHeader('Content-Encoding', 'gzip').end(gzipSync('{"packed":true}'));
    };
    expect((await call()).body.toString()).to.equal('{"packed":true}');
  });

  it('reach a service where it is, by its name on the certificate', async () => {
    await caller.close();
    caller = callerWith(() => ({ host: '127.0.0.1', port: server.port }));
    const service = { namespace: 'space', name: 'hook', path: '/in', port: 8443 };
    await call({ client: { service, caBundle: server.caBundle } });
    expect(server.calls[0]).to.deep.include({ url: '/in?timeout=5s' });
    expect(server.calls[0]?.headers.host).to.equal('hook.space.svc:8443');
  });

  it('say which service is not there', async () => {
    const service = { namespace: 'space', name: 'none', path: '/x' };
    expect(await failureOf(call({ client: { service } }))).to.equal(
      'Post "https://none.space.svc:443/x?timeout=5s": service "none" not found',
    );
  });

  it('fail in the words of the release when nobody listens', async () => {
    const port = await freePort();
    expect(await failureOf(call({ client: client('/x', `https://127.0.0.1:${port}`) }))).to.equal(
      `Post "https://127.0.0.1:${port}/x?timeout=5s": dial tcp 127.0.0.1:${port}: connect: connection refused`,
    );
  });

  it('trust the authority of the configuration only', async () => {
    const stranger = await WebhookServer.start(json);
    try {
      expect(await failureOf(call({ client: client('/x', stranger.url) }))).to.match(
        /^Post "https:\S+": x509: certificate signed by unknown authority/,
      );
      expect(stranger.calls).to.deep.equal([]);
    } finally {
      await stranger[Symbol.asyncDispose]();
    }
  });

  it('do not take a certificate for another name', async () => {
    await caller.close();
    caller = callerWith(() => ({ host: '127.0.0.1', port: server.port }));
    const service = { namespace: 'space', name: 'other', path: '/in' };
    expect(await failureOf(call({ client: { service, caBundle: server.caBundle } }))).to.equal(
      'Post "https://other.space.svc:443/in?timeout=5s": x509: certificate is valid for hook.space.svc, not other.space.svc',
    );
  });

  it('end at their deadline', async () => {
    server.answer = () => {};
    expect(await failureOf(call({ timeoutMs: 100 }))).to.equal(
      `Post "${server.url}/hook?timeout=1s": context deadline exceeded`,
    );
  });

  it('end at their deadline when an answer trickles', async () => {
    server.answer = (_call, response) => {
      response.write('{');
    };
    expect(await failureOf(call({ timeoutMs: 100 }))).to.match(/context deadline exceeded$/);
  });

  it('end when nobody waits for them any more', async () => {
    const aborter = new AbortController();
    server.answer = () => aborter.abort(new Error('gone'));
    const error = await call({ signal: aborter.signal }).catch((reason: unknown) => reason);
    expect(error).to.have.property('message', 'gone');
  });

  it('say when the connection ends too early', async () => {
    server.answer = (_call, response) => response.destroy();
    expect(await failureOf(call())).to.equal(`Post "${server.url}/hook?timeout=5s": EOF`);
  });

  for (const [what, packed] of [
    ['long', false],
    ['long once unpacked', true],
  ] as const) {
    it(`refuse an answer that is too ${what}`, async () => {
      const body = 'x'.repeat(100_000);
      server.answer = (_call, response) => {
        if (packed) response.setHeader('Content-Encoding', 'gzip').end(gzipSync(body));
        else response.end(body);
      };
      expect(await failureOf(call())).to.match(/: http: response body too large: more than 1000 bytes$/);
    });
  }

  const refusals: readonly (readonly [number, string, string, string])[] = [
    [
      500,
      'text/plain',
      'broken',
      'an error on the server ("broken") has prevented the request from succeeding',
    ],
    [503, 'text/plain', 'x', 'the server is currently unable to handle the request'],
    [403, 'text/plain', 'not you', 'not you'],
    [403, 'application/json', '"x"', 'unknown'],
    [404, 'text/plain', 'x', 'the server could not find the requested resource'],
    [
      403,
      'application/json',
      '{"kind":"Status","apiVersion":"v1","status":"Failure","message":"my own text","code":403}',
      'my own text',
    ],
    [200, 'text/plain', '', '0-length response with status code: 200 and content type: text/plain'],
  ];
  for (const [code, type, body, message] of refusals) {
    it(`fail with the words of the release for ${code} ${body.slice(0, 20)}`, async () => {
      server.answer = (_call, response) => {
        response.writeHead(code, { 'Content-Type': type }).end(body);
      };
      expect(await failureOf(call())).to.equal(message);
    });
  }

  it('are made again when the webhook asks for patience', async () => {
    server.answer = (received, response) => {
      if (server.calls.length > 2) json(received, response);
      else response.writeHead(429, { 'Retry-After': '0' }).end();
    };
    expect((await call()).status).to.equal(200);
    expect(server.calls).to.have.length(3);
  });

  it('follow a redirect on the same host, and no other', async () => {
    server.answer = (received, response) => {
      if (received.url === '/next') json(received, response);
      else response.writeHead(302, { Location: '/next' }).end();
    };
    expect((await call()).status).to.equal(200);
    expect(server.calls.map(({ method, url }) => `${method} ${url}`)).to.deep.equal([
      'POST /hook?timeout=5s',
      'GET /next',
    ]);
    server.answer = (_call, response) => {
      response.writeHead(307, { Location: 'https://127.0.0.2/x' }).end();
    };
    expect(await failureOf(call())).to.match(/redirect to another host refused: https:\/\/127.0.0.2$/);
  });

  it('give up on redirects that do not end', async () => {
    server.answer = (_call, response) => {
      response.writeHead(302, { Location: '/again' }).end();
    };
    expect(await failureOf(call())).to.equal('Post "/again": stopped after 10 redirects');
    expect(server.calls).to.have.length(10);
  });
});
