import type { Node } from '../../apis/types/core-v1.ts';
import type { ControllerContext } from '../controller.ts';
import { evictionTaintFor, hasEvictionTaint, withEvictionTaint } from './decide.ts';
import type { NodeHealth } from './health.ts';
import type { NodeEvictions } from './health-monitor.ts';
import { patchNode } from './patch-node.ts';
import type { PodMarks } from './pod-marks.ts';
import { ZoneQueues } from './zone-queues.ts';
import { zoneOf } from './zones.ts';

/** Taints nodes, in their turn; whoever evicts by taints does the rest. Source: release 1.20, `doNoExecuteTaintingPass`. */
export class TaintingEvictions implements NodeEvictions {
  readonly queues: ZoneQueues;
  readonly #context: ControllerContext;

  constructor(context: ControllerContext) {
    const { clock, signal, settings } = context;
    this.#context = context;
    this.queues = new ZoneQueues({
      clock,
      signal,
      firstRate: settings.nodeEvictionRate,
      work: (name) => this.#taint(name),
    });
  }

  async cancel(node: Node): Promise<void> {
    this.queues.remove(node.metadata.name ?? '');
    await this.#write(node, undefined);
  }

  async process(node: Node, status: string): Promise<void> {
    const { dialect } = this.#context;
    const wanted = evictionTaintFor(status);
    if (wanted === undefined || hasEvictionTaint(node, wanted, dialect)) return;
    const isTainted = hasEvictionTaint(node, wanted === 'not-ready' ? 'unreachable' : 'not-ready', dialect);
    // A node that evicts already may say at once why.
    if (isTainted) await this.#write(node, status);
    else this.queues.add(zoneOf(node, dialect), node.metadata.name ?? '');
  }

  async #taint(name: string): Promise<boolean> {
    const node = this.#context.informers.nodes().get('', name);
    if (node === undefined) return true;
    return this.#write(node, node.status.conditions?.find(({ type }) => type === 'Ready')?.status);
  }

  /** False when the server did not do it. */
  async #write(node: Node, status: string | undefined): Promise<boolean> {
    const { signal, logger, dialect, clock } = this.#context;
    const wanted = status === undefined ? undefined : evictionTaintFor(status);
    try {
      await patchNode(this.#context, node, (current) => {
        const taints = withEvictionTaint(current, wanted, { dialect, nowMs: clock.nowMs() });
        return taints && { taints };
      });
      return true;
    } catch (error) {
      if (!signal.aborted) logger.debug('node not tainted', { name: node.metadata.name, error });
      return false;
    }
  }
}

/** Deletes the pods of nodes that were not ready for long enough, in their turn. Source: release 1.20, `doEvictionPass`. */
export class DeletingEvictions implements NodeEvictions {
  readonly queues: ZoneQueues;
  readonly #context: ControllerContext;
  readonly #marks: PodMarks;
  /** Nodes that had their turn: what comes to them later goes at once. */
  readonly #evicted = new Set<string>();

  constructor(context: ControllerContext, marks: PodMarks) {
    const { clock, signal, settings } = context;
    this.#context = context;
    this.#marks = marks;
    this.queues = new ZoneQueues({
      clock,
      signal,
      firstRate: settings.nodeEvictionRate,
      work: (name) => this.#evict(name),
    });
  }

  async cancel({ metadata: { name = '' } }: Node): Promise<void> {
    this.queues.remove(name);
    this.#evicted.delete(name);
  }

  async process(node: Node, status: string, health: NodeHealth): Promise<void> {
    const { clock, settings, dialect } = this.#context;
    const sinceMs = status === 'False' ? health.changedMs : health.seenMs;
    if (clock.nowMs() <= sinceMs + settings.podEvictionTimeoutMs) return;
    const { name = '' } = node.metadata;
    if (!this.#evicted.has(name)) this.queues.add(zoneOf(node, dialect), name);
    else await this.#marks.evictAll(node, this.#marks.podsOn(name));
  }

  async #evict(name: string): Promise<boolean> {
    const node = this.#context.informers.nodes().get('', name);
    if (node === undefined) return true;
    const isDone = await this.#marks.evictAll(node, this.#marks.podsOn(name));
    if (isDone) this.#evicted.add(name);
    return isDone;
  }
}
