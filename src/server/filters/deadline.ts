import { type StatusError, timeout } from '../../machinery/errors/index.ts';
import { formatDurationMs } from '../../machinery/go-values/index.ts';
import type { Exchange, Filter } from '../request/exchange.ts';
import { isLongRunning } from '../request/long-running.ts';
import { respond } from '../request/respond.ts';
import { lateWrite, writes, writeTimeoutMs } from '../request/write-timeout.ts';

/** How long requests may take. */
export interface DeadlineOptions {
  /** Any request (`--request-timeout`). */
  readonly requestTimeoutMs: number;
  /** Whether another server answers a request, and keeps the client's own time. */
  readonly isRemote: (exchange: Exchange) => boolean;
}

/** A webhook that is still asked when the time of a write is over is named by the answer: it may come before the end. */
const graceMs = 100;

/**
 * Aborts requests at their deadline: they end with a 504, no longer count as in flight, and their connection closes.
 * Work that ignores the signal may still finish. Writes have the time that their client gives them. Source: release 1.20,
 * `server/filters/timeout.go`, and `finishRequest` of the handlers.
 */
export function deadline(options: DeadlineOptions): Filter {
  return (exchange, next) => {
    if (isLongRunning(exchange.info)) return next(exchange);
    const { requestTimeoutMs } = options;
    const writeMs = timeoutOfWrite(exchange, options);
    // Each request passes here: a race between two promises would take three times as long.
    return new Promise((resolve, reject) => {
      const end = (): void => {
        const late = writeMs === undefined ? lateRequest(requestTimeoutMs) : lateWrite(writeMs);
        exchange.isTerminated = writeMs === undefined;
        exchange.onDeadline?.();
        exchange.abort(late);
        // What has begun can only be broken off.
        const isStatus = writeMs !== undefined || exchange.response.headersSent;
        if (isStatus) reject(late);
        else resolve(respondLate(exchange, late));
      };
      const timer = setTimeout(end, writeMs === undefined ? requestTimeoutMs : writeMs + graceMs);
      next(exchange).then(
        () => {
          clearTimeout(timer);
          resolve();
        },
        (error: unknown) => {
          clearTimeout(timer);
          reject(error);
        },
      );
    });
  };
}

/** Undefined where the time of any request is over before. */
function timeoutOfWrite(exchange: Exchange, options: DeadlineOptions): number | undefined {
  const { info, query } = exchange;
  if (!info.isResource || !writes.has(info.verb)) return undefined;
  const timeoutMs = Math.max(0, writeTimeoutMs(query));
  if (timeoutMs + graceMs >= options.requestTimeoutMs || options.isRemote(exchange)) return undefined;
  return timeoutMs;
}

const lateRequest = (timeoutMs: number): StatusError =>
  timeout(`request did not complete within ${formatDurationMs(timeoutMs)}`, 0);

/** Writes the Status as release 1.20 does here: without kind and version, whatever the client would like to have, as text. */
function respondLate(exchange: Exchange, { status }: StatusError): void {
  const { kind: _kind, apiVersion: _version, ...written } = status;
  const body = Buffer.from(`${JSON.stringify(written)}\n`);
  respond(exchange, { code: 504, contentType: 'text/plain; charset=utf-8', body });
}
