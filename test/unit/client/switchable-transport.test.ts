import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { expect } from 'chai';
import {
  type Connection,
  createSwitchableTransport,
  createUnreliableTransport,
  type Transport,
  TransportError,
} from '../../../src/client/rest/index.ts';
import { issueCertificate, type KeyPair, makeAuthority } from '../../../src/server/pki/index.ts';
import { eventually } from '../../support/eventually.ts';

const life = { nowMs: Date.now(), lifetimeMs: 3_600_000 };
const ask = { method: 'GET', headers: {}, body: undefined, timeoutMs: 0, signal: undefined };

describe('createSwitchableTransport', () => {
  let server: Server;
  let authority: KeyPair;
  let url: string;
  let openSockets = 0;
  /** Ends answers that wait. */
  let release: () => void;
  before(async () => {
    authority = await makeAuthority({ commonName: 'ca', ...life });
    const serving = await issueCertificate({
      authority,
      subject: { commonName: 'server' },
      usage: 'server',
      ipAddresses: ['127.0.0.1'],
      ...life,
    });
    const released = Promise.withResolvers<void>();
    release = released.resolve;
    server = createServer({
      cert: serving.certificatePem,
      key: serving.privateKeyPem,
      ca: authority.certificatePem,
      requestCert: true,
    });
    server.on('connection', (socket) => {
      openSockets++;
      socket.once('close', () => openSockets--);
    });
    server.on('request', async (request, response) => {
      const { subject } = (request.socket as TLSSocket).getPeerCertificate(); // it is a TLS server
      response.write(String(subject.CN));
      if (request.url === '/slow') await released.promise;
      response.end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`; // it listens on TCP
  });
  after(() => {
    server.closeAllConnections();
    server.close();
  });

  async function connectionOf(commonName: string): Promise<Connection> {
    const pair = await issueCertificate({ authority, subject: { commonName }, usage: 'client', ...life });
    const tls = { ca: authority.certificatePem, cert: pair.certificatePem, key: pair.privateKeyPem };
    return { server: url, tls, auth: {} };
  }

  async function read(transport: Transport, path = '/'): Promise<string> {
    const answer = await transport({ ...ask, url: url + path });
    let text = '';
    for await (const chunk of answer.chunks) text += chunk;
    return text;
  }

  it('asks with the new certificate at once, and lets go of the old connection when its requests have ended', async () => {
    const { transport, switchTo } = createSwitchableTransport(await connectionOf('first'));
    expect(await read(transport)).to.equal('first');
    const slow = await transport({ ...ask, url: `${url}/slow` });
    switchTo(await connectionOf('second'));
    expect(await read(transport)).to.equal('second');
    expect(openSockets).to.equal(2);
    release();
    let text = '';
    for await (const chunk of slow.chunks) text += chunk;
    expect(text).to.equal('first');
    await eventually(async () => (openSockets === 1 ? true : undefined));
    transport.close?.();
    await eventually(async () => (openSockets === 0 ? true : undefined));
  });

  it('closes idle connections of the old certificate at once', async () => {
    const { transport, switchTo } = createSwitchableTransport(await connectionOf('first'));
    await read(transport);
    switchTo(await connectionOf('second'));
    await eventually(async () => (openSockets === 0 ? true : undefined));
    expect(await read(transport)).to.equal('second');
    transport.close?.();
  });
});

describe('createUnreliableTransport', () => {
  const reliable: Transport = () =>
    Promise.resolve({
      status: 200,
      statusText: '',
      headers: {},
      chunks: (async function* () {})(),
      close() {},
    });

  it('lets the given share of requests fail as a reset connection would', async () => {
    const rolls = [0.1, 0.5, 0.29, 0.3];
    const failed: string[] = [];
    const transport = createUnreliableTransport(reliable, {
      chance: 0.3,
      random: () => rolls.shift() ?? 1,
      onFailure: ({ url }) => failed.push(url),
    });
    const outcomes: (number | string)[] = [];
    for (const name of ['a', 'b', 'c', 'd']) {
      const outcome = await transport({ ...ask, url: `http://api.test/${name}` }).then(
        ({ status }) => status,
        (error: unknown) => (error instanceof TransportError ? error.code : 'unknown'),
      );
      outcomes.push(outcome);
    }
    expect(outcomes).to.deep.equal(['broken', 200, 'broken', 200]);
    expect(failed).to.deep.equal(['http://api.test/a', 'http://api.test/c']);
  });
});
