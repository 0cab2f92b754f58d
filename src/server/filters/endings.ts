import type { ServerHttp2Stream } from 'node:http2';
import type { Logger } from '../../base/index.ts';
import { internalError, StatusError, timeout } from '../../machinery/errors/index.ts';
import { formatDurationMs } from '../../machinery/go-values/index.ts';
import { translateStorageError } from '../../registry/index.ts';
import { StorageError } from '../../storage/index.ts';
import type { Encodings } from '../request/encode-value.ts';
import type { Exchange, Filter } from '../request/exchange.ts';
import { isLongRunning } from '../request/long-running.ts';
import { respond, respondError } from '../request/respond.ts';

/**
 * Aborts requests at their deadline: they end with a 504, no longer count as in flight, and their connection closes.
 * Work that ignores the signal may still finish. Source: release 1.20, `server/filters/timeout.go`.
 */
export function deadline(requestTimeoutMs: number): Filter {
  const text = `request did not complete within ${formatDurationMs(requestTimeoutMs)}`;
  return (exchange, next) => {
    if (isLongRunning(exchange.info)) return next(exchange);
    // Each request passes here: a race between two promises would take three times as long.
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        const late = timeout(text, 0);
        exchange.onDeadline?.();
        exchange.abort(late);
        // What has begun can only be broken off.
        if (exchange.response.headersSent) return reject(late);
        respondLate(exchange, late);
        resolve();
      }, requestTimeoutMs);
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

/** Writes the Status as release 1.20 does here: without kind and version, whatever the client would like to have, as text. */
function respondLate(exchange: Exchange, { status }: StatusError): void {
  const { kind: _kind, apiVersion: _version, ...written } = status;
  const body = Buffer.from(`${JSON.stringify(written)}\n`);
  respond(exchange, { code: 504, contentType: 'text/plain; charset=utf-8', body });
}

/**
 * Now and then asks an HTTP/2 client to connect anew, so that clients spread over replicas (`--goaway-chance`). The
 * requests that are under way on the connection are finished first.
 */
export function goAway(chance: number, random: () => number): Filter {
  return async (exchange, next) => {
    if (random() < chance && 'stream' in exchange.request) {
      // HTTP/2 requests have the stream that they came on.
      (exchange.request.stream as ServerHttp2Stream).session?.close();
    }
    await next(exchange);
  };
}

/** Turns what later steps throw into a Status. An unexpected error becomes a 500 without details, and one log line. */
export function recovery(logger: Logger, encodings: Encodings): Filter {
  return async (exchange, next) => {
    try {
      await next(exchange);
    } catch (error) {
      if (exchange.response.headersSent) {
        exchange.response.destroy();
        return;
      }
      if (error instanceof StatusError) respondError(exchange, error, encodings);
      else if (error instanceof StorageError) respondError(exchange, translateStorageError(error), encodings);
      else {
        exchange.audit?.notePanic(error);
        logger.error('request failed unexpectedly', {
          auditId: exchange.auditId,
          path: exchange.path,
          error,
        });
        const shown = internalError('an unexpected error, see the server log with this audit id');
        respondError(exchange, shown, encodings);
      }
    }
  };
}

/** One debug line per request, after its end. Never bodies, tokens or queries. */
export function requestLog(logger: Logger, nowMs: () => number): Filter {
  return async (exchange, next) => {
    try {
      await next(exchange);
    } finally {
      const { info } = exchange;
      logger.debug('request', {
        auditId: exchange.auditId,
        verb: info.verb,
        path: exchange.path,
        user: exchange.user.name,
        status: exchange.response.statusCode,
        durationMs: nowMs() - exchange.startedAtMs,
      });
    }
  };
}
