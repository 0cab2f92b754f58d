import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

/** A connection whose client asks for another protocol. */
export interface ConnectionUpgrade {
  readonly socket: Duplex;
  /** What came after the head of the request. */
  readonly head: Buffer;
}

/** One request, and the way to answer it. */
export interface AgentExchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly method: string;
  /** Without the query, escapes undone. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** Set when the client asks for another protocol; the socket may then be taken over. */
  readonly upgrade: ConnectionUpgrade | undefined;
  /** Aborted when the client has gone, or the server stops. */
  readonly signal: AbortSignal;
}

/** Values of the parts of a path that a route leaves open. */
export type PathValues = Readonly<Record<string, string>>;

/** Answers a request. What it throws becomes an answer of 500, if none was begun. */
export type AgentHandler = (exchange: AgentExchange, values: PathValues) => Promise<void> | void;
