import type { Duplex } from 'node:stream';
import { type Clock, keepProcessAlive, systemClock } from '../../base/index.ts';
import { statusErrorFrom } from '../../machinery/errors/index.ts';
import { authHeaders, type Connection } from './connection.ts';
import type { LocalCollections } from './local-collections.ts';
import { isEncoded, type ObjectEncoding } from './object-encoding.ts';
import { formatQuery, type RestRequest, type RestResponse, type RestStream } from './request.ts';
import { maskHeaders, type RequestTrace } from './trace.ts';
import { type Answer, createTransport, type Transport } from './transport.ts';
import { TransportError } from './transport-error.ts';

/** How a client behaves. */
export interface RestClientOptions {
  readonly connection: Connection;
  readonly userAgent?: string | undefined;
  /** Milliseconds for a request without an own limit, bodies of streams included; 0: none. */
  readonly timeoutMs?: number | undefined;
  /** Ends requests that have no signal of their own. */
  readonly signal?: AbortSignal | undefined;
  /** Most connections at once; requests beyond wait. Each open watch takes one. Default 64. */
  readonly maxConnections?: number | undefined;
  readonly clock?: Clock | undefined;
  /** Called for each `Warning: 299` header of an answer, with its text. */
  readonly onWarning?: ((text: string) => void) | undefined;
  readonly trace?: RequestTrace | undefined;
  /** Opens the connection of each request to a plain HTTP server; for servers in the same process. */
  readonly connect?: (() => Duplex) | undefined;
  /** How objects travel; as JSON when left out. Requests that name their own media types keep them. */
  readonly encoding?: ObjectEncoding | undefined;
  /** Sends requests another way. */
  readonly transport?: Transport | undefined;
  /** Collections of a server in the same process. */
  readonly local?: LocalCollections | undefined;
}

/** A client of one server. Connections are kept and reused. */
export interface RestClient {
  readonly server: string;
  /** How objects travel instead of as JSON. */
  readonly encoding?: ObjectEncoding | undefined;
  /** Collections that list and watch read without requests. */
  readonly local?: LocalCollections | undefined;
  /**
   * Sends a request and waits for the whole answer. Answers that ask to wait (429 or 5xx with Retry-After) are
   * tried again up to 10 times.
   *
   * @throws StatusError for an answer of 400 and above, TransportError when no answer comes.
   */
  send(request: RestRequest): Promise<RestResponse>;
  /**
   * As `send`, the body parsed: as JSON, or by the client's encoding where the server answers in it.
   *
   * @throws TransportError (`protocol`) also when the body cannot be parsed.
   */
  json<T = unknown>(request: RestRequest): Promise<T>;
  /** Sends a request and hands over the body while it arrives (watch, logs). @throws as `send`. */
  stream(request: RestRequest): Promise<RestStream>;
  /** Ends idle connections, so that the process can exit. */
  close(): void;
}

const maxRetries = 10;
const maxWaitSeconds = 60;

/** Makes a client. Nothing is sent before the first request. */
export const createRestClient = (options: RestClientOptions): RestClient => new HttpRestClient(options);

class HttpRestClient implements RestClient {
  readonly server: string;
  readonly encoding: ObjectEncoding | undefined;
  readonly local: LocalCollections | undefined;
  readonly #options: RestClientOptions;
  readonly #transport: Transport;
  readonly #fixedHeaders: Readonly<Record<string, string>>;

  constructor(options: RestClientOptions) {
    const { connection } = options;
    this.server = connection.server.replace(/\/+$/, '');
    this.encoding = options.encoding;
    this.local = options.local;
    this.#options = options;
    this.#transport = options.transport ?? createTransport(connection, options);
    this.#fixedHeaders = { ...authHeaders(connection.auth), 'user-agent': options.userAgent ?? 'ctl' };
  }

  async send(request: RestRequest): Promise<RestResponse> {
    const answer = await this.#attemptAll(request, false);
    return { status: answer.status, headers: answer.headers, body: answer.content ?? Buffer.alloc(0) };
  }

  async json<T>(request: RestRequest): Promise<T> {
    const { encoding } = this;
    const { headers, body } = await this.send({ ...request, accept: request.accept ?? encoding?.accept });
    const isOther = isEncoded(encoding, headers);
    try {
      const value = isOther ? encoding.decode(body) : JSON.parse(body.toString('utf8'));
      return value as T; // the caller names the type that the path answers with
    } catch (cause) {
      const message = isOther ? `the answer is no ${encoding.contentType}` : 'the answer is no JSON';
      throw new TransportError('protocol', message, { host: hostOf(this.server), cause });
    }
  }

  async stream(request: RestRequest): Promise<RestStream> {
    const { status, headers, chunks, close } = await this.#attemptAll(request, true);
    return { status, headers, chunks, close };
  }

  close(): void {
    this.#transport.close?.();
  }

