import { Fifo } from '../../base/index.ts';
import type { Change } from './change.ts';

interface LoggedChange {
  readonly change: Change;
  readonly timeMs: number;
}

/** The recent changes of one resource, in revision order. */
export class ChangeLog {
  readonly #changes = new Fifo<LoggedChange>();
  #bytes = 0;
  #start = 0;

  /** Every change that was pushed and is after this revision is there. */
  get start(): number {
    return this.#start;
  }

  /** Memory that the changes hold. */
  get bytes(): number {
    return this.#bytes;
  }

  /** When the oldest change was pushed; later than any time where there is none. */
  get oldestMs(): number {
    return this.#changes.at(0)?.timeMs ?? Infinity;
  }

  get length(): number {
    return this.#changes.length;
  }

  at(index: number): Change | undefined {
    return this.#changes.at(index)?.change;
  }

  push(change: Change, timeMs: number): void {
    this.#changes.push({ change, timeMs });
    this.#bytes += change.retainedBytes;
  }

  /** Returns the bytes that are held no more. */
  dropOldest(): number {
    const oldest = this.#changes.at(0)?.change;
    if (oldest === undefined) return 0;
    this.#changes.drop(1);
    this.#start = oldest.revision;
    this.#bytes -= oldest.retainedBytes;
    return oldest.retainedBytes;
  }

  clear(): void {
    this.#changes.clear();
    this.#bytes = 0;
  }

  /** Index of the first change after `revision`; `length` when there is none. */
  indexAfter(revision: number): number {
    let low = 0;
    let high = this.#changes.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.at(middle)?.revision ?? Infinity) <= revision) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
