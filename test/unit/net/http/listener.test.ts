import { once } from 'node:events';
import { connect as connectTcp, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { expect } from 'chai';
import { HttpListener, type Incoming, type ListenerOptions } from '../../../../src/net/http/index.ts';
import { issueCertificate, makeAuthority } from '../../../../src/server/pki/index.ts';

const answer = async ({ request, response }: Incoming): Promise<void> => {
  response.end(`${request.httpVersion} ${request.url}`);
};

/** All that comes until the other side closes. */
async function textOf(socket: Socket): Promise<string> {
  let text = '';
  socket.on('error', () => {});
  socket.setEncoding('latin1').on('data', (chunk: string) => {
    text += chunk;
  });
  if (!socket.closed) await once(socket, 'close');
  return text;
}

describe('HttpListener', () => {
  let tls: NonNullable<ListenerOptions['tls']>;
  let listener: HttpListener | undefined;
  before(async () => {
    const period = { nowMs: Date.now(), lifetimeMs: 86_400_000 };
    const authority = await makeAuthority({ commonName: 'test', ...period });
    const subject = { commonName: 'server' };
    const pair = await issueCertificate({ authority, subject, usage: 'server', ...period });
    const context = { cert: pair.certificatePem, key: pair.privateKeyPem, ca: authority.certificatePem };
    tls = { context, asksForCertificate: true, http2: {} };
  });
  afterEach(() => listener?.[Symbol.asyncDispose]());

  const listen = (options: Partial<ListenerOptions> = {}): Promise<number> => {
    listener = new HttpListener({ address: '127.0.0.1', port: 0, serve: answer, ...options });
    return listener.listen();
  };
  const dial = async (port: number, isTls: boolean): Promise<Socket> => {
    if (!isTls) return connectTcp(port, '127.0.0.1');
    const socket = connectTls({ port, host: '127.0.0.1', rejectUnauthorized: false });
    await once(socket, 'secureConnect');
    return socket;
  };

  it('tells who speaks plain HTTP that this is a port for TLS', async () => {
    const socket = await dial(await listen({ tls }), false);
    socket.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n');
    expect(await textOf(socket)).to.match(
      /^HTTP\/1\.0 400 Bad Request\r\n\r\nClient sent an HTTP request to an HTTPS server\.\n$/,
    );
  });

  it('refuses handshakes until there is a certificate', async () => {
    const port = await listen({ tls: { ...tls, context: undefined } });
    const refused = await dial(port, true).catch((error: NodeJS.ErrnoException) => error);
    expect(refused).to.be.instanceOf(Error);
    listener?.setTls(tls.context ?? {});
    const socket = await dial(port, true);
    socket.write('GET /a HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n');
    expect(await textOf(socket)).to.match(/1\.1 \/a$/);
  });

  for (const isTls of [true, false]) {
    const limits = { headersTimeoutMs: 60 };
    const begins = { 'one that is silent': '', 'one that says half of a head': 'GET / HTTP/1.1\r\nx: ' };
    for (const [what, begin] of Object.entries(begins)) {
      it(`closes a connection that sends no request in time: ${what}, ${isTls ? 'TLS' : 'TCP'}`, async () => {
        const socket = await dial(await listen({ limits, ...(isTls ? { tls } : {}) }), isTls);
        socket.write(begin);
        expect(await textOf(socket)).to.match(/^(?:HTTP\/1\.1 408 Request Timeout\r\n.*)?$/s);
      });
    }
  }

  it('serves connections of its own process', async () => {
    await listen({ tls });
    const connection = listener?.connect();
    connection?.write('GET /inner HTTP/1.1\r\nhost: x\r\n\r\n');
    const [chunk] = await once(connection ?? process, 'data');
    expect(String(chunk)).to.contain('1.1 /inner');
  });
});
