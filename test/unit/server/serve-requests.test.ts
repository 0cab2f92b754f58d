import type { Duplex } from 'node:stream';
import { expect } from 'chai';
import { HttpListener } from '../../../src/net/http/index.ts';
import type { Exchange } from '../../../src/server/request/exchange.ts';
import { serveRequests } from '../../../src/server/serve-requests.ts';

const nextRound = (): Promise<void> => new Promise(setImmediate);

describe('serveRequests, when many come at once', () => {
  const waiting: (() => void)[] = [];
  const handled: string[] = [];
  const startedAtMs: number[] = [];
  let nowMs = 10;
  let listener: HttpListener;
  let connections: Duplex[];

  before(() => {
    const handler = async (exchange: Exchange): Promise<void> => {
      handled.push(exchange.path);
      startedAtMs.push(exchange.startedAtMs);
      exchange.response.end();
    };
    const turns = {
      take: () => new Promise<void>((resolve) => waiting.push(resolve)),
      push: () => {},
    };
    listener = new HttpListener({
      address: '127.0.0.1',
      port: 0,
      serve: serveRequests({ handler, nowMs: () => nowMs, turns }),
    });
  });

  afterEach(() => {
    for (const connection of connections) connection.destroy();
  });

  it('are worked on in their turn, and count from when they came', async () => {
    connections = ['/a', '/b', '/c'].map((path) => {
      const connection = listener.connect();
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

describe('serveRequests, for a request that says under which id it is recorded', () => {
  const served = async (...ids: readonly string[]): Promise<string> => {
    const taken = Promise.withResolvers<Exchange>();
    const handler = async (exchange: Exchange): Promise<void> => taken.resolve(exchange);
    const serve = serveRequests({ handler, nowMs: () => 0 });
    const listener = new HttpListener({ address: '127.0.0.1', port: 0, serve });
    const connection = listener.connect();
    const headers = ids.map((id) => `audit-id: ${id}\r\n`).join('');
    connection.write(`GET / HTTP/1.1\r\nhost: test\r\n${headers}\r\n`);
    const { auditId } = await taken.promise;
    connection.destroy();
    return auditId;
  };

  it('takes the first of several', async () => {
    expect(await served('a', 'b')).to.equal('a');
    expect(await served('a, b', 'c')).to.equal('a, b');
    expect(await served('', 'b')).to.have.lengthOf(36);
  });

  const cases: [given: string, isTaken: boolean][] = [
    ['0b5f-1', true],
    ['trace/00:4bf9 {a.b}', true],
    ['x'.repeat(1024), true],
    ['x'.repeat(1025), false],
    ['', false],
  ];
  for (const [given, isTaken] of cases) {
    it(`${isTaken ? 'takes' : 'does not take'} ${given.length > 80 ? `${given.length} characters` : `"${given}"`}`, async () => {
      const auditId = await served(given);
      expect([auditId === given, auditId.length > 0]).to.deep.equal([isTaken, true]);
    });
  }
});
