import type { Node } from '../../apis/types/core-v1.ts';
import { pause } from '../../base/index.ts';
import { resourcePath } from '../../client/rest/index.ts';
import type { ControllerContext } from '../controller.ts';
import type { ControllerEvents } from '../controller-events.ts';
import { evictionTaintFor } from './decide.ts';
import { afterWrite, decideHealth, type HealthDecision, type NodeHealth } from './health.ts';
import { nodeReference, type PodMarks, tellOfNode } from './pod-marks.ts';
import type { ZoneQueues } from './zone-queues.ts';
import { decideZones, isLeftOut, type ZoneState, zoneOf } from './zones.ts';

/** What is done with the pods of nodes that are not ready: by taints, or by deleting them. */
export interface NodeEvictions {
  readonly queues: ZoneQueues;
  /** The node is here, or works: nothing of it is evicted. Never rejects. */
  cancel(node: Node): Promise<void>;
  /** A node that does not work has this status of `Ready`. Never rejects. */
  process(node: Node, status: string, health: NodeHealth): Promise<void>;
}

/** What the monitor works with. */
export interface HealthMonitorOptions {
  readonly context: ControllerContext;
  readonly events: ControllerEvents;
  readonly marks: PodMarks;
  readonly evictions: NodeEvictions;
}

/** Looks at all nodes every few seconds, and says so when one fell silent. Source: release 1.20, `monitorNodeHealth`. */
export class HealthMonitor {
  readonly #options: HealthMonitorOptions;
  /** By name, with the last state of each. */
  readonly #known = new Map<string, Node>();
  readonly #health = new Map<string, NodeHealth>();
  /** Nodes whose pods could not all be marked. */
  readonly #retried = new Set<string>();
  #zones: ReadonlyMap<string, ZoneState> = new Map();

  constructor(options: HealthMonitorOptions) {
    this.#options = options;
  }

  healthOf(node: string): NodeHealth | undefined {
    return this.#health.get(node);
  }

  /** Until the signal aborts. */
  async run(): Promise<void> {
    const { informers, clock, signal, settings } = this.#options.context;
    const followed = [informers.nodes(), informers.pods(), informers.leases()];
    await Promise.all(followed.map(({ whenSynced }) => whenSynced));
    do {
      await this.#pass(informers.nodes().list());
    } while (await pause(clock, settings.nodeMonitorPeriodMs, signal));
  }

  async #pass(nodes: readonly Node[]): Promise<void> {
    const { context, evictions } = this.#options;
    const { dialect, settings, logger } = context;
    await this.#meet(nodes);
    const statuses = new Map<string, (string | undefined)[]>();
    for (const node of nodes) {
      const decision = await this.#look(node);
      if (decision === undefined) continue;
      if (!isLeftOut(node, dialect)) {
        const zone = zoneOf(node, dialect);
        statuses.set(zone, [...(statuses.get(zone) ?? []), decision.current]);
      }
      if (decision.current !== undefined) await this.#act(node, decision);
    }
    const { states, rates, change } = decideZones(this.#zones, statuses, settings);
    this.#zones = states;
    if (change === 'lost') {
      logger.info('no node is ready: evictions stop');
      for (const node of nodes) await evictions.cancel(node);
    } else if (change === 'found') {
      logger.info('a node is ready: evictions go on');
      // Who was not heard could not be: their time begins anew.
      const nowMs = context.clock.nowMs();
      for (const [name, health] of this.#health) {
        this.#health.set(name, { ...health, seenMs: nowMs, changedMs: nowMs });
      }
    }
    for (const [zone, rate] of rates) evictions.queues.setRate(zone, rate);
  }

  /** Nodes that came and went. */
  async #meet(nodes: readonly Node[]): Promise<void> {
    const { events, evictions } = this.#options;
    const names = new Set(nodes.map(({ metadata }) => metadata.name ?? ''));
    for (const [name, node] of this.#known) {
      if (names.has(name)) continue;
      const text = `Removing Node ${name} from Controller`;
      tellOfNode(events, node, { reason: 'RemovingNode', text });
      this.#known.delete(name);
      this.#health.delete(name);
      this.#retried.delete(name);
      evictions.queues.remove(name);
    }
    for (const node of nodes) {
      const { name = '' } = node.metadata;
      const isNew = !this.#known.has(name);
      this.#known.set(name, node);
      if (!isNew) continue;
      const text = `Registered Node ${name} in Controller`;
      tellOfNode(events, node, { reason: 'RegisteredNode', text });
      await evictions.cancel(node);
    }
  }

  /** Undefined when a node could not be written: the next round looks at it again. */
  async #look(node: Node): Promise<HealthDecision | undefined> {
    const { context } = this.#options;
    const { dialect, clock, informers, settings } = context;
    const { name = '' } = node.metadata;
    const lease = informers.leases().get(dialect.nodeLeaseNamespace, name);
    const agent = dialect.spell('nodeagent');
    const decision = decideHealth(
      {
        node,
        renewTime: lease?.spec.renewTime ?? undefined,
        before: this.#health.get(name),
        nowMs: clock.nowMs(),
      },
      {
        monitorGraceMs: settings.nodeMonitorGracePeriodMs,
        startupGraceMs: settings.nodeStartupGracePeriodMs,
        agent: `${agent.charAt(0).toUpperCase()}${agent.slice(1)}`,
      },
    );
    this.#health.set(name, decision.health);
    if (decision.conditions === undefined) return decision;
    if (!(await this.#writeConditions(node, decision.conditions))) return undefined;
    this.#health.set(name, afterWrite(decision, clock.nowMs()));
    return decision;
  }

  async #writeConditions(
    node: Node,
    conditions: NonNullable<HealthDecision['conditions']>,
  ): Promise<boolean> {
    const { client, signal, logger } = this.#options.context;
    const { name } = node.metadata;
    const path = resourcePath({ group: '', version: 'v1', resource: 'nodes', name, subresource: 'status' });
    try {
      const body = { ...node, status: { ...node.status, conditions } };
      await client.send({ method: 'PUT', path, body, signal });
      return true;
    } catch (error) {
      if (!signal.aborted) logger.debug('status of a silent node not written', { name, error });
      return false;
    }
  }

  async #act(node: Node, { observed, current }: HealthDecision): Promise<void> {
    const { events, marks, evictions } = this.#options;
    const { name = '' } = node.metadata;
    const health = this.#health.get(name);
    if (evictionTaintFor(observed) === undefined) await evictions.cancel(node);
    else if (health !== undefined) await evictions.process(node, observed, health);
    const isLost = current !== 'True' && observed === 'True';
    if (isLost) {
      const text = `Node ${name} status is now: NodeNotReady`;
      events.record(nodeReference(node), 'Normal', 'NodeNotReady', text);
    }
    const mustMark = isLost || (this.#retried.has(name) && observed !== 'True');
    if (mustMark && !(await marks.markUnready(marks.podsOn(name)))) this.#retried.add(name);
    else this.#retried.delete(name);
  }
}
