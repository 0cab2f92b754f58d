import type { Duplex } from 'node:stream';
import { expect } from 'chai';
import { HttpServer } from '../../../src/server/http-server.ts';
import { issueCertificate, makeAuthority } from '../../../src/server/pki/index.ts';
import type { Exchange } from '../../../src/server/request/exchange.ts';

const nextRound = (): Promise<void> => new Promise(setImmediate);

describe('HttpServer, requests that come at once', () => {
  const waiting: (() => void)[] = [];
  const handled: string[] = [];
  const startedAtMs: number[] = [];
  let nowMs = 10;
  let server: HttpServer;
  let connections: Duplex[];

  before(async () => {
    const period = { nowMs: Date.now(), lifetimeMs: 86_400_000 };
    const authority = await makeAuthority({ commonName: 'test', ...period });
    const subject = { commonName: 'server' };
    const tls = await issueCertificate({ authority, subject, usage: 'server', ...period });
    server = new HttpServer({
      address: '127.0.0.1',
      port: 0,
      tls,
      clientAuthorities: [authority.certificatePem],
      nowMs: () => nowMs,
      turns: { take: () => new Promise((resolve) => waiting.push(resolve)), push: () => {} },
      async handler(exchange: Exchange) {
        handled.push(exchange.path);
        startedAtMs.push(exchange.startedAtMs);
        exchange.response.end();
      },
    });
  });

  afterEach(() => {
    for (const connection of connections) connection.destroy();
  });

  it('are worked on in their turn, and count from when they came', async () => {
    connections = ['/a', '/b', '/c'].map((path) => {
      const connection = server.connect();
      connection.write(`GET ${path} HTTP/1.1\r\nhost: test\r\n\r\n`);
      return connection;
    });
    while (waiting.length < connections.length) await nextRound();
    nowMs = 20;
    expect(handled).to.deep.equal([]);
    for (const expected of [['/a'], ['/a', '/b'], ['/a', '/b', '/c']]) {
      waiting.shift()?.();
      await nextRound();
      expect(handled).to.deep.equal(expected);
    }
    expect(startedAtMs).to.deep.equal([10, 10, 10]);
  });
});
