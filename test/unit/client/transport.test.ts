import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { duplexPair } from 'node:stream';
import { expect } from 'chai';
import { createTransport, type TransportOptions } from '../../../src/client/rest/transport.ts';

describe('a transport', () => {
  let server: Server;
  let url: string;
  before(async () => {
    server = createServer((_request, response) => response.end('{}'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`; // it listens on TCP
  });
  after(() => void server.close());

  const ways: Readonly<Record<string, TransportOptions>> = {
    'the network': {},
    memory: {
      connect() {
        const [client, other] = duplexPair();
        server.emit('connection', other);
        return client;
      },
    },
  };
  for (const [way, options] of Object.entries(ways)) {
    it(`over ${way} bears that a request is aborted just when its answer ends`, async () => {
      const transport = createTransport({ server: url, tls: {}, auth: {} }, options);
      const ending = new AbortController();
      const request = { method: 'GET', url, headers: {}, body: undefined, timeoutMs: 0 };
      const answer = await transport({ ...request, signal: ending.signal });
      const chunks = answer.chunks[Symbol.asyncIterator]();
      expect(String((await chunks.next()).value)).to.equal('{}');
      // The end is read, and told in the next turn.
      const end = chunks.next();
      ending.abort();
      expect((await end).done).to.equal(true);
      // An error that nobody hears comes before this, and fails the test.
      await new Promise(setImmediate);
      transport.close?.();
    });
  }
});
