import { startInformer } from '../../src/client/informer/index.ts';
import { type RestClient, resourcePath } from '../../src/client/rest/index.ts';
import { StatusError } from '../../src/machinery/errors/index.ts';
import type { ApiObject } from '../../src/machinery/meta/index.ts';
import { eventually } from '../../test/support/eventually.ts';
import { type HollowNode, leaseOf, nodeOf, runningStatus } from './hollow-objects.ts';

/** Nodes without containers: they are ready, renew their leases, and say of each pod that is bound to them that it runs. */
export interface HollowNodes extends AsyncDisposable {
  readonly names: readonly string[];
  /** Pods that were marked running so far. */
  readonly started: number;
  /** What went wrong so far; a run with any is no measurement. */
  readonly failures: readonly string[];
  /** Resolves once no node has a taint any more. @throws Error when that does not happen within half a minute. */
  untilSchedulable(): Promise<void>;
}

interface Pod extends ApiObject {
  readonly spec: { readonly nodeName?: string };
  readonly status?: { readonly phase?: string };
}

interface NodeList {
  readonly items: readonly { readonly spec?: { readonly taints?: readonly unknown[] } }[];
}

/** As often as agents renew theirs. */
const renewIntervalMs = 10_000;
const nodesPath = resourcePath({ group: '', version: 'v1', resource: 'nodes' });

/** Makes so many nodes and plays their agents until it is disposed of. @throws StatusError when a node is refused. */
export async function startHollowNodes(client: RestClient, count: number): Promise<HollowNodes> {
  const nodes = Array.from({ length: count }, (_, index): HollowNode => ({ index, name: `hollow-${index}` }));
  await Promise.all(nodes.map((node) => makeNode(client, node)));
  const agents = new HollowAgents(client);
  await agents.start();
  const renewal = setInterval(() => {
    for (const node of nodes) agents.act(() => renewLease(client, node));
  }, renewIntervalMs);
  return {
    names: nodes.map(({ name }) => name),
    get started() {
      return agents.started;
    },
    failures: agents.failures,
    async untilSchedulable() {
      await eventually(async () => {
        const { items } = await client.json<NodeList>({ method: 'GET', path: nodesPath });
        return items.every(({ spec }) => (spec?.taints ?? []).length === 0) ? true : undefined;
      });
    },
    async [Symbol.asyncDispose]() {
      clearInterval(renewal);
      await agents.stop();
    },
  };
}

async function makeNode(client: RestClient, node: HollowNode): Promise<void> {
  const nowText = new Date().toISOString();
  await client.send({ method: 'POST', path: nodesPath, body: nodeOf(node, nowText) });
  const { path, lease } = leaseOf(node, nowText);
  await client.send({ method: 'POST', path, body: lease });
}

async function renewLease(client: RestClient, node: HollowNode): Promise<void> {
  const { path, lease } = leaseOf(node, new Date().toISOString());
  const { spec, metadata } = lease;
  await client.send({
    method: 'PATCH',
    path: `${path}/${metadata.name}`,
    body: { spec },
    contentType: 'application/merge-patch+json',
  });
}

/** The agents of all nodes, over one watch of the pods that are bound. */
class HollowAgents {
  readonly failures: string[] = [];
  readonly #client: RestClient;
  readonly #ending = new AbortController();
  /** By uid: each pod is started once, and removed once. */
  readonly #starting = new Set<string>();
  readonly #removing = new Set<string>();
  readonly #acts = new Set<Promise<void>>();
  #ended: Promise<void> | undefined;
  #started = 0;

  constructor(client: RestClient) {
    this.#client = client;
  }

  get started(): number {
    return this.#started;
  }

  async start(): Promise<void> {
    const see = (pod: Pod): void => this.#see(pod);
    const informer = startInformer<Pod>({
      client: this.#client,
      resource: { group: '', version: 'v1', resource: 'pods' },
      fieldSelector: 'spec.nodeName!=',
      signal: this.#ending.signal,
      onError: (error) => this.#fail(error),
      onAdd: see,
      onUpdate: see,
    });
    this.#ended = informer.done;
    await informer.whenSynced;
  }

  /** Does something beside everything else; what fails is kept. */
  act(work: () => Promise<void>): void {
    const done = work()
      .catch((error: unknown) => this.#fail(error))
      .finally(() => this.#acts.delete(done));
    this.#acts.add(done);
  }

  async stop(): Promise<void> {
    this.#ending.abort();
    await Promise.all([...this.#acts, this.#ended]);
  }

  #see({ metadata, status }: Pod): void {
    const { uid = '', name = '', namespace = '', deletionTimestamp } = metadata;
    const path = resourcePath({ group: '', version: 'v1', resource: 'pods', namespace, name });
    if (deletionTimestamp !== undefined) {
      if (this.#removing.has(uid)) return;
      this.#removing.add(uid);
      this.act(() => this.#remove(path, uid));
    } else if (status?.phase === 'Pending' && !this.#starting.has(uid)) {
      this.#starting.add(uid);
      this.act(() => this.#markRunning(path, this.#starting.size));
    }
  }

  async #markRunning(path: string, index: number): Promise<void> {
    await this.#client.send({
      method: 'PATCH',
      path: `${path}/status`,
      body: { status: runningStatus(index, new Date().toISOString()) },
      contentType: 'application/strategic-merge-patch+json',
    });
    this.#started++;
  }

  async #remove(path: string, uid: string): Promise<void> {
    try {
      await this.#client.send({
        method: 'DELETE',
        path,
        body: { gracePeriodSeconds: 0, preconditions: { uid } },
      });
    } catch (error) {
      // Somebody else was faster.
      if (!(error instanceof StatusError && error.status.reason === 'NotFound')) throw error;
    }
  }

  #fail(error: unknown): void {
    if (!this.#ending.signal.aborted) this.failures.push(String(error));
  }
}
