import { once } from 'node:events';
import {
  type ClientHttp2Session,
  type ClientHttp2Stream,
  connect,
  type OutgoingHttpHeaders,
} from 'node:http2';
import type { RawAccess, RawAnswer } from './raw-connection.ts';

/** Clients that share a connection: components of release 1.20 send all their requests over one. */
const clientsPerSession = 16;

/** One client on a connection of HTTP/2 that it shares with others, with one request at a time. */
export class Http2Connection {
  readonly #session: ClientHttp2Session;

  constructor(session: ClientHttp2Session) {
    this.#session = session;
  }

  /** Connections for some clients. */
  static async open(access: RawAccess, clients: number): Promise<Http2Connection[]> {
    const sessions = await Promise.all(
      Array.from({ length: Math.ceil(clients / clientsPerSession) }, () => openSession(access)),
    );
    return sessions
      .flatMap((session) => Array.from({ length: clientsPerSession }, () => new Http2Connection(session)))
      .slice(0, clients);
  }

  /** Sends a request, given as bytes of HTTP/1.1, and waits for its answer. @throws Error when the connection breaks. */
  send(request: Buffer): Promise<RawAnswer> {
    const { headers, body } = toHttp2(request);
    return new Promise((resolve, reject) => {
      const stream = this.#session.request(headers, { endStream: body.length === 0 });
      let code = 0;
      let bytes = 0;
      stream.on('response', (answer) => {
        code = Number(answer[':status']);
      });
      stream.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
      });
      stream.on('end', () => resolve({ code, bytes }));
      stream.on('error', reject);
      if (body.length > 0) stream.end(body);
    });
  }

  /** Begins a request without a body whose answer goes on and on. */
  open(request: Buffer): ClientHttp2Stream {
    return this.#session.request(toHttp2(request).headers, { endStream: true });
  }

  close(): void {
    this.#session.destroy();
  }
}

async function openSession({
  url,
  authorityPem,
  certificatePem,
  keyPem,
}: RawAccess): Promise<ClientHttp2Session> {
  const session = connect(url, {
    ...(authorityPem === '' ? { rejectUnauthorized: false } : { ca: authorityPem }),
    ...(certificatePem === undefined ? {} : { cert: certificatePem }),
    ...(keyPem === undefined ? {} : { key: keyPem }),
  });
  await once(session, 'connect');
  return session;
}

interface Http2Request {
  readonly headers: OutgoingHttpHeaders;
  readonly body: Buffer;
}

/** Some requests are sent again and again. */
const known = new WeakMap<Buffer, Http2Request>();

function toHttp2(request: Buffer): Http2Request {
  let made = known.get(request);
  if (made === undefined) {
    made = translate(request);
    known.set(request, made);
  }
  return made;
}

function translate(request: Buffer): Http2Request {
  const end = request.indexOf('\r\n\r\n');
  const [first = '', ...lines] = request.toString('latin1', 0, end).split('\r\n');
  const [method, path] = first.split(' ');
  const fields = lines
    .map((line) => line.split(': '))
    .filter(([name]) => name !== 'Host')
    .map(([name = '', value = '']) => [name.toLowerCase(), value]);
  return {
    headers: { ':method': method, ':path': path, ...Object.fromEntries(fields) },
    body: request.subarray(end + 4),
  };
}
