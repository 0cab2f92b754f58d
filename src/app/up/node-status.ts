import { readClientConfigFile, resolveConnection } from '../../client/config/index.ts';
import { createRestClient, type RestClient } from '../../client/rest/index.ts';
import { isReason } from '../../machinery/errors/index.ts';
import type { UpPaths } from './up-state.ts';

/** Whether the node takes pods, and why not. */
export interface NodeStatus {
  readonly isReady: boolean;
  readonly reason: string;
}

/** A client with the administrator's access. @throws Error when the server has not written it */
export async function openAdmin({ adminConfig }: UpPaths): Promise<RestClient> {
  const config = await readClientConfigFile(adminConfig);
  if (config === undefined) throw new Error(`${adminConfig} is missing: has the server started?`);
  return createRestClient({ connection: resolveConnection(config), userAgent: 'orch', timeoutMs: 10_000 });
}

interface NodeObject {
  readonly status?: {
    readonly conditions?: readonly {
      readonly type?: string;
      readonly status?: string;
      readonly reason?: string;
      readonly message?: string;
      readonly lastHeartbeatTime?: string;
    }[];
  };
}

/** What the server knows of the node since `sinceMs`; what it knew before does not count. @throws TransportError */
export async function readNodeStatus(client: RestClient, name: string, sinceMs: number): Promise<NodeStatus> {
  let node: NodeObject;
  try {
    node = await client.json<NodeObject>({
      method: 'GET',
      path: `/api/v1/nodes/${encodeURIComponent(name)}`,
    });
  } catch (error) {
    if (isReason(error, 'NotFound')) return { isReady: false, reason: 'the node has not joined yet' };
    throw error;
  }
  const ready = node.status?.conditions?.find(({ type }) => type === 'Ready');
  // Times of the API have no fractions of seconds.
  if (ready === undefined || Date.parse(ready.lastHeartbeatTime ?? '') < sinceMs - 1_000) {
    return { isReady: false, reason: 'the node has not reported yet' };
  }
  return { isReady: ready.status === 'True', reason: ready.message ?? ready.reason ?? '' };
}
