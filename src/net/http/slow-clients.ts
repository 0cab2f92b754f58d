import type { EventEmitter } from 'node:events';
import type { Http2Session, ServerHttp2Stream } from 'node:http2';
import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import type { Incoming } from './incoming.ts';
import type { ListenerLimits } from './limits.ts';
import type { AnyRequest, AnyResponse } from './request.ts';

/** A request whose body may be waited for. */
type WatchedRequest = Pick<Incoming, 'request' | 'upgrade' | 'destroy'>;

interface Progress {
  /** Changes with every byte that comes. */
  mark: number;
  sinceMs: number;
}

/** States of HTTP/2 streams whose client may still send (`NGHTTP2_STREAM_STATE_OPEN`, `..._HALF_CLOSED_LOCAL`). */
const sendingStates: ReadonlySet<number | undefined> = new Set([2, 5]);

/** Ends requests whose bodies stop coming, whoever reads them, or nobody. */
export class BodyWatch {
  readonly #timeoutMs: number;
  readonly #nowMs: () => number;
  readonly #waiting = new Map<WatchedRequest, Progress>();

  constructor(timeoutMs: number, nowMs: () => number) {
    this.#timeoutMs = timeoutMs;
    this.#nowMs = nowMs;
  }

  /** Watches a request until it is over. */
  add(incoming: WatchedRequest): void {
    const { request, upgrade } = incoming;
    if (upgrade !== undefined || !hasBody(request)) return;
    this.#waiting.set(incoming, { mark: -1, sinceMs: this.#nowMs() });
    request.once('close', () => this.#waiting.delete(incoming));
  }

  /** Gives up the requests that have waited for too long. */
  closeSlow(): void {
    const nowMs = this.#nowMs();
    for (const [incoming, progress] of this.#waiting) {
      const mark = progressOf(incoming.request);
      if (mark === undefined || mark !== progress.mark) {
        progress.mark = mark ?? -1;
        progress.sinceMs = nowMs;
      } else if (nowMs - progress.sinceMs >= this.#timeoutMs) {
        this.#waiting.delete(incoming);
        incoming.destroy();
      }
    }
  }
}

function hasBody(request: AnyRequest): boolean {
  if ('stream' in request) return !streamOf(request).endAfterHeaders;
  const { headers } = request;
  return (headers['content-length'] ?? '0') !== '0' || headers['transfer-encoding'] !== undefined;
}

/** A number that changes with what the client sends; undefined when it is not the client who is waited for. */
function progressOf(request: AnyRequest): number | undefined {
  // Bytes that nobody has read yet: it is for us to go on.
  if (request.readableLength > 0) return undefined;
  if (!('stream' in request)) return request.complete ? undefined : (request.socket?.bytesRead ?? 0);
  const { state, readableLength } = streamOf(request);
  if (readableLength > 0 || !sendingStates.has(state.state)) return undefined;
  return state.localWindowSize ?? 0;
}

/** The stream of HTTP/2 that a request came on, with what the types of the platform leave out. */
function streamOf(request: Extract<AnyRequest, { stream: unknown }>): ServerHttp2Stream & {
  readonly endAfterHeaders: boolean;
} {
  return request.stream as ServerHttp2Stream & { readonly endAfterHeaders: boolean };
}

/** A server of HTTP/1.1, or of HTTP/2 as well. */
interface TimedServer extends EventEmitter {
  setTimeout(ms: number): unknown;
}

/**
 * Ends what waits for clients that do not read: answers of which nothing is left to do but to be read, and of which
 * nothing has been read for a while. Those that go on, such as a log that somebody looks at page by page, are left alone.
 */
export class UnreadAnswers {
  readonly #timeoutMs: number;
  readonly #minReadBytesPerMs: number;
  /** What TLS was given to send, and how long that may still take: it does not tell of parts. */
  readonly #unread = new WeakMap<Socket, { readonly bytes: number; readonly leftMs: number }>();
  /** The last answer on each connection of HTTP/1.1. */
  readonly #last = new WeakMap<object, AnyResponse>();

  constructor({
    answerTimeoutMs,
    minReadBytesPerMs,
  }: Pick<ListenerLimits, 'answerTimeoutMs' | 'minReadBytesPerMs'>) {
    this.#timeoutMs = answerTimeoutMs;
    this.#minReadBytesPerMs = minReadBytesPerMs;
  }

  /** Takes over the timeouts of a server's connections, those of unused ones included. */
  watch(server: TimedServer): void {
    server.setTimeout(this.#timeoutMs);
    server.on('timeout', (connection: Socket | Http2Session) => {
      // Sessions of HTTP/2 have timeouts of their own.
      if (connection instanceof Duplex) this.#onSilence(connection);
    });
  }

  /** An answer begins. */
  begin(request: AnyRequest, response: AnyResponse): void {
    if (!('stream' in request)) this.#last.set(request.socket, response);
  }

  /** Nothing more is done for an answer. */
  end(request: AnyRequest, response: AnyResponse): void {
    if (!('stream' in request) || !response.writableEnded) return;
    const stream: ServerHttp2Stream = request.stream;
    if (stream.destroyed || stream.writableFinished) return;
    stream.setTimeout(this.#timeoutMs, () => stream.destroy());
  }

  /** No byte has come or left for the time that the connection was given. */
  #onSilence(socket: Socket): void {
    // An unused connection was given another time.
    const isUnused = socket.timeout !== this.#timeoutMs;
    const isComplete = this.#last.get(socket)?.writableEnded === true;
    if (isUnused || (isComplete && !this.#mayGoOn(socket))) socket.destroy();
    else socket.setTimeout(this.#timeoutMs); // its end alone would not begin the time anew
  }

  #mayGoOn(socket: Socket): boolean {
    const bytes = socket.writableLength;
    if (bytes === 0) return true;
    const known = this.#unread.get(socket);
    const hadMs = known?.bytes === bytes ? known.leftMs : bytes / this.#minReadBytesPerMs;
    const leftMs = hadMs - this.#timeoutMs;
    this.#unread.set(socket, { bytes, leftMs });
    return leftMs > 0;
  }
}
