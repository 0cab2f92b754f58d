import type { Logger } from '../base/index.ts';
import {
  StorageError,
  type StorageEvent,
  type StorageWatch,
  type WatchRequest,
  type WatchSink,
} from './contract.ts';

/** Hands committed events, in revision order, to the watches of one driver that are up to date. */
export class WatchHub {
  readonly #watches = new Set<HubWatch>();
  readonly #logger: Logger;
  readonly #queue: { readonly events: readonly StorageEvent[]; readonly revision: number }[] = [];
  #isPublishing = false;

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  /** A watch that receives nothing live before its driver calls `goLive`. */
  add(request: WatchRequest, sink: WatchSink): HubWatch {
    const watch = new HubWatch({
      request,
      sink,
      logger: this.#logger,
      onClose: () => this.#watches.delete(watch),
    });
    this.#watches.add(watch);
    return watch;
  }

  /** Whether any watch wants to be told what objects were before they were replaced. */
  get wantsPrevious(): boolean {
    for (const watch of this.#watches) if (!watch.ignoresPrevious) return true;
    return false;
  }

  /** Delivers one commit. A commit made from inside a sink is delivered after the one under way. */
  publish(events: readonly StorageEvent[], revision: number): void {
    this.#queue.push({ events, revision });
    if (this.#isPublishing) return;
    this.#isPublishing = true;
    for (let commit = this.#queue.shift(); commit !== undefined; commit = this.#queue.shift()) {
      for (const watch of this.#watches) {
        if (watch.isLive) watch.deliver(commit.events, commit.revision);
      }
    }
    this.#isPublishing = false;
  }

  /** Ends every watch with `error`. */
  failAll(error: StorageError): void {
    for (const watch of [...this.#watches]) watch.fail(error);
  }
}

interface HubWatchOptions {
  readonly request: WatchRequest;
  readonly sink: WatchSink;
  readonly logger: Logger;
  readonly onClose: () => void;
}

/** One watch: filters by prefix and never delivers a revision twice. */
export class HubWatch implements StorageWatch {
  readonly prefix: string;
  readonly ignoresPrevious: boolean;
  readonly #options: HubWatchOptions;
  /** Everything up to here was delivered or lies before the watch's start. */
  #position: number;
  #isLive = false;
  #isClosed = false;

  constructor(options: HubWatchOptions) {
    this.prefix = options.request.prefix;
    this.ignoresPrevious = options.request.ignoresPrevious === true;
    this.#position = options.request.afterRevision;
    this.#options = options;
  }

  get position(): number {
    return this.#position;
  }

  get isLive(): boolean {
    return this.#isLive;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Declares that history was delivered up to the last commit: what is committed next comes live. */
  goLive(): void {
    this.#isLive = !this.#isClosed;
  }

  /** Hands over the events of the prefix after the watch's position, then the progress to `revision`. */
  deliver(events: readonly StorageEvent[], revision: number): void {
    if (this.#isClosed) return;
    const wanted = this.#select(events);
    this.#position = Math.max(this.#position, revision);
    try {
      if (wanted.length > 0) this.#options.sink.onEvents(wanted);
      if (!this.#isClosed) this.#options.sink.onProgress(revision);
    } catch (error) {
      // A broken consumer must not break the commit of whoever writes, nor the other watches.
      this.#options.logger.error('watch consumer failed', { prefix: this.prefix, error });
      this.fail(new StorageError('closed', 'watch ended: its consumer failed', { cause: error }));
    }
  }

  fail(error: StorageError): void {
    if (this.#isClosed) return;
    this.close();
    this.#options.sink.onError(error);
  }

  close(): void {
    this.#isClosed = true;
    this.#isLive = false;
    this.#options.onClose();
  }

  #select(events: readonly StorageEvent[]): readonly StorageEvent[] {
    const isWanted = (event: StorageEvent): boolean =>
      event.revision > this.#position && event.object.key.startsWith(this.prefix);
    return events.every(isWanted) ? events : events.filter(isWanted);
  }
}
