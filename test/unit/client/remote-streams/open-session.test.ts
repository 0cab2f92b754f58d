import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { expect } from 'chai';
import { WebSocketServer } from 'ws';
import {
  ForeignProtocolError,
  openRemoteSession,
  RemoteExitError,
  type SessionRequest,
} from '../../../../src/client/remote-streams/index.ts';
import { createDialect } from '../../../../src/machinery/dialect.ts';
import { SpdyPeer } from '../../../support/spdy-peer.ts';

const switching = 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: SPDY/3.1\r\nConnection: Upgrade\r\n\r\n';
const dialect = createDialect('kubernetes');

/** A refusal as the API words it. */
function refusal(code: number, reason: string): string {
  const body = JSON.stringify({ kind: 'Status', status: 'Failure', reason, code, message: `no: ${reason}` });
  return `HTTP/1.1 ${code} No\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`;
}

describe('openRemoteSession', () => {
  let server: Server;
  let answer: (request: IncomingMessage, socket: Duplex, head: Buffer) => void;
  const asked: IncomingMessage[] = [];
  before((done) => {
    server = createServer().listen(0, '127.0.0.1', done);
    server.on('upgrade', (request, socket, head) => {
      asked.push(request);
      socket.on('error', () => socket.destroy());
      answer(request, socket, head);
    });
  });
  after(() => void server.close());
  beforeEach(() => void asked.splice(0));

  function request(more: Partial<SessionRequest> = {}): SessionRequest {
    return {
      connection: {
        server: `http://127.0.0.1:${(server.address() as AddressInfo).port}/prefix`,
        tls: {},
        auth: { token: 'secret', impersonate: { user: 'ada', groups: ['a', 'b'] } },
      },
      userAgent: 'test/1',
      dialect,
      path: '/api/v1/x',
      query: { command: ['a', 'b c'], stdout: true },
      hasStdin: false,
      hasStdout: true,
      hasStderr: false,
      isTty: false,
      onOutput: () => {},
      ...more,
    };
  }

  /** Ends a session over SPDY, well or with an exit code. */
  async function endSession(socket: Duplex, head: Buffer, exitCode?: number): Promise<void> {
    socket.write(switching);
    const peer = new SpdyPeer(socket, head);
    const error = await peer.stream({ streamType: 'error' });
    const details = { causes: [{ reason: 'ExitCode', message: String(exitCode) }] };
    if (exitCode !== undefined) {
      error.send(JSON.stringify({ status: 'Failure', reason: 'NonZeroExitCode', details }));
    }
    error.end();
    (await peer.stream({ streamType: 'stdout' })).end();
  }

  it('asks for a WebSocket, as who the user is', async () => {
    const sockets = new WebSocketServer({ noServer: true, handleProtocols: ([first]) => first ?? false });
    answer = (incoming, socket, head) =>
      sockets.handleUpgrade(incoming, socket, head, (webSocket) => webSocket.close());
    await (await openRemoteSession(request())).finished;
    expect(asked[0]).to.include({
      method: 'GET',
      url: '/prefix/api/v1/x?command=a&command=b+c&stdout=true',
    });
    expect(asked[0]?.headers).to.include({
      authorization: 'Bearer secret',
      'user-agent': 'test/1',
      'impersonate-user': 'ada',
      'impersonate-group': 'a, b',
      'sec-websocket-protocol': dialect.spell('v4.channel.orch.io'),
    });
  });

  it('asks for SPDY where the input has an end', async () => {
    answer = (_, socket, head) => void endSession(socket, head);
    const withInput = await openRemoteSession(request({ hasStdin: true }));
    withInput.end();
    await withInput.finished;
    withInput.close();
    expect(asked.map(({ method }) => method)).to.deep.equal(['POST']);
    expect(asked[0]?.headers).to.include({
      authorization: 'Bearer secret',
      'impersonate-group': 'a, b',
      upgrade: 'SPDY/3.1',
      'x-stream-protocol-version': dialect.spell('v4.channel.orch.io'),
    });
  });

  it('goes over to SPDY where WebSockets need a right that the user has not', async () => {
    answer = ({ method }, socket, head) => {
      if (method === 'GET') socket.end(refusal(403, 'Forbidden'));
      else void endSession(socket, head, 3);
    };
    const session = await openRemoteSession(request());
    const error = await session.finished.catch((thrown: unknown) => thrown);
    session.close();
    expect(error).to.be.instanceOf(RemoteExitError).with.property('exitCode', 3);
  });

  it('throws what the server says', async () => {
    answer = ({ method }, socket) => socket.end(refusal(method === 'GET' ? 403 : 404, 'Forbidden'));
    expect(await openRemoteSession(request()).catch((error) => error)).to.include({ code: 404 });
    answer = (_, socket) => socket.end(refusal(500, 'InternalError'));
    expect(await openRemoteSession(request()).catch((error) => error)).to.include({
      code: 500,
      message: 'no: InternalError',
    });
    answer = (_, socket) => socket.end('HTTP/1.1 502 Bad\r\nContent-Length: 5\r\n\r\nproxy');
    expect(await openRemoteSession(request()).catch((error) => error)).to.include({
      name: 'UpgradeError',
      message: 'unable to upgrade connection: proxy',
    });
  });

  it('shows requests and answers', async () => {
    const shown: string[] = [];
    const trace: SessionRequest['trace'] = {
      onRequest: ({ method, url, headers }) =>
        void shown.push(`${method} ${new URL(url).pathname} ${headers.authorization}`),
      onResponse: ({ method, status }) => void shown.push(`${method} ${status}`),
    };
    answer = ({ method }, socket, head) => {
      if (method === 'GET') socket.end(refusal(403, 'Forbidden'));
      else void endSession(socket, head);
    };
    const session = await openRemoteSession(request({ trace }));
    await session.finished;
    session.close();
    expect(shown).to.deep.equal([
      'GET /prefix/api/v1/x Bearer <masked>',
      'GET 403',
      'POST /prefix/api/v1/x Bearer <masked>',
      'POST 101',
    ]);
  });

  for (const chosen of ['v4.channel.orch.io', '']) {
    it(`tells apart a server that answers with ${chosen || 'no protocol'}`, async () => {
      const sockets = new WebSocketServer({ noServer: true, handleProtocols: () => chosen || false });
      answer = (incoming, socket, head) => sockets.handleUpgrade(incoming, socket, head, () => {});
      const error = await openRemoteSession(request()).catch((thrown: unknown) => thrown);
      expect(error).to.be.instanceOf(ForeignProtocolError);
      expect(error).to.include({ offered: dialect.spell('v4.channel.orch.io'), chosen });
    });
  }

  it('gives up when it is told to', async () => {
    for (const hasStdin of [false, true]) {
      const aborter = new AbortController();
      answer = () => aborter.abort();
      const error = await openRemoteSession(request({ hasStdin, signal: aborter.signal })).catch(
        (thrown: unknown) => thrown,
      );
      expect(error).to.include({ name: 'TransportError', code: 'aborted' });
    }
  });

  it('says that nobody is there', async () => {
    const closed = { ...request().connection, server: 'http://127.0.0.1:1' };
    for (const hasStdin of [false, true]) {
      const error = await openRemoteSession(request({ hasStdin, connection: closed })).catch(
        (thrown: unknown) => thrown,
      );
      expect(error).to.include({ name: 'TransportError', code: 'refused' });
    }
  });
});
