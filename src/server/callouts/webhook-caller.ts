import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import { type Agent, request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { Readable } from 'node:stream';
import { type Clock, errorCode, errorText, pause } from '../../base/index.ts';
import { internalError, statusErrorFrom } from '../../machinery/errors/index.ts';
import { formatDurationMs } from '../../machinery/go-values/index.ts';
import { bearLateErrors, describeDialError } from '../../net/dial/index.ts';
import { type CallBounds, CallLimit } from './call-limit.ts';
import { CalleeAgents } from './callee-agents.ts';
import { mediaTypeFault } from './media-type-fault.ts';
import { readAnswer, unpack } from './read-answer.ts';
import {
  type ServiceWays,
  type WebhookClientConfig,
  type WebhookTarget,
  webhookTarget,
} from './webhook-target.ts';

/** What webhooks are called with. */
export interface WebhookCallerOptions extends ServiceWays {
  /** `User-Agent` of the calls. */
  readonly userAgent: string;
  readonly clock: Clock;
}

/** One call. */
export interface WebhookCall extends CallBounds {
  readonly client: WebhookClientConfig;
  /** JSON. */
  readonly body: string | Buffer;
  /** For everything: look-up, connection, answer, and waiting when the webhook asks for that. */
  readonly timeoutMs: number;
  /** A longer answer fails the call, packed or unpacked. */
  readonly maxResponseBytes: number;
  /** Whether an answer without a body is one. */
  readonly mayBeEmpty?: boolean | undefined;
}

/** What a webhook that did not refuse says. */
export interface WebhookAnswer {
  readonly status: number;
  readonly contentType: string;
  /** Not empty, but where the call allows that. */
  readonly body: Buffer;
}

/** A call that gave no answer; the message is that of release 1.20's client (`Post "https://...": EOF`). */
export class CalloutError extends Error {
  override readonly name = 'CalloutError';
  /** Whether release 1.20 would make the same call again (`callWithBackoff`). */
  readonly isTransient: boolean;

  constructor(message: string, options: { readonly isTransient?: boolean } = {}) {
    super(message);
    this.isTransient = options.isTransient ?? false;
  }
}

/** Times that a call is made again when the webhook asks for that by `Retry-After`, as client-go does. */
const maxRetries = 10;
/** Requests that a call may make by redirects, within the webhook's own host (Go's `net/http`, `defaultCheckRedirect`). */
const maxRedirects = 10;
/** Of what is sent; an answer that names none is held to be of it. */
const requestType = 'application/json';

/** Calls webhooks: kept connections, one deadline and one size limit per call, which costs its own request only. */
export class WebhookCaller {
  readonly #options: WebhookCallerOptions;
  readonly #agents = new CalleeAgents();
  readonly #targets = new WeakMap<WebhookClientConfig, WebhookTarget>();

  constructor(options: WebhookCallerOptions) {
    this.#options = options;
  }

  /** @throws CalloutError; the reason of `signal` when that ended the call. */
  async call(call: WebhookCall): Promise<WebhookAnswer> {
    const target = this.#targetOf(call.client);
    // Webhooks are told whole seconds.
    const query = `?timeout=${formatDurationMs(Math.ceil(call.timeoutMs / 1000) * 1000)}`;
    const limit = new CallLimit(call);
    try {
      return await this.#callPatiently(target, target.path + query, call, limit);
    } catch (error) {
      if (error instanceof CalloutError) throw error;
      call.signal?.throwIfAborted();
      const cause = limit.isOver ? 'context deadline exceeded' : describeFailure(error, target);
      const url = originOf(target) + target.path + query;
      throw new CalloutError(`Post "${url}": ${cause}`, { isTransient: isReset(error) });
    } finally {
      limit.lift();
    }
  }

  /** What is made from a configuration is kept with it. */
  #targetOf(client: WebhookClientConfig): WebhookTarget {
    const known = this.#targets.get(client);
    if (known !== undefined) return known;
    const target = webhookTarget(client, this.#options);
    this.#targets.set(client, target);
    return target;
  }

  /** Ends all calls and connections. */
  close(): void {
    this.#agents.close();
  }

  async #callPatiently(
    target: WebhookTarget,
    path: string,
    call: WebhookCall,
    limit: CallLimit,
  ): Promise<WebhookAnswer> {
    for (let retries = 0; ; retries++) {
      const answer = await this.#callOnce(target, path, call, limit);
      if (answer.status >= 200 && answer.status <= 206) {
        if (answer.body.length > 0 || call.mayBeEmpty === true) return answer;
        const { status } = answer;
        const contentType = answer.contentType || requestType;
        throw new CalloutError(
          `0-length response with status code: ${status} and content type: ${contentType}`,
        );
      }
      const asksForPatience = answer.status === 429 || answer.status >= 500;
      if (!asksForPatience || answer.retryAfterSeconds === undefined || retries === maxRetries) {
        const failure = { ...answer, retryAfterSeconds: answer.retryAfterSeconds ?? 0, method: 'POST' };
        const { message, status } = statusErrorFrom(failure);
        const isTransient =
          answer.retryAfterSeconds !== undefined || transientReasons.has(status.reason ?? '');
        throw new CalloutError(message, { isTransient });
      }
      await pause(this.#options.clock, answer.retryAfterSeconds * 1000, limit.signal);
      limit.signal.throwIfAborted();
    }
  }

  async #callOnce(
    target: WebhookTarget,
    path: string,
    { body, maxResponseBytes }: WebhookCall,
    limit: CallLimit,
  ): Promise<WebhookAnswer & { readonly retryAfterSeconds: number | undefined }> {
    let request: SentRequest = { path, method: 'POST', body: Buffer.from(body) };
    for (let requests = 1; ; requests++) {
      const answer = await this.#send(target, request, limit);
      const bytes = await readBody(answer, maxResponseBytes, limit);
      const { statusCode: status = 0 } = answer;
      const header = (name: string): string => String(answer.headers[name] ?? '');
      const next = redirectOf(status, header('location'), target, request.path);
      if (next !== undefined && requests === maxRedirects)
        throw new CalloutError(`Post "${header('location')}": stopped after ${maxRedirects} redirects`);
      if (next === undefined) {
        const contentType = header('content-type');
        const fault = contentType === '' ? undefined : mediaTypeFault(contentType);
        if (fault !== undefined) throw new CalloutError(internalError(fault).message);
        return {
          status,
          contentType,
          body: header('content-encoding') === 'gzip' ? await unpack(bytes, maxResponseBytes) : bytes,
          retryAfterSeconds: readSeconds(header('retry-after')),
        };
      }
      request = status >= 307 ? { ...request, path: next } : { path: next, method: 'GET', body: undefined };
    }
  }

  /**
   * Resolves with the head of the answer. What may have arrived is not sent twice: whoever gets it may have acted on it. Only a
   * kept connection that takes nothing any more is replaced by another one.
   */
  async #send(target: WebhookTarget, request: SentRequest, limit: CallLimit): Promise<IncomingMessage> {
    const { method, path, body } = request;
    const agent = this.#agents.of(target);
    // Kept connections that were closed meanwhile are noticed first.
    if (hasIdle(agent)) await nextTurn();
    const isBare = target.isPlain === true || target.connect !== undefined;
    const sent = (isBare ? httpRequest : httpsRequest)({
      agent,
      method,
      path,
      host: target.host,
      port: target.port,
      headers: this.#headersFor(target, body),
      setHost: false,
    });
    bearLateErrors(sent);
    // As release 1.20 sends it; kept connections are the rule of HTTP/1.1.
    sent.removeHeader('connection');
    const answered = Promise.withResolvers<IncomingMessage>();
    sent.on('response', answered.resolve);
    sent.on('error', answered.reject);
    limit.guard(sent);
    sent.end(body);
    try {
      return await answered.promise;
    } catch (error) {
      if (sent.reusedSocket && errorText(error).startsWith('write ') && !limit.isOver)
        return this.#send(target, request, limit);
      throw error;
    }
  }

  #headersFor(target: WebhookTarget, body: Buffer | undefined): OutgoingHttpHeaders {
    const { authorization } = target;
    return {
      host: target.authority,
      'user-agent': this.#options.userAgent,
      ...(authorization === undefined ? {} : { authorization }),
      ...(body === undefined ? {} : { 'content-length': body.length }),
      accept: 'application/json, */*',
      // Also of a redirect's request, which brings nothing.
      'content-type': requestType,
      'accept-encoding': 'gzip',
    };
  }
}

