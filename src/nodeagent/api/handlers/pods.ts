import type { Pod } from '../../../apis/types/core-v1.ts';
import { formatRuntimeFailure } from '../../runtime/index.ts';
import type { AgentView } from '../agent-view.ts';
import type { AgentHandler } from '../http/exchange.ts';
import { sendJson, sendText } from '../http/respond.ts';

/** Sends all pods of the node with their status. */
export function handlePods(view: AgentView): AgentHandler {
  return (exchange) => sendJson(exchange, podList(view.pods()));
}

/** Sends the pods that the runtime runs, as far as it knows them. */
export function handleRunningPods(view: AgentView): AgentHandler {
  return async (exchange) => {
    try {
      sendJson(exchange, podList(await view.runningPods()));
    } catch (error) {
      sendText(exchange, 500, formatRuntimeFailure(error));
    }
  };
}

/** A list of pods as JSON; each has a time of creation, if only an empty one. */
export function podList(pods: readonly Pod[]): string {
  const items = pods.map((pod) => ({
    metadata: withCreation(pod.metadata),
    spec: pod.spec,
    status: pod.status ?? {},
  }));
  return `${JSON.stringify({ kind: 'PodList', apiVersion: 'v1', metadata: {}, items })}\n`;
}

/** The field stands behind those that identify the pod. */
function withCreation({ name, generateName, namespace, selfLink, uid, ...rest }: Pod['metadata']) {
  const { resourceVersion, generation, creationTimestamp = null, ...others } = rest;
  return {
    name,
    generateName,
    namespace,
    selfLink,
    uid,
    resourceVersion,
    generation,
    creationTimestamp,
    ...others,
  };
}
