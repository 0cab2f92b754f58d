import type { Clock, Logger } from '../../../base/index.ts';
import type { Incoming } from '../../../net/http/index.ts';
import type { Guard } from '../auth/guard.ts';
import type { AgentMetrics } from '../metrics/agent-metrics.ts';
import { type AgentExchange, readExchange } from './exchange.ts';
import { BodyTooLargeError, sendLine, sendRedirect, sendText } from './respond.ts';
import type { Router } from './router.ts';

/** How a port serves requests. */
export interface ServeOptions {
  readonly router: Router;
  /** Authenticates and authorizes requests; without it all are allowed. Paths without a handler are not checked. */
  readonly guard?: Guard | undefined;
  /** How the metrics name this server. */
  readonly serverType: 'readwrite' | 'readonly';
  readonly metrics: AgentMetrics;
  readonly clock: Clock;
  readonly logger: Logger;
}

const methods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);
const streamed: ReadonlySet<string> = new Set(['exec', 'attach', 'portforward', 'debug']);

/** Serves requests by a router's routes, counts and logs them. */
export function createServe(options: ServeOptions): (incoming: Incoming) => Promise<void> {
  return async (incoming) => {
    const exchange = readExchange(incoming);
    if (exchange === undefined) refuseTarget(incoming);
    else await serve(exchange, options);
  };
}

async function serve(exchange: AgentExchange, options: ServeOptions): Promise<void> {
  const { router, guard, serverType, metrics, clock, logger } = options;
  const startMs = clock.nowMs();
  const labels = requestLabels(exchange, serverType);
  metrics.add('nodeagent_http_requests_total', 1, labels);
  metrics.add('nodeagent_http_inflight_requests', 1, labels);
  try {
    await dispatch(exchange, router, guard);
  } catch (error) {
    answerFailure(exchange, error, logger);
  } finally {
    const durationMs = clock.nowMs() - startMs;
    metrics.add('nodeagent_http_inflight_requests', -1, labels);
    metrics.observe('nodeagent_http_requests_duration_seconds', durationMs / 1000, labels);
    const { method, path, response } = exchange;
    logger.debug('HTTP', { method, path, status: response.statusCode, durationMs });
  }
}

function refuseTarget({ request, response }: Incoming): void {
  // Connections of HTTP/2 have no such header (RFC 9113, section 8.2.2).
  const end = request.httpVersionMajor >= 2 ? {} : { Connection: 'close' };
  response.writeHead(400, { 'Content-Type': 'text/plain; charset=utf-8', ...end });
  response.end('400 Bad Request');
}

async function dispatch(exchange: AgentExchange, router: Router, guard: Guard | undefined): Promise<void> {
  const found = router.find(exchange.method, exchange.path);
  if (found.kind === 'unknown') return sendLine(exchange, 404, '404 page not found');
  if (found.kind === 'moved') return sendRedirect(exchange, withQuery(found.path, exchange));
  if (guard !== undefined && !(await guard(exchange))) return undefined;
  if (found.kind === 'found') {
    if (!accepts(exchange, found.produces)) return sendText(exchange, 406, '406: Not Acceptable');
    return found.handler(exchange, found.values);
  }
  const text = found.status === 405 ? '405: Method Not Allowed' : '404: Page Not Found';
  return sendText(exchange, found.status, text);
}

/** Types are compared as they stand, without their parameters, as in release 1.20: `application/*` is none. */
function accepts({ request }: AgentExchange, produced: string | undefined): boolean {
  const { accept } = request.headers;
  if (produced === undefined || accept === undefined || accept === '') return true;
  return accept.split(',').some((text) => {
    const type = (text.split(';')[0] ?? '').replace(/^ +| +$/g, '');
    return type === '*/*' || type === produced;
  });
}

function withQuery(path: string, { request }: AgentExchange): string {
  const url = request.url ?? '';
  const mark = url.indexOf('?');
  return encodeURI(path) + (mark < 0 ? '' : url.slice(mark));
}

function answerFailure(exchange: AgentExchange, error: unknown, logger: Logger): void {
  const { method, path, response } = exchange;
  if (!exchange.signal.aborted) logger.error('request failed', { method, path, error });
  if (response.headersSent) response.destroy();
  else if (error instanceof BodyTooLargeError) sendText(exchange, 413, error.message);
  else sendText(exchange, 500, 'Internal Error');
}

/** Metric labels with a bounded set of values, as clients choose paths and methods. */
function requestLabels({ method, path, query }: AgentExchange, serverType: string): readonly string[] {
  const [first = '', second = ''] = path.slice(1).split('/');
  const root = first.toLowerCase();
  const isLong = streamed.has(root) || (root === 'containerlogs' && query.has('follow'));
  return [String(isLong), methods.has(method) ? method : 'other', bucketOf(root, second), serverType];
}

const buckets: ReadonlySet<string> = new Set([
  'attach',
  'configz',
  'containerlogs',
  'debug',
  'exec',
  'healthz',
  'logs',
  'manifests',
  'metrics',
  'metrics/cadvisor',
  'metrics/probes',
  'metrics/resource',
  'pods',
  'portforward',
  'run',
  'runningpods',
  'spec',
  'stats',
]);

function bucketOf(first: string, second: string): string {
  const both = `${first}/${second}`;
  if (buckets.has(both)) return both;
  return buckets.has(first) ? first : 'other';
}
