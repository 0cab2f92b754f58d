import { Fifo } from '../../base/index.ts';
import type { Change } from './change.ts';

/** The recent changes of one resource, in revision order. */
export class ChangeLog {
  readonly #changes = new Fifo<Change>();

  get length(): number {
    return this.#changes.length;
  }

  at(index: number): Change | undefined {
    return this.#changes.at(index);
  }

  push(change: Change): void {
    this.#changes.push(change);
  }

  dropOldest(): void {
    this.#changes.drop(1);
  }

  clear(): void {
    this.#changes.clear();
  }

  /** Index of the first change after `revision`; `length` when there is none. */
  indexAfter(revision: number): number {
    let low = 0;
    let high = this.#changes.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#changes.at(middle)?.revision ?? Infinity) <= revision) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
