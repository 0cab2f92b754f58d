import { StorageError } from '../contract.ts';
import type { Cluster } from './cluster.ts';
import { methods, toNumber } from './protocol.ts';

/** Finds the compacted revision. etcd has no call for it: it is found by reading at revisions. */
export class HistoryLimit {
  readonly #cluster: Cluster;
  readonly #probeKey: string;
  #known = 0;

  /** @param probeKey a key that is read to find out; its value does not matter. */
  constructor(cluster: Cluster, probeKey: string) {
    this.#cluster = cluster;
    this.#probeKey = probeKey;
  }

  /** The highest compacted revision that this process has learned of. */
  get known(): number {
    return this.#known;
  }

  /** Notes that `revision` is compacted. */
  note(revision: number): void {
    this.#known = Math.max(this.#known, revision);
  }

  /** The compacted revision; 0 when nothing was compacted. `current` has happened. */
  async find(current: number): Promise<number> {
    // What is compacted can be read itself, and may be noted while this looks: only what was tried is lost.
    const tried = Math.max(1, this.#known);
    if (await this.#isReadable(tried)) return this.#known;
    let [lost, kept] = [tried, current];
    while (kept - lost > 1) {
      const middle = Math.floor((lost + kept) / 2);
      if (await this.#isReadable(middle)) kept = middle;
      else lost = middle;
    }
    this.note(kept);
    return kept;
  }

  async #isReadable(revision: number): Promise<boolean> {
    try {
      const answer = await this.#cluster.call(methods.range, {
        key: this.#probeKey,
        countOnly: true,
        revision,
      });
      return toNumber(answer.header.revision) >= revision;
    } catch (error) {
      if (error instanceof StorageError && error.code === 'compacted') return false;
      throw error;
    }
  }
}
