/** A queue with index access; `push` and `shift` cost O(1) on average. */
export class Fifo<Item> {
  #items: Item[] = [];
  #head = 0;

  get length(): number {
    return this.#items.length - this.#head;
  }

  /** The item `index` places behind the oldest. */
  at(index: number): Item | undefined {
    return this.#items[this.#head + index];
  }

  push(item: Item): void {
    this.#items.push(item);
  }

  /** Removes the oldest `count` items. */
  drop(count: number): void {
    this.#head = Math.min(this.#head + count, this.#items.length);
    // Copying only when at least half is garbage keeps the average cost constant.
    if (this.#head < minCompactLength || this.#head * 2 < this.#items.length) return;
    this.#items = this.#items.slice(this.#head);
    this.#head = 0;
  }

  clear(): void {
    this.#items = [];
    this.#head = 0;
  }
}

const minCompactLength = 64;
