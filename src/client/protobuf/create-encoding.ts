import type { Dialect } from '../../machinery/dialect.ts';
import type { ObjectEncoding } from '../rest/index.ts';
import { createProtobufEncoding } from './protobuf-encoding.ts';

/**
 * The encoding of a content type, as flags name it; undefined for JSON, which clients speak without one.
 *
 * @throws RangeError for others.
 */
export function createEncoding(contentType: string, dialect: Dialect): ObjectEncoding | undefined {
  if (contentType === '' || contentType === 'application/json') return undefined;
  if (contentType === dialect.protobufMediaType) return createProtobufEncoding(dialect);
  throw new RangeError(
    `unknown content type ${JSON.stringify(contentType)}: application/json and ${dialect.protobufMediaType} are known`,
  );
}
