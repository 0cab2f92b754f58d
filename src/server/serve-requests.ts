import { randomUUID } from 'node:crypto';
import { createSystemTurns, type TurnQueue } from '../base/index.ts';
import type { AnyRequest, AnyResponse, Incoming } from '../net/http/index.ts';
import { anonymousUser } from './auth/authenticator.ts';
import type { Exchange, Handler } from './request/exchange.ts';
import { parseTarget } from './request/path.ts';
import { parseRequestInfo } from './request/request-info.ts';

/** Who answers requests, and when. */
export interface ServeRequestsOptions {
  readonly handler: Handler;
  readonly nowMs: () => number;
  /** Where requests wait for their turn when many come at once; a queue of its own when left out. */
  readonly turns?: TurnQueue | undefined;
}

/** Makes exchanges of what a listener receives, and has them handled in their turn. */
export function serveRequests({
  handler,
  nowMs,
  turns = createSystemTurns(),
}: ServeRequestsOptions): (incoming: Incoming) => Promise<void> {
  return async (incoming) => {
    const startedAtMs = nowMs();
    const turn = turns.take();
    if (turn !== undefined) await turn;
    const exchange = exchangeOf(incoming, { startedAtMs, turns });
    if (exchange === undefined) answerBadTarget(incoming.response);
    else await handler(exchange);
  };
}

/** Undefined for a target that cannot be read. */
function exchangeOf(
  incoming: Incoming,
  { startedAtMs, turns }: Pick<Exchange, 'startedAtMs' | 'turns'>,
): Exchange | undefined {
  const { request, response, upgrade } = incoming;
  const method = request.method ?? 'GET';
  const target = parseTarget(request.url ?? '/');
  if (target === undefined) return undefined;
  return {
    request,
    response,
    method,
    path: target.path,
    query: target.query,
    info: parseRequestInfo(method, target.path, target.segments, target.query),
    auditId: auditIdOf(request),
    startedAtMs,
    turns,
    get signal() {
      return incoming.signal;
    },
    abort: (reason) => incoming.abort(reason),
    trust: () => incoming.trust(),
    user: anonymousUser,
    upgrade,
    audit: undefined,
    // Present from the start, so that all exchanges have one shape.
    onDeadline: undefined,
    warnings: [],
  };
}

/** The client's own audit id when it is a sensible one, else a new one. */
function auditIdOf(request: AnyRequest): string {
  const given = request.headers['audit-id'];
  return typeof given === 'string' && /^[\w-]{1,64}$/.test(given) ? given : randomUUID();
}

/** Go's server says no more of a target that it cannot read. */
function answerBadTarget(response: AnyResponse): void {
  response.writeHead(400, { 'content-type': 'text/plain; charset=utf-8' });
  response.end('400 Bad Request');
}
