/** A heap whose first item comes before all others; it knows where each item is, so that any can be removed. */
export class Heap<T extends object> {
  readonly #comesFirst: (a: T, b: T) => boolean;
  readonly #items: T[] = [];
  readonly #places = new Map<T, number>();

  constructor(comesFirst: (a: T, b: T) => boolean) {
    this.#comesFirst = comesFirst;
  }

  get size(): number {
    return this.#items.length;
  }

  get first(): T | undefined {
    return this.#items[0];
  }

  push(item: T): void {
    this.#set(this.#items.length, item);
    this.#rise(this.#items.length - 1);
  }

  pop(): T | undefined {
    const [first] = this.#items;
    if (first !== undefined) this.remove(first);
    return first;
  }

  remove(item: T): void {
    const at = this.#places.get(item);
    if (at === undefined) return;
    this.#places.delete(item);
    const last = this.#items.pop();
    if (last === undefined || last === item) return;
    this.#set(at, last);
    this.#rise(at);
    this.#sink(this.#places.get(last) ?? at);
  }

  #rise(start: number): void {
    for (let at = start; at > 0; ) {
      const parent = (at - 1) >> 1;
      if (!this.#swapIfBefore(at, parent)) return;
      at = parent;
    }
  }

  #sink(start: number): void {
    for (let at = start; ; ) {
      const [left, right] = [2 * at + 1, 2 * at + 2];
      const isRight = this.#isBefore(right, left);
      const child = isRight ? right : left;
      if (!this.#swapIfBefore(child, at)) return;
      at = child;
    }
  }

  #isBefore(at: number, other: number): boolean {
    const [a, b] = [this.#items[at], this.#items[other]];
    return a !== undefined && (b === undefined || this.#comesFirst(a, b));
  }

  #swapIfBefore(at: number, other: number): boolean {
    const [a, b] = [this.#items[at], this.#items[other]];
    if (a === undefined || b === undefined || !this.#comesFirst(a, b)) return false;
    this.#set(at, b);
    this.#set(other, a);
    return true;
  }

  #set(at: number, item: T): void {
    this.#items[at] = item;
    this.#places.set(item, at);
  }
}
