import type { Logger } from '../../base/index.ts';
import { internalError, StatusError } from '../../machinery/errors/index.ts';
import { translateStorageError } from '../../registry/index.ts';
import { StorageError } from '../../storage/index.ts';
import type { Encodings } from '../request/encode-value.ts';
import type { Filter } from '../request/exchange.ts';
import { respondError } from '../request/respond.ts';

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
