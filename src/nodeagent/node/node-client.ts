import type { Node } from '../../apis/types/core-v1.ts';
import { type RestClient, resourcePath } from '../../client/rest/index.ts';
import { isReason } from '../../machinery/errors/index.ts';

/** Requests about the one node, each within its own limit. */
export interface NodeClient {
  /** Undefined when there is none. */
  get(): Promise<Node | undefined>;
  /** Undefined when there is one already. */
  create(node: Node): Promise<Node | undefined>;
  /** Strategic merge patch over the status subresource; undefined when the node is gone. */
  patchStatus(patch: object): Promise<Node | undefined>;
}

/** Heartbeats are frequent; one that takes longer is aborted. */
const requestTimeoutMs = 10_000;

/** Requests about the node of this name. @throws StatusError, TransportError as the client does. */
export function createNodeClient(client: RestClient, nodeName: string, signal: AbortSignal): NodeClient {
  const nodes = { group: '', version: 'v1', resource: 'nodes' };
  const limits = { timeoutMs: requestTimeoutMs, signal };
  return {
    get: () =>
      unless(
        'NotFound',
        client.json<Node>({ method: 'GET', path: resourcePath({ ...nodes, name: nodeName }), ...limits }),
      ),
    create: (body) =>
      unless(
        'AlreadyExists',
        client.json<Node>({ method: 'POST', path: resourcePath(nodes), body, ...limits }),
      ),
    patchStatus: (body) =>
      unless(
        'NotFound',
        client.json<Node>({
          method: 'PATCH',
          path: resourcePath({ ...nodes, name: nodeName, subresource: 'status' }),
          contentType: 'application/strategic-merge-patch+json',
          body,
          ...limits,
        }),
      ),
  };
}

async function unless(reason: string, answer: Promise<Node>): Promise<Node | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (isReason(error, reason)) return undefined;
    throw error;
  }
}
