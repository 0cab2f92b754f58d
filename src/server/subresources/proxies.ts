import type { Pod } from '../../apis/types/core-v1.ts';
import { badRequest } from '../../machinery/errors/index.ts';
import type { SubresourceHandler } from '../handlers/endpoint.ts';
import {
  type Backend,
  isProxyableAddress,
  proxyPath,
  proxyRequest,
  resolveProxyable,
} from '../streaming/agent/index.ts';
import type { AgentAccess, FindAgent } from './agent-access.ts';
import { findObject } from './find-object.ts';
import { readProxyName, readProxyPort, standardPort } from './proxy-name.ts';

/** `nodes/[SCHEME:]NAME[:PORT]/proxy`: the agent itself, or another port of its host. */
export function nodeProxyHandler({ client }: AgentAccess, findAgent: FindAgent): SubresourceHandler {
  return async (exchange) => {
    const { scheme, name, port } = readProxyName(exchange.info.name, 'node');
    const agent = await findAgent(exchange, name);
    const isAgent = port === '' || port === String(agent.port);
    const backend = isAgent ? agent : await otherPort(agent, scheme === '' ? 'http' : scheme, port);
    const at = proxyPath(exchange.request.url ?? '', exchange.info.rest.length);
    await proxyRequest(exchange, client, { backend, at });
  };
}

/** Resolved once, so that the connection goes to the address that was checked. */
async function otherPort({ host }: Backend, scheme: 'http' | 'https', port: string): Promise<Backend> {
  const address = await resolveProxyable(host);
  return { scheme, host, port: readProxyPort(port), address, trust: 'anyone' };
}

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
