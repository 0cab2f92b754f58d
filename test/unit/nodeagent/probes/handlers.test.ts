import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net';
import { expect } from 'chai';
import { afterEach, describe, it } from 'mocha';
import type { HTTPGetAction, HTTPHeader } from '../../../../src/apis/types/core-v1.ts';
import { systemClock } from '../../../../src/base/index.ts';
import { createDialect, orchDialect } from '../../../../src/machinery/dialect.ts';
import {
  createProbeHandlers,
  type HandlerResult,
  type HandlerTarget,
} from '../../../../src/nodeagent/probes/index.ts';
import {
  type ExecSyncOptions,
  type ExecSyncResult,
  RuntimeError,
} from '../../../../src/nodeagent/runtime/index.ts';
import { issueCertificate, makeAuthority } from '../../../../src/server/pki/index.ts';
import { containerOf } from './subject.ts';

const host = '127.0.0.1';
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const noRuntime = {
  execSync: async (): Promise<ExecSyncResult> => Promise.reject(new Error('not asked for')),
};

const handlersWith = (
  execSync: (options: ExecSyncOptions) => Promise<ExecSyncResult>,
  enforcesExecTimeout = true,
) =>
  createProbeHandlers({
    runtime: { execSync },
    dialect: orchDialect,
    enforcesExecTimeout,
    clock: systemClock,
  });
const network = handlersWith(noRuntime.execSync);

const targetOf = (more: Partial<HandlerTarget> = {}): HandlerTarget => ({
  containerId: 'id1',
  container: containerOf(),
  podIp: host,
  timeoutMs: 5000,
  ...more,
});

/** A port that nothing listens on. */
async function closedPort(): Promise<number> {
  const server = createTcpServer().listen(0, host);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // It listens on a port.
  server.close();
  await once(server, 'close');
  return port;
}

