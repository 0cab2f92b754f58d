import { methodNotAllowed, otherFailure } from '../../machinery/errors/index.ts';
import type { Exchange } from './exchange.ts';
import { parseAccept } from './media-type.ts';

/**
 * Checks a request for a document that there is in one media type only, as release 1.20 does beside the API.
 *
 * @throws StatusError 405 for other methods than GET, 406 for a client that does not take the type.
 */
export function requireDocumentRequest({ method, request }: Exchange, mediaType: string): void {
  if (method !== 'GET') throw methodNotAllowed();
  const { accept } = request.headers;
  if (!accept || parseAccept(accept).some(({ type }) => type === mediaType || type === '*/*')) return;
  throw otherFailure(406, 'NotAcceptable', '406: Not Acceptable', {});
}