  async #attempt(request: RestRequest, isStream: boolean): Promise<Answer> {
    const { trace, timeoutMs: defaultMs = 0, onWarning } = this.#options;
    const url = urlOf(this.server, request);
    const { body, contentType } = encodeBody(request, this.encoding);
    const headers = {
      ...request.headers,
      ...this.#fixedHeaders,
      accept: request.accept ?? 'application/json',
      ...(body === undefined ? {} : { 'content-type': contentType }),
    };
    trace?.onRequest?.({ method: request.method, url, headers: maskHeaders(headers), body });
    // Clock and counters of the runtime are a module that most commands need for nothing else.
    const startMs = trace === undefined ? 0 : performance.now();
    const timeoutMs = request.timeoutMs || defaultMs;
    const answer = await this.#transport({
      method: request.method,
      url,
      headers,
      body,
      timeoutMs,
      signal: request.signal ?? this.#options.signal,
    });
    const isFailure = answer.status >= 400;
    const content = isStream && !isFailure ? undefined : await readAll(answer.chunks);
    trace?.onResponse?.({
      method: request.method,
      url,
      status: answer.status,
      statusText: answer.statusText,
      headers: answer.headers,
      durationMs: performance.now() - startMs,
      body: content,
    });
    if (onWarning !== undefined) reportWarnings(answer.headers.warning, onWarning);
    return { ...answer, content };
  }

  async #attemptAll(request: RestRequest, isStream: boolean): Promise<Answer> {
    const { encoding } = this;
    const { clock = systemClock, signal } = this.#options;
    for (let attempts = 0; ; attempts++) {
      const answer = await this.#attempt(request, isStream);
      if (answer.status < 400) return answer;
      const retryAfterSeconds = parseRetryAfter(answer.headers['retry-after']);
      // An eviction that a budget forbids is a 429 without a time: whoever asked decides when to ask again.
      const asksToWait = (answer.status === 429 || answer.status >= 500) && retryAfterSeconds > 0;
      const mayRetry = asksToWait && request.isRetried !== false;
      if (!mayRetry || attempts >= maxRetries) {
        const { status, headers } = answer;
        const body = answer.content ?? Buffer.alloc(0);
        const decode = isEncoded(encoding, headers) ? encoding.decode : undefined;
        throw statusErrorFrom({ status, body, decode, retryAfterSeconds, method: request.method });
      }
      await wait(clock, Math.min(retryAfterSeconds, maxWaitSeconds) * 1000, request.signal ?? signal);
    }
  }
}

/** Host and port of a server's URL, as messages show them. */
export function hostOf(server: string): string {
  const url = new URL(server);
  return url.port === '' ? url.hostname : url.host;
}

function urlOf(base: string, request: RestRequest): string {
  const query = formatQuery(request.query);
  if (query === '') return base + request.path;
  return `${base}${request.path}${request.path.includes('?') ? '&' : '?'}${query}`;
}

interface EncodedBody {
  readonly body: Buffer | undefined;
  readonly contentType: string;
}

/** A body that names its media type is written as it says, whatever the client's encoding. */
function encodeBody(
  { body, contentType = 'application/json' }: RestRequest,
  encoding: ObjectEncoding | undefined,
): EncodedBody {
  if (body === undefined || Buffer.isBuffer(body)) return { body, contentType };
  if (typeof body === 'string') return { body: Buffer.from(body, 'utf8'), contentType };
  const encoded = contentType === 'application/json' ? encoding?.encode(body) : undefined;
  if (encoding !== undefined && encoded !== undefined) {
    return { body: encoded, contentType: encoding.contentType };
  }
  return { body: Buffer.from(JSON.stringify(body), 'utf8'), contentType };
}

async function readAll(chunks: AsyncIterable<Buffer>): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const chunk of chunks) parts.push(chunk);
  return parts.length === 1 && parts[0] !== undefined ? parts[0] : Buffer.concat(parts);
}

function parseRetryAfter(header: string | string[] | undefined): number {
  const seconds = Number(Array.isArray(header) ? header[0] : header);
  return Number.isFinite(seconds) && seconds > 0 ? seconds : 0;
}

/** Texts of RFC 7234 warnings with code 299, the only code that this API uses. */
function reportWarnings(header: string | string[] | undefined, report: (text: string) => void): void {
  if (header === undefined) return;
  const text = Array.isArray(header) ? header.join(', ') : header;
  for (const match of text.matchAll(/299 [^\s"]+ "((?:[^"\\]|\\.)*)"/g)) {
    report((match[1] ?? '').replace(/\\(.)/g, '$1'));
  }
}

function wait(clock: Clock, delayMs: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const release = keepProcessAlive();
    const finish = (act: () => void) => {
      release();
      signal?.removeEventListener('abort', onAbort);
      act();
    };
    const cancel = clock.setTimer(delayMs, () => finish(resolve));
    const onAbort = () => {
      cancel();
      finish(() => reject(signal?.reason));
    };
    if (signal?.aborted) onAbort();
    else signal?.addEventListener('abort', onAbort, { once: true });
  });
}
