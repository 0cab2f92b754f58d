/** A set of numbers from 0 to a size, one bit each, as release 1.20's allocations are stored. */
export class Bitmap {
  readonly #bytes: Uint8Array;
  readonly #size: number;
  #count = 0;

  /** @param size how many numbers there are; what `bytes` says beyond is ignored. */
  constructor(size: number, bytes: Uint8Array = new Uint8Array()) {
    this.#size = size;
    this.#bytes = new Uint8Array(Math.ceil(size / 8));
    for (let number = 0; number < Math.min(size, bytes.length * 8); number++) {
      // Stored as one big number: the lowest bit is in the last byte.
      if (((bytes[bytes.length - 1 - (number >> 3)] ?? 0) & (1 << (number & 7))) !== 0) this.add(number);
    }
  }

  get size(): number {
    return this.#size;
  }

  /** How many numbers are in the set. */
  get count(): number {
    return this.#count;
  }

  has(number: number): boolean {
    return (
      number >= 0 && number < this.#size && ((this.#bytes[number >> 3] ?? 0) & (1 << (number & 7))) !== 0
    );
  }

  /** True when the number was not there. Numbers outside are ignored. */
  add(number: number): boolean {
    if (number < 0 || number >= this.#size || this.has(number)) return false;
    this.#bytes[number >> 3] = (this.#bytes[number >> 3] ?? 0) | (1 << (number & 7));
    this.#count++;
    return true;
  }

  /** True when the number was there. */
  delete(number: number): boolean {
    if (!this.has(number)) return false;
    this.#bytes[number >> 3] = (this.#bytes[number >> 3] ?? 0) & ~(1 << (number & 7));
    this.#count--;
    return true;
  }

  /** The first number from `start` on, around the end, that is not in the set; undefined when all are. */
  nextFree(start: number): number | undefined {
    if (this.#count >= this.#size) return undefined;
    let number = start % this.#size;
    while (this.has(number)) number = (number + 1) % this.#size;
    return number;
  }

  *[Symbol.iterator](): Generator<number> {
    for (let number = 0; number < this.#size; number++) if (this.has(number)) yield number;
  }

  clone(): Bitmap {
    const copy = new Bitmap(this.#size);
    copy.#bytes.set(this.#bytes);
    copy.#count = this.#count;
    return copy;
  }

  /** The set as one big number, highest byte first, without leading zeros. */
  toBytes(): Buffer {
    const bytes = Buffer.from(this.#bytes).reverse();
    const start = bytes.findIndex((byte) => byte !== 0);
    return start < 0 ? Buffer.alloc(0) : bytes.subarray(start);
  }
}
