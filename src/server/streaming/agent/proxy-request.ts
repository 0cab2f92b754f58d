import type { ClientRequest, IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import { type Duplex, pipeline, type Readable } from 'node:stream';
import { constants, createGunzip, createGzip } from 'node:zlib';
import { otherFailure } from '../../../machinery/errors/index.ts';
import { describeDialError, formatAuthority } from '../../../net/dial/index.ts';
import type { AnyRequest } from '../../../net/http/index.ts';
import type { Exchange } from '../../request/exchange.ts';
import type { Backend } from './backend.ts';
import { answerTo, type BackendClient } from './backend-client.ts';
import { answerHeaders, forwardedHeaders } from './forwarded-headers.ts';
import { HtmlRewriter } from './html-rewriter.ts';
import type { ProxyPath } from './proxy-path.ts';
import { type BackendAnswer, bodyApart, packingHeaders, relayBody, unpacked } from './relay.ts';
import { type ProxiedSite, rewriteLink } from './rewrite-location.ts';
import { isUpgradeRequest, tunnel } from './tunnel.ts';

/**
 * Passes a request on to a backend, and its answer back, both as streams. Requests for another protocol become tunnels; a
 * request for the site without a path is sent to its first page.
 *
 * @throws StatusError 500 when the backend is not reached.
 */
export async function proxyRequest(
  exchange: Exchange,
  client: BackendClient,
  { backend, at }: { readonly backend: Backend; readonly at: ProxyPath },
): Promise<void> {
  if (isUpgradeRequest(exchange)) {
    return tunnel(exchange, client, { backend, target: `${at.path || '/'}${at.query}` });
  }
  if (at.path === '') return redirectToFirstPage(exchange, at);
  const answer = await send(exchange, client, backend, at);
  await relayAnswer(exchange, answer, {
    prefix: at.prefix,
    authority: formatAuthority(backend),
    requestHost: String(exchange.request.headers.host ?? ''),
  });
}

/** Passes an answer on to the client as it comes, with its links leading below the proxied site. */
export async function relayAnswer(
  exchange: Exchange,
  answer: BackendAnswer,
  site: ProxiedSite,
): Promise<void> {
  const { response, auditId } = exchange;
  const headers = headersOf(answer, site, auditId);
  const page = exchange.method === 'HEAD' ? undefined : rewrittenPage(answer, site);
  if (page !== undefined) delete headers['content-length'];
  exchange.answerType = String(headers['content-type'] ?? '');
  response.writeHead(answer.statusCode ?? 502, headers);
  const end = await relayBody(page ?? answer.body, exchange);
  if (end !== 'complete') answer.body.destroy();
  // An answer that broke off must not look complete.
  if (end === 'complete') response.end();
  else response.destroy();
}

function redirectToFirstPage({ response, auditId }: Exchange, { prefix, query }: ProxyPath): void {
  response.writeHead(301, {
    'audit-id': auditId,
    'cache-control': 'no-cache, private',
    'content-length': 0,
    location: `${prefix}/${query}`,
  });
  response.end();
}

async function send(
  exchange: Exchange,
  client: BackendClient,
  backend: Backend,
  { prefix, path, query }: ProxyPath,
): Promise<BackendAnswer> {
  const { request, method, signal } = exchange;
  const given = proxiedHeaders(request);
  const packing = packingHeaders(given, method);
  const headers = { ...given, ...packing, 'x-forwarded-uri': `${prefix}${path}` };
  const sent = client.open(backend, { method, target: `${path}${query}`, headers }, signal);
  sendBody(request, sent);
  try {
    const answer = await answerTo(sent);
    return packing === undefined ? bodyApart(answer) : unpacked(answer);
  } catch (error) {
    throw otherFailure(500, '', `error trying to reach service: ${describeDialError(error, backend)}`);
  }
}

/** A client's headers as they are passed on, with how the length of the body is told. */
export const proxiedHeaders = (request: AnyRequest): OutgoingHttpHeaders => ({
  ...forwardedHeaders(request),
  ...bodyCoding(request),
});

/** The body goes on as the backend takes it; one that breaks off takes the request with it. */
export function sendBody(request: AnyRequest, sent: ClientRequest): void {
  request.on('error', (error) => sent.destroy(error));
  sent.on('close', () => {
    request.unpipe(sent);
    request.resume(); // what a backend did not want to read must not hold up the connection
  });
  request.pipe(sent);
}

/** How the length of a body is told when the client did not say it. */
function bodyCoding(request: AnyRequest): OutgoingHttpHeaders {
  const { headers } = request;
  if (headers['content-length'] !== undefined) return {};
  // HTTP/2 requests have the stream that they came on.
  const stream =
    'stream' in request ? (request.stream as Duplex & { readonly endAfterHeaders?: boolean }) : undefined;
  const hasBody = stream === undefined ? 'transfer-encoding' in headers : stream.endAfterHeaders !== true;
  return hasBody ? { 'transfer-encoding': 'chunked' } : {};
}

function headersOf(
  answer: Pick<IncomingMessage, 'headers'>,
  site: ProxiedSite,
  auditId: string,
): OutgoingHttpHeaders {
  const headers = answerHeaders(answer);
  const { location, 'cache-control': caching } = answer.headers;
  const ownCaching = 'no-cache, private';
  return {
    ...headers,
    ...(location === undefined ? {} : { location: rewriteLink(location, site) }),
    'audit-id': auditId,
    'cache-control': caching === undefined ? ownCaching : `${ownCaching}, ${caching}`,
  };
}

/**
 * The body of an answer with its links leading below the proxy, when it is an HTML page in an encoding that can be read;
 * undefined for everything else. It fails when the answer breaks off.
 */
function rewrittenPage({ headers, body }: BackendAnswer, site: ProxiedSite): Readable | undefined {
  const { 'content-type': type = '', 'content-encoding': encoding = '' } = headers;
  if (type.split(';')[0]?.trim().toLowerCase() !== 'text/html') return undefined;
  const rewriter = new HtmlRewriter((link) => rewriteLink(link, site));
  const ignore = (): void => {}; // each stream of a pipeline fails with the first that does
  if (encoding === '' || encoding === 'identity') return pipeline(body, rewriter, ignore);
  if (encoding !== 'gzip') return undefined;
  // Flushed with each chunk: a client may be waiting for part of a page.
  const flush = constants.Z_SYNC_FLUSH;
  return pipeline(body, createGunzip({ flush }), rewriter, createGzip({ flush }), ignore);
}
