import type { Endpoints, Pod } from '../../apis/types/core-v1.ts';
import { badRequest, serviceUnavailable } from '../../machinery/errors/index.ts';
import { decodeStored, keyOf, type ServedKind } from '../../registry/index.ts';
import type { SubresourceHandler } from '../handlers/endpoint.ts';
import { findObject } from './find-object.ts';
import { noWayToAgent } from './no-agent.ts';

/** `pods/[SCHEME:]NAME[:PORT]/proxy`. */
export const handlePodProxy: SubresourceHandler = async (exchange, endpoint) => {
  const name = readName(exchange.info.name, 'pod');
  const pod = (await findObject(exchange, endpoint.served, { name })) as Pod;
  if (!pod.status.podIP) throw badRequest('address not allowed');
  throw noWayToAgent('the proxy of a pod');
};

/** `nodes/[SCHEME:]NAME[:PORT]/proxy`. */
export const handleNodeProxy: SubresourceHandler = async (exchange, { served }) => {
  const name = readName(exchange.info.name, 'node');
  await findObject(exchange, served, { name });
  throw noWayToAgent('the proxy of a node');
};

/** `services/[SCHEME:]NAME[:PORT]/proxy`. A service without a ready address is unavailable. */
export function serviceProxyHandler(findEndpoints: () => ServedKind | undefined): SubresourceHandler {
  return async (exchange, { served }) => {
    const { namespace } = exchange.info;
    const name = readName(exchange.info.name, 'service');
    await findObject(exchange, served, { name });
    const store = findEndpoints()?.store;
    await store?.freshen?.();
    const stored = store?.cache.get(keyOf(store, namespace, name));
    const endpoints = stored === undefined ? undefined : (decodeStored(stored) as Endpoints); // stored under this resource
    if (!endpoints?.subsets?.some(({ addresses }) => (addresses?.length ?? 0) > 0)) {
      throw serviceUnavailable(`no endpoints available for service ${JSON.stringify(exchange.info.name)}`);
    }
    throw noWayToAgent('the proxy of a service');
  };
}

/** @throws StatusError 400 for anything but `name`, `name:port` and `scheme:name:port`. */
function readName(text: string, what: string): string {
  const parts = text.split(':');
  const [first = '', second = ''] = parts;
  const name = parts.length === 3 ? second : first;
  const isScheme = parts.length < 3 || first === '' || first === 'http' || first === 'https';
  if (name === '' || parts.length > 3 || !isScheme) {
    throw badRequest(`invalid ${what} request ${JSON.stringify(text)}`);
  }
  return name;
}
