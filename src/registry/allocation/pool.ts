import type { NumberPool } from './number-pool.ts';

/** Numbers from 0 to `size`-1 of which each is given out once at a time, known to this process only. */
export class Pool implements NumberPool {
  readonly #taken: Set<number>;
  readonly #size: number;
  readonly #random: () => number;

  constructor(size: number, random: () => number, taken: Iterable<number> = []) {
    this.#size = size;
    this.#random = random;
    this.#taken = new Set(taken);
  }

  take(number: number): boolean {
    if (this.#taken.has(number)) return false;
    if (number >= 0 && number < this.#size) this.#taken.add(number);
    return true;
  }

  free(numbers: readonly number[]): void {
    for (const number of numbers) this.#taken.delete(number);
  }

  /** Starts at a random number, so that one that was just freed is seldom reused at once. */
  takeAny(): number | undefined {
    if (this.#taken.size >= this.#size) return undefined;
    let number = Math.floor(this.#random() * this.#size);
    while (this.#taken.has(number)) number = (number + 1) % this.#size;
    this.#taken.add(number);
    return number;
  }

  trial(): Pool {
    return new Pool(this.#size, this.#random, this.#taken);
  }
}
