import type { ServerHttp2Stream } from 'node:http2';
import type { Logger } from '../../base/index.ts';
import { internalError, StatusError } from '../../machinery/errors/index.ts';
import { translateStorageError } from '../../registry/index.ts';
import { StorageError } from '../../storage/index.ts';
import type { Encodings } from '../request/encode-value.ts';
import type { Filter } from '../request/exchange.ts';
import { respondError } from '../request/respond.ts';

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
