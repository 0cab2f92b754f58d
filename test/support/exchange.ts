import { EventEmitter } from 'node:events';
import type { OutgoingHttpHeaders } from 'node:http';
import type { UserInfo } from '../../src/apis/index.ts';
import type { AnyRequest, AnyResponse } from '../../src/net/http/index.ts';
import { anonymousUser } from '../../src/server/authentication/authenticator.ts';
import type { Exchange } from '../../src/server/request/exchange.ts';
import { parseTarget } from '../../src/server/request/path.ts';
import { parseRequestInfo } from '../../src/server/request/request-info.ts';
import type { JsonObject } from './api-client.ts';

/** A response that keeps what is written, and can be slow. */
export class FakeResponse extends EventEmitter {
  statusCode = 200;
  headersSent = false;
  destroyed = false;
  writableEnded = false;
  writableFinished = false;
  /** Bytes that a slow client has not taken yet. */
  writableLength = 0;
  headers: OutgoingHttpHeaders = {};
  readonly chunks: Buffer[] = [];
  /** What was done, in order: `head`, `cork`, `write`, ... */
  readonly steps: string[] = [];
  /** A client that takes nothing. */
  isStuck = false;

  writeHead(code: number, headers: OutgoingHttpHeaders = {}): this {
    this.steps.push('head');
    this.statusCode = code;
    this.headers = { ...this.headers, ...headers };
    this.headersSent = true;
    return this;
  }

  setHeader(name: string, value: string): this {
    this.headers[name] = value;
    return this;
  }

  getHeader(name: string): OutgoingHttpHeaders[string] {
    return this.headers[name];
  }

  cork(): void {
    this.steps.push('cork');
  }

  uncork(): void {
    this.steps.push('uncork');
  }

  write(chunk: Buffer, _done?: (error?: Error) => void): boolean {
    this.steps.push(chunk.length === 0 ? 'flush' : 'write');
    if (chunk.length === 0) return true;
    this.chunks.push(chunk);
    if (this.isStuck) this.writableLength += chunk.length;
    return true;
  }

  end(chunk?: Buffer): this {
    this.steps.push('end');
    if (chunk !== undefined) this.chunks.push(chunk);
    this.writableEnded = true;
    this.writableFinished = true;
    return this;
  }

  destroy(): this {
    this.steps.push('destroy');
    this.destroyed = true;
    this.emit('close');
    return this;
  }

  get text(): string {
    return Buffer.concat(this.chunks).toString();
  }

  get json(): JsonObject {
    return JSON.parse(this.text) as JsonObject; // a test that expects JSON fails on anything else
  }
}

/** An exchange of a test, whose answer can be looked at. */
export interface TestExchange extends Exchange {
  readonly answer: FakeResponse;
  /** Ends the client's interest. */
  abort(reason?: Error): void;
}

/** What a request is made of; a GET of the root without credentials when nothing is said. */
export interface TestRequest {
  readonly method?: string;
  readonly url?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Names and values as they came, in turn. */
  readonly rawHeaders?: readonly string[];
  readonly user?: Partial<UserInfo>;
  readonly warnings?: readonly string[];
  readonly startedAtMs?: number;
  readonly socket?: object;
  /** The stream of HTTP/2 that the request came on. */
  readonly stream?: object;
}

/** A request on its way, without a connection. @throws RangeError for a target that servers refuse. */
export function makeExchange(request: TestRequest = {}): TestExchange {
  const {
    method = 'GET',
    url = '/',
    headers = {},
    rawHeaders = [],
    user,
    warnings = [],
    startedAtMs = 0,
    socket = {},
    stream,
  } = request;
  const target = parseTarget(url);
  if (target === undefined) throw new RangeError(`the target ${url} has broken escapes`);
  const aborter = new AbortController();
  const answer = new FakeResponse();
  return {
    // What the server uses of the two is there.
    request: {
      method,
      url,
      headers,
      rawHeaders,
      socket,
      ...(stream === undefined ? {} : { stream }),
    } as unknown as AnyRequest,
    response: answer as unknown as AnyResponse,
    answer,
    method,
    path: target.path,
    query: target.query,
    info: parseRequestInfo(method, target.path, target.segments, target.query),
    auditId: 'audit-1',
    startedAtMs,
    signal: aborter.signal,
    user: { ...anonymousUser, ...user },
    warnings: [...warnings],
    abort: (reason) => aborter.abort(reason),
  };
}
