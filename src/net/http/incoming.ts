import type { AnyRequest, AnyResponse, ConnectionUpgrade } from './request.ts';

/** Shared: a thousand clients may leave at the same moment, and each error of its own would record where it was made. */
const clientHasLeft = new DOMException('the client has left', 'AbortError');

/** A request as a listener received it. */
export class Incoming {
  readonly request: AnyRequest;
  readonly response: AnyResponse;
  /** Present when the client asks for another protocol. Until somebody takes the socket, `response` answers as usual. */
  readonly upgrade: ConnectionUpgrade | undefined;
  readonly #stopping: AbortSignal;
  #signal: AbortSignal | undefined;

  constructor(
    { request, response, upgrade }: Pick<Incoming, 'request' | 'response' | 'upgrade'>,
    stopping: AbortSignal,
  ) {
    this.request = request;
    this.response = response;
    this.upgrade = upgrade;
    this.#stopping = stopping;
  }

  /**
   * Aborts when the client leaves before its response is complete, or when the listener stops. Made when first asked for:
   * most requests are answered without it.
   */
  get signal(): AbortSignal {
    this.#signal ??= abortedWith(this.response, this.#stopping);
    return this.#signal;
  }
}

function abortedWith(response: AnyResponse, stopping: AbortSignal): AbortSignal {
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
  return aborter.signal;
}
