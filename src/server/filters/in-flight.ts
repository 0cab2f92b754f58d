import type { Filter } from '../request/exchange.ts';
import { isLongRunning, requestKindOf } from '../request/long-running.ts';
import { respondTooManyRequests } from '../request/respond.ts';

/** How many requests may be worked on at once; watches and other long-running requests do not count. */
export interface InFlightLimits {
  /** 0 is no limit. */
  readonly maxReadOnly: number;
  readonly maxMutating: number;
}

/** Gauges that the filter keeps up to date. */
export interface InFlightGauges {
  set(kind: 'readOnly' | 'mutating', value: number): void;
}

/** Limits the number of requests in flight; those beyond are answered with 429. */
export function inFlight(limits: InFlightLimits, gauges: InFlightGauges): Filter {
  const counts = { readOnly: 0, mutating: 0 };
  return async (exchange, next) => {
    if (isLongRunning(exchange.info)) return next(exchange);
    const kind = requestKindOf(exchange.info);
    const limit = kind === 'readOnly' ? limits.maxReadOnly : limits.maxMutating;
    const isPrivileged = exchange.user.groups.includes('system:masters');
    if (limit > 0 && counts[kind] >= limit && !isPrivileged) {
      return respondTooManyRequests(exchange);
    }
    gauges.set(kind, ++counts[kind]);
    let isCounted = true;
    const release = (): void => {
      if (isCounted) gauges.set(kind, --counts[kind]);
      isCounted = false;
    };
    exchange.onDeadline = release;
    try {
      await next(exchange);
    } finally {
      release();
    }
  };
}
