import { methodNotAllowed, otherFailure } from '../../machinery/errors/index.ts';
import data from '../health-checks.json' with { type: 'json' };
import type { Exchange } from '../request/exchange.ts';
import { parseAccept } from '../request/media-type.ts';
import { respond, respondText } from '../request/respond.ts';

/**
 * Answers a path that nothing serves. Below `/apis` and where release 1.20 has profiles, of which there are none here,
 * the answer is a line of text; elsewhere it is the index of the innermost of that release's servers, with status 404.
 */
export function unknownPath(spell: (text: string) => string): (exchange: Exchange) => void {
  const body = Buffer.from(JSON.stringify({ paths: indexPaths().map(spell) }, undefined, 2));
  return (exchange) => {
    if (/^\/logs(?:\/|$)/.test(exchange.path)) checkLogRequest(exchange);
    if (exchange.path.startsWith('/apis/')) respondText(exchange, 404, '404 page not found\n');
    else if (/^\/debug\/pprof\/./.test(exchange.path)) {
      exchange.response.setHeader('x-go-pprof', '1');
      respondText(exchange, 404, 'Unknown profile\n');
    } else respond(exchange, { code: 404, contentType: 'application/json', body });
  };
}

/**
 * Files of the host's logs, which are not shown here, are no kind: only GET, and a client that takes anything.
 *
 * @throws StatusError 405, 406
 */
function checkLogRequest({ method, request }: Exchange): void {
  if (method !== 'GET') throw methodNotAllowed();
  const { accept } = request.headers;
  if (!accept || parseAccept(accept).some(({ type }) => type === '*/*')) return;
  throw otherFailure(406, 'NotAcceptable', '406: Not Acceptable', {});
}

function indexPaths(): string[] {
  const { apiPaths, checks } = data.unknownPathIndex;
  const below = (endpoint: string, names: readonly string[]) => [
    endpoint,
    ...names.map((name) => `${endpoint}/${name}`),
  ];
  const readyChecks = [...checks, 'informer-sync', 'shutdown'].sort();
  return [
    ...apiPaths,
    ...below('/healthz', checks),
    ...below('/livez', checks),
    '/metrics',
    '/openapi/v2',
    ...below('/readyz', readyChecks),
    '/version',
  ];
}
