import { decodeBody, decodeObject } from '../../machinery/codec/index.ts';
import { unsupportedMediaType } from '../../machinery/errors/index.ts';
import type { ApiObject } from '../../machinery/meta/index.ts';
import type { GroupVersionKind } from '../../machinery/schema/index.ts';
import { readBody } from '../request/body.ts';
import type { Exchange } from '../request/exchange.ts';
import { parseMediaType } from '../request/media-type.ts';
import type { HandlerContext } from './endpoint.ts';

/**
 * Reads and decodes the object in a request's body.
 *
 * @throws StatusError 413, 415, and 400 when it is not of the expected kind.
 */
export async function readObject(
  exchange: Exchange,
  context: HandlerContext,
  expected: GroupVersionKind,
): Promise<ApiObject> {
  const body = await readBody(exchange.request);
  return decodeBytes(exchange, context, expected, body);
}

/** The same for a body that was read already. */
export function decodeBytes(
  exchange: Exchange,
  context: HandlerContext,
  expected: GroupVersionKind,
  body: Buffer,
): ApiObject {
  const value = decodeBody(body, bodyFormat(exchange, context), expected.kind);
  return decodeObject({ value, catalog: context.catalog, dialect: context.dialect, expected });
}

/** @throws StatusError 415 for formats that are not taken. No content type means JSON. */
export function bodyFormat(exchange: Exchange, context: HandlerContext): 'json' | 'yaml' {
  const header = exchange.request.headers['content-type'];
  if (header === undefined || header === '' || header === 'application/json') return 'json';
  const type = parseMediaType(header)?.type;
  if (type === 'application/json') return 'json';
  if (type === 'application/yaml') return 'yaml';
  throw unsupportedMediaType(context.negotiator.accepted);
}
