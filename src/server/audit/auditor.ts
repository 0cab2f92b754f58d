import type { Duplex } from 'node:stream';
import type { Clock } from '../../base/index.ts';
import type { Dialect } from '../../machinery/dialect.ts';
import { unauthorized } from '../../machinery/errors/index.ts';
import type { AnyResponse } from '../../net/http/index.ts';
import type { Exchange, Filter } from '../request/exchange.ts';
import { isLongRunning } from '../request/long-running.ts';
import { sendUnrecorded } from '../request/respond.ts';
import type { AuditAnnotationNames } from './audit-annotations.ts';
import { AuditRecord } from './audit-record.ts';
import type { AuditSink } from './audit-sink.ts';
import { type AuditPolicy, type AuditStage, createLevelChooser, type LevelChooser } from './policy.ts';

const switchingProtocols = 101;

/** What is written from now on waits, and counts as buffered meanwhile. */
function holdUntil(settled: Promise<unknown>, response: AnyResponse): void {
  // HTTP/2 buffers on the stream.
  const { stream } = response as unknown as { readonly stream?: Duplex };
  const writable = stream ?? response;
  writable.cork();
  void settled.finally(() => writable.uncork());
}

/** The policy that decides what is recorded, and where events go. */
export interface AuditorOptions {
  readonly policy: AuditPolicy;
  readonly dialect: Dialect;
  readonly clock: Clock;
  readonly sink: AuditSink;
  /** Called for each event. */
  readonly onEvent?: (() => void) | undefined;
  /** Called for each request with what the policy says of it. */
  readonly onLevel?: ((level: string) => void) | undefined;
  /** Called for each request that is refused because it cannot be recorded. */
  readonly onRejected?: (() => void) | undefined;
}

/** Records requests as a policy says: two filters, and the sinks behind them. */
export class Auditor implements AsyncDisposable {
  readonly #options: AuditorOptions;
  readonly #names: AuditAnnotationNames;
  readonly #chooseLevel: LevelChooser;

