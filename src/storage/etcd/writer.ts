import { asUncertain, StorageError, type StoredObject, type WriteOptions } from '../contract.ts';
import { restoreObject } from '../stored-value.ts';
import type { Cluster } from './cluster.ts';
import { decodeObject } from './decode-change.ts';
import { isLeaseLost } from './failure.ts';
import type { Lease, LeasePool } from './lease-pool.ts';
import {
  compareTarget,
  methods,
  type Operation,
  type TxnAnswer,
  type TxnCall,
  toNumber,
} from './protocol.ts';

/** One write of one key. Without a value it is a delete. */
export interface Write {
  readonly key: string;
  /** Revision that the key must have; 0 when it must not exist. */
  readonly expectedRevision: number;
  /** As etcd keeps it. */
  readonly value?: Buffer | undefined;
  readonly options?: WriteOptions | undefined;
}

/** Result of a write, and the revision that watches must have reached before it may be told. */
export type Written =
  | { readonly kind: 'ok'; readonly revision: number; readonly object: StoredObject }
  | { readonly kind: 'conflict'; readonly revision: number; readonly current: StoredObject | undefined };

/** Compares and writes in one transaction of etcd. */
export class Writer {
  readonly #cluster: Pick<Cluster, 'call'>;
  readonly #leases: Pick<LeasePool, 'take' | 'forget'>;

  constructor(cluster: Pick<Cluster, 'call'>, leases: Pick<LeasePool, 'take' | 'forget'>) {
    this.#cluster = cluster;
    this.#leases = leases;
  }

  /**
   * @param knownRevision a revision that had happened before the write was started.
   * @throws StorageError `unavailable`, which says whether the write may have been applied; `disk-full`;
   * RangeError for a value that is too large.
   */
  async write(write: Write, knownRevision: number): Promise<Written> {
    let isUncertain = false;
    const onUncertain = (): void => {
      isUncertain = true;
    };
    try {
      const written = await this.#send(write, onUncertain);
      return isUncertain ? settleUncertain(write, written, knownRevision) : written;
    } catch (error) {
      throw isUncertain && error instanceof StorageError ? asUncertain(error) : error;
    }
  }

  async #send(write: Write, onUncertain: () => void): Promise<Written> {
    const ttlSeconds = write.options?.ttlSeconds;
    if (ttlSeconds === undefined) return this.#transact(write, { onUncertain });
    const lease = await this.#leases.take(ttlSeconds);
    try {
      return await this.#transact(write, { onUncertain, lease });
    } catch (error) {
      if (!isLeaseLost(error)) throw error;
      // This attempt wrote nothing. Leases end early only where time passed that this process did not see, or by hand.
      await this.#leases.forget(ttlSeconds, lease);
      return this.#transact(write, { onUncertain, lease: await this.#leases.take(ttlSeconds) });
    }
  }

  async #transact(
    write: Write,
    { onUncertain, lease }: { readonly onUncertain: () => void; readonly lease?: Lease },
  ): Promise<Written> {
    const call = transactionOf(write, lease === undefined ? {} : { lease: lease.id });
    const answer = await this.#cluster.call(methods.txn, call, { onUncertain });
    return answer.succeeded ? readSuccess(write, answer) : readConflict(answer);
  }
}

type PutLease = Pick<NonNullable<Operation['put']>, 'lease'>;

function transactionOf({ key, expectedRevision, value }: Write, lease: PutLease): TxnCall {
  return {
    compare: [{ target: compareTarget.modRevision, key, modRevision: expectedRevision }],
    success: [
      value === undefined ? { deleteRange: { key, prevKv: true } } : { put: { key, value, ...lease } },
    ],
    failure: [{ range: { key } }],
  };
}

function readSuccess({ key, value }: Write, { header, responses }: TxnAnswer): Written {
  const revision = toNumber(header.revision);
  const stored = value ?? responses[0]?.deleteRange?.prevKvs[0]?.value;
  if (stored === undefined)
    throw new StorageError('unavailable', `etcd did not tell what was deleted at ${key}`, {
      mayHaveWritten: true,
    });
  return { kind: 'ok', revision, object: restoreObject(key, revision, stored) };
}

function readConflict({ header, responses }: TxnAnswer): Written {
  const kv = responses[0]?.range?.kvs[0];
  if (kv === undefined) return { kind: 'conflict', revision: toNumber(header.revision), current: undefined };
  const current = decodeObject(kv);
  return { kind: 'conflict', revision: current.revision, current };
}

/**
 * Tells what came of a write of which an earlier attempt may have been applied: a conflict may be with itself. Equal
 * bytes at a newer revision do not tell, for another process may have written the same. Only a mark of its own in each
 * transaction would: a second key in every write, which costs etcd about a twentieth more CPU time and twice the
 * entries of history for a question that comes up while members fail. So the caller hears that the outcome is not
 * known, which the API answers as 503, and reads what there is before it tries again.
 *
 * @throws StorageError `unavailable` when it cannot be told.
 */
function settleUncertain({ key }: Write, written: Written, knownRevision: number): Written {
  // Applied now, so not before: no earlier attempt leaves the revision that was compared.
  if (written.kind === 'ok') return written;
  // Nothing was written to the key since the write was started.
  if (written.current !== undefined && written.revision <= knownRevision) return written;
  throw new StorageError('unavailable', `the outcome of the write to ${key} is not known`);
}
