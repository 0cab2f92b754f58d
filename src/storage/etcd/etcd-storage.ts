import { type Clock, errorText, KeyQueue, type Logger, silentLogger, systemClock } from '../../base/index.ts';
import {
  type RangeRequest,
  type RangeResult,
  type Storage,
  StorageError,
  type StorageStats,
  type StorageWatch,
  type StoredObject,
  type WatchRequest,
  type WatchSink,
  type WriteOptions,
  type WriteResult,
} from '../contract.ts';
import { defaultHistoryMs, HistoryCompaction } from '../history-compaction.ts';
import { closedError, compactedError, futureError } from '../storage-errors.ts';
import { stripRevision } from '../stored-value.ts';
import type { HubWatch } from '../watch-hub.ts';
import { RevisionReader } from './call-queues.ts';
import { type CallOptions, Cluster } from './cluster.ts';
import { HistoryLimit, startSharedCompaction } from './compaction.ts';
import { decodeObject } from './decode-change.ts';
import { EventFeed } from './event-feed.ts';
import { Fence } from './fence.ts';
import { HistoryReplay } from './history-replay.ts';
import { KeySpace } from './key-space.ts';
import { LeasePool } from './lease-pool.ts';
import { methods, toNumber } from './protocol.ts';
import { readRange } from './range-reader.ts';
import type { EtcdTls } from './tls-credentials.ts';
import { type Write, Writer } from './writer.ts';

export interface EtcdStorageOptions {
  /** `http://HOST:PORT` or `https://HOST:PORT` of the members, at least one. */
  readonly endpoints: readonly string[];
  /** Folder of all keys of the store, such as `/registry/`. Keys outside of it are left alone. */
  readonly keyPrefix: string;
  readonly tls?: EtcdTls | undefined;
  readonly logger?: Logger | undefined;
  readonly clock?: Clock | undefined;
  /** Age after which history is forgotten, within twice as long; 0 leaves it to others. Five minutes when left out. */
  readonly historyMs?: number | undefined;
  /** Time in which members must answer at first, whatever keeps them from it. Five seconds when left out. */
  readonly openTimeoutMs?: number | undefined;
  /** Time after which a call that no member answers fails. Five seconds when left out. */
  readonly requestTimeoutMs?: number | undefined;
}

const defaultRequestTimeoutMs = 5000;
const defaultOpenTimeoutMs = 5000;
/** A wait at the start that is longer is told of. */
const quietWaitMs = 1000;
const pingTimeoutMs = 2000;
/** Longest wait of a write for its own event. */
const handOverTimeoutMs = 5000;
/** Interval of a timer that only keeps the process alive. */
const holdMs = 60_000;
/** Writes under way while the revision counter is raised. */
const advanceConcurrency = 128;

/**
 * Opens a store in an etcd cluster that other processes may use at the same time.
 *
 * @throws StorageError `unavailable` when no member answers in time; RangeError for malformed options.
 */
export async function openEtcdStorage(options: EtcdStorageOptions): Promise<Storage> {
  const { endpoints, tls, requestTimeoutMs = defaultRequestTimeoutMs, logger = silentLogger } = options;
  const timeoutMs = options.openTimeoutMs ?? defaultOpenTimeoutMs;
  const keys = new KeySpace(options.keyPrefix);
  const cluster = new Cluster({ endpoints, tls, requestTimeoutMs });
  const told = setTimeout(() => {
    logger.info('waiting for etcd', { endpoints: cluster.endpoints.join(), seconds: timeoutMs / 1000 });
  }, quietWaitMs);
  try {
    const revision = await readRevision(cluster, keys, { timeoutMs, isPatient: true });
    return new EtcdStorage({ ...options, cluster, keys, revision });
  } catch (cause) {
    cluster.close();
    const where = cluster.endpoints.join(', ');
    const reason = errorText(cause);
    throw new StorageError('unavailable', `no etcd member answers at ${where}: ${reason}`, { cause });
  } finally {
    clearTimeout(told);
  }
}

