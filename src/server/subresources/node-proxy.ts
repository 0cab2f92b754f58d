import type { SubresourceHandler } from '../handlers/endpoint.ts';
import { type Backend, proxyPath, proxyRequest, resolveProxyable } from '../streaming/agent/index.ts';
import type { AgentAccess, FindAgent } from './agent-access.ts';
import { readProxyName, readProxyPort } from './proxy-name.ts';

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
