import { isReason, notFound } from '../../machinery/errors/index.ts';
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

/**
 * The same for an object that only helps to answer the request: a node behind a pod, the endpoints of a service.
 *
 * @throws StatusError NotFound, which names the resource of the request, as release 1.20 does.
 */
export async function findHelper(exchange: Exchange, served: ServedKind, name: string): Promise<ApiObject> {
  try {
    return await findObject(exchange, served, { name });
  } catch (error) {
    throw isReason(error, 'NotFound') ? notFound(exchange.info, name) : error;
  }
}
