import { randomUUID } from 'node:crypto';
import type { UserInfo } from '../apis/kind-rules.ts';
import { createSystemTurns, type TurnQueue } from '../base/index.ts';
import {
  type AnyRequest,
  type AnyResponse,
  type ConnectionUpgrade,
  headerValues,
  type Incoming,
} from '../net/http/index.ts';
import { anonymousUser } from './authentication/index.ts';
import type { AuditNotes, Exchange, Handler } from './request/exchange.ts';
import { parseTarget, type Target } from './request/path.ts';
import { parseRequestInfo, type RequestInfo } from './request/request-info.ts';

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
  served: Pick<Exchange, 'startedAtMs' | 'turns'>,
): Exchange | undefined {
  const target = parseTarget(incoming.request.url ?? '/');
  return target && new ReceivedExchange(incoming, target, served);
}

/** The exchange of a request that a listener received. A class, as getters of literals are defined anew each time. */
class ReceivedExchange implements Exchange {
  readonly request: AnyRequest;
  readonly response: AnyResponse;
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly info: RequestInfo;
  readonly auditId: string;
  readonly startedAtMs: number;
  readonly turns: TurnQueue | undefined;
  readonly upgrade: ConnectionUpgrade | undefined;
  readonly warnings: string[] = [];
  user: UserInfo = anonymousUser;
  audit: AuditNotes | undefined = undefined;
  held: Promise<void> | undefined = undefined;
  flowHeaders: Readonly<Record<string, string>> | undefined = undefined;
  isTerminated: boolean | undefined = undefined;
  answerBytes: number | undefined = undefined;
  answerType: string | undefined = undefined;
  onDeadline: (() => void) | undefined = undefined;
  readonly #incoming: Incoming;

  constructor(
    incoming: Incoming,
    { path, segments, query }: Target,
    { startedAtMs, turns }: Pick<Exchange, 'startedAtMs' | 'turns'>,
  ) {
    const { request, response, upgrade } = incoming;
    const { method = 'GET' } = request;
    this.#incoming = incoming;
    this.request = request;
    this.response = response;
    this.upgrade = upgrade;
    this.method = method;
    this.path = path;
    this.query = query;
    this.info = parseRequestInfo(method, path, segments, query);
    this.auditId = auditIdOf(request);
    this.startedAtMs = startedAtMs;
    this.turns = turns;
  }

  get signal(): AbortSignal {
    return this.#incoming.signal;
  }

  abort(reason: Error): void {
    this.#incoming.abort(reason);
  }

  trust(): void {
    this.#incoming.trust();
  }
}

/** The audit id that the client gives first, as in release 1.20; a new one for none, and for one that is far too long. */
function auditIdOf(request: AnyRequest): string {
  if (request.headers['audit-id'] === undefined) return randomUUID();
  const [given = ''] = headerValues(request, 'audit-id');
  return /^[ -~]{1,1024}$/.test(given) ? given : randomUUID();
}

/** Go's server says no more of a target that it cannot read. */
function answerBadTarget(response: AnyResponse): void {
  response.writeHead(400, { 'content-type': 'text/plain; charset=utf-8' });
  response.end('400 Bad Request');
}