interface OpenedOptions extends EtcdStorageOptions {
  readonly cluster: Cluster;
  readonly keys: KeySpace;
  readonly revision: number;
}

class EtcdStorage implements Storage {
  readonly #cluster: Cluster;
  readonly #keys: KeySpace;
  readonly #fence: Fence;
  readonly #feed: EventFeed;
  readonly #replay: HistoryReplay;
  readonly #limit: HistoryLimit;
  readonly #writer: Writer;
  readonly #queue = new KeyQueue();
  readonly #underWay = new Set<Promise<unknown>>();
  readonly #revisions: RevisionReader;
  readonly #stopCompaction: () => void;
  readonly #times: HistoryCompaction;
  #hold: NodeJS.Timeout | undefined;
  #closing: Promise<void> | undefined;

  constructor(options: OpenedOptions) {
    const { cluster, keys, revision, logger = silentLogger, clock = systemClock } = options;
    const fence = new Fence(cluster, keys);
    const limit = new HistoryLimit(cluster, keys.fence);
    const onCompacted = (compacted: number): void => limit.note(compacted);
    const shared = { cluster, clock, logger, keys, fence, onCompacted };
    this.#cluster = cluster;
    this.#keys = keys;
    this.#fence = fence;
    this.#limit = limit;
    this.#feed = new EventFeed({ ...shared, revision });
    this.#replay = new HistoryReplay({ ...shared, feed: this.#feed });
    this.#writer = new Writer(cluster, new LeasePool(cluster, clock));
    this.#revisions = new RevisionReader(() => readRevision(cluster, keys));
    const { historyMs: intervalMs = defaultHistoryMs } = options;
    const compact = (target: number): Promise<void> => this.#compact(target);
    const currentRevision = (): number => this.#feed.revision;
    // The cluster's history ends where processes agree: this notes times only.
    this.#times = new HistoryCompaction({
      clock,
      historyMs: intervalMs * 2,
      currentRevision,
      compact: () => {},
    });
    this.#stopCompaction =
      intervalMs === 0 ? () => {} : startSharedCompaction({ cluster, clock, logger, intervalMs, compact });
  }

  async get(key: string, revision?: number): Promise<StoredObject | undefined> {
    this.#assertOpen();
    const { kvs } = await this.#cluster.call(methods.range, { key, ...(revision && { revision }) });
    return kvs[0] && decodeObject(kvs[0]);
  }

  async range(request: RangeRequest): Promise<RangeResult> {
    this.#assertOpen();
    return readRange(this.#cluster, this.#keys, request);
  }

  async create(key: string, value: Buffer, options?: WriteOptions): Promise<WriteResult> {
    return this.#write({ key, expectedRevision: 0, value: stripRevision(value), options });
  }

  async update(
    key: string,
    expectedRevision: number,
    value: Buffer,
    options?: WriteOptions,
  ): Promise<WriteResult> {
    const stripped = stripRevision(value);
    return this.#write({ key, expectedRevision: existing(expectedRevision), value: stripped, options });
  }

  async delete(key: string, expectedRevision: number): Promise<WriteResult> {
    return this.#write({ key, expectedRevision: existing(expectedRevision) });
  }

  watch(request: WatchRequest, sink: WatchSink): StorageWatch {
    this.#assertOpen();
    const watch = this.#feed.hub.add(request, sink);
    queueMicrotask(() => this.#start(watch));
    return watch;
  }

  async currentRevision(): Promise<number> {
    this.#assertOpen();
    const revision = await this.#revisions.read();
    // Callers wait until the watches have reached the revision.
    void this.#feed.reach(revision, handOverTimeoutMs);
    return revision;
  }

  async advanceRevision(revision: number): Promise<void> {
    this.#assertOpen();
    const missing = revision - (await readRevision(this.#cluster, this.#keys));
    if (missing <= 0) return;
    let started = 0;
    const write = async (): Promise<void> => {
      while (started++ < missing) await this.#fence.write();
    };
    await Promise.all(Array.from({ length: Math.min(advanceConcurrency, missing) }, write));
    await this.compact(revision);
  }

  revisionAt(timeMs: number): number | undefined {
    return this.#times.revisionAt(timeMs);
  }

  async compact(revision: number): Promise<void> {
    this.#assertOpen();
    const current = await this.#revisions.read();
    if (revision > current) throw futureError(revision, current);
    await this.#compact(revision);
  }

  async stats(): Promise<StorageStats> {
    this.#assertOpen();
    const { root, end } = this.#keys;
    const [range, status] = await Promise.all([
      this.#cluster.call(methods.range, { key: root, rangeEnd: end, countOnly: true }),
      this.#cluster.call(methods.status, {}),
    ]);
    const revision = toNumber(range.header.revision);
    return {
      revision,
      compactedRevision: await this.#limit.find(revision),
      objectCount: toNumber(range.count),
      sizeBytes: toNumber(status.dbSize),
      history: this.#times.reach,
    };
  }

  async ping(): Promise<void> {
    if (this.#closing !== undefined) throw new StorageError('unavailable', 'storage is closed');
    await readRevision(this.#cluster, this.#keys, { timeoutMs: pingTimeoutMs });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    this.#stopCompaction();
    this.#times.stop();
    await Promise.allSettled(this.#underWay);
    this.#replay.close();
    this.#feed.close(closedError());
    this.#cluster.close();
  }

  async #write(write: Write): Promise<WriteResult> {
    this.#assertOpen();
    const { key } = write;
    const result = this.#queue.run(key, () => this.#writer.write(write, this.#feed.revision));
    const handedOver = this.#handOver(result);
    this.#begin(handedOver);
    try {
      return await handedOver;
    } finally {
      this.#end(handedOver);
    }
  }

  /** A write under way holds the process, also while the connections that it waits for are lost. */
  #begin(write: Promise<unknown>): void {
    this.#underWay.add(write);
    this.#hold ??= setInterval(() => {}, holdMs);
  }

  #end(write: Promise<unknown>): void {
    this.#underWay.delete(write);
    if (this.#underWay.size > 0) return;
    clearInterval(this.#hold);
    this.#hold = undefined;
  }

  /** The result, once watches have seen what it tells. */
  async #handOver(pending: ReturnType<Writer['write']>): Promise<WriteResult> {
    const written = await pending;
    if (written.revision > this.#feed.revision) await this.#feed.reach(written.revision, handOverTimeoutMs);
    if (written.kind === 'ok') return written;
    return { kind: 'conflict', current: written.current };
  }

  #start(watch: HubWatch): void {
    const { position } = watch;
    if (position < this.#limit.known) watch.fail(compactedError(position, this.#limit.known));
    else if (!this.#feed.join(watch)) this.#replay.add(watch);
  }

  async #compact(revision: number): Promise<void> {
    try {
      await this.#cluster.call(methods.compact, { revision });
    } catch (error) {
      // The revision is compacted already: the request is fulfilled.
      if (!(error instanceof StorageError) || error.code !== 'compacted') throw error;
    }
    this.#limit.note(revision);
  }

  #assertOpen(): void {
    if (this.#closing !== undefined) throw closedError();
  }
}

/** A key at this revision exists: no revision below the first says that it must not. */
function existing(expectedRevision: number): number {
  return expectedRevision > 0 ? expectedRevision : -1;
}

/** The cluster's revision, not older than the call. */
async function readRevision(cluster: Cluster, { fence }: KeySpace, options?: CallOptions): Promise<number> {
  const request = { key: fence, countOnly: true };
  const { header } = await cluster.call(methods.range, request, options);
  return toNumber(header.revision);
}
