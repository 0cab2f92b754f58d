import {
  type Clock,
  createSystemTurns,
  type Logger,
  silentLogger,
  systemClock,
  type TurnQueue,
} from '../../base/index.ts';
import {
  type RangeRequest,
  type RangeResult,
  StorageError,
  type StorageEvent,
  type StorageStats,
  type StorageWatch,
  type StoredObject,
  type WatchRequest,
  type WatchSink,
  type WriteOptions,
  type WriteResult,
} from '../contract.ts';
import { defaultHistoryMs, HistoryCompaction } from '../history-compaction.ts';
import { prefixEnd } from '../key-range.ts';
import { closedError } from '../storage-errors.ts';
import { type HubWatch, WatchHub } from '../watch-hub.ts';
import { Expiry } from './expiry.ts';
import { describeDamage } from './failure.ts';
import { backUp, type LiveFile, verifyCopy, verifyObjects } from './live-file.ts';
import { createVerb, deleteVerb, updateVerb, type VacuumResult, type WriteBatchResult } from './messages.ts';
import type { BackupOptions, BackupResult, SqliteStorage, SqliteStorageOptions } from './sqlite-contract.ts';
import { eventsOf, objectsOf, readCommit, readRange } from './worker-answers.ts';
import { type OpenedWorker, startWorker, type WorkerClient } from './worker-client.ts';
import { WriteHealth } from './write-health.ts';
import { type PendingWrite, WriteQueue } from './write-queue.ts';

/** History above which the times of revisions are kept in the file. */
const longHistoryMs = 600_000;
const maxKeptMarks = 500;
const leastKeepMs = 60_000;
const defaultMaxCheckedBytes = 512 * 1024 * 1024;

/**
 * Opens a store in one SQLite file, for this process alone. A write that resolved survives power loss.
 *
 * @throws StorageError `locked`, `wrong-dialect`, `corrupt`, `disk-full`, or `unavailable` for any other reason.
 */
export async function openSqliteStorage(options: SqliteStorageOptions): Promise<SqliteStorage> {
  const { path, dialect, maxSizeBytes = 0, maxCheckedBytes = defaultMaxCheckedBytes } = options;
  const opened = await startWorker({ path, dialect, maxSizeBytes, maxCheckedBytes });
  return new OpenSqliteStorage({ ...options, ...opened });
}

interface OpenedOptions extends SqliteStorageOptions, OpenedWorker {}

class OpenSqliteStorage implements SqliteStorage {
  readonly #client: WorkerClient;
  readonly #logger: Logger;
  readonly #writes: WriteQueue;
  readonly #health: WriteHealth;
  readonly #hub: WatchHub;
  readonly #expiry: Expiry;
  readonly #turns: TurnQueue;
  readonly #compaction: HistoryCompaction;
  readonly #stopKeepingMarks: () => void;
  #writtenBytes = 0;
  readonly #live: LiveFile;
  #revision: number;
  /** Settles with the last copy that was asked for. */
  #backups: Promise<unknown> = Promise.resolve();
  #isClosed = false;
  #closing: Promise<void> | undefined;

