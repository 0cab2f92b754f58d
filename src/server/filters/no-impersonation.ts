import { forbidden } from '../../machinery/errors/index.ts';
import type { Filter } from '../request/exchange.ts';

const prefix = 'impersonate-';

/**
 * Refuses requests that shall run as somebody else: nobody may be impersonated here, and to run them as who sent them
 * would do what the other user may not.
 *
 * @throws StatusError 403
 */
export const noImpersonation: Filter = async (exchange, next) => {
  for (const name in exchange.request.headers) {
    if (name.startsWith(prefix)) {
      throw forbidden({ group: '', resource: '' }, '', 'this server does not support impersonation');
    }
  }
  await next(exchange);
};
