import { StorageError, type StoredObject, type WriteOptions } from '../contract.ts';
import type { Cluster } from './cluster.ts';
import { decodeObject } from './decode-change.ts';
import { isLeaseLost } from './failure.ts';
import type { LeasePool } from './lease-pool.ts';
import {
  compareTarget,
  methods,
  type Operation,
  type TxnAnswer,
  type TxnCall,
  toNumber,
} from './protocol.ts';
import { restoreRevision } from './stored-value.ts';

/** One write of one key. Without a value it is a delete. */
export interface Write {
  readonly key: string;
  /** Revision that the key must have; 0 when it must not exist. */
  readonly expectedRevision: number;
  /** As etcd keeps it. */
  readonly value?: Buffer | undefined;
  readonly options?: WriteOptions | undefined;
}

/** What came of a write, and up to where watches must have come before it may be told. */
export type Written =
  | { readonly kind: 'ok'; readonly revision: number; readonly object: StoredObject }
  | { readonly kind: 'conflict'; readonly revision: number; readonly current: StoredObject | undefined };

/** Compares and writes in one transaction of etcd. */
export class Writer {
  readonly #cluster: Cluster;
  readonly #leases: LeasePool;

  constructor(cluster: Cluster, leases: LeasePool) {
    this.#cluster = cluster;
    this.#leases = leases;
  }

  /**
   * @param knownRevision a revision that had happened before the write was started.
   * @throws StorageError `unavailable` also when it is not known whether the write was applied; `disk-full`, `corrupt`;
   * RangeError for a value that is too large.
   */
  async write(write: Write, knownRevision: number): Promise<Written> {
    try {
      return await this.#attempt(write, knownRevision);
    } catch (error) {
      const ttlSeconds = write.options?.ttlSeconds;
      if (ttlSeconds === undefined || !isLeaseLost(error)) throw error;
      // Refused before anything was written. Leases end early only where time passed that this process did not see.
      this.#leases.forget(ttlSeconds);
      return this.#attempt(write, knownRevision);
    }
  }

  async #attempt(write: Write, knownRevision: number): Promise<Written> {
    let isUncertain = false;
    const onUncertain = (): void => {
      isUncertain = true;
    };
    const call = transactionOf(write, await this.#lease(write.options));
    const answer = await this.#cluster.call(methods.txn, call, { onUncertain });
    const written = answer.succeeded ? readSuccess(write, answer) : readConflict(answer);
    if (written.kind === 'ok' || !isUncertain) return written;
    return settleUncertain(write, written, { answer, knownRevision });
  }

  async #lease(options: WriteOptions | undefined): Promise<PutLease> {
    if (options?.ttlSeconds === undefined) return {};
    return { lease: await this.#leases.take(options.ttlSeconds) };
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
    throw new StorageError('unavailable', `etcd did not tell what was deleted at ${key}`);
  return { kind: 'ok', revision, object: { key, revision, bytes: restoreRevision(stored, revision, key) } };
}

function readConflict({ header, responses }: TxnAnswer): Written {
  const kv = responses[0]?.range?.kvs[0];
  if (kv === undefined) return { kind: 'conflict', revision: toNumber(header.revision), current: undefined };
  const current = decodeObject(kv);
  return { kind: 'conflict', revision: current.revision, current };
}

/**
 * Tells what came of a write of which an earlier attempt may have been applied: the conflict may be with itself.
 *
 * @throws StorageError `unavailable` when it cannot be told.
 */
function settleUncertain(
  { key, expectedRevision, value }: Write,
  written: Extract<Written, { kind: 'conflict' }>,
  { answer, knownRevision }: { readonly answer: TxnAnswer; readonly knownRevision: number },
): Written {
  const { current } = written;
  // Nothing was written to the key since the write was started.
  if (current !== undefined && current.revision <= knownRevision) return written;
  const kv = answer.responses[0]?.range?.kvs[0];
  if (
    current !== undefined &&
    value !== undefined &&
    kv?.value.equals(value) &&
    current.revision > expectedRevision
  ) {
    return { kind: 'ok', revision: current.revision, object: current };
  }
  throw new StorageError('unavailable', `the outcome of the write to ${key} is not known`);
}
