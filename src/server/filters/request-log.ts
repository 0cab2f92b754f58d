import type { Logger } from '../../base/index.ts';
import type { Filter } from '../request/exchange.ts';

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
