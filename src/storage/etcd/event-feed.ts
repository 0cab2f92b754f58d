import type { Clock, Logger } from '../../base/index.ts';
import type { StorageError, StorageEvent } from '../contract.ts';
import { type HubWatch, WatchHub } from '../watch-hub.ts';
import type { Cluster } from './cluster.ts';
import { decodeChange } from './decode-change.ts';
import type { Fence } from './fence.ts';
import type { KeySpace } from './key-space.ts';
import type { WatchedChange } from './protocol.ts';
import { type Commit, RecentCommits } from './recent-commits.ts';
import { ResilientWatch } from './resilient-watch.ts';
import { RevisionGate } from './revision-gate.ts';

export interface EventFeedOptions {
  readonly cluster: Cluster;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly keys: KeySpace;
  readonly fence: Fence;
  /** Events after this revision are fed. */
  readonly revision: number;
  /** A revision up to which changes were forgotten. */
  readonly onCompacted: (revision: number) => void;
}

/** Time for the events of a revision to arrive by themselves. */
const patienceMs = 50;
/** Time after which a watch is restarted that delivers nothing though there are changes. */
const stalledMs = 2000;

/** The one watch over all keys of the store, and what it has delivered to the watches of this process. */
export class EventFeed {
  readonly hub: WatchHub;
  readonly #options: EventFeedOptions;
  readonly #gate = new RevisionGate();
  readonly #listeners = new Set<(commit: Commit) => void>();
  #watch: ResilientWatch;
  readonly #recent: RecentCommits;
  #lastEventRevision: number | undefined;
  #revision: number;
  #isClosed = false;
  #isChasing = false;

  constructor(options: EventFeedOptions) {
    this.hub = new WatchHub(options.logger);
    this.#options = options;
    this.#revision = options.revision;
    this.#recent = new RecentCommits(options.revision);
    this.#watch = this.#openWatch(options.revision);
  }

  /** Everything up to here was delivered. */
  get revision(): number {
    return this.#revision;
  }

  /** Revision of the last event that was delivered; undefined when there was none yet. */
  get lastEventRevision(): number | undefined {
    return this.#lastEventRevision;
  }

  /** Lets `watch` take part from its position on; false when the feed does not reach back to there. */
  join(watch: HubWatch): boolean {
    const { position } = watch;
    if (!this.#recent.reachesBackTo(position)) return false;
    const events = position < this.#revision ? this.#recent.after(position) : [];
    watch.deliver(events, this.#revision);
    watch.goLive();
    return true;
  }

  /** Calls `listener` with every commit from now on; the returned function ends it. */
  listen(listener: (commit: Commit) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /**
   * Resolves when everything up to `revision` was delivered, or after `timeoutMs`, with whether it was. Sees to it that
   * the revision is reached, though it may be that of a key outside of the store.
   */
  reach(revision: number, timeoutMs: number): Promise<boolean> {
    if (revision <= this.#revision || this.#isClosed) return Promise.resolve(true);
    const reached = this.#pass(revision, timeoutMs);
    if (!this.#isChasing) void this.#chase();
    return reached;
  }

  close(error: StorageError): void {
    this.#isClosed = true;
    this.#watch.close();
    this.#gate.advance(Number.POSITIVE_INFINITY);
    this.hub.failAll(error);
  }

  #pass(revision: number, timeoutMs: number): Promise<boolean> {
    return new Promise((resolve) => {
      const cancel = this.#options.clock.setTimer(timeoutMs, () => resolve(false));
      this.#gate.wait(revision, () => {
        cancel();
        resolve(true);
      });
    });
  }

  async #chase(): Promise<void> {
    this.#isChasing = true;
    for (let target = this.#gate.last; target !== undefined && !this.#isClosed; target = this.#gate.last) {
      if (await this.#pass(target, patienceMs)) continue;
      await this.#writeFence();
      const { revision } = this;
      if ((await this.#pass(target, stalledMs)) || this.#isClosed) continue;
      if (revision === this.revision) this.#watch.restart();
    }
    this.#isChasing = false;
  }

  async #writeFence(): Promise<void> {
    try {
      await this.#options.fence.write();
    } catch (error) {
      // Waiting callers time out; the next round tries again.
      this.#options.logger.debug('storage fence write failed', { error });
    }
  }

  #openWatch(afterRevision: number): ResilientWatch {
    const { cluster, clock, logger, keys } = this.#options;
    return new ResilientWatch({
      cluster,
      clock,
      logger,
      key: keys.root,
      rangeEnd: keys.watchEnd,
      afterRevision,
      onChanges: (changes, revision) => this.#publish(changes, revision),
      onCompacted: (error, compacted) => this.#startOver(error, compacted),
    });
  }

  #publish(changes: readonly WatchedChange[], revision: number): void {
    const events = decodeChanges(changes, this.#options.keys);
    this.#revision = revision;
    this.#lastEventRevision = events.at(-1)?.revision ?? this.#lastEventRevision;
    this.#recent.push({ events, revision });
    for (const listener of [...this.#listeners]) listener({ events, revision });
    this.hub.publish(events, revision);
    this.#gate.advance(revision);
  }

  /** Events are missing now: all watches end, and their owners must list again. */
  #startOver(error: StorageError, compacted: number): void {
    if (this.#isClosed) return;
    this.#options.logger.error('storage watch fell behind compaction', {
      revision: this.#revision,
      error,
    });
    this.#options.onCompacted(compacted);
    this.#revision = Math.max(this.#revision, compacted);
    this.#recent.reset(this.#revision);
    this.#lastEventRevision = undefined;
    this.hub.failAll(error);
    this.#gate.advance(this.#revision);
    this.#watch = this.#openWatch(this.#revision);
  }
}

/** Events of the changes below the store's root. */
export function decodeChanges(changes: readonly WatchedChange[], keys: KeySpace): readonly StorageEvent[] {
  const events: StorageEvent[] = [];
  for (const change of changes) if (keys.has(change.kv.key)) events.push(decodeChange(change));
  return events;
}
