import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { expect } from 'chai';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { EngineConnection } from '../../../../src/nodeagent/legacyrt/engine-connection.ts';
import { RuntimeError } from '../../../../src/nodeagent/runtime/index.ts';
import { makeTemporaryDirectory, type TemporaryDirectory } from '../../../support/temporary-directory.ts';

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

describe('EngineConnection', () => {
  let folder: TemporaryDirectory;
  let server: Server;
  let connection: EngineConnection;
  let paths: string[];
  let version: string;
  let answer: Answer;

  beforeEach(async () => {
    folder = await makeTemporaryDirectory();
    paths = [];
    version = '1.41';
    answer = (_, response) => response.end('{"ok":true}');
    server = createServer((request, response) => {
      paths.push(`${request.method} ${request.url}`);
      if (request.url === '/version')
        response.end(JSON.stringify({ ApiVersion: version, MinAPIVersion: '1.12' }));
      else answer(request, response);
    });
    await listen();
    const address = { socketPath: join(folder.path, 's') };
    connection = new EngineConnection({ address, unreachable: 'nobody there', requestTimeoutMs: 5000 });
  });
  afterEach(async () => {
    connection.close();
    await stop();
    await folder.remove();
  });

  const listen = (): Promise<void> =>
    new Promise((resolve) => {
      server.listen(join(folder.path, 's'), resolve);
    });
  const stop = async (): Promise<void> => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  const get = (more: object = {}): Promise<unknown> =>
    connection.ask({ call: 'Call', method: 'GET', path: '/x', timeoutMs: 5000, ...more });
  const codeOf = (call: Promise<unknown>): Promise<string> =>
    call.then(
      () => 'succeeded',
      (error: unknown) => (error instanceof RuntimeError ? error.code : String(error)),
    );

  it('finds out the version once and speaks it', async () => {
    expect(await get({ query: { a: 'b c', none: undefined } })).to.deep.equal({ ok: true });
    await get();
    expect(paths).to.deep.equal(['GET /version', 'GET /v1.41/x?a=b+c', 'GET /v1.41/x']);
  });

  it('finds it out again when the engine has changed', async () => {
    await get();
    version = '1.40';
    answer = ({ url = '' }, response) => {
      if (url.startsWith('/v1.40/')) return response.end('1');
      response.statusCode = 400;
      response.end('{"message":"client version 1.41 is too new. Maximum supported API version is 1.40"}');
    };
    expect(await get()).to.equal(1);
  });

  it('fails as unavailable without an engine, and works when it is there again', async () => {
    await get();
    await stop();
    const failure = await get().catch((error: unknown) => error);
    expect(failure).to.include({ code: 'unavailable', message: 'Call: nobody there' });
    await listen();
    expect(await get()).to.deep.equal({ ok: true });
  });

  it('asks once more over a new connection when an idle one was gone', async () => {
    await get();
    server.closeIdleConnections();
    expect(await get()).to.deep.equal({ ok: true });
  });

  it('fails when the engine takes too long, goes away, or says nothing usable', async () => {
    answer = () => {};
    expect(await codeOf(get({ timeoutMs: 50 }))).to.equal('timeout');
    answer = ({ socket }) => socket.destroy();
    expect(await codeOf(get({ method: 'POST' }))).to.equal('unavailable');
    answer = (_, response) => {
      response.writeHead(200, { 'Content-Length': 100 });
      response.write('{');
      response.destroy();
    };
    expect(await codeOf(get({ method: 'POST' }))).to.equal('unavailable');
    answer = (_, response) => response.end('<html>');
    expect(await codeOf(get())).to.equal('failed');
    answer = (_, response) => response.writeHead(204).end();
    expect(await get()).to.equal(undefined);
  });

  it('is given up by the caller, before or while it asks', async () => {
    const controller = new AbortController();
    answer = () => controller.abort();
    const { signal } = controller;
    expect(await codeOf(get({ signal }))).to.equal('cancelled');
    expect(await codeOf(get({ signal }))).to.equal('cancelled');
  });

  it('ends what is under way when it is closed, streams too', async () => {
    answer = (_, response) => response.write('first');
    const stream = await connection.stream({ call: 'Call', method: 'GET', path: '/s', timeoutMs: 5000 });
    answer = () => connection.close();
    expect(await codeOf(get())).to.equal('closed');
    const failure = await stream.forEach(() => {}).catch((error: unknown) => error);
    expect(failure).to.have.property('code', 'closed');
    expect(await codeOf(get())).to.equal('closed');
  });

  it('takes over a connection, or says why the engine does not agree', async () => {
    server.on('upgrade', (_, socket) => {
      socket.write('HTTP/1.1 101 UPGRADED\r\nConnection: Upgrade\r\nUpgrade: tcp\r\n\r\n');
      socket.pipe(socket);
    });
    const request = { call: 'Attach', method: 'POST', path: '/attach', body: {}, timeoutMs: 5000 } as const;
    const { socket } = await connection.hijack(request);
    socket.write('echo');
    const [chunk] = await socket.take(1).toArray();
    expect(String(chunk)).to.equal('echo');
    socket.destroy();
    server.removeAllListeners('upgrade');
    answer = (_, response) => response.writeHead(404).end('{"message":"No such container: c"}');
    expect(await codeOf(connection.hijack(request))).to.equal('not-found');
  });
});
