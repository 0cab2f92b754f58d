import type { Pod } from '../../apis/types/core-v1.ts';
import type { SubresourceHandler } from '../handlers/endpoint.ts';
import type { Exchange } from '../request/exchange.ts';
import { streamLog } from '../streaming/agent/index.ts';
import type { AgentAccess, FindAgent } from './agent-access.ts';
import { chooseContainer } from './choose-container.ts';
import { findObject } from './find-object.ts';
import { readLogOptions } from './log-options.ts';

/** `pods/NAME/log`: what a container has written, as the agent of its node has it. */
export function podLogHandler(access: AgentAccess, findAgent: FindAgent): SubresourceHandler {
  return async (exchange, { served }) => {
    const { namespace, name } = exchange.info;
    const options = readLogOptions(exchange.query, name);
    const pod = (await findObject(exchange, served)) as Pod; // stored under this resource
    const container = chooseContainer(pod, options.container, { isForLog: true });
    const { nodeName } = pod.spec;
    if (!nodeName) return answerNothing(exchange);
    const backend = await findAgent(exchange, nodeName);
    const skips = options.skipsVerification && access.maySkipVerification;
    await streamLog(exchange, access.client, {
      backend: skips ? { ...backend, trust: 'agent-unverified' } : backend,
      target: `/containerLogs/${namespace}/${name}/${container}${options.query}`,
      resource: 'pods/log',
      name,
    });
  };
}

/** A pod without a node has written nothing. */
function answerNothing({ response, auditId }: Exchange): void {
  response.writeHead(204, { 'audit-id': auditId, 'cache-control': 'no-cache, private' });
  response.end();
}
