import type { OwnerReference } from '../../machinery/meta/index.ts';
import type { AbsentOwners } from './absent-owners.ts';
import {
  GraphNode,
  type Identity,
  identityOfOwner,
  isSameIdentity,
  type ObservedObject,
  refersTo,
} from './node.ts';

/** Where the graph sends nodes that somebody must look at. */
export interface GraphWork {
  /** Perhaps the object has to go, or to be let go. */
  checkDeletion(node: GraphNode): void;
  /** As `checkDeletion`, but not at once. */
  checkDeletionLater(node: GraphNode): void;
  /** Its dependents have to be released. */
  orphanDependents(node: GraphNode): void;
  /** The object names an owner that lives in another namespace, where no reference reaches. */
  reportForeignOwner(node: GraphNode, reference: OwnerReference): void;
}

/**
 * Who owns whom: a node for each object, found by uid, with edges from owners to dependents. An owner that was never
 * seen has a virtual node. Events change the graph; what follows from them goes to `work`. No I/O.
 * Source: release 1.20, `garbagecollector/graph_builder`.
 */
export class DependencyGraph {
  readonly #nodes = new Map<string, GraphNode>();
  readonly #work: GraphWork;
  readonly #absent: AbsentOwners;

  constructor(work: GraphWork, absent: AbsentOwners) {
    this.#work = work;
    this.#absent = absent;
  }

  get size(): number {
    return this.#nodes.size;
  }

  find(uid: string): GraphNode | undefined {
    return this.#nodes.get(uid);
  }

  nodes(): Iterable<GraphNode> {
    return this.#nodes.values();
  }

  /** An object is there, new or changed. */
  observe(object: ObservedObject): GraphNode {
    let node = this.#nodes.get(object.identity.uid);
    const before = {
      wasOrphaning: node?.waitsForOrphaning ?? false,
      wasWaiting: node?.waitsForDependents ?? false,
    };
    const oldOwners = node?.owners ?? [];
    const oldIdentity = node?.identity;
    if (node === undefined) {
      node = new GraphNode(object.identity, { isVirtual: false });
      this.#nodes.set(object.identity.uid, node);
    }
    node.update(object);
    if (oldIdentity !== undefined && !isSameIdentity(oldIdentity, object.identity))
      this.#checkAbsentOwners(node);
    if (oldOwners.length > 0 || node.owners.length > 0) this.#changeOwners(node, oldOwners);
    this.#startWaiting(node, before);
    return node;
  }

  /** An object is gone: seen by a watch, or missing from a list. */
  remove(uid: string): void {
    const node = this.#nodes.get(uid);
    if (node !== undefined) this.#removeNode(node);
  }

  /**
   * The resource of an object is not followed any more. Dependents of the object stay its dependents, in case that
   * it is followed again.
   */
  forget(uid: string): void {
    const node = this.#nodes.get(uid);
    if (node === undefined) return;
    if (node.dependentCount === 0) {
      this.#removeNode(node);
      return;
    }
    this.#unlink(node, node.owners);
    node.forget();
    this.#work.checkDeletionLater(node);
  }

  /** The server was asked for `absent` and has no such object. That says nothing of nodes that others saw. */
  removeAbsent(absent: Identity): void {
    const node = this.#nodes.get(absent.uid);
    if (node === undefined) return;
    const isThisOne = isSameIdentity(node.identity, absent);
    const others = [...node.dependents].filter((dependent) => !namesOwner(dependent, absent));
    if (isThisOne && (!node.isVirtual || others.length === 0)) {
      this.#removeNode(node);
      return;
    }
    // Some dependents mean another object by this uid: only those that mean the absent one are done with.
    const matching = [...node.dependents].filter((dependent) => namesOwner(dependent, absent));
    if (matching.length > 0) this.#absent.add(absent);
    for (const dependent of matching) this.#work.checkDeletion(dependent);
    if (node.isVirtual && isThisOne) this.#tryOtherIdentity(node, others);
  }

