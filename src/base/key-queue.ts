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
