import { unsupportedMediaType } from '../../machinery/errors/index.ts';
import type { ApiObject } from '../../machinery/meta/index.ts';
import type { GroupVersionKind } from '../../machinery/schema/index.ts';
import { type Body, type BodyFormat, paceSteps, sizeOfBody } from '../../registry/index.ts';
import { readBody } from '../request/body.ts';
import type { Exchange } from '../request/exchange.ts';
import { parseMediaType } from '../request/media-type.ts';
import type { HandlerContext } from './endpoint.ts';

/**
 * Reads the body of a request that shall hold an object of the expected kind; the registry decodes it.
 *
 * @throws StatusError 413, and 415 for formats that are not taken of this kind.
 */
export async function readObjectBody(
  exchange: Exchange,
  context: HandlerContext,
  expected: GroupVersionKind,
): Promise<Body> {
  const bytes = await readBody(exchange);
  const format = bodyFormat(exchange, context);
  const { negotiator, protobuf, dialect } = context;
  if (format === 'protobuf' && !protobuf.hasKind(expected))
    throw unsupportedMediaType(negotiator.accepted.filter((type) => type !== dialect.protobufMediaType));
  return { kind: 'bytes', bytes, format };
}

/**
 * Reads and decodes an object that is not stored as it is: a review, a scale.
 *
 * @throws StatusError 413, 415, and 400 when it is not of the expected kind.
 */
export async function readObject(
  exchange: Exchange,
  context: HandlerContext,
  expected: GroupVersionKind,
): Promise<ApiObject> {
  const body = await readObjectBody(exchange, context, expected);
  const pace = { sizeBytes: sizeOfBody(body), turns: exchange.turns };
  const decoding = paceSteps(context.decodeBody(body, expected), pace);
  const object = decoding instanceof Promise ? await decoding : decoding;
  exchange.audit?.noteObject(object);
  return object;
}

/** @throws StatusError 415 for formats that are not taken. No content type means JSON. */
export function bodyFormat(exchange: Exchange, context: HandlerContext): BodyFormat {
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
