import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { type ClientHttp2Session, connect as connectHttp2 } from 'node:http2';
import { type AddressInfo, connect as connectTcp, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { expect } from 'chai';
import {
  HttpListener,
  type Incoming,
  type ListenerLimits,
  type ListenerOptions,
} from '../../../../src/net/http/index.ts';
import { BodyWatch } from '../../../../src/net/http/slow-clients.ts';
import { issueCertificate, makeAuthority } from '../../../../src/server/pki/index.ts';
import { eventually } from '../../../support/eventually.ts';

/** More than the system takes for a client that does not read. */
const body = Buffer.alloc(32 * 1024 * 1024);
const limits = {
  answerTimeoutMs: 300,
  minReadBytesPerMs: 1_000_000,
  headersTimeoutMs: 2000,
  bodyTimeoutMs: 2000,
  keepAliveTimeoutMs: 400,
};

describe('answers that nobody reads', () => {
  let tls: NonNullable<ListenerOptions['tls']>;
  let listener: HttpListener;
  let clients: (Socket | ClientHttp2Session)[] = [];
  before(async () => {
    const period = { nowMs: Date.now(), lifetimeMs: 86_400_000 };
    const authority = await makeAuthority({ commonName: 'test', ...period });
    const subject = { commonName: 'server' };
    const pair = await issueCertificate({ authority, subject, usage: 'server', ...period });
    const context = { cert: pair.certificatePem, key: pair.privateKeyPem };
    tls = { context, asksForCertificate: true, http2: {} };
  });
  afterEach(async () => {
    for (const client of clients) client.destroy();
    clients = [];
    await listener[Symbol.asyncDispose]();
  });

  const listen = async (
    serve: (incoming: Incoming) => Promise<void>,
    isTls: boolean,
    other: Partial<ListenerLimits> = {},
  ): Promise<number> => {
    listener = new HttpListener({
      address: '127.0.0.1',
      port: 0,
      serve,
      limits: { ...limits, ...other },
      ...(isTls ? { tls } : {}),
    });
    return await listener.listen();
  };
  /** Asks by HTTP/1.1, and does not read. */
  const ask = async (port: number, isTls: boolean): Promise<Socket> => {
    const options = { port, host: '127.0.0.1', rejectUnauthorized: false };
    const socket = isTls ? connectTls(options) : connectTcp(options);
    clients.push(socket);
    socket.on('error', () => {});
    await once(socket, isTls ? 'secureConnect' : 'connect');
    socket.pause();
    socket.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n');
    return socket;
  };
  /** A server whose answers are `write`, and the answer to the first request. */
  const serveOnce = () => {
    const { promise, resolve } = Promise.withResolvers<Incoming>();
    return { incoming: promise, serve: async (incoming: Incoming) => resolve(incoming) };
  };

  for (const isTls of [false, true]) {
    const how = `HTTP/1.1 over ${isTls ? 'TLS' : 'TCP'}`;

    it(`are given up when they are complete: ${how}`, async () => {
      const { incoming, serve } = serveOnce();
      const port = await listen(async (incoming) => {
        incoming.response.end(body);
        await serve(incoming);
      }, isTls);
      await ask(port, isTls);
      const { response } = await incoming;
      if (!response.destroyed) await once(response, 'close');
      expect(response.writableFinished).to.equal(false);
    });

    it(`are given up when they are completed later: ${how}`, async () => {
      const { incoming, serve } = serveOnce();
      const port = await listen(serve, isTls);
      await ask(port, isTls);
      const { request, response } = await incoming;
      response.writeHead(200, { 'content-length': body.length });
      response.write(body);
      await once(request.socket, 'timeout');
      expect(response.destroyed).to.equal(false);
      response.end();
      if (!response.destroyed) await once(response, 'close');
      expect(response.writableFinished).to.equal(false);
    });

    it(`wait while more is to come: ${how}`, async () => {
      const { incoming, serve } = serveOnce();
      const port = await listen(serve, isTls);
      const socket = await ask(port, isTls);
      const { request, response } = await incoming;
      response.write(body);
      for (let times = 0; times < 3; times++) await once(request.socket, 'timeout');
      expect([response.destroyed, socket.destroyed]).to.deep.equal([false, false]);
    });

    it(`of an unused connection are none: it closes after its time: ${how}`, async () => {
      const port = await listen(async ({ response }) => void response.end('short'), isTls);
      const socket = await ask(port, isTls);
      socket.resume();
      await once(socket, 'close');
    });
  }

  for (const isTls of [false, true]) {
    it(`are read to their end by a client that is slow: HTTP/1.1 over ${isTls ? 'TLS' : 'TCP'}`, async () => {
      const answer = async ({ response }: Incoming) => void response.end(body);
      const port = await listen(answer, isTls, { minReadBytesPerMs: body.length / 20_000 });
      const socket = await ask(port, isTls);
      const startedAt = performance.now();
      let size = 0;
      let isRead = () => {};
      const read = new Promise<void>((resolve) => (isRead = resolve));
      socket.on('data', (chunk: Buffer) => {
        const before = size;
        size += chunk.length;
        if (size > body.length) isRead();
        // A pause after each mebibyte: all of them last for longer than an answer may wait.
        if (Math.floor(size / 1_048_576) === Math.floor(before / 1_048_576)) return;
        socket.pause();
        setTimeout(() => socket.resume(), 30);
      });
      socket.resume();
      const end = await Promise.race([read.then(() => 'read'), once(socket, 'close').then(() => 'closed')]);
      expect(end).to.equal('read');
      expect(performance.now() - startedAt).to.be.greaterThan(2 * limits.answerTimeoutMs);
    });
  }

  it('are given up one by one: HTTP/2', async () => {
    const { incoming, serve } = serveOnce();
    const port = await listen(async (incoming) => {
      if (incoming.request.url === '/short') incoming.response.end('short');
      else {
        // Less than a session may hold, which would take no more requests.
        incoming.response.end(body.subarray(0, 4 * 1024 * 1024));
        await serve(incoming);
      }
    }, true);
    const session = connectHttp2(`https://127.0.0.1:${port}`, { rejectUnauthorized: false });
    clients.push(session);
    const unread = session.request({ ':path': '/long' });
    unread.on('error', () => {});
    unread.pause();
    const { response } = await incoming;
    if (!response.destroyed) await once(response, 'close');
    const short = session.request({ ':path': '/short' }).setEncoding('utf8');
    let text = '';
    for await (const chunk of short) text += chunk;
    expect(text).to.equal('short');
  });
});

describe('BodyWatch', () => {
  it('waits for bodies that come slowly and for those that nobody reads, not for those that stop coming', async () => {
    let isOver = false;
    let nowMs = 0;
    const bodies = new BodyWatch(100, () => nowMs);
    const look = (): void => {
      nowMs += 60;
      bodies.closeSlow();
    };
    const { promise, resolve } = Promise.withResolvers<IncomingMessage>();
    const server = createServer((request) => {
      const destroy = () => {
        isOver = true;
      };
      bodies.add({ request, upgrade: undefined, destroy });
      resolve(request);
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const client = connectTcp((server.address() as AddressInfo).port, '127.0.0.1');
    try {
      client.write('POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\n\r\n');
      const request = await promise;
      const send = async (): Promise<void> => {
        const before = request.socket.bytesRead;
        client.write('0123456789');
        await eventually(async () => request.socket.bytesRead > before || undefined);
      };
      await send();
      for (let times = 0; times < 5; times++) look();
      expect(isOver, 'unread').to.equal(false);
      request.resume();
      for (let times = 0; times < 5; times++) {
        await send();
        look();
      }
      expect(isOver, 'slow').to.equal(false);
      look();
      expect(isOver, 'not yet').to.equal(false);
      look();
      expect(isOver, 'too late').to.equal(true);
    } finally {
      client.destroy();
      server.close();
    }
  });
});
