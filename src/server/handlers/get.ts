import type { ServiceSpec } from '../../apis/types/core-v1.ts';
import { badRequest } from '../../machinery/errors/index.ts';
import type { ApiObject } from '../../machinery/meta/index.ts';
import {
  canonicalFromStorage,
  decodeStored,
  getObject,
  ruleContextOf,
  type ServedKind,
} from '../../registry/index.ts';
import type { CachedObject } from '../../storage/watch-cache/index.ts';
import type { Exchange } from '../request/exchange.ts';
import { isTrue } from '../request/request-info.ts';
import type { EndpointHandler } from './endpoint.ts';
import { writeObject } from './write-object.ts';

/** GET of one object (also of its `status`, which answers with the whole object). */
export const handleGet: EndpointHandler = async (exchange, endpoint) => {
  if (endpoint.served.store.rules.refusesExport === true) refuseExport(exchange);
  const { namespace, name } = exchange.info;
  const resourceVersion = exchange.query.get('resourceVersion') ?? '';
  const object = await getObject(endpoint.served, {
    namespace,
    name,
    resourceVersion,
    // Created only when the request must wait: a signal costs more than the rest of a get.
    signal: () => exchange.signal,
  });
  if (isExport(exchange)) {
    const isExact = isTrue(exchange.query.get('exact'));
    const shown = exportObject(endpoint.served, object, { user: exchange.user, isExact });
    return writeObject(exchange, endpoint, { code: 200, stored: object.bytes, shown });
  }
  await writeObject(exchange, endpoint, { code: 200, stored: object.bytes, cached: object });
};

const isExport = ({ query }: Exchange): boolean => query.size > 0 && isTrue(query.get('export'));

/** For what has no form to create it again by. @throws StatusError 400 for requests that ask for that. */
export function refuseExport(exchange: Exchange): void {
  if (exchange.info.verb === 'get' && isExport(exchange))
    throw badRequest(`export of ${JSON.stringify(exchange.info.resource)} is not supported`);
}

/**
 * JSON of an object without what a server has put there, for clients of the deprecated `export` parameter: it could be
 * created again. With `exact` it keeps its namespace and name.
 */
function exportObject(
  served: ServedKind,
  cached: CachedObject,
  { user, isExact }: { readonly user: Exchange['user']; readonly isExact: boolean },
): Buffer {
  const object = decodeStored(cached);
  stripMetadata(object, isExact);
  const { rules, resource, group } = served.store;
  if (group === '' && resource === 'services') stripService(object, isExact);
  else rules.prepareForCreate?.(object, ruleContextOf(served, { user }));
  return Buffer.from(JSON.stringify(canonicalFromStorage(served, object)));
}

function stripMetadata({ metadata }: ApiObject, isExact: boolean): void {
  const { generateName } = metadata;
  delete metadata.uid;
  delete metadata.deletionTimestamp;
  delete metadata.resourceVersion;
  delete metadata.selfLink;
  metadata.creationTimestamp = null;
  if (isExact) return;
  delete metadata.namespace;
  if (generateName) delete metadata.name;
}

/** Addresses and ports are given out anew. */
function stripService(object: ApiObject, isExact: boolean): void {
  // Services are stored under this resource.
  const service = object as ApiObject & { spec: ServiceSpec; status: object };
  service.status = { loadBalancer: {} };
  if (isExact) return;
  const { spec } = service;
  if (spec.clusterIPs?.[0] !== 'None') {
    delete spec.clusterIP;
    delete spec.clusterIPs;
  }
  if (spec.type !== 'NodePort') return;
  for (const port of spec.ports ?? []) delete port.nodePort;
}
