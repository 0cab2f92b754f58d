import type { Pod } from '../../apis/types/core-v1.ts';
import { badRequest } from '../../machinery/errors/index.ts';
import type { SubresourceHandler } from '../handlers/endpoint.ts';
import { isProxyableAddress, proxyPath, proxyRequest } from '../streaming/agent/index.ts';
import type { AgentAccess } from './agent-access.ts';
import { findObject } from './find-object.ts';
import { readProxyName, readProxyPort, standardPort } from './proxy-name.ts';

/** `pods/[SCHEME:]NAME[:PORT]/proxy`: by default at the first port that a container of the pod names. */
export function podProxyHandler({ client }: AgentAccess): SubresourceHandler {
  return async (exchange, { served }) => {
    const { scheme: given, name, port } = readProxyName(exchange.info.name, 'pod');
    const pod = (await findObject(exchange, served, { name })) as Pod; // stored under this resource
    const host = pod.status?.podIP ?? '';
    if (!isProxyableAddress(host)) throw badRequest('address not allowed');
    const scheme = given === '' ? 'http' : given;
    const backend = {
      scheme,
      host,
      port: portOf(pod, port) ?? standardPort(scheme),
      trust: 'anyone',
    } as const;
    const at = proxyPath(exchange.request.url ?? '', exchange.info.rest.length);
    await proxyRequest(exchange, client, { backend, at });
  };
}

function portOf({ spec }: Pod, given: string): number | undefined {
  if (given !== '') return readProxyPort(given);
  return spec.containers?.find(({ ports }) => (ports?.length ?? 0) > 0)?.ports?.[0]?.containerPort;
}
