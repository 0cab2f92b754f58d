import type { Duplex } from 'node:stream';
import { expect } from 'chai';
import { createRestClient, TransportError } from '../../../src/client/rest/index.ts';
import { type AnyResponse, HttpListener } from '../../../src/net/http/index.ts';
import { eventually } from '../../support/eventually.ts';

const request = { method: 'GET', path: '/x' } as const;

/** A server in this process, and the connections over which requests came. */
class InnerServer {
  readonly connections = new Set<Duplex>();
  /** Answers that are still to be given. */
  readonly waiting: AnyResponse[] = [];
  answersAtOnce = true;
  readonly #listener = new HttpListener({
    ...{ address: '127.0.0.1', port: 0 },
    serve: async ({ request: { socket }, response }) => {
      this.connections.add(socket);
      if (this.answersAtOnce) response.end('{}');
      else this.waiting.push(response);
    },
  });

  connect = (): Duplex => this.#listener.connect();

  get open(): Duplex[] {
    return [...this.connections].filter(({ destroyed }) => !destroyed);
  }
}

describe('connections to a server in the same process', () => {
  const connection = { server: 'http://localhost', tls: {}, auth: {} };
  const start = () => {
    const server = new InnerServer();
    return { server, client: createRestClient({ connection, connect: server.connect }) };
  };

  it('are used again, and collect nothing meanwhile', async () => {
    const { server, client } = start();
    await client.json(request);
    const [first] = server.connections;
    const listenersOf = () => first?.eventNames().map((name) => [name, first.listenerCount(name)]);
    await client.json(request);
    const before = listenersOf();
    for (let count = 0; count < 20; count++) await client.json(request);
    expect(server.connections.size).to.equal(1);
    expect(listenersOf()).to.deep.equal(before);
    client.close();
    await eventually(async () => first?.destroyed || undefined);
  });

  it('are as many as there are requests at once, of which few stay', async () => {
    const { server, client } = start();
    server.answersAtOnce = false;
    const answers = Array.from({ length: 100 }, () => client.json(request));
    await eventually(async () => server.waiting.length === 100 || undefined);
    for (const response of server.waiting) response.end('{}');
    await Promise.all(answers);
    await eventually(async () => server.open.length <= 16 || undefined);
    expect(server.open).to.have.lengthOf(16);
    client.close();
  });

  it('are opened anew after one broke', async () => {
    const { server, client } = start();
    await client.json(request);
    for (const each of server.connections) each.destroy();
    // The first one may still meet the end of the other.
    await eventually(() => client.json(request).catch(() => undefined));
    expect(server.connections.size).to.equal(2);
    client.close();
  });

  it('end with a request that is given up', async () => {
    const { server, client } = start();
    server.answersAtOnce = false;
    const ending = new AbortController();
    const answer = client.json({ ...request, signal: ending.signal }).catch((error: unknown) => error);
    await eventually(async () => server.waiting.length === 1 || undefined);
    ending.abort();
    expect(await answer).to.be.instanceOf(TransportError);
    await eventually(async () => server.open.length === 0 || undefined);
    server.answersAtOnce = true;
    expect(await client.json(request)).to.deep.equal({});
    client.close();
  });
});
