import type { Pod } from '../../apis/types/core-v1.ts';
import { badRequest } from '../../machinery/errors/index.ts';
import type { SubresourceHandler } from '../handlers/endpoint.ts';
import { tunnel } from '../streaming/agent/index.ts';
import type { AgentAccess, FindAgent } from './agent-access.ts';
import { chooseContainer } from './choose-container.ts';
import { portQuery, streamQuery } from './connection-options.ts';
import { findObject } from './find-object.ts';

/** `pods/NAME/exec`, `attach` and `portforward`: a connection to the agent of the pod's node, handed through. */
export function podConnectionHandler(access: AgentAccess, findAgent: FindAgent): SubresourceHandler {
  return async (exchange, { served }, { name: subresource }) => {
    const { namespace, name } = exchange.info;
    const { query } = exchange;
    const ports = subresource === 'portforward' ? portQuery(query) : undefined;
    const pod = (await findObject(exchange, served)) as Pod; // stored under this resource
    const container = ports === undefined ? chooseContainer(pod, query.get('container') ?? '') : undefined;
    if (!pod.spec.nodeName) throw badRequest(`pod ${name} does not have a host assigned`);
    const backend = await findAgent(exchange, pod.spec.nodeName);
    const target =
      ports === undefined
        ? `/${subresource}/${namespace}/${name}/${container}${streamQuery(query, { hasCommand: subresource === 'exec' })}`
        : `/portForward/${namespace}/${name}${ports}`;
    await tunnel(exchange, access.client, { backend, target, redirects: access.redirects });
  };
}
