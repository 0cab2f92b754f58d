import { getObject } from '../../registry/index.ts';
import type { EndpointHandler } from './endpoint.ts';
import { cachedBytes, writeObject } from './write-object.ts';

/** GET of one object (also of its `status`, which answers with the whole object). */
export const handleGet: EndpointHandler = async (exchange, endpoint) => {
  const { namespace, name } = exchange.info;
  const resourceVersion = exchange.query.get('resourceVersion') ?? '';
  const object = await getObject(endpoint.served, {
    namespace,
    name,
    resourceVersion,
    // Few requests wait, and a signal costs more than the rest of a get.
    signal: () => exchange.signal,
  });
  const served = cachedBytes(endpoint.served, object);
  writeObject(exchange, endpoint, { code: 200, stored: object.bytes, served });
};
