interface Waiter {
  readonly revision: number;
  readonly open: () => void;
}

/** Callbacks that wait for a revision. Most wait for the next ones, in order. */
export class RevisionGate {
  /** Ascending by revision. */
  #waiters: Waiter[] = [];

  get first(): number | undefined {
    return this.#waiters[0]?.revision;
  }

  get last(): number | undefined {
    return this.#waiters.at(-1)?.revision;
  }

  /** Calls `open` when `advance` reaches `revision`. */
  wait(revision: number, open: () => void): void {
    let at = this.#waiters.length;
    while (at > 0 && (this.#waiters[at - 1]?.revision ?? 0) > revision) at--;
    if (at === this.#waiters.length) this.#waiters.push({ revision, open });
    else this.#waiters.splice(at, 0, { revision, open });
  }

  advance(revision: number): void {
    if ((this.first ?? Number.POSITIVE_INFINITY) > revision) return;
    const until = this.#waiters.findIndex((waiter) => waiter.revision > revision);
    const opened = until < 0 ? this.#waiters : this.#waiters.slice(0, until);
    this.#waiters = until < 0 ? [] : this.#waiters.slice(until);
    for (const { open } of opened) open();
  }
}
