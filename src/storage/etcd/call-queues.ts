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

/** Runs the tasks of one key one after the other, in the order in which they came; those of other keys beside them. */
export class KeyQueue {
  readonly #tails = new Map<string, Promise<unknown>>();

  run<T>(key: string, task: () => Promise<T>): Promise<T> {
    const before = this.#tails.get(key);
    const result = before === undefined ? task() : before.then(task, task);
    this.#tails.set(key, result);
    const leave = (): void => {
      if (this.#tails.get(key) === result) this.#tails.delete(key);
    };
    result.then(leave, leave);
    return result;
  }

  /** Resolves when all tasks that are under way have ended. */
  async drain(): Promise<void> {
    await Promise.allSettled(this.#tails.values());
  }
}
