import type { ClientRequest, IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import { request as httpRequest } from 'node:https';
import { bearLateErrors, formatAuthority } from '../../net/dial/index.ts';
import {
  type Callee,
  CalleeAgents,
  type ClientPair,
  mayRepeat,
  type ResolveService,
} from '../callouts/index.ts';
import type { RemoteApi } from './remote-apis.ts';

/** What other servers are called with. */
export interface RemoteClientOptions {
  readonly resolveService: ResolveService;
  /** Proves to other servers that it is this one that names the user (`--proxy-client-cert-file`). */
  readonly clientPair: ClientPair | undefined;
}

/** A request to another server. */
export interface RemoteRequest {
  readonly method: string;
  /** Path and query, escaped. */
  readonly target: string;
  readonly headers: OutgoingHttpHeaders;
}

/**
 * Sends requests to the servers of other groups, over kept connections. Watches hold theirs, so that their number is
 * bounded by that of clients only.
 */
export class RemoteClient implements Disposable {
  readonly #options: RemoteClientOptions;
  readonly #agents = new CalleeAgents({ connectionsPerCallee: Number.POSITIVE_INFINITY });

  constructor(options: RemoteClientOptions) {
    this.#options = options;
  }

  /** Where the server of an API is now. @throws Error in release 1.20's words when its service leads nowhere. */
  locate(api: RemoteApi): Callee {
    const place = this.#options.resolveService(api.service);
    return {
      ...place,
      authority: formatAuthority(place),
      serverName: `${api.service.name}.${api.service.namespace}.svc`,
      authorities: api.authorities,
      locate: undefined,
      clientPair: this.#options.clientPair,
      isUnverified: api.isUnverified,
    };
  }

  /** Begins a request, whose body the caller writes and ends. `signal` aborts it. */
  open(callee: Callee, { method, target, headers }: RemoteRequest, signal: AbortSignal): ClientRequest {
    const sent = httpRequest({
      agent: this.#agents.of(callee),
      method,
      path: target,
      host: callee.host,
      port: callee.port,
      headers: { ...headers, host: callee.authority },
      setHost: false,
      signal,
    });
    bearLateErrors(sent);
    // Kept connections are the rule of HTTP/1.1.
    if (headers.connection === undefined) sent.removeHeader('connection');
    return sent;
  }

  /**
   * Resolves with the head of the answer. `send` writes and ends the body of the request. A kept connection may have been
   * closed meanwhile: what may be sent twice is sent over another one then.
   */
  async answer(
    callee: Callee,
    request: RemoteRequest,
    {
      signal,
      send,
    }: { readonly signal: AbortSignal; readonly send?: ((sent: ClientRequest) => void) | undefined },
  ): Promise<IncomingMessage> {
    const sent = this.open(callee, request, signal);
    const answered = Promise.withResolvers<IncomingMessage>();
    sent.on('response', answered.resolve);
    sent.on('error', answered.reject);
    if (send === undefined) sent.end();
    else send(sent);
    try {
      return await answered.promise;
    } catch (error) {
      if (send !== undefined || !mayRepeat(sent, error, signal)) throw error;
      return this.answer(callee, request, { signal });
    }
  }

  /** Ends all connections. */
  [Symbol.dispose](): void {
    this.#agents.close();
  }
}
