import type { ApiClient, JsonObject } from './api-client.ts';

const nodes = '/api/v1/nodes';
const leases = '/apis/coordination.orch.io/v1/namespaces/orch-node-lease/leases';
const mergePatch = 'application/merge-patch+json';
/** As often as agents do it, several times in the time that a node may be silent. */
const renewalMs = 5_000;

/** Processors of each node. */
export const nodeCores = 16;

/** Nodes of which only the objects exist: what is bound to them runs at once, and what is to end ends at once. */
export class HollowNodes {
  readonly #names: readonly string[];
  readonly #onPods: (pods: readonly JsonObject[]) => void;
  #renewedAtMs = Number.NEGATIVE_INFINITY;

  /** `onPods` is told of all pods that there are, in each step. */
  constructor(names: readonly string[], onPods: (pods: readonly JsonObject[]) => void) {
    this.#names = names;
    this.#onPods = onPods;
  }

  /** Creates the nodes, ready for pods. @throws Error when one is refused */
  async register(client: ApiClient): Promise<void> {
    for (const name of this.#names) {
      const metadata = { name, labels: { node: name } };
      await client.create(nodes, { kind: 'Node', apiVersion: 'v1', metadata });
      await this.#renew(client, name);
    }
  }

  /**
   * Does once what the agents of all nodes would do: renews them, runs and ends pods. Pods that have the label `finishes` succeed.
   *
   * @returns how many requests were answered
   * @throws Error when the connection fails
   */
  async step(client: ApiClient): Promise<number> {
    let requests = 1;
    if (performance.now() - this.#renewedAtMs > renewalMs) {
      for (const name of this.#names) await this.#renew(client, name);
      this.#renewedAtMs = performance.now();
      requests += this.#names.length;
    }
    const { items } = await client.expect('GET', '/api/v1/pods');
    this.#onPods(items);
    for (const pod of items) {
      const act = this.#actionFor(client, pod);
      if (act === undefined) continue;
      // A pod that changed or went meanwhile is looked at in the next step.
      await act;
      requests++;
    }
    return requests;
  }

  #actionFor(client: ApiClient, { metadata, spec, status }: JsonObject): Promise<unknown> | undefined {
    if (!this.#names.includes(spec.nodeName)) return undefined;
    const path = `/api/v1/namespaces/${metadata.namespace}/pods/${metadata.name}`;
    const { uid } = metadata;
    if (metadata.deletionTimestamp !== undefined) {
      const body = { gracePeriodSeconds: 0, preconditions: { uid } };
      return client.send('DELETE', path, { body });
    }
    const next = nextStatus(status, metadata.labels?.finishes !== undefined);
    if (next === undefined) return undefined;
    const body = { metadata: { uid }, status: next };
    return client.send('PATCH', `${path}/status`, { contentType: mergePatch, body });
  }

  async #renew(client: ApiClient, name: string): Promise<void> {
    const now = new Date().toISOString();
    const times = { lastHeartbeatTime: toSeconds(now), lastTransitionTime: toSeconds(now) };
    const amounts = { cpu: String(nodeCores), memory: '32Gi', pods: '110' };
    const conditions = [{ type: 'Ready', status: 'True', reason: 'AgentReady', ...times }];
    const status = { capacity: amounts, allocatable: amounts, conditions };
    await client.expect('PATCH', `${nodes}/${name}/status`, { contentType: mergePatch, body: { status } });
    const renewTime = now.replace(/Z$/, '000Z');
    const spec = { holderIdentity: name, leaseDurationSeconds: 40, renewTime };
    const path = `${leases}/${name}`;
    const { code } = await client.send('PATCH', path, { contentType: mergePatch, body: { spec } });
    if (code === 404) {
      const lease = { kind: 'Lease', apiVersion: 'coordination.orch.io/v1', metadata: { name }, spec };
      await client.create(leases, lease);
    }
  }
}

const toSeconds = (time: string): string => time.replace(/\.\d+Z$/, 'Z');

/** What a pod becomes next; undefined when it stays. */
function nextStatus(status: JsonObject, finishes: boolean): JsonObject | undefined {
  const now = toSeconds(new Date().toISOString());
  const condition = (type: string, is: string) => ({ type, status: is, lastTransitionTime: now });
  if (status.phase === 'Pending') {
    const types = ['PodScheduled', 'Initialized', 'ContainersReady', 'Ready'];
    const conditions = types.map((type) => condition(type, 'True'));
    return { phase: 'Running', podIP: '10.1.0.1', podIPs: [{ ip: '10.1.0.1' }], startTime: now, conditions };
  }
  if (status.phase === 'Running' && finishes)
    return { phase: 'Succeeded', conditions: [condition('Ready', 'False')] };
  return undefined;
}
