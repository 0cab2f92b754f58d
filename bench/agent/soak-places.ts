import type { AgentProgram } from '../../test/support/agent-program.ts';
import type { ApiClient } from '../../test/support/api-client.ts';
import { inNamespace } from '../../test/support/objects.ts';

/** Where an agent hears of pods. */
export interface PodPlace {
  /** What the names of its pods start with. */
  readonly prefix: string;
  /** Wants a pod, which takes the place of one of its name. */
  put(name: string, pod: object): Promise<void>;
  remove(name: string): Promise<void>;
  removeAll(): Promise<void>;
}

/** Manifests in the agent's folder. */
export const manifests = (agent: AgentProgram): PodPlace => ({
  prefix: 'file',
  put: (name, pod) => agent.putManifest(name, pod),
  remove: (name) => agent.removeManifest(name),
  removeAll: () => agent.removeManifests(),
});

/** Pods of a server that are bound to the agent's node; those that were evicted when they went are counted. */
export class ServerPods implements PodPlace {
  readonly prefix = 'served';
  readonly #client: ApiClient;
  readonly #path: string;
  /** What pods are called now: a new one cannot have the name of one that is still ending. */
  readonly #current = new Map<string, string>();
  #made = 0;
  #evicted = 0;

  constructor(client: ApiClient, namespace: string) {
    this.#client = client;
    this.#path = inNamespace(namespace, 'pods');
  }

  get evicted(): number {
    return this.#evicted;
  }

  async put(name: string, pod: object): Promise<void> {
    await this.remove(name);
    const { metadata, spec } = pod as { readonly metadata: object; readonly spec: object }; // pods have both
    const current = `${name}-${++this.#made}`;
    this.#current.set(name, current);
    const body = { ...pod, metadata: { ...metadata, name: current }, spec: { ...spec, nodeName: 'node1' } };
    await this.#client.expect('POST', this.#path, { body });
  }

  async remove(name: string): Promise<void> {
    const current = this.#current.get(name);
    if (current === undefined) return;
    this.#current.delete(name);
    const { code, body } = await this.#client.send('DELETE', `${this.#path}/${current}`);
    if (code !== 200) throw new Error(`DELETE ${current} answered ${code}: ${body.message}`);
    if (body.status?.reason === 'Evicted') this.#evicted++;
  }

  async removeAll(): Promise<void> {
    for (const name of [...this.#current.keys()]) await this.remove(name);
  }
}
