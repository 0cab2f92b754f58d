import type { ApiObject } from '../../machinery/meta/index.ts';
import { dropDuplicateOwners, recordNewOwners } from '../../registry/index.ts';
import { admitValue } from '../handlers/admit-value.ts';
import type { NegotiatedEndpoint } from '../handlers/endpoint.ts';
import { bodyFormat, readObject } from '../handlers/read-object.ts';
import { writeOptions } from '../handlers/write-options.ts';
import type { Exchange } from '../request/exchange.ts';
import { managerName } from '../request/manager-name.ts';
import { parseWriteQuery } from '../request/options.ts';
import { writeValue } from '../subresources/index.ts';

/** Answers a request for a resource that stores nothing. */
export type VirtualHandler = (exchange: Exchange, endpoint: NegotiatedEndpoint) => Promise<void>;

/**
 * The review in a request's body; `T` is the kind of the endpoint.
 *
 * @throws StatusError 400, 413, 415 or 422 for requests that cannot be read.
 */
export async function readReview<T>(exchange: Exchange, endpoint: NegotiatedEndpoint): Promise<T> {
  const { info, context } = endpoint;
  bodyFormat(exchange, context);
  const query = parseWriteQuery(exchange.query, 'CreateOptions', context.metaGroup);
  const object = await readObject(exchange, context, info);
  const options = writeOptions(exchange, context, query);
  dropDuplicateOwners(object, 'received', options);
  recordNewOwners(context.fieldManager, {
    object,
    manager: managerName(exchange, query.fieldManager),
    nowMs: context.nowMs(),
  });
  await admitValue(exchange, endpoint, { operation: 'CREATE', kind: info, object, options });
  // Decoded as just the endpoint's kind.
  return object as unknown as T;
}

/** Answers with a review and its verdict. Nothing is stored, yet the answer is that of a creation. */
export function writeReview<T extends { readonly status: object }>(
  exchange: Exchange,
  endpoint: NegotiatedEndpoint,
  review: T,
): void {
  const { info, context } = endpoint;
  const type = context.catalog.kind(info);
  if (type === undefined) throw new RangeError(`no type for the served kind ${info.kind}`);
  // The canonical form of a review has kind, apiVersion, metadata and a status.
  const object = type.canonicalize(review) as unknown as ApiObject & { status: Record<string, unknown> };
  keepEmptyLists(object.status, review.status);
  writeValue(exchange, endpoint, { code: 201, object });
}

/** A verdict's lists are written as lists when there is nothing in them, unlike those of stored objects. */
function keepEmptyLists(shown: Record<string, unknown>, status: object): void {
  for (const [name, value] of Object.entries(status)) {
    if (Array.isArray(value) && shown[name] === null) shown[name] = [];
  }
}
