import type { FlushPacer, PacedStream } from './flush-pacer.ts';
import type { StreamOutlet } from './outlet.ts';

/** Bytes that may wait for a slow client before its watch is ended. It resumes from the last version it got. */
const maxBufferedBytes = 8 * 1024 * 1024;
/** Bytes that may wait while old events are delivered, which can be held back. */
const maxCatchUpBytes = 1024 * 1024;
/** Bytes of frames that go out without waiting for others: more would save nothing. */
const fullWriteBytes = 256 * 1024;
/** How long before the end of a watch its last bookmark is sent; shorter watches have none. Source: release 1.20. */
const lastBookmarkMs = 2000;
/** How long a client that was too slow may take to read what waits for it. */
const lingerMs = 10_000;

/** Where a watch is written to, and when it ends: after `timeoutMs`, or with `signal`. */
export interface WatchStreamOptions {
  readonly outlet: StreamOutlet;
  readonly pacer: FlushPacer;
  /** Ends the watch in order. */
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  readonly bookmarks?: Bookmarks | undefined;
}

/** Bookmark frames, which tell an idle client the revision that it has seen. */
export interface Bookmarks {
  readonly intervalMs: number;
  /** Undefined when there is nothing to tell right now. */
  encode(): Buffer | undefined;
}

/** The answer to a watch: frames as they come, a bookmark now and then, an orderly end. */
export class WatchStream implements PacedStream {
  readonly #options: WatchStreamOptions;
  readonly #outlet: StreamOutlet;
  readonly #timers: NodeJS.Timeout[] = [];
  /** Frames that the next flush sends, in order. */
  #queue: Buffer[] = [];
  #queuedBytes = 0;
  #isOver = false;
  #finish: () => void = () => {};
  /** Resolves when nothing more will be sent. */
  readonly ended: Promise<void>;

  constructor(options: WatchStreamOptions) {
    this.#options = options;
    this.#outlet = options.outlet;
    this.ended = new Promise((resolve) => {
      this.#finish = resolve;
    });
    this.#start();
  }

  /** Sends one frame: with this turn of the event loop where the stream was quiet, else within some milliseconds. */
  send(frame: Buffer): void {
    if (this.#isOver) return;
    this.#queue.push(frame);
    this.#queuedBytes += frame.length;
    if (this.#queuedBytes >= fullWriteBytes) this.flush();
    else if (this.#queue.length === 1) this.#options.pacer.request(this);
  }

  /**
   * Sends what waits. The watch of a client that reads too slowly ends, after what waits for it: so it comes forward
   * with each attempt, however much has happened.
   */
  flush(): boolean {
    if (this.#isOver || this.#queue.length === 0) return false;
    const frames = this.#queue;
    this.#queue = [];
    this.#queuedBytes = 0;
    this.#outlet.write(frames);
    if (this.#outlet.bufferedBytes > maxBufferedBytes) this.#cutOff();
    return true;
  }

  /** A promise when old events should wait until the client has read some. */
  drained(): Promise<void> | undefined {
    if (this.#isOver || this.#outlet.bufferedBytes <= maxCatchUpBytes) return undefined;
    return new Promise((resolve) => {
      const stopWaiting = this.#outlet.onceDrained(resolve);
      void this.ended.then(() => {
        stopWaiting();
        resolve();
      });
    });
  }

  /** Sends what waits and ends. */
  finish(): void {
    this.#close();
  }

  /** Sends a last frame and ends. */
  fail(frame: Buffer): void {
    this.send(frame);
    this.#close();
  }

  #start(): void {
    const { signal, bookmarks, timeoutMs } = this.#options;
    this.#outlet.onClose(() => this.#end());
    if (signal.aborted) this.#close();
    else signal.addEventListener('abort', () => this.#close(), { once: true });
    this.#timers.push(setTimeout(() => this.#close(), timeoutMs));
    if (bookmarks !== undefined) {
      const lastMs = timeoutMs - lastBookmarkMs;
      if (lastMs > 0) this.#timers.push(setTimeout(() => this.#sendBookmark(bookmarks), lastMs));
      this.#timers.push(setInterval(() => this.#sendBookmark(bookmarks), bookmarks.intervalMs));
    }
    for (const timer of this.#timers) timer.unref();
  }

  #cutOff(): void {
    this.#close();
    const timer = setTimeout(() => this.#outlet.destroy(), lingerMs);
    timer.unref();
    this.#outlet.onClose(() => clearTimeout(timer));
  }

  #sendBookmark(bookmarks: Bookmarks): void {
    const frame = bookmarks.encode();
    if (frame !== undefined) this.send(frame);
  }

  #close(): void {
    this.flush();
    if (this.#isOver) return;
    this.#outlet.end();
    this.#end();
  }

  #end(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#queue = [];
    for (const timer of this.#timers) clearTimeout(timer);
    this.#finish();
  }
}
