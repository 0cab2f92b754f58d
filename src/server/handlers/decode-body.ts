import { decodeBody, decodeObject } from '../../machinery/codec/index.ts';
import { decodeProtobufBody } from '../../machinery/codec/protobuf/index.ts';
import { unsupportedMediaType } from '../../machinery/errors/index.ts';
import type { ApiObject } from '../../machinery/meta/index.ts';
import { formatGroupVersion, type GroupVersionKind } from '../../machinery/schema/index.ts';
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
  const body = await readBody(exchange);
  const object = decodeBytes(exchange, context, expected, body);
  exchange.audit?.noteObject(object);
  return object;
}

/** The same for a body that was read already. */
export function decodeBytes(
  exchange: Exchange,
  context: HandlerContext,
  expected: GroupVersionKind,
  body: Buffer,
): ApiObject {
  const format = bodyFormat(exchange, context);
  const { catalog, dialect, isSameKind, protobuf } = context;
  if (format !== 'protobuf') {
    const value = decodeBody(body, format, expected.kind);
    return decodeObject({ value, catalog, dialect, isSameKind, expected });
  }
  if (!protobuf.hasKind(expected)) {
    throw unsupportedMediaType(
      context.negotiator.accepted.filter((type) => type !== dialect.protobufMediaType),
    );
  }
  const value = decodeProtobufBody({ bytes: body, compiler: protobuf, expected });
  const apiVersion = formatGroupVersion(expected.group, expected.version);
  // A message of just this kind comes in canonical form, as the next step would give it.
  if (value.kind === expected.kind && value.apiVersion === apiVersion) return value as unknown as ApiObject;
  return decodeObject({ value, catalog, dialect, isSameKind, expected });
}

/** @throws StatusError 415 for formats that are not taken. No content type means JSON. */
export function bodyFormat(exchange: Exchange, context: HandlerContext): 'json' | 'yaml' | 'protobuf' {
  const header = exchange.request.headers['content-type'];
  if (header === undefined || header === '' || header === 'application/json') return 'json';
  switch (parseMediaType(header)?.type) {
    case 'application/json':
      return 'json';
    case 'application/yaml':
      return 'yaml';
    case context.dialect.protobufMediaType:
      return 'protobuf';
    default:
      throw unsupportedMediaType(context.negotiator.accepted);
  }
}