const originOf = ({ isPlain, authority }: WebhookTarget): string =>
  `${isPlain === true ? 'http' : 'https'}://${authority}`;
const hasIdle = ({ freeSockets }: Agent): boolean => Object.keys(freeSockets).length > 0;

/** After what has arrived already. */
async function nextTurn(): Promise<void> {
  await new Promise(setImmediate);
  await new Promise(setImmediate);
}

/** What is sent, after a redirect perhaps another thing than what was asked for. */
interface SentRequest {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body: Buffer | undefined;
}

/** The body of an answer that began. @throws CalloutError when it does not end, as client-go words that. */
async function readBody(answer: Readable, maxBytes: number, limit: CallLimit): Promise<Buffer> {
  try {
    return await readAnswer(answer, maxBytes);
  } catch (error) {
    const code = errorCode(error);
    if (code === undefined && !limit.isOver) throw error;
    const cause = limit.isOver ? 'context deadline exceeded' : 'unexpected EOF';
    throw new CalloutError(
      `unexpected error when reading response body. Please retry. Original error: ${cause}`,
    );
  }
}

/** The path that a redirect leads to; undefined for other answers. @throws Error when it leads to another host. */
function redirectOf(
  status: number,
  location: string,
  target: WebhookTarget,
  path: string,
): string | undefined {
  if (![301, 302, 303, 307, 308].includes(status) || location === '') return undefined;
  const base = originOf(target);
  const url = URL.parse(location, base + path);
  if (url === null) throw new Error(`failed to parse Location header ${JSON.stringify(location)}`);
  if (url.origin !== new URL(base).origin) throw new Error(`redirect to another host refused: ${url.origin}`);
  return url.pathname + url.search;
}

function readSeconds(text: string): number | undefined {
  return /^\d{1,9}$/.test(text) ? Number(text) : undefined;
}

/** What went wrong on the way, as Go's client words it. */
function describeFailure(error: unknown, target: WebhookTarget): string {
  const code = errorCode(error);
  if (code === undefined) return errorText(error);
  // The connection ended before the answer did.
  return code === 'ECONNRESET' && !isReset(error) ? 'EOF' : describeDialError(error, target);
}

/** Reasons of Status after which client-go's webhooks try again (apiserver, `DefaultShouldRetry`). */
const transientReasons: ReadonlySet<string> = new Set(['InternalError', 'Timeout', 'TooManyRequests']);

/** The connection was broken off, not closed. */
const isReset = (error: unknown): boolean =>
  errorCode(error) === 'ECONNRESET' && errorText(error).startsWith('read ');
