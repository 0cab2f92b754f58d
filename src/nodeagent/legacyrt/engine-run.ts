import { type Agent, type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { chunksOf } from '../../base/index.ts';
import { bearLateErrors } from '../../net/dial/index.ts';
import { RuntimeError } from '../runtime/index.ts';
import type { EngineAddress } from './engine-endpoint.ts';
import { callFailure, engineFailure, readFailureMessage } from './engine-failure.ts';

/** Largest answer that is read into memory. */
const maxAnswerBytes = 64 * 1024 * 1024;

/** One request to the engine's HTTP API. */
export interface EngineRequest {
  /** Leads the messages of failures. */
  readonly call: string;
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Below the version. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string | number | undefined>> | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Until the whole answer, or its head where that streams. No limit when undefined. */
  readonly timeoutMs: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** A connection that both sides write to as they like. */
export interface HijackedConnection {
  readonly socket: Socket;
  /** What came with the head of the answer. */
  readonly first: Buffer;
}

/**
 * Handlers of an answer's head. Without `onUpgrade` an answer that switches protocols is a failure, and the other way
 * round.
 */
export interface Taker<Answer> {
  readonly onAnswer?: (answer: IncomingMessage) => Promise<Answer>;
  readonly onUpgrade?: (connection: HijackedConnection) => Answer;
}

/** A request that is under way, and can be made to fail. */
export interface Run {
  fail(error: RuntimeError): void;
}

/** What a request needs of its connection: address, HTTP agent and the set of requests that are under way. */
export interface RunOptions {
  readonly address: EngineAddress;
  readonly agent: Agent;
  readonly unreachable: string;
  readonly runs: Set<Run>;
  readonly isClosed: () => boolean;
}

/** One request and its answer. */
export class EngineRun implements Run {
  /** Whether a reused connection turned out to be closed: the request was not processed and may be sent again. */
  hadStaleSocket = false;
  readonly #request: EngineRequest;
  readonly #path: string;
  readonly #options: RunOptions;
  readonly #end = Promise.withResolvers<never>();
  #sent: ClientRequest | undefined;
  #answer: IncomingMessage | undefined;
  #socket: Socket | undefined;
  #failure: RuntimeError | undefined;

  constructor(request: EngineRequest, path: string, options: RunOptions) {
    this.#request = request;
    this.#path = path;
    this.#options = options;
    this.#end.promise.catch(() => {}); // the caller gets the rejection
  }

  fail(error: RuntimeError): void {
    this.#failure ??= error;
    this.#end.reject(this.#failure);
    this.#sent?.destroy(this.#failure);
    this.#answer?.destroy(this.#failure);
    this.#socket?.destroy(this.#failure);
  }

  async perform<Answer>(taker: Taker<Answer>): Promise<Answer> {
    const { call, signal, timeoutMs } = this.#request;
    const { runs, isClosed } = this.#options;
    if (isClosed()) throw closedError();
    const onAbort = (): void => this.fail(callFailure(call, 'cancelled', 'given up by the caller'));
    if (signal?.aborted === true) onAbort();
    signal?.addEventListener('abort', onAbort, { once: true });
    const onLate = (): void => this.fail(callFailure(call, 'timeout', `no answer within ${timeoutMs} ms`));
    const timer =
      timeoutMs === undefined || timeoutMs === Number.POSITIVE_INFINITY
        ? undefined
        : setTimeout(onLate, timeoutMs);
    const settle = (): void => {
      runs.delete(this);
      signal?.removeEventListener('abort', onAbort);
    };
    runs.add(this);
    try {
      const outcome = await Promise.race([this.#exchange(taker, settle), this.#end.promise]);
      if (!this.#isOpen(outcome)) settle();
      return outcome;
    } catch (error) {
      settle();
      throw this.#explain(error);
    } finally {
      clearTimeout(timer);
    }
  }

  /** Whether the answer goes on after the promise has resolved. */
  #isOpen(outcome: unknown): boolean {
    return outcome === this.#answer || this.#socket !== undefined;
  }

  async #exchange<Answer>({ onAnswer, onUpgrade }: Taker<Answer>, settle: () => void): Promise<Answer> {
    if (this.#failure !== undefined) throw this.#failure;
    const head = await this.#send();
    if ('first' in head) {
      if (onUpgrade === undefined)
        throw callFailure(this.#request.call, 'failed', 'the engine changed the protocol');
      head.socket.once('close', settle);
      return onUpgrade(head);
    }
    this.#answer = head;
    head.once('close', settle);
    const status = head.statusCode ?? 0;
    if (status < 400 && onAnswer !== undefined) return await onAnswer(head);
    throw engineFailure(this.#request.call, status, readFailureMessage(await readAll(head)));
  }

  #send(): Promise<IncomingMessage | HijackedConnection> {
    const { method, query, body, headers } = this.#request;
    const text = body === undefined ? '' : JSON.stringify(body);
    const isHijack = headers?.Upgrade !== undefined;
    return new Promise((resolve, reject) => {
      const sent = httpRequest({
        ...this.#options.address,
        agent: isHijack ? false : this.#options.agent,
        method,
        path: this.#path + formatQuery(query),
        headers: {
          ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
          ...(method === 'GET' ? {} : { 'Content-Length': `${Buffer.byteLength(text)}` }),
          ...headers,
        },
      });
      bearLateErrors(sent);
      this.#sent = sent;
      sent.once('response', resolve);
      sent.once('upgrade', (_, socket, first) => {
        const connection = socket as Socket; // a connection to a socket is one
        this.#socket = connection;
        resolve({ socket: connection, first });
      });
      sent.on('error', (error: NodeJS.ErrnoException) => {
        const isUnread = error.code === 'EPIPE' || (error.code === 'ECONNRESET' && method === 'GET');
        this.hadStaleSocket = sent.reusedSocket && isUnread;
        reject(error);
      });
      sent.end(text);
    });
  }

  #explain(error: unknown): RuntimeError {
    if (this.#failure !== undefined) return this.#failure;
    if (error instanceof RuntimeError) return error;
    const { call } = this.#request;
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    const isAbsent = code === 'ENOENT' || code === 'ECONNREFUSED';
    const detail = isAbsent ? this.#options.unreachable : `connection to the engine: ${String(error)}`;
    return callFailure(call, 'unavailable', detail, error);
  }
}

/** The whole answer as text. @throws RuntimeError `too-large` */
export async function readAll(answer: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of chunksOf(answer)) {
    size += chunk.length;
    if (size > maxAnswerBytes) {
      throw new RuntimeError('too-large', `an answer of the engine is larger than ${maxAnswerBytes} bytes`);
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function formatQuery(query: EngineRequest['query']): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query ?? {})) {
    if (value !== undefined) parameters.append(name, `${value}`);
  }
  return parameters.size === 0 ? '' : `?${parameters}`;
}

/** What calls of a driver that was closed fail with. */
export const closedError = (): RuntimeError => new RuntimeError('closed', 'the runtime driver is closed');
