import type { Clock, Logger } from '../../base/index.ts';
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
