import type { AnyResponse, Exchange } from '../request/exchange.ts';
import { warningHeader } from '../request/respond.ts';

/** Bytes that may wait for a slow client before its watch is ended. It resumes from the last version it got. */
const maxBufferedBytes = 8 * 1024 * 1024;
/** Bytes that may wait while old events are delivered, which can be held back. */
const maxCatchUpBytes = 1024 * 1024;
/** How long a client that was too slow may take to read what waits for it. */
const lingerMs = 10_000;

export interface WatchStreamOptions {
  readonly contentType: string;
  readonly timeoutMs: number;
  readonly bookmarks?: { readonly intervalMs: number; encode(): Buffer } | undefined;
}

/** What waits to be sent; HTTP/2 keeps it on the stream. */
function bufferedBytes(response: AnyResponse): number {
  const { stream } = response as unknown as { stream?: { writableLength: number } };
  return stream?.writableLength ?? response.writableLength;
}

/** The answer to a watch: frames as they come, a bookmark now and then, an orderly end. */
export class WatchStream {
  readonly #exchange: Exchange;
  readonly #options: WatchStreamOptions;
  readonly #timers: NodeJS.Timeout[] = [];
  #isOver = false;
  #finish: () => void = () => {};
  /** Resolves when nothing more will be sent. */
  readonly ended: Promise<void>;

  constructor(exchange: Exchange, options: WatchStreamOptions) {
    this.#exchange = exchange;
    this.#options = options;
    this.ended = new Promise((resolve) => {
      this.#finish = resolve;
    });
    this.#start();
  }

  /**
   * Sends one frame. The watch of a client that reads too slowly ends, after what waits for it: so it comes forward
   * with each attempt, however much has happened.
   */
  send(frame: Buffer): void {
    if (this.#isOver) return;
    const { response } = this.#exchange;
    // Node sends what is written in one turn of the event loop together. Holding it back here as well costs a packet more.
    response.write(frame);
    if (bufferedBytes(response) <= maxBufferedBytes) return;
    this.#close();
    const timer = setTimeout(() => response.destroy(), lingerMs);
    timer.unref();
    response.once('close', () => clearTimeout(timer));
  }

  /** A promise when old events should wait until the client has read some. */
  drained(): Promise<void> | undefined {
    const { response } = this.#exchange;
    if (this.#isOver || bufferedBytes(response) <= maxCatchUpBytes) return undefined;
    return new Promise((resolve) => {
      response.once('drain', resolve);
      void this.ended.then(resolve);
    });
  }

  /** Sends a last frame and ends. */
  fail(frame: Buffer): void {
    this.send(frame);
    this.#close();
  }

  #start(): void {
    const { response, signal, auditId } = this.#exchange;
    response.writeHead(200, {
      'audit-id': auditId,
      'cache-control': 'no-cache, private',
      'content-type': this.#options.contentType,
      ...warningHeader(this.#exchange),
    });
    // HTTP/2 sends the head by itself.
    response.flushHeaders?.();
    response.on('close', () => this.#end());
    if (signal.aborted) this.#close();
    else signal.addEventListener('abort', () => this.#close(), { once: true });
    const { bookmarks, timeoutMs } = this.#options;
    this.#timers.push(setTimeout(() => this.#timeUp(), timeoutMs));
    if (bookmarks !== undefined) {
      this.#timers.push(setInterval(() => this.send(bookmarks.encode()), bookmarks.intervalMs));
    }
    for (const timer of this.#timers) timer.unref();
  }

  #timeUp(): void {
    const { bookmarks } = this.#options;
    if (bookmarks !== undefined) this.send(bookmarks.encode());
    this.#close();
  }

  #close(): void {
    if (this.#isOver) return;
    this.#exchange.response.end();
    this.#end();
  }

  #end(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    for (const timer of this.#timers) clearTimeout(timer);
    this.#finish();
  }
}
