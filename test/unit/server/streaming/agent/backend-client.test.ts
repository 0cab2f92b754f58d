import { once } from 'node:events';
import { createServer as createHttpServer, type Server } from 'node:http';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { expect } from 'chai';
import { ConnectTimeout } from '../../../../../src/net/dial/index.ts';
import { type Backend, BackendClient } from '../../../../../src/server/streaming/agent/index.ts';

const backend: Backend = { scheme: 'https', host: 'n1', port: 10_250, trust: 'agent' };

describe('BackendClient', () => {
  it('does not wait for a handshake longer than it may', async () => {
    const silent = createServer(() => {}).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    try {
      const client = new BackendClient({ connectTimeoutMs: 50 });
      const { port } = silent.address() as AddressInfo;
      const request = { method: 'GET', target: '/', headers: {} };
      const place = { ...backend, host: '127.0.0.1', port };
      const error = await client.send(place, request, new AbortController().signal).then(
        () => undefined,
        (reason: unknown) => reason,
      );
      expect(error).to.be.instanceOf(ConnectTimeout);
      expect(error).to.include({ phase: 'handshake' });
    } finally {
      silent.close();
    }
  });
});

describe('BackendClient, to agents', () => {
  const never = new AbortController().signal;
  let agent: Server;
  let connections: Set<Socket>;
  let place: Backend;
  let asked: string[];
  let client: BackendClient;
  /** Whether requests find their connection closed. */
  let isClosing: (connection: number) => boolean;
  beforeEach(async () => {
    const order: Socket[] = [];
    connections = new Set();
    asked = [];
    isClosing = () => false;
    agent = createHttpServer(({ method, socket }, response) => {
      const at = order.indexOf(socket);
      asked.push(`${method} over ${at}`);
      if (isClosing(at)) socket.destroy();
      else response.end('text');
    }).listen(0, '127.0.0.1');
    agent.on('connection', (socket) => {
      order.push(socket);
      connections.add(socket);
    });
    await once(agent, 'listening');
    const { port } = agent.address() as AddressInfo;
    place = { scheme: 'http', host: '127.0.0.1', port, trust: 'agent' };
    client = new BackendClient({ connectTimeoutMs: 5000 });
  });
  afterEach(() => {
    client[Symbol.dispose]();
    for (const socket of connections) socket.destroy();
    agent.close();
  });

  const ask = async (method = 'GET'): Promise<string> => {
    const answer = await client.send(place, { method, target: '/', headers: { host: 'n1' } }, never);
    let text = '';
    for await (const chunk of answer) text += chunk;
    // The connection is free one turn after the answer has ended.
    await new Promise((resolve) => setImmediate(resolve));
    return text;
  };
  const failure = (method?: string): Promise<string> =>
    ask(method).then(
      () => 'none',
      ({ code }) => code,
    );

  it('keeps a connection for the next request', async () => {
    expect([await ask(), await ask()]).to.deep.equal(['text', 'text']);
    expect(asked).to.deep.equal(['GET over 0', 'GET over 0']);
  });

  it('repeats what may be sent twice when a kept connection was closed', async () => {
    await ask();
    isClosing = (connection) => connection === 0;
    expect(await ask()).to.equal('text');
    expect(asked).to.deep.equal(['GET over 0', 'GET over 0', 'GET over 1']);
  });

  it('repeats nothing over a new connection', async () => {
    isClosing = () => true;
    expect(await failure()).to.equal('ECONNRESET');
    expect(asked).to.deep.equal(['GET over 0']);
  });

  it('repeats nothing that changes something', async () => {
    await ask();
    isClosing = (connection) => connection === 0;
    expect(await failure('POST')).to.equal('ECONNRESET');
    expect(asked).to.deep.equal(['GET over 0', 'POST over 0']);
  });

  it('shares no connection between those who verify the agent and those who do not', async () => {
    await ask();
    place = { ...place, trust: 'agent-unverified' };
    await ask();
    expect(asked).to.deep.equal(['GET over 0', 'GET over 1']);
  });
});
