/** Holds work back until it may go on. Closed at first; the signal opens it for good, so that nobody waits for ever. */
export class Gate {
  readonly #signal: AbortSignal;
  #opening = Promise.withResolvers<void>();
  #isOpen = false;

  constructor(signal: AbortSignal) {
    this.#signal = signal;
    if (signal.aborted) this.open();
    else signal.addEventListener('abort', () => this.open(), { once: true });
  }

  open(): void {
    this.#isOpen = true;
    this.#opening.resolve();
  }

  close(): void {
    if (!this.#isOpen || this.#signal.aborted) return;
    this.#isOpen = false;
    this.#opening = Promise.withResolvers();
  }

  /** Resolves while the gate is open. */
  async passage(): Promise<void> {
    while (!this.#isOpen) await this.#opening.promise;
  }
}
