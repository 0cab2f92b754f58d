import type { OutgoingHttpHeaders } from 'node:http';
import type { Status, StatusError } from '../../machinery/errors/index.ts';
import type { Exchange } from './exchange.ts';

const newline = Buffer.from('\n');

/** Writes a whole answer. `body` parts are sent one after the other without being copied together when few. */
export function respond(
  exchange: Exchange,
  answer: {
    readonly code: number;
    readonly contentType: string;
    readonly body: Buffer;
    readonly headers?: Record<string, string>;
  },
): void {
  const { response } = exchange;
  if (response.headersSent) return;
  const { code, contentType, body } = answer;
  response.writeHead(code, {
    'audit-id': exchange.auditId,
    'cache-control': 'no-cache, private',
    'content-type': contentType,
    'content-length': body.length,
    ...warningHeader(exchange),
    ...answer.headers,
  });
  if (exchange.method === 'HEAD') response.end();
  else response.end(body);
}

/** Writes canonical JSON bytes as they are. */
export function respondJson(exchange: Exchange, code: number, body: Buffer): void {
  respond(exchange, { code, contentType: 'application/json', body });
}

/** Writes a small value as JSON with the trailing newline that the reference's encoder adds. */
export function respondValue(exchange: Exchange, code: number, value: unknown): void {
  respondJson(exchange, code, Buffer.concat([Buffer.from(JSON.stringify(value)), newline]));
}

export function respondText(exchange: Exchange, code: number, text: string): void {
  respond(exchange, {
    code,
    contentType: 'text/plain; charset=utf-8',
    body: Buffer.from(text),
    headers: { 'x-content-type-options': 'nosniff' },
  });
}

/** Writes a Status; its `retryAfterSeconds` becomes the `Retry-After` header too. */
export function respondStatus(exchange: Exchange, status: Status): void {
  const retryAfter = status.details?.retryAfterSeconds;
  respond(exchange, {
    code: status.code ?? 200,
    contentType: 'application/json',
    body: Buffer.concat([Buffer.from(JSON.stringify(status)), newline]),
    ...(retryAfter === undefined || retryAfter === 0
      ? {}
      : { headers: { 'retry-after': String(retryAfter) } }),
  });
}

export function respondError(exchange: Exchange, error: StatusError): void {
  respondStatus(exchange, error.status);
}

/** The `Warning` header of an answer, if there is something to warn of. */
export function warningHeader(exchange: Exchange): OutgoingHttpHeaders {
  if (exchange.warnings.length === 0) return {};
  return { Warning: exchange.warnings.map((text) => `299 - "${text.replace(/["\\]/g, '\\$&')}"`) };
}
