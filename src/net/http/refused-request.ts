import type { ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { ParseError } from './unknown-method.ts';

/** A connection of HTTP/1.1, with the response that Node.js is writing on it. */
interface HttpConnection extends Duplex {
  readonly _httpMessage?: ServerResponse | null;
}

const answers: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: '413 Payload Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
};

/** Ends a connection whose client sent what cannot be read, with an answer unless another one has begun. */
export function refuseRequest(connection: Duplex, { code = '' }: ParseError): void {
  const current = openResponse(connection);
  if (connection.writable && current?.headersSent !== true) {
    const answer = answers[code] ?? '400 Bad Request';
    const head = `HTTP/1.1 ${answer}\r\nContent-Type: text/plain; charset=utf-8\r\nConnection: close\r\n\r\n`;
    connection.write(`${head}${answer}`);
  }
  connection.destroy();
}

/** Calls back when no response is being written on a connection, or waits for its turn on it. */
export function afterResponses(connection: Duplex, then: () => void): void {
  const current = openResponse(connection);
  if (current === undefined) then();
  else current.once('close', () => afterResponses(connection, then));
}

const openResponse = (connection: HttpConnection): ServerResponse | undefined =>
  connection._httpMessage ?? undefined;
