import { isReason } from '../../machinery/errors/index.ts';
import type { Controller, ControllerContext } from '../controller.ts';
import { RetryQueue } from '../retry-queue.ts';
import { AbsentOwners } from './absent-owners.ts';
import { createCollector } from './collector.ts';
import { DependencyGraph, type GraphWork } from './graph.ts';
import { createLiveObjects, UnknownKind } from './live-objects.ts';
import { Monitors } from './monitors.ts';
import type { GraphNode } from './node.ts';

const deletionConcurrency = 20;
const orphanConcurrency = 5;
const backoff = { baseMs: 50, maxMs: 5 * 60_000 };

/**
 * Deletes objects whose owners are gone, and carries out foreground and orphaning deletions. It keeps identities and
 * owner references of all objects in memory, nothing else.
 */
export const garbageCollectorController: Controller = {
  name: 'garbagecollector',
  async run(context) {
    const { logger } = context;
    const absent = new AbsentOwners();
    const work: GraphWork = {
      checkDeletion: (node) => deletions.add(node),
      checkDeletionLater: (node) => void deletions.addLater(node),
      orphanDependents: (node) => orphans.add(node),
    };
    const graph = new DependencyGraph(work, absent);
    const monitors = new Monitors({
      context,
      graph,
      onIncomplete: () => {
        deletions.hold();
        orphans.hold();
      },
      onComplete: () => {
        deletions.release();
        orphans.release();
      },
    });
    const collector = createCollector({
      graph,
      work,
      absent,
      live: createLiveObjects(context, (apiVersion, kind) => monitors.map(apiVersion, kind)),
      onBadReference: (node, error) =>
        logger.info('owner reference cannot be followed', fieldsOf(node, error)),
    });
    const deletions = queueOf(context, deletionConcurrency, (node) => collector.checkDeletion(node));
    const orphans = queueOf(context, orphanConcurrency, (node) => collector.orphanDependents(node));
    // Nothing is decided before all of the graph is known.
    deletions.hold();
    orphans.hold();
    await monitors.run();
    await Promise.all([deletions.ended(), orphans.ended()]);
  },
};

function queueOf(
  { clock, random, signal, logger }: ControllerContext,
  concurrency: number,
  reconcile: (node: GraphNode) => Promise<void>,
): RetryQueue<GraphNode> {
  return new RetryQueue<GraphNode>({
    reconcile,
    concurrency,
    backoff: { ...backoff, random },
    clock,
    signal,
    onFailure(node, error, retryMs) {
      const fields = { ...fieldsOf(node, error), retryMs };
      // Lost races and kinds that are not served now are ordinary; they are tried again.
      if (error instanceof UnknownKind || isReason(error, 'Conflict')) {
        logger.debug('collecting an object has to wait', fields);
      } else logger.error('collecting an object failed', fields);
    },
  });
}

function fieldsOf({ identity }: GraphNode, error: unknown): Record<string, unknown> {
  const { kind, namespace, name, uid } = identity;
  return { kind, namespace, name, uid, error };
}
