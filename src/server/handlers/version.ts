import { requireDocumentRequest } from '../request/document-request.ts';
import type { Handler } from '../request/exchange.ts';
import { respondPretty } from '../request/respond.ts';

/**
 * Answers with what `info` says of the server, in JSON whatever the parameters of the media types.
 *
 * @throws StatusError 405 for other methods than GET, 406 for a client that takes no JSON.
 */
export function createVersionHandler(info: () => object): Handler {
  return async (exchange) => {
    requireDocumentRequest(exchange, 'application/json');
    respondPretty(exchange, 200, info());
  };
}
