import { getObject } from '../../registry/index.ts';
import { isTrue } from '../request/request-info.ts';
import type { EndpointHandler } from './endpoint.ts';
import { exportObject } from './export.ts';
import { writeObject } from './write-object.ts';

/** GET of one object (also of its `status`, which answers with the whole object). */
export const handleGet: EndpointHandler = async (exchange, endpoint) => {
  const { namespace, name } = exchange.info;
  const resourceVersion = exchange.query.get('resourceVersion') ?? '';
  const object = await getObject(endpoint.served, {
    namespace,
    name,
    resourceVersion,
    // Created only when the request must wait: a signal costs more than the rest of a get.
    signal: () => exchange.signal,
  });
  if (exchange.query.size > 0 && isTrue(exchange.query.get('export'))) {
    const isExact = isTrue(exchange.query.get('exact'));
    const shown = exportObject(endpoint.served, object, { user: exchange.user, isExact });
    return writeObject(exchange, endpoint, { code: 200, stored: object.bytes, shown });
  }
  await writeObject(exchange, endpoint, { code: 200, stored: object.bytes, cached: object });
};
