import type { Clock, Logger } from '../../base/index.ts';
import type { HubWatch } from '../watch-hub.ts';
import type { Cluster } from './cluster.ts';
import { decodeChanges, type EventFeed } from './event-feed.ts';
import type { Fence } from './fence.ts';
import type { KeySpace } from './key-space.ts';
import type { Commit } from './recent-commits.ts';
import { ResilientWatch } from './resilient-watch.ts';

export interface HistoryReplayOptions {
  readonly cluster: Cluster;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly keys: KeySpace;
  readonly fence: Fence;
  readonly feed: EventFeed;
  readonly onCompacted: (revision: number) => void;
}

/**
 * Delivers what lies before the feed to watches that start there, and lets them join the feed without gap or
 * repetition. Reads all keys of the store, because only the last event of the feed tells that history has been read.
 * One reading serves all watches that have come until it starts.
 */
export class HistoryReplay {
  readonly #options: HistoryReplayOptions;
  readonly #waiting = new Set<HubWatch>();
  #reading: Reading | undefined;
  #isClosed = false;

  constructor(options: HistoryReplayOptions) {
    this.#options = options;
  }

  /** Brings a watch that is behind the feed up to it. */
  add(watch: HubWatch): void {
    this.#waiting.add(watch);
    if (this.#waiting.size === 1 && this.#reading === undefined) setImmediate(() => this.#start());
  }

  close(): void {
    this.#isClosed = true;
    this.#reading?.close();
  }

  #start(): void {
    if (this.#isClosed || this.#reading !== undefined) return;
    const watches = [...this.#waiting].filter(({ isClosed }) => !isClosed);
    this.#waiting.clear();
    if (watches.length === 0) return;
    this.#reading = new Reading(this.#options, watches, {
      onEnd: () => {
        this.#reading = undefined;
        setImmediate(() => this.#start());
      },
      onRest: (rest) => {
        for (const watch of rest) this.add(watch);
      },
    });
    this.#reading.start();
  }
}

interface ReadingHooks {
  readonly onEnd: () => void;
  /** Watches that need another reading. */
  readonly onRest: (watches: readonly HubWatch[]) => void;
}

class Reading {
  readonly #options: HistoryReplayOptions;
  readonly #watches: readonly HubWatch[];
  readonly #hooks: ReadingHooks;
  /** What the feed has delivered since this reading began. */
  readonly #missed: Commit[] = [];
  readonly #stopListening: () => void;
  #watch: ResilientWatch | undefined;
  #isClosed = false;

  constructor(options: HistoryReplayOptions, watches: readonly HubWatch[], hooks: ReadingHooks) {
    this.#options = options;
    this.#watches = watches;
    this.#hooks = hooks;
    this.#stopListening = options.feed.listen((commit) => this.#missed.push(commit));
  }

  start(): void {
    const { feed, fence } = this.#options;
    if (feed.lastEventRevision !== undefined) this.#read(feed.lastEventRevision);
    // Nothing has come yet that could tell how far history goes.
    else
      fence.write().then(
        (revision) => this.#read(revision),
        () => this.#giveUp(),
      );
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#watch?.close();
    this.#stopListening();
    this.#hooks.onEnd();
  }

  #read(target: number): void {
    if (this.#isClosed) return;
    const { cluster, clock, logger, keys } = this.#options;
    const afterRevision = Math.min(...this.#watches.map(({ position }) => position));
    this.#watch = new ResilientWatch({
      cluster,
      clock,
      logger,
      key: keys.root,
      rangeEnd: keys.watchEnd,
      afterRevision,
      onChanges: (changes, revision) => {
        this.#deliver({ events: decodeChanges(changes, keys), revision });
        if (revision >= target) this.#join();
        else if (this.#watches.every(({ isClosed }) => isClosed)) this.close();
      },
      onCompacted: (error, compacted) => {
        this.#options.onCompacted(compacted);
        const isLost = ({ position }: HubWatch): boolean => position < compacted;
        for (const watch of this.#watches) if (isLost(watch)) watch.fail(error);
        this.close();
        this.#hooks.onRest(this.#watches.filter((watch) => !watch.isClosed));
      },
    });
  }

  #join(): void {
    for (const commit of this.#missed) this.#deliver(commit);
    const { feed } = this.#options;
    for (const watch of this.#watches) {
      watch.deliver([], Math.max(feed.revision, watch.position));
      watch.goLive();
    }
    this.close();
  }

  #deliver({ events, revision }: Commit): void {
    for (const watch of this.#watches) {
      // One that starts later than the others must not be told of progress before its start.
      if (revision > watch.position) watch.deliver(events, revision);
    }
  }

  #giveUp(): void {
    this.close();
    const { clock } = this.#options;
    const again = (): void => this.#hooks.onRest(this.#watches.filter(({ isClosed }) => !isClosed));
    clock.setTimer(500, again);
  }
}