  constructor(options: OpenedOptions) {
    const { client, revision, logger = silentLogger, clock = systemClock } = options;
    this.#client = client;
    this.#turns = options.turns ?? createSystemTurns();
    this.#logger = logger;
    this.#live = { client, path: options.path };
    this.#revision = revision;
    this.#hub = new WatchHub(logger);
    this.#health = new WriteHealth(client, logger);
    this.#writes = new WriteQueue({
      client,
      // What is committed before a watch is up to date, it reads from the log.
      wantsReplaced: () => this.#hub.wantsPrevious,
      onCommit: (writes, result) => this.#publish(writes, result),
      onFailure: (error) => this.#health.failed(error),
    });
    this.#expiry = new Expiry({
      clock,
      logger,
      nextMs: options.nextExpiryMs,
      read: (request) => client.call<'expired'>({ kind: 'expired', ...request }),
      remove: (key, expected) => this.#writes.write({ verb: deleteVerb, key, expected }),
    });
    client.onLost = (error) => {
      logger.error('storage worker lost', { error, cause: error.cause });
      this.#hub.failAll(error);
    };
    if (options.isUnchecked) this.#checkLater();
    this.#compaction = new HistoryCompaction({
      ...options,
      clock,
      currentRevision: () => this.#revision,
      writtenBytes: () => this.#writtenBytes,
      compact: (target) => {
        this.compact(target).catch((error: unknown) =>
          logger.error('compaction failed', { revision: target, error }),
        );
      },
    });
    this.#stopKeepingMarks = this.#keepMarks(clock, options.historyMs ?? defaultHistoryMs);
  }

  async get(key: string, revision = 0): Promise<StoredObject | undefined> {
    this.#assertOpen();
    return objectsOf(await this.#client.call<'get'>({ kind: 'get', key, revision }))[0];
  }

  async range(request: RangeRequest): Promise<RangeResult> {
    this.#assertOpen();
    return readRange(this.#client, request);
  }

  async create(key: string, value: Buffer, options?: WriteOptions): Promise<WriteResult> {
    this.#assertOpen();
    const expiresAtMs = this.#expiry.timeOf(options?.ttlSeconds);
    return this.#writes.write({ verb: createVerb, key, expected: 0, value, expiresAtMs });
  }

  async update(
    key: string,
    expectedRevision: number,
    value: Buffer,
    options?: WriteOptions,
  ): Promise<WriteResult> {
    this.#assertOpen();
    const expiresAtMs = this.#expiry.timeOf(options?.ttlSeconds);
    return this.#writes.write({ verb: updateVerb, key, expected: expectedRevision, value, expiresAtMs });
  }

  async delete(key: string, expectedRevision: number): Promise<WriteResult> {
    this.#assertOpen();
    return this.#writes.write({ verb: deleteVerb, key, expected: expectedRevision });
  }

  watch(request: WatchRequest, sink: WatchSink): StorageWatch {
    this.#assertOpen();
    const watch = this.#hub.add(request, sink);
    this.#deliverHistory(watch, request.afterRevision);
    return watch;
  }

  async currentRevision(): Promise<number> {
    this.#assertOpen();
    return this.#revision;
  }

  async advanceRevision(revision: number): Promise<void> {
    this.#assertOpen();
    await new Promise<void>((resolve, reject) => {
      this.#client.send<'advance'>(
        { kind: 'advance', revision },
        {
          resolve: (reached) => {
            this.#revision = Math.max(this.#revision, reached);
            resolve();
          },
          reject,
        },
      );
    });
  }

  revisionAt(timeMs: number): number | undefined {
    return this.#compaction.revisionAt(timeMs);
  }

  async compact(revision: number): Promise<void> {
    this.#assertOpen();
    await this.#client.call<'compact'>({ kind: 'compact', revision });
  }

  async backupTo(path: string, { signal }: BackupOptions = {}): Promise<BackupResult> {
    this.#assertOpen();
    return this.#afterBackups(() => backUp(this.#live, { path, signal }));
  }

  async verify(mode: 'quick' | 'full'): Promise<readonly string[]> {
    this.#assertOpen();
    if (mode === 'quick') return verifyObjects(this.#live);
    return this.#afterBackups(() => verifyCopy(this.#live));
  }

  async vacuum(): Promise<VacuumResult> {
    this.#assertOpen();
    return this.#afterBackups(() => this.#client.call<'vacuum'>({ kind: 'vacuum' }));
  }

  async stats(): Promise<StorageStats> {
    this.#assertOpen();
    return { ...(await this.#client.call<'stats'>({ kind: 'stats' })), history: this.#compaction.reach };
  }

  async ping(): Promise<void> {
    if (this.#isClosed) throw new StorageError('unavailable', 'storage is closed');
    await this.#health.check();
  }

  [Symbol.asyncDispose](): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    this.#isClosed = true;
    this.#expiry.stop();
    this.#compaction.stop();
    await this.#writes.drain();
    this.#stopKeepingMarks();
    this.#hub.failAll(closedError());
    await this.#client.close();
  }

  /** The times of revisions outlive the process where history is long; a short one begins again. */
  #keepMarks(clock: Clock, historyMs: number): () => void {
    if (historyMs <= longHistoryMs) return () => {};
    let cancel = (): void => {};
    const keep = (): void => {
      this.#compaction.note();
      const marks = this.#compaction.thinned(maxKeptMarks);
      cancel = clock.setTimer(Math.max(leastKeepMs, historyMs / maxKeptMarks), keep);
      this.#client.call<'keep-marks'>({ kind: 'keep-marks', marks }).catch((error: unknown) => {
        if (!this.#isClosed) this.#logger.error('times of revisions were not kept', { error });
      });
    };
    keep();
    return () => {
      cancel();
      keep();
      cancel();
    };
  }

  /** Checks every object while the store serves, because the file was too large to wait for. */
  #checkLater(): void {
    const { path } = this.#live;
    this.#logger.info('database integrity check continues in the background', { path });
    verifyObjects(this.#live).then(
      (findings) => {
        if (findings.length > 0) this.#logger.error(describeDamage(path, findings.join('; ')));
        else this.#logger.info('database integrity check passed', { path });
      },
      (error: unknown) => {
        if (!this.#isClosed) this.#logger.error('database integrity check failed to run', { path, error });
      },
    );
  }

  /** Watches see a commit before the writers learn of it, one after the other, since each has an answer to write. */
  #publish(writes: readonly PendingWrite[], result: WriteBatchResult): void {
    const committed = readCommit(writes, result);
    const events: StorageEvent[] = [];
    for (const { event } of committed) {
      if (event === undefined) continue;
      events.push(event);
      this.#writtenBytes += event.object.bytes.length;
    }
    this.#health.succeeded();
    this.#revision = result.revision;
    if (events.length > 0) this.#hub.publish(events, result.revision);
    writes.forEach((write, index) => {
      const own = committed[index];
      if (own === undefined) return;
      if (own.event !== undefined) this.#expiry.expect(write.expiresAtMs);
      this.#turns.push(() => write.resolve(own.result));
    });
  }

  /**
   * Reads history page by page. The worker answers in order, so when a page arrives that reaches the last commit
   * this thread knows of, the next commit is the next event.
   */
  #deliverHistory(watch: HubWatch, afterRevision: number): void {
    const from = watch.prefix;
    const request = { kind: 'history', from, to: prefixEnd(from), afterRevision } as const;
    this.#client.send<'history'>(request, {
      resolve: (page) => {
        watch.deliver(eventsOf(page), page.through);
        if (page.through >= this.#revision) watch.goLive();
        else if (!watch.isClosed) this.#deliverHistory(watch, page.through);
      },
      reject: (error) => watch.fail(error),
    });
  }

  /** One copy at a time: each takes its share of the disk from writes. */
  #afterBackups<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = this.#backups.then(() => {
      this.#assertOpen();
      return work();
    });
    this.#backups = result.catch(() => {});
    return result;
  }

  #assertOpen(): void {
    if (this.#isClosed) throw closedError();
  }
}
