import type { IncomingMessage } from 'node:http';
import { Duplex, duplexPair } from 'node:stream';
import { expect } from 'chai';
import { type ClientConnection, openSpdyConnection, type StreamEnd } from '../../../../src/net/spdy/index.ts';
import { eventually } from '../../../support/eventually.ts';
import { SpdyPeer } from '../../../support/spdy-peer.ts';

describe('openSpdyConnection', () => {
  let connection: ClientConnection;
  let peer: SpdyPeer;
  let asked: Readonly<Record<string, string>>;
  beforeEach(async () => {
    const [client, server] = duplexPair();
    peer = new SpdyPeer(server);
    connection = await openSpdyConnection(async (headers) => {
      asked = headers;
      return { answer: {} as IncomingMessage, socket: client, first: Buffer.alloc(0) };
    });
  });
  afterEach(() => connection.close());

  /** Opens a stream, and keeps what comes on it. */
  async function open(headers: Readonly<Record<string, string>>) {
    let received = '';
    const { promise: ended, resolve } = Promise.withResolvers<StreamEnd>();
    const stream = await connection.openStream(headers, {
      onData(bytes) {
        received += bytes.toString('utf8');
      },
      onEnd: resolve,
    });
    return { stream, ended, received: () => received, remote: await peer.stream(headers) };
  }

  it('asks for the protocol', () => {
    expect(asked).to.deep.equal({ connection: 'Upgrade', upgrade: 'SPDY/3.1' });
  });

  it('tells the headers of every stream, names in lower case', async () => {
    const first = await open({ streamType: 'error', port: '80' });
    const second = await open({ streamType: 'data', port: '80' });
    expect(first.remote.headers).to.deep.equal({ streamtype: 'error', port: '80' });
    expect(second.remote.headers).to.deep.equal({ streamtype: 'data', port: '80' });
    expect([first.remote.id, second.remote.id]).to.deep.equal([1, 3]);
  });

  it('carries bytes both ways, each direction with an end of its own', async () => {
    const { stream, ended, received, remote } = await open({ name: 'a' });
    await stream.write(Buffer.from('hello '));
    await stream.write(Buffer.from('there'));
    stream.end();
    expect(await remote.ended).to.equal('hello there');
    remote.send('still ');
    remote.send('here');
    remote.end();
    expect(await ended).to.equal('ended');
    expect(received()).to.equal('still here');
  });

  it('cuts what is more than a frame', async () => {
    const { stream, remote } = await open({ name: 'a' });
    const text = 'x'.repeat(200_000);
    await stream.write(Buffer.from(text));
    stream.end();
    expect(await remote.ended).to.equal(text);
  });

  it('reads frames however they are cut', async () => {
    const [client, server] = duplexPair();
    const slow = new Duplex({
      read() {},
      write(chunk: Buffer, _, done) {
        for (const byte of chunk) client.push(Buffer.of(byte));
        done();
      },
    });
    server.on('data', (chunk: Buffer) => slow.push(chunk));
    const bytewise = new SpdyPeer(slow);
    const cut = await openSpdyConnection(async () => ({
      answer: {} as IncomingMessage,
      socket: client,
      first: Buffer.alloc(0),
    }));
    let received = '';
    const { promise: ended, resolve } = Promise.withResolvers<StreamEnd>();
    await cut.openStream(
      { name: 'a' },
      {
        onData(bytes) {
          received += bytes.toString('utf8');
        },
        onEnd: resolve,
      },
    );
    const remote = await bytewise.stream({ name: 'a' });
    remote.send('byte by byte');
    remote.end();
    expect(await ended).to.equal('ended');
    expect(received).to.equal('byte by byte');
    cut.close();
  });

  it('answers pings', async () => {
    peer.ping(2);
    const answer = await eventually(async () => peer.pings[0]);
    expect(answer).to.deep.equal(Buffer.from([0, 0, 0, 2]));
  });

  it('tells a stream that was reset from one that ended, and from a lost connection', async () => {
    const reset = await open({ name: 'a' });
    const lost = await open({ name: 'b' });
    reset.remote.sendReset();
    expect(await reset.ended).to.equal('reset');
    peer.destroy();
    expect(await lost.ended).to.equal('lost');
    await connection.closed;
  });

  it('gives streams up', async () => {
    const { stream, remote } = await open({ name: 'a' });
    stream.cancel();
    await remote.reset;
  });

  it('rejects a stream that is refused, and all when the connection is over', async () => {
    peer.refuses = ({ name }) => name === 'unwanted';
    expect(await failureOf(open({ name: 'unwanted' }))).to.equal('the stream was refused');
    peer.destroy();
    await connection.closed;
    expect(await failureOf(open({ name: 'a' }))).to.equal('the connection is closed');
  });

  it('gives up a connection on which another protocol is spoken', async () => {
    const [client, server] = duplexPair();
    const odd = await openSpdyConnection(async () => ({
      answer: {} as IncomingMessage,
      socket: client,
      first: Buffer.from('800200010000000000', 'hex'),
    }));
    await odd.closed;
    server.destroy();
  });
});

async function failureOf(promise: Promise<unknown>): Promise<string> {
  return promise.then(
    () => 'none',
    (error: Error) => error.message,
  );
}
