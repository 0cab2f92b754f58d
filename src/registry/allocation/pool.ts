/** Numbers from 0 to `size`-1 of which each is given out once at a time. */
export class Pool {
  readonly #taken = new Set<number>();
  readonly #size: number;
  readonly #random: () => number;

  constructor(size: number, random: () => number) {
    this.#size = size;
    this.#random = random;
  }

  isTaken(number: number): boolean {
    return this.#taken.has(number);
  }

  /** Marks a number as given out. One that the pool never gives out is nothing to it. */
  take(number: number): void {
    if (number >= 0 && number < this.#size) this.#taken.add(number);
  }

  free(number: number): void {
    this.#taken.delete(number);
  }

  /** Takes any free number, random so that one just freed is not used again at once; undefined when all are taken. */
  takeAny(): number | undefined {
    if (this.#taken.size >= this.#size) return undefined;
    let number = Math.floor(this.#random() * this.#size);
    while (this.#taken.has(number)) number = (number + 1) % this.#size;
    this.#taken.add(number);
    return number;
  }
}
