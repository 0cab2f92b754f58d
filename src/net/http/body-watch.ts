import type { ServerHttp2Stream } from 'node:http2';
import type { Incoming } from './incoming.ts';
import type { AnyRequest } from './request.ts';

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
  readonly #waiting = new Map<Incoming, Progress>();

  constructor(timeoutMs: number, nowMs: () => number) {
    this.#timeoutMs = timeoutMs;
    this.#nowMs = nowMs;
  }

  /** Watches a request until it is over. */
  add(incoming: Incoming): void {
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
