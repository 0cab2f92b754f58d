import {
  type AnyRequest,
  type AnyResponse,
  type ConnectionUpgrade,
  type Incoming,
  parseQuery,
} from '../../../net/http/index.ts';

/** One request, and the way to answer it. */
export interface AgentExchange {
  readonly request: AnyRequest;
  readonly response: AnyResponse;
  readonly method: string;
  /** Without the query, escapes undone. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** Set when the client asks for another protocol; the socket may then be taken over. */
  readonly upgrade: ConnectionUpgrade | undefined;
  /** Aborted when the client has gone, or the server stops. */
  readonly signal: AbortSignal;
  /** The client is authenticated: its connection no longer counts as an unauthenticated one. */
  trust?(): void;
}

/** Values of the parts of a path that a route leaves open. */
export type PathValues = Readonly<Record<string, string>>;

/** Answers a request. What it throws becomes an answer of 500, if none was begun. */
export type AgentHandler = (exchange: AgentExchange, values: PathValues) => Promise<void> | void;

/** What a listener received, with its target taken apart; undefined for one that cannot be read. */
export function readExchange(incoming: Incoming): AgentExchange | undefined {
  const { request, response, upgrade } = incoming;
  const target = parseTarget(request.url ?? '/');
  if (target === undefined) return undefined;
  return {
    request,
    response,
    method: request.method ?? 'GET',
    ...target,
    upgrade,
    get signal() {
      return incoming.signal;
    },
    trust: () => incoming.trust(),
  };
}

function parseTarget(url: string): Pick<AgentExchange, 'path' | 'query'> | undefined {
  const mark = url.indexOf('?');
  const rawPath = mark < 0 ? url : url.slice(0, mark);
  if (!rawPath.startsWith('/'))
    return rawPath === '*' ? { path: '*', query: new URLSearchParams() } : undefined;
  try {
    const path = decodeURIComponent(rawPath);
    return path.includes('\0') ? undefined : { path, query: parseQuery(mark < 0 ? '' : url.slice(mark + 1)) };
  } catch {
    return undefined; // a broken escape
  }
}
