import type { Logger } from '../../../base/index.ts';
import type { AgentExchange } from '../http/exchange.ts';
import { sendText } from '../http/respond.ts';
import type { Authenticate } from './authenticator.ts';
import type { Authorize } from './authorizer.ts';
import { formatAttributes, requestAttributes } from './request-attributes.ts';
import { anonymousUser } from './user.ts';

/** Lets a request pass, or answers it. */
export type Guard = (exchange: AgentExchange) => Promise<boolean>;

/** How requests are judged. */
export interface GuardOptions {
  readonly authenticate: Authenticate;
  readonly authorize: Authorize;
  readonly nodeName: string;
  readonly logger: Logger;
}

/** Asks who comes, and whether that one may. */
export function createGuard({ authenticate, authorize, nodeName, logger }: GuardOptions): Guard {
  return async (exchange) => {
    const user = await authenticate(exchange);
    if (user === undefined) {
      sendText(exchange, 401, 'Unauthorized');
      return false;
    }
    if (user !== anonymousUser) exchange.trust?.();
    const attributes = requestAttributes(exchange, user, nodeName);
    try {
      if (await authorize(attributes)) return true;
      sendText(exchange, 403, `Forbidden ${formatAttributes(attributes)}`);
    } catch (error) {
      const { verb, subresource } = attributes;
      logger.error('request authorization failed', { user: user.name, verb, subresource, error });
      sendText(exchange, 500, `Authorization error ${formatAttributes(attributes)}`);
    }
    return false;
  };
}
