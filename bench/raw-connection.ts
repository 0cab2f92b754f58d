import { once } from 'node:events';
import { connect, type TLSSocket } from 'node:tls';
import type { ApiAccess } from '../test/support/api-client.ts';

/** Where and how raw connections are made. */
export type RawAccess = ApiAccess;

/** A request as bytes, made once and sent as often as wanted. */
export function encodeRequest(method: string, path: string, body?: string, contentType?: string): Buffer {
  const head = [`${method} ${path} HTTP/1.1`, 'Host: bench', 'Accept: application/json'];
  if (body !== undefined) {
    head.push(
      `Content-Type: ${contentType ?? 'application/json'}`,
      `Content-Length: ${Buffer.byteLength(body)}`,
    );
  }
  return Buffer.from(`${head.join('\r\n')}\r\n\r\n${body ?? ''}`);
}

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
    ca: authorityPem,
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
  readonly bytes: number;
  /** The body when it was asked for, else empty. */
  readonly body: string;
}

interface Pending {
  readonly wantsBody: boolean;
  readonly resolve: (answer: RawAnswer) => void;
  readonly reject: (error: Error) => void;
}

const headEnd = Buffer.from('\r\n\r\n');
const lengthField = 'content-length: ';

/** One keep-alive connection with one request at a time: no agent, no parser, no objects for headers. */
export class RawConnection {
  readonly #socket: TLSSocket;
  #pending: Pending | undefined;
  #chunks: Buffer[] = [];
  #received = 0;
  /** Bytes of the whole answer, once its head was read. */
  #expected = 0;
  #headLength = 0;
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
  send(request: Buffer, options: { readonly wantsBody: boolean } = { wantsBody: false }): Promise<RawAnswer> {
    return new Promise((resolve, reject) => {
      this.#pending = { ...options, resolve, reject };
      this.#socket.write(request);
    });
  }

  close(): void {
    this.#pending = undefined;
    this.#socket.destroy();
  }

  #take(chunk: Buffer): void {
    this.#received += chunk.length;
    if (this.#expected === 0 || this.#pending?.wantsBody === true) this.#chunks.push(chunk);
    if (this.#expected === 0) this.#readHead();
    if (this.#expected > 0 && this.#received >= this.#expected) this.#finish();
  }

  #readHead(): void {
    const bytes =
      this.#chunks.length === 1 && this.#chunks[0] ? this.#chunks[0] : Buffer.concat(this.#chunks);
    const end = bytes.indexOf(headEnd);
    if (end < 0) return;
    const head = bytes.toString('latin1', 0, end + 2).toLowerCase();
    const at = head.indexOf(lengthField);
    const length = at < 0 ? 0 : Number.parseInt(head.slice(at + lengthField.length), 10);
    this.#code = Number(head.slice(9, 12));
    this.#headLength = end + headEnd.length;
    this.#expected = this.#headLength + length;
  }

  #finish(): void {
    const { resolve, wantsBody } = this.#pending ?? {};
    const body = wantsBody ? Buffer.concat(this.#chunks).subarray(this.#headLength).toString() : '';
    const answer = { code: this.#code, bytes: this.#expected - this.#headLength, body };
    this.#pending = undefined;
    this.#chunks = [];
    this.#received = 0;
    this.#expected = 0;
    resolve?.(answer);
  }
}
