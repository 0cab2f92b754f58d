import type { NumberPool } from './number-pool.ts';

/** The first port that a dry run shows for any free one: no server gives it out. */
const firstGuess = 32_769;

/**
 * Node ports of a dry run, which takes none: for any free port it shows one after the last that it showed, whatever the
 * range (release 1.20's `portallocator.PortAllocationOperation`). Numbers are slots, as those of the pool behind it.
 */
export class PortGuesses implements NumberPool {
  readonly #trial: NumberPool;
  readonly #firstPort: number;
  /** All slots of this dry run, also those outside of the pool behind it. */
  readonly #held = new Set<number>();
  /** The highest of them. */
  #last: number | undefined;

  /** @param trial the slots that are taken now; @param firstPort the port of slot 0 */
  constructor(trial: NumberPool, firstPort: number) {
    this.#trial = trial;
    this.#firstPort = firstPort;
  }

  async take(slot: number): Promise<boolean> {
    if (this.#held.has(slot) || !(await this.#trial.take(slot))) return false;
    this.#held.add(slot);
    this.#last = Math.max(this.#last ?? slot, slot);
    return true;
  }

  takeAny(): number {
    this.#last = this.#last === undefined ? firstGuess - this.#firstPort : this.#last + 1;
    this.#held.add(this.#last);
    return this.#last;
  }

  free(): void {
    // Nothing was taken.
  }

  trial(): NumberPool {
    return this;
  }
}
