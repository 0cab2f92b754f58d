import { decodeBody } from '../../machinery/codec/index.ts';
import { decodeEnvelope, hasEnvelope, type ProtobufCompiler } from '../../machinery/codec/protobuf/index.ts';
import type { Dialect } from '../../machinery/dialect.ts';
import { parseGroupVersion } from '../../machinery/schema/index.ts';
import type { Exchange, Filter } from '../request/exchange.ts';
import { isLongRunning } from '../request/long-running.ts';
import type { ReadRecordedBody } from './audit-event.ts';
import { AuditLog, type AuditLogOptions } from './audit-log.ts';
import { type AuditAnnotationNames, AuditRecord } from './audit-record.ts';
import { type AuditPolicy, type AuditStage, chooseLevel } from './policy.ts';

/** The policy that decides what is recorded, and the log that takes it. */
export interface AuditorOptions extends Omit<AuditLogOptions, 'context'> {
  readonly policy: AuditPolicy;
  readonly dialect: Dialect;
  readonly protobuf: ProtobufCompiler;
  /** Called for each event. */
  readonly onEvent?: (() => void) | undefined;
}

/** Records requests as a policy says: two filters, and the log behind them. */
export class Auditor implements AsyncDisposable {
  readonly #options: AuditorOptions;
  readonly #names: AuditAnnotationNames;
  readonly #log: AuditLog;

  constructor(options: AuditorOptions) {
    const { dialect, protobuf } = options;
    this.#options = options;
    this.#names = {
      decision: dialect.domain('authorization', 'decision'),
      reason: dialect.domain('authorization', 'reason'),
      deprecated: dialect.label('deprecated'),
      removedRelease: dialect.label('removed-release'),
      truncated: dialect.domain('audit', 'truncated'),
    };
    const context = { apiVersion: `${dialect.group('audit')}/v1`, readBody: createBodyReader(protobuf) };
    this.#log = new AuditLog({ ...options, context });
  }

  /** Filter after authentication: chooses the audit level of the request, and records its arrival. */
  readonly begin: Filter = (exchange, next) => {
    const record = this.#recordOf(exchange, exchange.user);
    if (record !== undefined) {
      exchange.audit = record;
      this.#note(record, 'RequestReceived');
      if (isLongRunning(exchange.info)) this.#noteStart(record);
    }
    return next(exchange);
  };

  /** Filter around error handling: records the end of the request. */
  readonly end: Filter = async (exchange, next) => {
    try {
      await next(exchange);
    } finally {
      const { audit, response } = exchange;
      if (audit instanceof AuditRecord) this.#note(audit, 'ResponseComplete', response.statusCode);
      else if (response.statusCode === 401) this.#noteUnauthenticated(exchange);
    }
  };

  /** Writes what waits. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.#log.flush();
  }

  #recordOf(exchange: Exchange, user: Exchange['user'] | undefined): AuditRecord | undefined {
    const choice = chooseLevel(this.#options.policy, { user, info: exchange.info });
    if (choice.level === 'None') return undefined;
    return new AuditRecord(exchange, { choice, names: this.#names, isRefused: user === undefined });
  }

  /** Requests with wrong credentials get one event, without a user. */
  #noteUnauthenticated(exchange: Exchange): void {
    const record = this.#recordOf(exchange, undefined);
    if (record !== undefined) this.#note(record, 'ResponseStarted', 401);
  }

  /** The answer of a long request has begun when its head is written, or its connection taken over. */
  #noteStart(record: AuditRecord): void {
    const { response } = record.exchange;
    record.onStart = (code) => this.#note(record, 'ResponseStarted', code);
    const writeHead = response.writeHead;
    response.writeHead = ((...head: Parameters<typeof writeHead>) => {
      const result = writeHead.apply(response, head);
      record.onStart?.(response.statusCode);
      return result;
    }) as typeof writeHead; // takes and gives what the original does
  }

  #note(record: AuditRecord, stage: AuditStage, code?: number): void {
    if (record.choice.omitsStage(stage)) return;
    const { clock, onEvent } = this.#options;
    const user = record.exchange.audit === undefined ? undefined : record.exchange.user;
    onEvent?.();
    this.#log.add({ record, stage, code, user, atMs: clock.nowMs() });
  }
}

/** Makes the reader of recorded bodies: Protobuf by its prefix, JSON, and YAML, which all other text is. */
function createBodyReader(protobuf: ProtobufCompiler): ReadRecordedBody {
  return (bytes) => {
    try {
      const value = hasEnvelope(bytes) ? readMessage(bytes, protobuf) : readText(bytes);
      return typeof value === 'object' && value !== null ? value : undefined;
    } catch {
      // A body that cannot be decoded was refused, which the event's code says.
      return undefined;
    }
  };
}

function readMessage(bytes: Buffer, protobuf: ProtobufCompiler): unknown {
  const { raw, kind, apiVersion } = decodeEnvelope(bytes);
  const named = parseGroupVersion(apiVersion);
  if (named === undefined || !protobuf.hasKind({ ...named, kind })) return undefined;
  return protobuf.kind({ ...named, kind }).decode(raw, { kind, apiVersion });
}

function readText(bytes: Buffer): unknown {
  const first = bytes.find((byte) => byte > 0x20);
  return decodeBody(bytes, first === 0x7b || first === 0x5b ? 'json' : 'yaml');
}
