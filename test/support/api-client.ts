import type { IncomingHttpHeaders, IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import { Agent, request as startRequest } from 'node:https';
import { registerPrivateKeys, registerSecret, registerSecretsOf } from './kept-logs.ts';
import { WatchReader } from './watch-reader.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests reach into answers freely; a wrong guess fails the test
export type JsonObject = Record<string, any>;

/** Where a server is and who asks. */
export interface ApiAccess {
  readonly url: string;
  readonly authorityPem: string;
  readonly certificatePem?: string | undefined;
  readonly keyPem?: string | undefined;
  readonly token?: string | undefined;
}

/** What is sent beside method and path. */
export interface ApiRequest {
  /** Sent as JSON; text and bytes are sent as they are. */
  readonly body?: unknown;
  readonly contentType?: string | undefined;
  readonly headers?: OutgoingHttpHeaders | undefined;
}

/** A whole answer. */
export interface ApiAnswer {
  readonly code: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** The same as it came. */
  readonly bytes: Buffer;
  /** The parsed text; an empty object when it is no JSON object. */
  readonly body: JsonObject;
}

/** How long an answer may take before a test calls it a hang. */
const answerTimeoutMs = 30_000;

/** A plain HTTP/1.1 client over TLS that keeps its connections, for tests that look at the wire. */
export class ApiClient {
  readonly access: ApiAccess;
  readonly #agent: Agent;

  constructor(access: ApiAccess, options: { readonly maxSockets?: number } = {}) {
    this.access = access;
    registerSecret(access.token ?? '');
    registerPrivateKeys(access.keyPem ?? '');
    this.#agent = new Agent({
      keepAlive: true,
      maxSockets: options.maxSockets ?? 64,
      ca: access.authorityPem,
      cert: access.certificatePem,
      key: access.keyPem,
    });
  }

  /** Sends a request and reads the answer whole. @throws Error when the connection fails. */
  async send(method: string, path: string, request: ApiRequest = {}): Promise<ApiAnswer> {
    const answer = await this.#open(method, path, request, answerTimeoutMs);
    const chunks: Buffer[] = [];
    for await (const chunk of answer) chunks.push(chunk as Buffer); // no encoding is set, so chunks are bytes
    const bytes = Buffer.concat(chunks);
    const text = bytes.toString();
    const body = parseObject(text);
    registerSecretsOf(request.body);
    registerSecretsOf(body);
    return { code: answer.statusCode ?? 0, headers: answer.headers, text, bytes, body };
  }

  /** The same, for answers that must be good ones. @throws Error with the server's words when the code is not 2xx. */
  async expect(method: string, path: string, request: ApiRequest = {}): Promise<JsonObject> {
    const { code, body, text } = await this.send(method, path, request);
    if (code < 200 || code > 299) throw new Error(`${method} ${path} answered ${code}: ${text}`);
    return body;
  }

  get(path: string, headers?: OutgoingHttpHeaders): Promise<ApiAnswer> {
    return this.send('GET', path, { headers });
  }

  create(path: string, body: unknown): Promise<JsonObject> {
    return this.expect('POST', path, { body });
  }

  /** Opens a watch; `query` is added to `watch=1`. @throws Error when the server does not answer with a stream. */
  async watch(path: string, query: Readonly<Record<string, string>> = {}): Promise<WatchReader> {
    const target = `${path}?${new URLSearchParams({ watch: '1', ...query })}`;
    const answer = await this.#open('GET', target, {}, 0);
    if (answer.statusCode !== 200) throw new Error(`watch ${target} answered ${answer.statusCode}`);
    return new WatchReader(answer);
  }

  /** Closes the connections. */
  close(): void {
    this.#agent.destroy();
  }

  #open(method: string, path: string, request: ApiRequest, timeoutMs: number): Promise<IncomingMessage> {
    const { url, token } = this.access;
    const { body, contentType = 'application/json' } = request;
    const bytes = body === undefined ? undefined : toBytes(body);
    return new Promise((resolve, reject) => {
      const sent = startRequest(new URL(url), {
        method,
        path,
        agent: this.#agent,
        headers: {
          ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
          ...(bytes === undefined ? {} : { 'content-type': contentType, 'content-length': bytes.length }),
          ...request.headers,
        },
      });
      if (timeoutMs > 0) {
        sent.setTimeout(timeoutMs, () =>
          sent.destroy(new Error(`${method} ${path} was not answered in time`)),
        );
      }
      sent.once('error', reject);
      sent.once('response', (answer) => {
        sent.on('error', () => {}); // from here on the answer tells
        resolve(answer);
      });
      sent.end(bytes);
    });
  }
}

function toBytes(body: unknown): Buffer {
  if (Buffer.isBuffer(body)) return body;
  return Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
}

function parseObject(text: string): JsonObject {
  if (!text.startsWith('{')) return {};
  try {
    return JSON.parse(text) as JsonObject; // an object, as its first character says
  } catch {
    return {};
  }
}
