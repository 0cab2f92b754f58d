import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Http2ServerRequest } from 'node:http2';
import type { Duplex } from 'node:stream';
import { decodeHeader } from '../../base/index.ts';

/** A request of HTTP/1.1 or HTTP/2. */
export type AnyRequest = IncomingMessage | Http2ServerRequest;

/** A response in progress. HTTP/2's compatibility response offers what servers here use of HTTP/1.1's. */
export type AnyResponse = ServerResponse;

const nothing = Buffer.alloc(0);

/**
 * Sends the head of an answer at once, before any of its body; HTTP/2 does so by itself. With `flushHeaders` characters
 * beyond ASCII, each of which stands for one byte of a header, would become two.
 */
export function sendHead(response: AnyResponse): void {
  if (!('stream' in response)) response.write(nothing);
}

/** A connection whose client asks for another protocol (RFC 7230, section 6.7). */
export interface ConnectionUpgrade {
  readonly socket: Duplex;
  /** What the client has sent already in that protocol. */
  readonly head: Buffer;
}

/** What is the same for all requests of a connection, and different for each connection. */
export function connectionOf(request: AnyRequest): object {
  // HTTP/2's `socket` is another object for each request; a stream that has closed has no session any more.
  return 'stream' in request ? (request.stream?.session ?? request.socket) : request.socket;
}

/** Texts of a header in the order in which they came; a header that came several times has as many. */
export function headerValues({ rawHeaders }: Pick<AnyRequest, 'rawHeaders'>, name: string): string[] {
  const wanted = name.toLowerCase();
  return rawHeaders
    .filter((_, at) => at % 2 === 1 && rawHeaders[at - 1]?.toLowerCase() === wanted)
    .map(decodeHeader);
}

/** Takes headers out of a request, so that nobody reads them later. Names are compared in lower case. */
export function removeHeaders(
  { headers, rawHeaders }: Pick<AnyRequest, 'headers' | 'rawHeaders'>,
  isRemoved: (name: string) => boolean,
): void {
  for (const name of Object.keys(headers)) if (isRemoved(name)) delete headers[name];
  for (let at = rawHeaders.length - 2; at >= 0; at -= 2) {
    if (isRemoved((rawHeaders[at] ?? '').toLowerCase())) rawHeaders.splice(at, 2);
  }
}
