/**
 * Shares one call among all requests that come before it starts. A request during a call gets the next one: the answer
 * of a running call may be older than the request.
 */
export class RevisionReader {
  readonly #read: () => Promise<number>;
  #current: Promise<number> | undefined;
  #next: Promise<number> | undefined;

  constructor(read: () => Promise<number>) {
    this.#read = read;
  }

  /** A revision that is not older than the call. */
  read(): Promise<number> {
    if (this.#current === undefined) return this.#start();
    this.#next ??= this.#current.then(
      () => this.#startNext(),
      () => this.#startNext(),
    );
    return this.#next;
  }

  #startNext(): Promise<number> {
    this.#next = undefined;
    return this.#start();
  }

  #start(): Promise<number> {
    const call = this.#read();
    this.#current = call;
    const end = (): void => {
      if (this.#current === call && this.#next === undefined) this.#current = undefined;
    };
    call.then(end, end);
    return call;
  }
}
