import type { Clock, Logger } from '../../base/index.ts';
import { StorageError } from '../contract.ts';
import type { Cluster } from './cluster.ts';
import { compareTarget, methods, type TxnAnswer, toNumber } from './protocol.ts';

/** The key by which processes, release 1.20's among them, agree on which of them compacts. */
const compactionKey = 'compact_rev_key';

export interface SharedCompactionOptions {
  readonly cluster: Cluster;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Age after which history may be forgotten. */
  readonly intervalMs: number;
  readonly compact: (revision: number) => Promise<void>;
}

/**
 * Compacts history that is older than an interval, within two. Of all processes that share the cluster the one that is
 * first to raise the version of a key does so; the returned function ends it.
 */
export function startSharedCompaction(options: SharedCompactionOptions): () => void {
  const { cluster, clock, logger, intervalMs } = options;
  let known = { version: 0, revision: 0 };
  let isStopped = false;
  const round = async (): Promise<void> => {
    const { version, revision } = known;
    const answer = await claim(cluster, version, revision);
    const now = toNumber(answer.header.revision);
    const current = answer.responses[0]?.range?.kvs[0];
    known = { version: answer.succeeded ? version + 1 : toNumber(current?.version ?? 0), revision: now };
    if (answer.succeeded && revision > 0) await options.compact(revision);
  };
  const tick = (): void => {
    round()
      .catch((error: unknown) => {
        if (!isStopped) logger.error('compaction failed', { error });
      })
      .finally(() => {
        if (!isStopped) cancel = clock.setTimer(intervalMs, tick);
      });
  };
  let cancel = clock.setTimer(intervalMs, tick);
  return () => {
    isStopped = true;
    cancel();
  };
}

/** Succeeds for one process: the first whose expected version of the key is current. */
function claim(cluster: Cluster, version: number, revision: number): Promise<TxnAnswer> {
  const key = compactionKey;
  return cluster.call(methods.txn, {
    compare: [{ target: compareTarget.version, key, version }],
    success: [{ put: { key, value: Buffer.from(String(revision)) } }],
    failure: [{ range: { key } }],
  });
}

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
