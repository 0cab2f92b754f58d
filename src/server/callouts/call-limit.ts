import type { ClientRequest } from 'node:http';

/** What bounds a call. */
export interface CallBounds {
  readonly timeoutMs: number;
  /** Ends the call when nobody waits for it any more. */
  readonly signal?: AbortSignal | undefined;
}

/** How long a call may take. One timer: a signal of its own for each part of a call costs as much as the rest of it. */
export class CallLimit {
  isOver = false;
  readonly #timer: NodeJS.Timeout;
  readonly #caller: AbortSignal | undefined;
  #request: ClientRequest | undefined;
  #controller: AbortController | undefined;

  constructor({ timeoutMs, signal }: CallBounds) {
    this.#timer = setTimeout(this.#end, timeoutMs).unref();
    this.#caller = signal;
    if (signal?.aborted === true) this.#end();
    else signal?.addEventListener('abort', this.#end);
  }

  readonly #end = (): void => {
    this.isOver = true;
    this.#request?.destroy(new Error('the call took too long'));
    this.#controller?.abort();
  };

  /** Ends a request, and the reading of its answer, with the limit: one at a time. */
  guard(request: ClientRequest): void {
    this.#request = request;
    if (this.isOver) this.#end();
  }

  /** For what else waits. */
  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.isOver) this.#controller.abort();
    return this.#controller.signal;
  }

  /** The call is over. */
  lift(): void {
    clearTimeout(this.#timer);
    this.#caller?.removeEventListener('abort', this.#end);
  }
}
