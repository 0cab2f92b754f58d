import type { Event, Node, Pod, Toleration } from '../../../../src/apis/types/core-v1.ts';
import type { RestRequest } from '../../../../src/client/rest/index.ts';
import type { ControllerContext, ControllerSettings } from '../../../../src/controllers/index.ts';
import { nodeLifecycleController } from '../../../../src/controllers/node-lifecycle/node-lifecycle-controller.ts';
import { orchDialect } from '../../../../src/machinery/dialect.ts';
import { conflict, notFound } from '../../../../src/machinery/errors/index.ts';
import type { ApiObject } from '../../../../src/machinery/meta/index.ts';
import { formatTime } from '../../../../src/machinery/values/index.ts';
import { controllerSettings } from '../../../support/controller-settings.ts';
import { createRecordingLogger } from '../../../support/recording-logger.ts';
import { SimulatedTime } from '../../../support/simulated-time.ts';
import { SimulatedCollection } from '../simulated-collection.ts';

/** A cluster whose time passes when it is told to, and what the controller makes of it. */
export class SimulatedNodes {
  readonly time = new SimulatedTime();
  /** What happened, as `SECOND TEXT`. */
  readonly log: string[] = [];
  readonly #nodes = new SimulatedCollection();
  readonly #pods = new SimulatedCollection();
  readonly #leases = new SimulatedCollection();
  readonly #silent = new Set<string>();
  readonly #ending = new AbortController();
  readonly #done: Promise<void>;

  constructor(settings: Partial<ControllerSettings> = {}) {
    const clock = this.time.clockOf('controller');
    const context = {
      client: {
        send: (request: RestRequest) => this.#answer(request),
        json: (request: RestRequest) => this.#answer(request),
      },
      informers: { nodes: () => this.#nodes, pods: () => this.#pods, leases: () => this.#leases },
      settings: { ...controllerSettings, ...settings },
      dialect: orchDialect,
      logger: createRecordingLogger(),
      clock,
      random: () => 0.5,
      signal: this.#ending.signal,
    } as unknown as ControllerContext;
    this.#done = nodeLifecycleController.run(context);
  }

  async stop(): Promise<void> {
    this.#ending.abort();
    await this.#done;
  }

  addNode(name: string, zone = 'z'): void {
    this.#nodes.set({
      ...{ kind: 'Node', apiVersion: 'v1', spec: {} },
      metadata: { name, labels: { 'topology.orch.io/zone': zone }, creationTimestamp: this.#now() },
      status: { conditions: [this.#ready('True')] },
    } as unknown as ApiObject);
  }

  /** A pod that is ready. */
  addPod(name: string, node: string, { tolerations = [], kind = 'ReplicaSet' }: PodOptions = {}): void {
    this.#pods.set({
      ...{ kind: 'Pod', apiVersion: 'v1' },
      metadata: {
        namespace: 'n',
        name,
        uid: name,
        ownerReferences: [{ apiVersion: 'apps/v1', kind, name, uid: kind }],
      },
      spec: { nodeName: node, tolerations },
      status: { phase: 'Running', conditions: [this.#ready('True')] },
    } as ApiObject);
  }

  silence(...names: string[]): void {
    for (const name of names) this.#silent.add(name);
  }

  /** The agent is back. */
  resume(name: string): void {
    this.#silent.delete(name);
    const node = this.node(name);
    const others = (node.status.conditions ?? []).filter(({ type }) => type !== 'Ready');
    const conditions = [this.#ready('True'), ...others];
    this.#setNode({ ...node, status: { ...node.status, conditions } });
  }

  /** The agent says that the node is not ready. */
  report(name: string, status: string): void {
    const node = this.node(name);
    this.#setNode({ ...node, status: { ...node.status, conditions: [this.#ready(status)] } });
  }

  removeNode(name: string): void {
    this.#nodes.delete(this.node(name));
  }

  /** Passes time, in seconds; agents renew their leases every ten. */
  async pass(seconds: number): Promise<void> {
    for (let left = seconds; left > 0; left -= 10) {
      for (const { metadata } of this.#nodes.list()) {
        if (this.#silent.has(metadata.name ?? '')) continue;
        const lease = { namespace: orchDialect.nodeLeaseNamespace, name: metadata.name };
        this.#leases.set({ metadata: lease, spec: { renewTime: this.#now() } } as unknown as ApiObject);
      }
      await this.time.pass(Math.min(left, 10) * 1000);
    }
  }

  node(name: string): Node {
    // What this class has put there.
    return this.#nodes.get('', name) as Node;
  }

  pod(name: string): Pod {
    return this.#pods.get('n', name) as Pod;
  }

  /** Effects and names of a node's taints. */
  taintsOf(name: string): string[] {
    const taints = this.node(name).spec.taints ?? [];
    return taints.map(({ key, effect }) => `${effect} ${key.replace('node.orch.io/', '')}`).sort();
  }

  readyOf(object: Node | Pod): string | undefined {
    return object.status.conditions?.find(({ type }) => type === 'Ready')?.status;
  }

  #setNode(node: Node): void {
    this.#nodes.set(node);
  }

  #now(): string {
    return formatTime(this.time.nowMs);
  }

  #ready(status: string) {
    return { type: 'Ready', status, lastHeartbeatTime: this.#now(), lastTransitionTime: this.#now() };
  }

  #tell(text: string): void {
    this.log.push(`${Math.floor((this.time.nowMs - this.time.beginMs) / 1000)} ${text}`);
  }

  async #answer({ method, path, body }: RestRequest): Promise<object> {
    // Events are read here only for what they say; the other bodies are objects and merge patches.
    const sent = (body ?? {}) as Event & Partial<Node>;
    const parts = path.split('/');
    if (parts.includes('events')) {
      if (method === 'POST') this.#tell(`${sent.involvedObject.name} ${sent.reason}: ${sent.message}`);
      return {};
    }
    const isPod = parts.includes('pods');
    const name = parts[isPod ? 6 : 4] ?? '';
    const collection = isPod ? this.#pods : this.#nodes;
    const stored = collection.get(isPod ? 'n' : '', name);
    if (stored === undefined) throw notFound({ group: '', resource: isPod ? 'pods' : 'nodes' }, name);
    const version = sent.metadata?.resourceVersion;
    if (version !== undefined && version !== stored.metadata.resourceVersion) {
      throw conflict({ group: '', resource: 'nodes' }, name, 'the object has been modified');
    }
    if (method === 'GET') return stored;
    if (method === 'DELETE') {
      this.#tell(`${name} deleted`);
      collection.delete(stored);
    } else if (method === 'PUT') collection.set({ ...stored, status: sent.status } as ApiObject);
    else {
      const labels = { ...stored.metadata.labels, ...sent.metadata?.labels };
      const spec = { ...(stored as Node).spec, ...sent.spec };
      collection.set({ ...stored, metadata: { ...stored.metadata, labels }, spec } as ApiObject);
    }
    return {};
  }
}

interface PodOptions {
  readonly tolerations?: readonly Toleration[];
  /** Of the owner. */
  readonly kind?: string;
}