describe('createProbeHandlers', () => {
  const servers: Server[] = [];
  const sockets = new Set<Socket>();

  afterEach(async () => {
    for (const socket of sockets) socket.destroy();
    await Promise.all(servers.splice(0).map((server) => new Promise((resolve) => server.close(resolve))));
  });

  const listen = async (server: Server): Promise<number> => {
    servers.push(server);
    server.on('connection', (socket: Socket) => {
      sockets.add(socket);
      socket.once('close', () => sockets.delete(socket));
    });
    server.listen(0, host);
    await once(server, 'listening');
    return (server.address() as AddressInfo).port; // It listens on a port.
  };
  const serve = (answer: RequestListener): Promise<number> => listen(createServer(answer));
  const probe = (action: HTTPGetAction, more: Partial<HandlerTarget> = {}): Promise<HandlerResult> =>
    network.run({ httpGet: action }, targetOf(more));

  describe('of HTTP', () => {
    const respond =
      (status: number, body = '', headers = {}): RequestListener =>
      (_request: IncomingMessage, response: ServerResponse) => {
        response.writeHead(status, headers).end(body);
      };

    for (const [status, outcome, output] of [
      [200, 'success', 'fine'],
      [204, 'success', ''],
      [304, 'warning', ''],
      [404, 'failure', 'HTTP probe failed with statuscode: 404'],
      [500, 'failure', 'HTTP probe failed with statuscode: 500'],
    ] as const) {
      it(`take ${status} for a ${outcome}`, async () => {
        const port = await serve(respond(status, 'fine'));
        expect(await probe({ port, path: '/' })).to.deep.equal({ outcome, output });
      });
    }

    it('send their own headers, and those of the probe over them', async () => {
      const seen: [string | undefined, NodeJS.Dict<string[]>][] = [];
      const port = await serve(({ url, headersDistinct }, response) => {
        seen.push([url, headersDistinct]);
        response.end();
      });
      const asking = (...httpHeaders: HTTPHeader[]) => probe({ port, path: '/a?b=c', httpHeaders });
      await asking();
      await asking(
        { name: 'host', value: 'example.test' },
        { name: 'x-a', value: '1' },
        { name: 'X-A', value: '2' },
      );
      await asking(
        { name: 'User-Agent', value: 'mine' },
        { name: 'Accept', value: '' },
        { name: 'Content-Length', value: '5' },
      );
      expect(seen).to.deep.equal([
        [
          '/a?b=c',
          {
            host: [`${host}:${port}`],
            'user-agent': ['orch-probe/1.20'],
            accept: ['*/*'],
            connection: ['close'],
          },
        ],
        [
          '/a?b=c',
          {
            host: ['example.test'],
            'x-a': ['1', '2'],
            'user-agent': ['orch-probe/1.20'],
            accept: ['*/*'],
            connection: ['close'],
          },
        ],
        ['/a?b=c', { host: [`${host}:${port}`], 'user-agent': ['mine'], connection: ['close'] }],
      ]);
    });

    it('say who they are in the spelling of the dialect', async () => {
      const port = await serve(({ headers }, response) => response.end(headers['user-agent']));
      const dialect = createDialect('kubernetes');
      const handlers = createProbeHandlers({
        runtime: noRuntime,
        dialect,
        enforcesExecTimeout: true,
        clock: systemClock,
      });
      const { output } = await handlers.run({ httpGet: { port } }, targetOf());
      expect(output).to.equal(dialect.spell('orch-probe/1.20')).and.not.include('orch');
    });

    it('find ports by name, also those that are numbers in text', async () => {
      const port = await serve(respond(200));
      const container = containerOf({ ports: [{ name: 'web', containerPort: port }] });
      expect(await probe({ port: 'web' }, { container })).to.include({ outcome: 'success' });
      expect(await probe({ port: `${port}` }, { container })).to.include({ outcome: 'success' });
      expect(await probe({ port: 'other' }, { container })).to.deep.equal({
        outcome: 'unknown',
        output: 'strconv.Atoi: parsing "other": invalid syntax',
      });
      expect(await probe({ port: 0 })).to.deep.equal({
        outcome: 'unknown',
        output: 'invalid port number: 0',
      });
    });

    it('follow redirects on the same host, and only those', async () => {
      const port = await serve((request, response) => {
        const to = { '/near': '/end', '/far': 'http://192.0.2.1/' }[request.url ?? ''];
        if (to === undefined) response.end(request.url);
        else response.writeHead(302, { location: to }).end('gone');
      });
      expect(await probe({ port, path: '/near' })).to.deep.equal({ outcome: 'success', output: '/end' });
      expect(await probe({ port, path: '/far' })).to.deep.equal({ outcome: 'warning', output: 'gone' });
    });

    it('follow at most nine redirects', async () => {
      let count = 0;
      const port = await serve((_request, response) => {
        count++;
        response.writeHead(301, { location: '/again' }).end();
      });
      expect(await probe({ port, path: '/' })).to.deep.equal({
        outcome: 'failure',
        output: `Get "http://${host}:${port}/again": stopped after 10 redirects`,
      });
      expect(count).to.equal(10);
    });

    it('read 10 KiB of an answer and no more', async () => {
      const port = await serve((_request, response) => {
        const fill = (): void => {
          while (response.write('x'.repeat(4096)));
          response.once('drain', fill);
        };
        fill();
      });
      const { outcome, output } = await probe({ port, path: '/' });
      expect(outcome).to.equal('success');
      expect(output).to.have.length(10 * 1024);
    });

    it('say why there is no answer, as the reference does', async () => {
      const closed = await closedPort();
      expect(await probe({ port: closed, path: '/nope' })).to.deep.equal({
        outcome: 'failure',
        output: `Get "http://${host}:${closed}/nope": dial tcp ${host}:${closed}: connect: connection refused`,
      });
      const hangUp = await listen(createTcpServer((socket) => socket.once('data', () => socket.end())));
      expect(await probe({ port: hangUp, path: '/' })).to.deep.equal({
        outcome: 'failure',
        output: `Get "http://${host}:${hangUp}/": EOF`,
      });
      const noHttp = await listen(createTcpServer((socket) => socket.end('SSH-2.0-x\r\n')));
      expect(await probe({ port: noHttp, path: '/' })).to.deep.equal({
        outcome: 'failure',
        output: `Get "http://${host}:${noHttp}/": net/http: HTTP/1.x transport connection broken: malformed HTTP response "SSH-2.0-x"`,
      });
      const plain = await serve(respond(200));
      expect(await probe({ port: plain, path: '/', scheme: 'HTTPS' })).to.deep.equal({
        outcome: 'failure',
        output: `Get "https://${host}:${plain}/": http: server gave HTTP response to HTTPS client`,
      });
    });

    it('give up when the answer takes too long', async () => {
      const silent = await serve(() => undefined);
      expect(await probe({ port: silent, path: '/' }, { timeoutMs: 50 })).to.deep.equal({
        outcome: 'failure',
        output: `Get "http://${host}:${silent}/": context deadline exceeded (Client.Timeout exceeded while awaiting headers)`,
      });
    });

    it('know nothing when an answer breaks off', async () => {
      const slow = await serve(
        (_request, response) => void response.writeHead(200, { 'content-length': 9 }).write('x'),
      );
      expect(await probe({ port: slow }, { timeoutMs: 50 })).to.deep.equal({
        outcome: 'unknown',
        output: 'context deadline exceeded (Client.Timeout or context cancellation while reading body)',
      });
      const broken = await serve((_request, response) => {
        response.writeHead(200, { 'content-length': 9 }).write('x', () => response.destroy());
      });
      expect(await probe({ port: broken })).to.deep.equal({ outcome: 'unknown', output: 'unexpected EOF' });
    });

    it('take answers of servers that end lines their own way', async () => {
      const port = await listen(
        createTcpServer((socket) => socket.once('data', () => socket.end('HTTP/1.0 503 No\n\nx'))),
      );
      expect(await probe({ port })).to.deep.equal({
        outcome: 'failure',
        output: 'HTTP probe failed with statuscode: 503',
      });
    });

    it('ask servers over TLS whoever they say they are', async () => {
      const period = { nowMs: Date.now(), lifetimeMs: 86_400_000 };
      const authority = await makeAuthority({ commonName: 'nobody', ...period });
      const subject = { commonName: 'elsewhere.test' };
      const pair = await issueCertificate({ authority, subject, usage: 'server', ...period });
      const tls = { cert: pair.certificatePem, key: pair.privateKeyPem };
      const port = await listen(createSecureServer(tls, respond(200, 'secret')));
      expect(await probe({ port, scheme: 'HTTPS' })).to.deep.equal({ outcome: 'success', output: 'secret' });
    });

    it('fail with a header that cannot be sent', async () => {
      const port = await serve(respond(200));
      const httpHeaders = [{ name: 'X-A', value: 'a\r\nb' }];
      expect(await probe({ port, httpHeaders })).to.include({ outcome: 'failure' });
    });

    for (const [written, sent] of [
      ['healthz', '/healthz'],
      ['/a b', '/a%20b'],
      ['/a#b', '/a'],
      ['/a/../b', '/a/../b'],
      ['http://elsewhere.test/x', '/x'],
      ['/ü\r\n', '/%C3%BC%0D%0A'],
    ] as const) {
      it(`ask for ${JSON.stringify(written)} as ${sent}`, async () => {
        const port = await serve((request, response) => response.end(request.url));
        expect(await probe({ port, path: written })).to.deep.equal({ outcome: 'success', output: sent });
      });
    }
  });

  describe('of TCP', () => {
    it('take a connection for a success, and a refusal for a failure', async () => {
      const port = await listen(createTcpServer());
      expect(await network.run({ tcpSocket: { port } }, targetOf())).to.deep.equal({
        outcome: 'success',
        output: '',
      });
      const closed = await closedPort();
      expect(
        await network.run({ tcpSocket: { port: closed, host } }, targetOf({ podIp: '192.0.2.1' })),
      ).to.deep.equal({
        outcome: 'failure',
        output: `dial tcp ${host}:${closed}: connect: connection refused`,
      });
    });
  });

  describe('of commands', () => {
    const answer = (exitCode: number, stdout = '', stderr = ''): ExecSyncResult => ({
      exitCode,
      stdout: bytes(stdout),
      stderr: bytes(stderr),
    });
    const exec = { exec: { command: ['check', '$(NAME)', '$(SECRET)', '$(NONE)', '$$'] } };

    it('judge by the exit code, and give what was written', async () => {
      expect(await handlersWith(async () => answer(0, 'ok')).run(exec, targetOf())).to.deep.equal({
        outcome: 'success',
        output: 'ok',
      });
      expect(await handlersWith(async () => answer(1, 'out', 'err')).run(exec, targetOf())).to.deep.equal({
        outcome: 'failure',
        output: 'outerr',
      });
      const { output } = await handlersWith(async () => answer(1, 'x'.repeat(99_999))).run(exec, targetOf());
      expect(output).to.have.length(10 * 1024);
    });

    it('replace what the environment of the container says literally', async () => {
      const asked: ExecSyncOptions[] = [];
      const env = [
        { name: 'NAME', value: 'web' },
        { name: 'SECRET', valueFrom: {} },
      ];
      const handlers = handlersWith(async (options) => {
        asked.push(options);
        return answer(0);
      });
      await handlers.run(exec, targetOf({ container: containerOf({ env }) }));
      expect(asked[0]).to.deep.include({
        command: ['check', 'web', '', '$(NONE)', '$'],
        timeoutMs: 5000,
        containerId: 'id1',
      });
    });

    it('take one that takes too long for a failure, unless that is not enforced', async () => {
      const late = async () => Promise.reject(new RuntimeError('timeout', 'ExecSync: timeout 1s exceeded'));
      expect(await handlersWith(late).run(exec, targetOf())).to.deep.equal({
        outcome: 'failure',
        output: '',
      });
      const sleeping = { exec: { command: ['sleep', '30'] } };
      expect(await handlersWith(late, false).run(sleeping, targetOf())).to.deep.equal({
        outcome: 'unknown',
        output: 'command "sleep 30" timed out',
      });
    });

    it('know nothing when the runtime cannot run it', async () => {
      const failing = async () => Promise.reject(new RuntimeError('failed', 'ExecSync: no such program'));
      expect(await handlersWith(failing).run(exec, targetOf())).to.deep.equal({
        outcome: 'unknown',
        output: 'rpc error: code = Unknown desc = no such program',
      });
    });
  });

  it('know nothing of a probe that does nothing', async () => {
    expect(await network.run({}, targetOf())).to.include({ outcome: 'unknown' });
  });

  it('know nothing once they were told to give up', async () => {
    const controller = new AbortController();
    const port = await serve(() => controller.abort());
    const { signal } = controller;
    expect(await network.run({ httpGet: { port } }, targetOf({ signal }))).to.include({ outcome: 'unknown' });
    expect(await network.run({ tcpSocket: { port } }, targetOf({ signal }))).to.include({
      outcome: 'unknown',
    });
  });
});
