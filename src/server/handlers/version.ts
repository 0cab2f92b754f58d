import { methodNotAllowed, otherFailure } from '../../machinery/errors/index.ts';
import type { Handler } from '../request/exchange.ts';
import { parseAccept } from '../request/media-type.ts';
import { respondPretty } from '../request/respond.ts';

const served = new Set(['application/json', '*/*']);

/**
 * Answers with what `info` says of the server, in JSON whatever the parameters of the media types.
 *
 * @throws StatusError 405 for other methods than GET, 406 for a client that takes no JSON.
 */
export function createVersionHandler(info: () => object): Handler {
  return async (exchange) => {
    if (exchange.method !== 'GET') throw methodNotAllowed();
    const { accept } = exchange.request.headers;
    if (accept && !parseAccept(accept).some(({ type }) => served.has(type))) {
      throw otherFailure(406, 'NotAcceptable', '406: Not Acceptable', {});
    }
    respondPretty(exchange, 200, info());
  };
}
