import { createWorkQueue, type WorkQueue } from '../../client/work-queue/index.ts';
import { isReason } from '../../machinery/errors/index.ts';
import type { OwnerReference } from '../../machinery/meta/index.ts';
import type { Controller, ControllerContext } from '../controller.ts';
import { createControllerEvents } from '../controller-events.ts';
import { AbsentOwners } from './absent-owners.ts';
import { createCollector } from './collector.ts';
import { DependencyGraph, type GraphWork } from './graph.ts';
import { createLiveObjects, UnknownKind } from './live-objects.ts';
import { Monitors } from './monitors.ts';
import type { GraphNode, Identity } from './node.ts';

/** Holds work back until it may go on. Closed at first; the signal opens it for good, so that nobody waits for ever. */
export class Gate {
  readonly #signal: AbortSignal;
  #opening = Promise.withResolvers<void>();
  #isOpen = false;

  constructor(signal: AbortSignal) {
    this.#signal = signal;
    if (signal.aborted) this.open();
    else signal.addEventListener('abort', () => this.open(), { once: true });
  }

  open(): void {
    this.#isOpen = true;
    this.#opening.resolve();
  }

  close(): void {
    if (!this.#isOpen || this.#signal.aborted) return;
    this.#isOpen = false;
    this.#opening = Promise.withResolvers();
  }

  /** Resolves while the gate is open. */
  async passage(): Promise<void> {
    while (!this.#isOpen) await this.#opening.promise;
  }
}

const deletionConcurrency = 20;
const orphanConcurrency = 5;
const retries = { firstRetryMs: 50, maxRetryMs: 5 * 60_000 };
/** Before an owner is looked for under another name. */
const laterMs = 1000;

/**
 * Deletes objects whose owners are gone, and carries out foreground and orphaning deletions: a graph of owners and dependents
 * over all resources (`graph`, pure), decisions about single objects (`decide`, pure), and a thin shell that follows the server
 * (`monitors`) and acts (`collector`). It makes no objects, knows kinds only from discovery, and keeps identities and owner
 * references of all objects in memory, nothing else.
 */
export const garbageCollectorController: Controller = {
  name: 'garbagecollector',
  async run(context) {
    const { logger } = context;
    const absent = new AbsentOwners();
    const events = createControllerEvents(context, 'garbage-collector-controller');
    // Nothing is decided before all of the graph is known.
    const gate = new Gate(context.signal);
    const work: GraphWork = {
      checkDeletion: (node) => deletions.add(node),
      checkDeletionLater: (node) => deletions.addAfter(node, laterMs),
      orphanDependents: (node) => orphans.add(node),
      reportForeignOwner: ({ identity }, reference) =>
        events.record(identity, 'Warning', 'OwnerRefInvalidNamespace', foreignOwnerText(identity, reference)),
    };
    const graph = new DependencyGraph(work, absent);
    const monitors = new Monitors({
      context,
      graph,
      onIncomplete: () => gate.close(),
      onComplete: () => gate.open(),
    });
    const collector = createCollector({
      graph,
      work,
      absent,
      live: createLiveObjects(context, (apiVersion, kind) => monitors.map(apiVersion, kind)),
      onBadReference: (node, error) =>
        logger.info('owner reference cannot be resolved', fieldsOf(node, error)),
    });
    const deletions = queueOf(context, gate, {
      concurrency: deletionConcurrency,
      work: (node) => collector.checkDeletion(node),
    });
    const orphans = queueOf(context, gate, {
      concurrency: orphanConcurrency,
      work: (node) => collector.orphanDependents(node),
    });
    await Promise.all([monitors.run(), deletions.done, orphans.done]);
  },
};

function queueOf(
  { clock, random, signal, logger, queueMetrics }: ControllerContext,
  gate: Gate,
  options: { readonly concurrency: number; work(node: GraphNode): Promise<void> },
): WorkQueue<GraphNode> {
  return createWorkQueue<GraphNode>({
    async work(node) {
      await gate.passage();
      if (!signal.aborted) await options.work(node);
    },
    concurrency: options.concurrency,
    ...retries,
    metrics: queueMetrics,
    random,
    clock,
    signal,
    onError(error, node) {
      // Lost races and kinds that are not served now are ordinary; they are tried again.
      if (error instanceof UnknownKind || isReason(error, 'Conflict')) {
        logger.debug('garbage collection of object postponed', fieldsOf(node, error));
      } else logger.error('garbage collection of object failed', fieldsOf(node, error));
    },
  });
}

function foreignOwnerText({ namespace }: Identity, reference: OwnerReference): string {
  const { apiVersion, kind, name, uid } = reference;
  const owner = `[${apiVersion}/${kind}, namespace: ${namespace}, name: ${name}, uid: ${uid}]`;
  return `ownerRef ${owner} does not exist in namespace "${namespace}"`;
}

function fieldsOf({ identity }: GraphNode, error: unknown): Record<string, unknown> {
  const { kind, namespace, name, uid } = identity;
  return { kind, namespace, name, uid, error };
}
