import { once } from 'node:events';
import { connect, type TLSSocket } from 'node:tls';
import type { ApiAccess } from '../test/support/api-client.ts';
import { ChunkCounter } from './chunk-counter.ts';

/** Where and how raw connections are made. Without an authority the server's certificate is not checked. */
export type RawAccess = ApiAccess;

/** Opens a TLS connection that speaks HTTP/1.1. */
export async function openSocket({
  url,
  authorityPem,
  certificatePem,
  keyPem,
}: RawAccess): Promise<TLSSocket> {
  const { hostname, port } = new URL(url);
  const socket = connect({
    host: hostname,
    port: Number(port),
    ...(authorityPem === '' ? { rejectUnauthorized: false } : { ca: authorityPem }),
    cert: certificatePem,
    key: keyPem,
    ALPNProtocols: ['http/1.1'],
  });
  socket.setNoDelay(true);
  await once(socket, 'secureConnect');
  return socket;
}

/** An answer as far as load generation looks at it. */
export interface RawAnswer {
  readonly code: number;
  /** Bytes of the body. */
  readonly bytes: number;
}

interface Pending {
  readonly resolve: (answer: RawAnswer) => void;
  readonly reject: (error: Error) => void;
}

const headEnd = Buffer.from('\r\n\r\n');
const lengthField = 'content-length: ';

/** One keep-alive connection with one request at a time: no agent, no parser, no objects for headers. */
export class RawConnection {
  readonly #socket: TLSSocket;
  #pending: Pending | undefined;
  /** Bytes of a head that has not ended yet. */
  #head: Buffer | undefined;
  /** Bytes of the body that came, and that it has; the latter is unknown before the head was read. */
  #received = 0;
  #expected: number | undefined;
  #chunks: ChunkCounter | undefined;
  #code = 0;

  constructor(socket: TLSSocket) {
    this.#socket = socket;
    socket.on('data', (chunk: Buffer) => this.#take(chunk));
    const fail = (error?: Error): void =>
      this.#pending?.reject(error ?? new Error('the connection was closed'));
    socket.on('error', fail);
    socket.on('close', () => fail());
  }

  static async open(access: RawAccess): Promise<RawConnection> {
    return new RawConnection(await openSocket(access));
  }

  /** Sends a request and waits for its answer. @throws Error when the connection breaks. */
  send(request: Buffer): Promise<RawAnswer> {
    return new Promise((resolve, reject) => {
      this.#pending = { resolve, reject };
      this.#socket.write(request);
    });
  }

  close(): void {
    this.#pending = undefined;
    this.#socket.destroy();
  }

  #take(bytes: Buffer): void {
    if (this.#expected === undefined) {
      this.#readHead(this.#head === undefined ? bytes : Buffer.concat([this.#head, bytes]));
    } else this.#readBody(bytes);
  }

  #readHead(bytes: Buffer): void {
    const end = bytes.indexOf(headEnd);
    if (end < 0) {
      this.#head = bytes;
      return;
    }
    const head = bytes.toString('latin1', 0, end + 2).toLowerCase();
    const at = head.indexOf(lengthField);
    this.#head = undefined;
    this.#code = Number(head.slice(9, 12));
    this.#expected = at < 0 ? 0 : Number.parseInt(head.slice(at + lengthField.length), 10);
    if (head.includes('transfer-encoding: chunked')) this.#chunks = new ChunkCounter();
    this.#readBody(bytes.subarray(end + headEnd.length));
  }

  #readBody(bytes: Buffer): void {
    this.#received += bytes.length;
    this.#chunks?.take(bytes);
    const isComplete = this.#chunks?.isComplete ?? this.#received >= (this.#expected ?? 0);
    if (isComplete) this.#finish();
  }

  #finish(): void {
    const { resolve } = this.#pending ?? {};
    const answer = { code: this.#code, bytes: this.#chunks?.bodyBytes ?? this.#received };
    this.#pending = undefined;
    this.#chunks = undefined;
    this.#received = 0;
    this.#expected = undefined;
    resolve?.(answer);
  }
}
