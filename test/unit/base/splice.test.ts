import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { expect } from 'chai';
import { splice } from '../../../src/base/index.ts';

/** Two ends of a connection. */
async function connectPair(): Promise<readonly [near: Socket, far: Socket]> {
  const server = createServer({ allowHalfOpen: true }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // it listens on TCP
  const far = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  const [near] = (await once(server, 'connection')) as [Socket];
  server.close();
  return [near, far];
}

/** A client and a runtime whose connections are joined. */
async function joined({ idleTimeoutMs = 0, stopping = new AbortController() } = {}) {
  const [[near, client], [inner, runtime]] = await Promise.all([connectPair(), connectPair()]);
  const ended = splice(near, inner, { idleTimeoutMs, signal: stopping.signal });
  return { client, runtime, ended, stopping };
}

describe('splice', () => {
  it('hands bytes on in both directions, and each end on its own', async () => {
    const { client, runtime, ended } = await joined();
    client.end('question');
    const [question] = (await once(runtime, 'data')) as [Buffer];
    await once(runtime.resume(), 'end');
    runtime.end('answer');
    const [answer] = (await once(client, 'data')) as [Buffer];
    expect([question, answer].map(String)).to.deep.equal(['question', 'answer']);
    await ended;
  });

  it('hands on what was sent last by a client that has gone', async () => {
    const { client, runtime, ended } = await joined();
    const chunks: Buffer[] = [];
    runtime.on('data', (chunk: Buffer) => chunks.push(chunk));
    client.end('x'.repeat(100_000), () => client.destroy());
    await once(runtime, 'end');
    runtime.end();
    await ended;
    expect(Buffer.concat(chunks)).to.have.length(100_000);
  });

  it('closes both when one breaks', async () => {
    const { client, runtime, ended } = await joined();
    runtime.resetAndDestroy();
    await Promise.all([once(client.resume(), 'end'), ended]);
    client.destroy();
  });

  it('closes both when nothing moves for too long', async () => {
    const { client, runtime, ended } = await joined({ idleTimeoutMs: 50 });
    await Promise.all([once(client.resume(), 'end'), once(runtime.resume(), 'end'), ended]);
    client.destroy();
    runtime.destroy();
  });

  it('closes both when the server stops, now or before', async () => {
    const { client, ended, stopping } = await joined();
    stopping.abort();
    await Promise.all([once(client.resume(), 'end'), ended]);
    client.destroy();
    const again = await joined({ stopping });
    await again.ended;
    again.client.destroy();
    again.runtime.destroy();
  });
});
