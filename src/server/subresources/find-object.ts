import type { ApiObject } from '../../machinery/meta/index.ts';
import { decodeStored, getObject, type ServedKind } from '../../registry/index.ts';
import type { Exchange } from '../request/exchange.ts';

/**
 * An object of the request's namespace, in its storage version; the caller may change it.
 *
 * @throws StatusError NotFound
 */
export async function findObject(
  exchange: Exchange,
  served: ServedKind,
  { name = exchange.info.name, resourceVersion = '' } = {},
): Promise<ApiObject> {
  const namespace = served.store.isNamespaced ? exchange.info.namespace : '';
  const signal = () => exchange.signal;
  return decodeStored(await getObject(served, { namespace, name, resourceVersion, signal }));
}
