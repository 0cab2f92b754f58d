import type { Cluster } from './cluster.ts';
import type { KeySpace } from './key-space.ts';
import { methods, toNumber } from './protocol.ts';

const empty = Buffer.alloc(0);

/**
 * A key that is written so that a change follows all that happened before: when a watch delivers it, it has delivered
 * everything. etcd's own progress answers may overtake events before version 3.4.25 (etcd issue 15220). All processes
 * of one store write the same key, so that one fence serves them all.
 */
export class Fence {
  readonly #cluster: Cluster;
  readonly #keys: KeySpace;

  constructor(cluster: Cluster, keys: KeySpace) {
    this.#cluster = cluster;
    this.#keys = keys;
  }

  /** Resolves with the fence's revision. */
  async write(): Promise<number> {
    const { header } = await this.#cluster.call(methods.put, { key: this.#keys.fence, value: empty });
    return toNumber(header.revision);
  }
}
