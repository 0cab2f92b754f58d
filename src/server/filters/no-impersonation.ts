import { forbidden } from '../../machinery/errors/index.ts';
import type { Filter } from '../request/exchange.ts';

const prefix = 'impersonate-';

/**
 * Refuses requests that shall run as somebody else: nobody may be impersonated here, and to run them as who sent them
 * would do what the other user may not.
 *
 * @throws StatusError 403
 */
export const noImpersonation: Filter = (exchange, next) => {
  for (const name in exchange.request.headers) {
    if (name.startsWith(prefix)) {
      const refusal = forbidden(
        { group: '', resource: '' },
        '',
        'this server does not support impersonation',
      );
      return Promise.reject(refusal);
    }
  }
  return next(exchange);
};
