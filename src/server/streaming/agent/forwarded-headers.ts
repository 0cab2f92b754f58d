import type { IncomingHttpHeaders, IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import type { AnyRequest } from '../../../net/http/index.ts';

/** Headers that are about one connection, not about the message (RFC 7230, section 6.1). */
const hopByHop = new Set([
  'connection',
  'proxy-connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);
/** What a client says to this server alone. */
const credentials = new Set(['authorization', 'http2-settings']);
/** What this server says for itself about other origins. */
const crossOrigin = new Set([
  'access-control-allow-credentials',
  'access-control-allow-headers',
  'access-control-allow-methods',
  'access-control-allow-origin',
]);
const tokenProtocol = 'base64url.bearer.';

/** A client's headers as they are passed on: without those of its connection and without its credentials. */
export function forwardedHeaders(request: AnyRequest): OutgoingHttpHeaders {
  const headers = keep(request.headers, (name) => !credentials.has(name));
  const host = request.headers.host ?? authorityOf(request);
  if (host !== undefined) headers.host = host;
  if (mentions(request.headers.te, 'trailers')) headers.te = 'trailers';
  const address = request.socket?.remoteAddress;
  if (address !== undefined) {
    const before = request.headers['x-forwarded-for'];
    const client = address.replace(/^::ffff:(?=\d+\.)/, '');
    headers['x-forwarded-for'] = before === undefined ? client : `${before}, ${client}`;
  }
  return headers;
}

/** The same for a request that asks for another protocol, which is passed on with what asks for it. */
export function upgradeHeaders(request: AnyRequest): OutgoingHttpHeaders {
  const headers = forwardedHeaders(request);
  const protocols = request.headers['sec-websocket-protocol'];
  if (protocols !== undefined) {
    const shown = protocols
      .split(',')
      .map((protocol) => protocol.trim())
      .filter((protocol) => !protocol.startsWith(tokenProtocol));
    delete headers['sec-websocket-protocol'];
    if (shown.length > 0) headers['sec-websocket-protocol'] = shown.join(', ');
  }
  return { ...headers, connection: 'Upgrade', upgrade: request.headers.upgrade };
}

/** Headers of an answer as the client gets them: without those of the other connection and those about origins. */
export function answerHeaders({ headers }: Pick<IncomingMessage, 'headers'>): OutgoingHttpHeaders {
  return keep(headers, (name) => !crossOrigin.has(name));
}

/** True when a header that is a list has an element, whatever its case. */
export function mentions(header: string | readonly string[] | undefined, element: string): boolean {
  return listOf(header).includes(element);
}

function keep(headers: IncomingHttpHeaders, isWanted: (name: string) => boolean): OutgoingHttpHeaders {
  const named = new Set(listOf(headers.connection));
  const kept: OutgoingHttpHeaders = {};
  for (const [name, value] of Object.entries(headers)) {
    // Names that begin with a colon are HTTP/2's own.
    if (name.startsWith(':') || hopByHop.has(name) || named.has(name) || !isWanted(name)) continue;
    kept[name] = value;
  }
  return kept;
}

const listOf = (header: string | readonly string[] | undefined): string[] =>
  String(header ?? '')
    .split(',')
    .map((part) => part.trim().toLowerCase());

/** HTTP/2 has the host among its own headers. */
function authorityOf({ headers }: AnyRequest): string | undefined {
  const authority = headers[':authority'];
  return typeof authority === 'string' ? authority : undefined;
}