  constructor(options: AuditorOptions) {
    const { dialect } = options;
    this.#options = options;
    this.#chooseLevel = createLevelChooser(options.policy);
    this.#names = {
      decision: dialect.domain('authorization', 'decision'),
      reason: dialect.domain('authorization', 'reason'),
      deprecated: dialect.label('deprecated'),
      removedRelease: dialect.label('removed-release'),
      truncated: dialect.domain('audit', 'truncated'),
    };
  }

  /**
   * Filter after authentication: chooses the audit level of the request, and records its arrival. A request whose
   * arrival cannot be recorded, where it has to be, goes no further.
   */
  readonly begin: Filter = (exchange, next) => {
    const record = this.#recordOf(exchange, exchange.user);
    if (record === undefined) return next(exchange);
    exchange.audit = record;
    const recorded = this.#note(record, 'RequestReceived');
    if (isLongRunning(exchange.info)) this.#follow(record);
    if (recorded === undefined) return next(exchange);
    return recorded.then((isRecorded) => {
      if (isRecorded) return next(exchange);
      exchange.audit = undefined;
      return this.#refuse(exchange);
    });
  };

  /** Filter around error handling: records the end of the request. */
  readonly end: Filter = async (exchange, next) => {
    try {
      await next(exchange);
      if (exchange.held !== undefined) await exchange.held;
    } finally {
      const { audit, response } = exchange;
      if (audit instanceof AuditRecord) {
        const recorded = this.#noteEnd(audit, response.headersSent ? response.statusCode : undefined);
        if (recorded !== undefined) await recorded;
      } else if (response.statusCode === 401) this.#noteUnauthenticated(exchange);
    }
  };

  /** Writes what waits. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.#options.sink.close();
  }

  /** Requests with wrong credentials get one event, without a user. */
  #noteUnauthenticated(exchange: Exchange): void {
    const record = this.#recordOf(exchange, undefined);
    if (record === undefined) return;
    const { status } = unauthorized();
    record.noteStatus(status);
    record.noteResponseBody(Buffer.from(JSON.stringify(status)));
    this.#note(record, 'ResponseStarted', 401);
  }

  #recordOf(exchange: Exchange, user: Exchange['user'] | undefined): AuditRecord | undefined {
    const choice = this.#chooseLevel(user, exchange.info);
    this.#options.onLevel?.(choice.level);
    if (choice.level === 'None') return undefined;
    return new AuditRecord(exchange, {
      choice,
      names: this.#names,
      isRefused: user === undefined,
      complete: this.#options.sink.isAwaited && !isLongRunning(exchange.info) ? this.#complete : undefined,
    });
  }

  /**
   * Records the end of a request before its answer is sent, so that nobody learns of what is not recorded. False where
   * nothing of the request could be recorded though it had to be.
   */
  readonly #complete = async (record: AuditRecord, code: number): Promise<boolean> => {
    const isRecorded = (await this.#noteEnd(record, code)) ?? true;
    if (isRecorded || !record.choice.omitsStage('RequestReceived')) return true;
    this.#options.onRejected?.();
    return false;
  };

  /** A long request that ended without an answer began with its end. */
  #noteEnd(record: AuditRecord, code: number | undefined): Promise<boolean> | undefined {
    if (record.isEnded) return undefined;
    record.isEnded = true;
    const stage = record.panic === undefined ? 'ResponseComplete' : 'Panic';
    if (record.onStart === undefined) return this.#note(record, stage, code);
    if (record.begunWith === undefined) record.started = this.#note(record, 'ResponseStarted');
    const note = (): Promise<boolean> | undefined => this.#note(record, stage, record.begunWith);
    return record.started === undefined ? note() : record.started.then(async () => (await note()) ?? true);
  }

  /** Long requests are recorded by what is done to their responses. */
  #follow(record: AuditRecord): void {
    this.#noteStart(record);
    if (this.#options.sink.isAwaited) this.#holdEnd(record);
  }

  /**
   * The answer of a long request has begun when its head is written, or its connection taken over; that of a watch with
   * its first event, as in release 1.20.
   */
  #noteStart(record: AuditRecord): void {
    const { response, info } = record.exchange;
    record.onStart = (code) => {
      if (record.begunWith !== undefined) return;
      record.begunWith = code;
      record.started = this.#note(record, 'ResponseStarted', code);
      // A connection that was taken over is no answer any more.
      if (record.started !== undefined && code !== switchingProtocols) holdUntil(record.started, response);
    };
    const writeHead = response.writeHead;
    response.writeHead = ((...head: Parameters<typeof writeHead>) => {
      const result = writeHead.apply(response, head);
      if (info.verb !== 'watch' || response.statusCode >= 300) record.onStart?.(response.statusCode);
      return result;
    }) as typeof writeHead; // takes and gives what the original does
  }

  /** A client that sees the end of a long answer may rely on what is recorded of it. */
  #holdEnd(record: AuditRecord): void {
    const { exchange } = record;
    const { response } = exchange;
    const end = response.end;
    response.end = ((...last: Parameters<typeof end>) => {
      const recorded = this.#noteEnd(record, response.statusCode);
      if (recorded === undefined) return end.apply(response, last);
      exchange.held = recorded.then(() => void end.apply(response, last));
      return response;
    }) as typeof end; // takes and gives what the original does
  }

  #note(record: AuditRecord, stage: AuditStage, code?: number): Promise<boolean> | undefined {
    if (record.choice.omitsStage(stage)) return undefined;
    const { clock, onEvent, sink } = this.#options;
    const user = record.requester === undefined ? undefined : record.exchange.user;
    onEvent?.();
    return sink.record({ record, stage, code, user, atMs: clock.nowMs() });
  }

  #refuse(exchange: Exchange): Promise<void> {
    this.#options.onRejected?.();
    sendUnrecorded(exchange);
    return Promise.resolve();
  }
}
