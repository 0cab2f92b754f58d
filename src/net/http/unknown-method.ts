import { METHODS } from 'node:http';
import { Duplex } from 'node:stream';
import type { Transport } from './connections.ts';

/** What Node.js tells of bytes that its HTTP/1.1 parser does not take. */
export interface ParseError extends Error {
  readonly code?: string;
  readonly reason?: string;
  /** What the parser was given at last. */
  readonly rawPacket?: Buffer;
  /** Where in it the parser stopped. */
  readonly bytesParsed?: number;
}

/** The beginning of a request whose method the parser does not know. */
export interface UnknownMethod {
  readonly method: string;
  /** All that came from the end of the method on. */
  readonly rest: Buffer;
}

/** A token (RFC 7230, section 3.2.6) and the space behind it; no method in use is nearly that long. */
const methodToken = /^([!#$%&'*+.^_`|~\w-]{1,64}) /;
const known: ReadonlySet<string> = new Set(METHODS);
const lineEnd = 0x0a;

/**
 * The request that the parser refused for its method: any token is one (RFC 7231, section 4.1), but the parser knows a
 * fixed set. Undefined for other errors, and when the first packet of the request ends within its method.
 */
export function findUnknownMethod(error: ParseError): UnknownMethod | undefined {
  const { rawPacket, bytesParsed = 0 } = error;
  if (rawPacket === undefined || !isAboutMethod(error)) return undefined;
  const start = bytesParsed === 0 ? 0 : rawPacket.lastIndexOf(lineEnd, bytesParsed - 1) + 1;
  const method = methodToken.exec(rawPacket.toString('latin1', start, start + 65))?.[1];
  if (method === undefined || known.has(method)) return undefined;
  return { method, rest: rawPacket.subarray(start + method.length) };
}

/** The parser also knows the methods of RTSP, and refuses them where the line that they are in is one of HTTP. */
const isAboutMethod = ({ code, reason = '' }: ParseError): boolean =>
  code === 'HPE_INVALID_METHOD' || reason.startsWith('Invalid method for');

/**
 * A connection that goes on behind the place where its parser stopped, for a parser of its own: what the new one reads
 * is the same request, with a method that it knows in place of the client's. Ends with the connection.
 */
export class RelayedConnection extends Duplex {
  /** The method that the client sent. */
  readonly method: string;
  readonly #transport: Transport;

  constructor(transport: Transport, { method, rest }: UnknownMethod) {
    super();
    this.method = method;
    this.#transport = transport;
    for (const event of ['data', 'end', 'drain', 'timeout']) transport.removeAllListeners(event);
    this.push(Buffer.concat([Buffer.from('POST'), rest]));
    transport.on('data', (chunk: Buffer) => {
      if (!this.push(chunk)) transport.pause();
    });
    transport.once('end', () => this.push(null));
    transport.once('close', () => this.destroy());
  }

  get remoteAddress(): string | undefined {
    return this.#transport.remoteAddress;
  }

  get bytesRead(): number | undefined {
    return this.#transport.bytesRead;
  }

  get authorized(): boolean | undefined {
    return this.#transport.authorized;
  }

  /** As a TLS socket has it; empty where the connection has no TLS. */
  getPeerCertificate(): object {
    return this.#transport.getPeerCertificate?.() ?? {};
  }

  override _read(): void {
    this.#transport.resume();
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, callback: (error?: Error | null) => void): void {
    this.#transport.write(chunk, callback);
  }

  override _final(callback: (error?: Error | null) => void): void {
    this.#transport.end(() => callback());
  }

  override _destroy(error: Error | null, callback: (error?: Error | null) => void): void {
    this.#transport.destroy();
    callback(error);
  }
}
