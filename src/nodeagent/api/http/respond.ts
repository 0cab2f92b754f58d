import type { OutgoingHttpHeaders } from 'node:http';
import { chunksOf } from '../../../base/index.ts';
import { redirectPage } from '../../../machinery/go-values/index.ts';
import type { AgentExchange } from './exchange.ts';

const plainText = 'text/plain; charset=utf-8';
/** Longer bodies go out in chunks, as with release 1.20's HTTP library. */
const maxUnchunkedBytes = 2048;
const maxBodyBytes = 10 * 1024 * 1024;

/** A body that the client sent is larger than what is taken. */
export class BodyTooLargeError extends Error {
  override readonly name = 'BodyTooLargeError';
}

/** Answers with a whole body. */
export function sendBody(
  { response }: AgentExchange,
  status: number,
  headers: OutgoingHttpHeaders,
  body: string | Buffer,
): void {
  const bytes = typeof body === 'string' ? Buffer.from(body, 'utf8') : body;
  const length = bytes.length <= maxUnchunkedBytes ? { 'Content-Length': bytes.length } : {};
  response.writeHead(status, { ...headers, ...length });
  response.end(bytes);
}

/** A text as routes of services answer. */
export function sendText(exchange: AgentExchange, status: number, text: string): void {
  sendBody(exchange, status, { 'Content-Type': plainText }, text);
}

/** A text as release 1.20's HTTP library words refusals: a line of its own, never taken for anything but text. */
export function sendLine(exchange: AgentExchange, status: number, text: string): void {
  sendNoSniff(exchange, status, `${text}\n`);
}

/** A text that is never taken for anything but text. */
export function sendNoSniff(exchange: AgentExchange, status: number, text: string): void {
  const headers = { 'Content-Type': plainText, 'X-Content-Type-Options': 'nosniff' };
  sendBody(exchange, status, headers, text);
}

/** A value as JSON; text is sent as it is. */
export function sendJson(exchange: AgentExchange, value: unknown, headers: OutgoingHttpHeaders = {}): void {
  const body = typeof value === 'string' ? value : JSON.stringify(value);
  sendBody(exchange, 200, { 'Content-Type': 'application/json', ...headers }, body);
}

/** Redirects the client to another path of this server. */
export function sendRedirect(exchange: AgentExchange, location: string): void {
  const { method } = exchange;
  const isShown = method === 'GET' || method === 'HEAD';
  const type = isShown ? { 'Content-Type': 'text/html; charset=utf-8' } : {};
  const body = method === 'GET' ? redirectPage(location) : '';
  sendBody(exchange, 301, { ...type, Location: location }, body);
}

/** The body of a request. @throws BodyTooLargeError */
export async function readBody({ request }: AgentExchange, maxBytes = maxBodyBytes): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  for await (const chunk of chunksOf(request)) {
    sizeBytes += chunk.length;
    if (sizeBytes > maxBytes) throw new BodyTooLargeError(`the body is larger than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
