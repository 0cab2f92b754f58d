import { isReason } from '../../machinery/errors/index.ts';
import type { ObjectMeta, OwnerReference } from '../../machinery/meta/index.ts';
import type { AbsentOwners } from './absent-owners.ts';
import { decide, type OwnerFinding, ownerState } from './decide.ts';
import type { DependencyGraph, GraphWork } from './graph.ts';
import { type LiveObjects, OwnerOutOfReach } from './live-objects.ts';
import { type GraphNode, identityOfOwner } from './node.ts';

export interface CollectorOptions {
  readonly graph: DependencyGraph;
  readonly work: GraphWork;
  readonly absent: AbsentOwners;
  readonly live: LiveObjects;
  /** Told of owner references that can never be followed. */
  readonly onBadReference: (node: GraphNode, error: Error) => void;
}

/** Looks at single nodes: reads what the server has now, decides, acts. */
export interface Collector {
  /** Deletes the object when no owner keeps it, or lets it go when nothing blocks it. Idempotent. */
  checkDeletion(node: GraphNode): Promise<void>;
  /** Releases all dependents of the object, then lets it go. Idempotent. */
  orphanDependents(node: GraphNode): Promise<void>;
}

/** How many dependents are released at once. */
const orphanConcurrency = 16;

/** Makes the collector of a graph. It sends requests only when it is asked to look at a node. */
export function createCollector(options: CollectorOptions): Collector {
  const { graph, work, live, onBadReference } = options;

  async function checkDeletion(node: GraphNode): Promise<void> {
    const { identity } = node;
    if (graph.find(identity.uid) !== node) return;
    // Its deletion was already asked for; the rest happens when it is gone.
    if (node.isBeingDeleted && !node.waitsForDependents) return;
    const metadata = await live.read(identity);
    if (metadata === undefined || metadata.uid !== identity.uid) return graph.removeAbsent(identity);
    if (node.waitsForDependents) return letGoWhenFree(node);
    const owners = metadata.ownerReferences ?? [];
    if (owners.length === 0) return;
    try {
      await act(node, metadata, await classify(options, node, owners));
    } catch (error) {
      if (!(error instanceof OwnerOutOfReach)) throw error;
      onBadReference(node, error);
    }
  }

  async function act(
    node: GraphNode,
    metadata: ObjectMeta,
    findings: readonly OwnerFinding[],
  ): Promise<void> {
    const decision = decide(metadata, findings, {
      hasDependents: node.dependentCount > 0,
      hasWaitingDependent: [...node.dependents].some(({ waitsForDependents }) => waitsForDependents),
    });
    if (decision.kind === 'keep') return;
    if (decision.owners !== undefined) await live.setOwners(node.identity, metadata, decision.owners);
    if (decision.kind === 'delete') await live.remove(node.identity, decision.policy);
  }

  async function letGoWhenFree(node: GraphNode): Promise<void> {
    const blocking = node.blockingDependents();
    if (blocking.length === 0) return removeFinalizer(live, node, 'foregroundDeletion');
    for (const dependent of blocking) {
      if (!dependent.waitsForDependents) work.checkDeletion(dependent);
    }
  }

  async function orphanDependents(node: GraphNode): Promise<void> {
    if (graph.find(node.identity.uid) !== node) return;
    const waiting = [...node.dependents];
    const release = async (): Promise<void> => {
      for (let dependent = waiting.pop(); dependent !== undefined; dependent = waiting.pop()) {
        await releaseFrom(live, dependent, node.identity.uid);
      }
    };
    await Promise.all(Array.from({ length: orphanConcurrency }, release));
    await removeFinalizer(live, node, 'orphan');
  }

  return { checkDeletion, orphanDependents };
}

async function classify(
  { live, absent }: CollectorOptions,
  node: GraphNode,
  owners: readonly OwnerReference[],
): Promise<OwnerFinding[]> {
  const findings: OwnerFinding[] = [];
  for (const reference of owners) {
    const identity = identityOfOwner(reference, node.identity.namespace);
    // An owner that was seen to go had no namespace if it was cluster-scoped.
    if (absent.has(identity) || absent.has({ ...identity, namespace: '' })) {
      findings.push({ reference, state: 'dangling' });
      continue;
    }
    const state = ownerState(reference, await live.read(identity));
    if (state === 'dangling') absent.add(identity);
    findings.push({ reference, state });
  }
  return findings;
}

const maxAttempts = 5;

/** Changes an object as it is now, again when another write came first; an object that is gone is fine. */
async function changeLive(
  live: LiveObjects,
  node: GraphNode,
  change: (metadata: ObjectMeta) => Promise<void>,
): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    const metadata = await live.read(node.identity);
    if (metadata === undefined || metadata.uid !== node.identity.uid) return;
    try {
      return await change(metadata);
    } catch (error) {
      if (isReason(error, 'NotFound')) return;
      if (!isReason(error, 'Conflict') || attempt === maxAttempts) throw error;
    }
  }
}

function removeFinalizer(live: LiveObjects, node: GraphNode, finalizer: string): Promise<void> {
  return changeLive(live, node, async (metadata) => {
    const finalizers = metadata.finalizers ?? [];
    if (!finalizers.includes(finalizer)) return;
    const left = finalizers.filter((name) => name !== finalizer);
    await live.setFinalizers(node.identity, metadata, left);
  });
}

function releaseFrom(live: LiveObjects, dependent: GraphNode, ownerUid: string): Promise<void> {
  return changeLive(live, dependent, async (metadata) => {
    const owners = metadata.ownerReferences ?? [];
    const left = owners.filter(({ uid }) => uid !== ownerUid);
    if (left.length < owners.length) await live.setOwners(dependent.identity, metadata, left);
  });
}