  #tryOtherIdentity(node: GraphNode, others: readonly GraphNode[]): void {
    const [first] = others;
    const reference = first?.owners.find(({ uid }) => uid === node.identity.uid);
    if (first === undefined || reference === undefined) return;
    node.identity = identityOfOwner(reference, first.identity.namespace);
    this.#work.checkDeletionLater(node);
  }

  #removeNode(node: GraphNode): void {
    this.#nodes.delete(node.identity.uid);
    this.#unlink(node, node.owners);
    if (node.dependentCount > 0) this.#absent.add(node.identity);
    for (const dependent of node.dependents) this.#work.checkDeletion(dependent);
    for (const { uid } of node.owners) {
      const owner = this.#nodes.get(uid);
      if (owner?.waitsForDependents) this.#work.checkDeletion(owner);
    }
  }

  /** Dependents that name this object's uid but mean another object have to be looked at. */
  #checkAbsentOwners(node: GraphNode): void {
    for (const dependent of node.dependents) {
      if (namesOwner(dependent, node.identity)) continue;
      this.#work.checkDeletion(dependent);
      const reference = dependent.owners.find(({ uid }) => uid === node.identity.uid);
      if (reference !== undefined) this.#tellForeign(dependent, reference, node);
    }
  }

  #tellForeign(node: GraphNode, reference: OwnerReference, { identity: { namespace } }: GraphNode): void {
    if (namespace !== '' && namespace !== node.identity.namespace) {
      this.#work.reportForeignOwner(node, reference);
    }
  }

  #changeOwners(node: GraphNode, old: readonly OwnerReference[]): void {
    const removed = old.filter(({ uid }) => !node.owners.some((owner) => owner.uid === uid));
    const added = node.owners.filter(({ uid }) => !old.some((owner) => owner.uid === uid));
    for (const reference of old) {
      const now = node.owners.find(({ uid }) => uid === reference.uid);
      const isUnblocked = reference.blockOwnerDeletion === true && now?.blockOwnerDeletion !== true;
      const owner = this.#nodes.get(reference.uid);
      if (isUnblocked && owner?.waitsForDependents) this.#work.checkDeletion(owner);
    }
    this.#unlink(node, removed);
    for (const reference of added) this.#link(node, reference);
  }

  #link(node: GraphNode, reference: OwnerReference): void {
    let owner = this.#nodes.get(reference.uid);
    if (owner === undefined) {
      owner = new GraphNode(identityOfOwner(reference, node.identity.namespace), { isVirtual: true });
      this.#nodes.set(reference.uid, owner);
      this.#work.checkDeletion(owner);
    } else if (!owner.isVirtual && !refersTo(reference, node.identity.namespace, owner.identity)) {
      this.#work.checkDeletion(node);
      this.#tellForeign(node, reference, owner);
    }
    owner.addDependent(node);
  }

  #unlink(node: GraphNode, owners: readonly OwnerReference[]): void {
    for (const { uid } of owners) {
      const owner = this.#nodes.get(uid);
      owner?.removeDependent(node);
      if (owner?.isVirtual && owner.dependentCount === 0) this.#nodes.delete(uid);
    }
  }

  #startWaiting(
    node: GraphNode,
    before: { readonly wasOrphaning: boolean; readonly wasWaiting: boolean },
  ): void {
    if (node.waitsForOrphaning && !before.wasOrphaning) {
      this.#work.orphanDependents(node);
    } else if (node.waitsForDependents && !before.wasWaiting) {
      for (const dependent of node.dependents) this.#work.checkDeletion(dependent);
      this.#work.checkDeletion(node);
    }
  }
}

/** Whether a dependent means just this object by its uid. */
function namesOwner({ owners, identity: { namespace } }: GraphNode, identity: Identity): boolean {
  return owners.some((owner) => refersTo(owner, namespace, identity));
}
