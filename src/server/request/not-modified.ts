import type { Exchange } from './exchange.ts';

/** Whether the client has the answer with this entity tag already. RFC 7232, section 3.2: weak and strong tags compare alike here. */
export function isKnownTag({ method, request }: Pick<Exchange, 'method' | 'request'>, etag: string): boolean {
  const known = request.headers['if-none-match'];
  if (known === undefined || (method !== 'GET' && method !== 'HEAD')) return false;
  return known.split(',').some((item) => item.trim() === '*' || item.trim().replace(/^W\//, '') === etag);
}

/** Answers 304, with the headers that the whole answer would have. */
export function respondNotModified(
  { response, auditId }: Pick<Exchange, 'response' | 'auditId'>,
  headers: Readonly<Record<string, string>>,
): void {
  response.writeHead(304, { 'audit-id': auditId, 'cache-control': 'no-cache, private', ...headers });
  response.end();
}
