import { Agent, type IncomingMessage } from 'node:http';
import { RuntimeError } from '../runtime/index.ts';
import type { EngineAddress } from './engine-endpoint.ts';
import { callFailure } from './engine-failure.ts';
import {
  closedError,
  type EngineRequest,
  EngineRun,
  type HijackedConnection,
  type Run,
  type RunOptions,
  readAll,
  type Taker,
} from './engine-run.ts';

const maxIdleConnections = 4;

/** Address of the engine, and how a failure to reach it is reported. */
export interface EngineConnectionOptions {
  readonly address: EngineAddress;
  /** What to say when nobody answers. */
  readonly unreachable: string;
  /** Bound of finding out the version. */
  readonly requestTimeoutMs: number;
}

/**
 * Connection to one engine: opened by the first request, and again after the engine was restarted. The API version is
 * negotiated with the first answer.
 */
export class EngineConnection {
  readonly #options: EngineConnectionOptions;
  readonly #agent: Agent = new Agent({ keepAlive: true, maxFreeSockets: maxIdleConnections });
  readonly #runs = new Set<Run>();
  #version: string | undefined;
  #isClosed = false;

  constructor(options: EngineConnectionOptions) {
    this.#options = options;
  }

  /** Version of the interface in use; undefined before the first answer. */
  get version(): string | undefined {
    return this.#version;
  }

  /**
   * The answer, decoded; undefined for an empty one. Every status below 400 counts as success, 304 ("not modified")
   * included.
   *
   * @throws RuntimeError whatever happens
   */
  async ask<Answer>(request: EngineRequest): Promise<Answer> {
    const text = await this.#begin(request, { onAnswer: readAll });
    // Fields that are used are checked, or are the engine's promise.
    return (text === '' ? undefined : parseJson(request.call, text)) as Answer;
  }

  /** An answer that is read as a stream. Ends with an error when the driver is closed or the engine goes away. */
  async stream(request: EngineRequest): Promise<IncomingMessage> {
    return await this.#begin(request, { onAnswer: async (answer) => answer });
  }

  /** Sends a request with which the connection becomes a raw stream (`Upgrade: tcp`). */
  async hijack(request: EngineRequest): Promise<HijackedConnection> {
    const headers = { ...request.headers, Connection: 'Upgrade', Upgrade: 'tcp' };
    return await this.#begin({ ...request, headers }, { onUpgrade: (connection) => connection });
  }

  /** @throws RuntimeError `closed` after `close` */
  check(): void {
    if (this.#isClosed) throw closedError();
  }

  close(): void {
    this.#isClosed = true;
    for (const run of [...this.#runs]) run.fail(closedError());
    this.#agent.destroy();
  }

  async #begin<Answer>(request: EngineRequest, taker: Taker<Answer>): Promise<Answer> {
    for (let isAgain = false; ; isAgain = true) {
      const version = this.#version ?? (await this.#negotiate(request));
      const run = new EngineRun(request, `/v${version}${request.path}`, this.#runOptions());
      try {
        return await run.perform(taker);
      } catch (error) {
        const failure =
          error instanceof RuntimeError ? error : callFailure(request.call, 'failed', String(error), error);
        if (failure.code === 'unavailable') this.#version = undefined;
        if (isAgain || !(isVersionRefusal(failure) || run.hadStaleSocket)) throw failure;
        this.#version = undefined;
      }
    }
  }

  async #negotiate({ call, timeoutMs, signal }: EngineRequest): Promise<string> {
    const limitMs = Math.min(timeoutMs ?? Number.POSITIVE_INFINITY, this.#options.requestTimeoutMs);
    const request: EngineRequest = { call, method: 'GET', path: '/version', timeoutMs: limitMs, signal };
    const text = await new EngineRun(request, request.path, this.#runOptions()).perform({
      onAnswer: readAll,
    });
    const answer = parseJson(call, text) as { ApiVersion?: string; MinAPIVersion?: string } | undefined;
    this.#version = chooseVersion(answer?.ApiVersion ?? '', answer?.MinAPIVersion ?? '');
    return this.#version;
  }

  #runOptions(): RunOptions {
    const { address, unreachable } = this.#options;
    const [runs, agent] = [this.#runs, this.#agent];
    return { address, agent, unreachable, runs, isClosed: () => this.#isClosed };
  }
}

function parseJson(call: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw callFailure(call, 'failed', `the engine's answer is no JSON: ${text.slice(0, 200)}`, error);
  }
}

/** The engine was replaced by one that does not speak the negotiated version. */
const isVersionRefusal = ({ code, detail }: RuntimeError): boolean =>
  code === 'invalid' && /client version [\d.]+ is too (?:new|old)/.test(detail);

/** Newest version of the interface that this driver knows. */
const newest = '1.47';
/** Oldest version that has all that it needs. */
const oldest = '1.25';

/**
 * The newest version that both sides speak.
 *
 * @throws RuntimeError `unsupported` when there is none
 */
export function chooseVersion(most: string, least: string): string {
  const chosen = compareVersions(most, newest) < 0 ? most : newest;
  if (compareVersions(chosen, oldest) < 0 || compareVersions(chosen, least) < 0) {
    throw new RuntimeError(
      'unsupported',
      `the engine speaks versions ${least} to ${most} of its interface, expected one of ${oldest} to ${newest}`,
    );
  }
  return chosen;
}

/** Below 0 when `one` is older. What is no number counts as 0. */
export function compareVersions(one: string, other: string): number {
  const [a, b] = [one, other].map((text) => text.split('.').map((part) => Number.parseInt(part, 10) || 0));
  return (a?.[0] ?? 0) - (b?.[0] ?? 0) || (a?.[1] ?? 0) - (b?.[1] ?? 0);
}
