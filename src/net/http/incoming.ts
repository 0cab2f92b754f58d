import type { Connections } from './connections.ts';
import type { AnyRequest, AnyResponse, ConnectionUpgrade } from './request.ts';

/** Shared: a thousand clients may leave at the same moment, and each error of its own would record where it was made. */
const clientHasLeft = new DOMException('the client has left', 'AbortError');

/** Of whom requests are. */
export interface IncomingSource {
  readonly connections: Connections;
  /** Aborts when the listener stops. */
  readonly stopping: AbortSignal;
}

/** A request as a listener received it. */
export class Incoming {
  readonly request: AnyRequest;
  readonly response: AnyResponse;
  /** Present when the client asks for another protocol. Until the socket is taken over, `response` answers as usual. */
  readonly upgrade: ConnectionUpgrade | undefined;
  readonly #source: IncomingSource;
  #aborter: AbortController | undefined;
  #abortedBecause: Error | undefined;

  constructor(
    { request, response, upgrade }: Pick<Incoming, 'request' | 'response' | 'upgrade'>,
    source: IncomingSource,
  ) {
    this.request = request;
    this.response = response;
    this.upgrade = upgrade;
    this.#source = source;
  }

  /**
   * Aborts when the client leaves before its response is complete, when the request is given up, or when the listener
   * stops. Made when first asked for: most requests are answered without it.
   */
  get signal(): AbortSignal {
    if (this.#aborter === undefined) {
      this.#aborter = aborterFor(this.response, this.#source.stopping);
      if (this.#abortedBecause !== undefined) this.#aborter.abort(this.#abortedBecause);
    }
    return this.#aborter.signal;
  }

  /** The client is authenticated: its connection no longer counts as an unauthenticated one. */
  trust(): void {
    this.#source.connections.trust(this.request);
  }

  /** Gives the request up: the signal aborts, and the connection (of HTTP/2: the stream) closes after the response. */
  abort(reason: Error): void {
    const { request, response } = this;
    this.#abortedBecause = reason;
    this.#aborter?.abort(reason);
    if ('stream' in request) response.once('finish', () => request.stream.close());
    else if (!response.headersSent) response.shouldKeepAlive = false;
  }

  /** Ends the request without a response, and its connection (of HTTP/2: the stream) with it. */
  destroy(): void {
    const { request, response, upgrade } = this;
    if ('stream' in request) request.stream.destroy();
    else {
      request.destroy();
      upgrade?.socket.destroy();
    }
    response.destroy();
  }
}

function aborterFor(response: AnyResponse, stopping: AbortSignal): AbortController {
  const aborter = new AbortController();
  const abort = (): void => aborter.abort(clientHasLeft);
  if (stopping.aborted || response.destroyed) abort();
  else {
    stopping.addEventListener('abort', abort);
    response.on('close', () => {
      stopping.removeEventListener('abort', abort);
      // HTTP/2 calls a response finished whenever its stream has closed.
      if (!response.writableEnded || !response.writableFinished) abort();
    });
  }
  return aborter;
}
