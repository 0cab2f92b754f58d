import type { OwnerReference } from '../../machinery/meta/index.ts';

/** Which object, as owner references name it. */
export interface Identity {
  readonly apiVersion: string;
  readonly kind: string;
  /** Empty for cluster-scoped objects. Of an owner that was never seen: the namespace of the dependent. */
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
}

/** What the collector remembers of an object. */
export interface ObservedObject {
  readonly identity: Identity;
  readonly owners: readonly OwnerReference[];
  readonly isBeingDeleted: boolean;
  /** It waits until its dependents are released (`orphan`). */
  readonly waitsForOrphaning: boolean;
  /** It waits until its blocking dependents are gone (`foregroundDeletion`). */
  readonly waitsForDependents: boolean;
}

const none: readonly OwnerReference[] = Object.freeze([]);

/** An object in the graph. Only the graph changes it. */
export class GraphNode {
  identity: Identity;
  owners: readonly OwnerReference[] = none;
  isBeingDeleted = false;
  waitsForOrphaning = false;
  waitsForDependents = false;
  /** Nobody has seen the object yet; a dependent named it. */
  isVirtual: boolean;
  /** Number of the last list of its resource that had it; see `Monitor`. */
  listing = 0;
  #dependents: Set<GraphNode> | undefined;

  constructor(identity: Identity, options: { readonly isVirtual: boolean }) {
    this.identity = identity;
    this.isVirtual = options.isVirtual;
  }

  get dependents(): Iterable<GraphNode> {
    return this.#dependents ?? [];
  }

  get dependentCount(): number {
    return this.#dependents?.size ?? 0;
  }

  /** Takes over what was observed; owner references without entries share one list. */
  update(object: ObservedObject): void {
    this.identity = object.identity;
    this.owners = object.owners.length === 0 ? none : object.owners;
    this.isBeingDeleted ||= object.isBeingDeleted;
    this.waitsForOrphaning = object.waitsForOrphaning;
    this.waitsForDependents = object.waitsForDependents;
    this.isVirtual = false;
  }

  /** Back to what its dependents say of it. */
  forget(): void {
    this.owners = none;
    this.isBeingDeleted = false;
    this.waitsForOrphaning = false;
    this.waitsForDependents = false;
    this.isVirtual = true;
  }

  addDependent(dependent: GraphNode): void {
    this.#dependents ??= new Set();
    this.#dependents.add(dependent);
  }

  removeDependent(dependent: GraphNode): void {
    this.#dependents?.delete(dependent);
    if (this.#dependents?.size === 0) this.#dependents = undefined;
  }

  /** Dependents that this object must not go before. */
  blockingDependents(): GraphNode[] {
    const { uid } = this.identity;
    return [...this.dependents].filter(({ owners }) =>
      owners.some((owner) => owner.uid === uid && owner.blockOwnerDeletion === true),
    );
  }
}

/** Whether a dependent in `namespace` that refers to an owner by `reference` means the object `identity`. */
export function refersTo(reference: OwnerReference, namespace: string, identity: Identity): boolean {
  return (
    reference.uid === identity.uid &&
    reference.name === identity.name &&
    reference.kind === identity.kind &&
    reference.apiVersion === identity.apiVersion &&
    (identity.namespace === '' || identity.namespace === namespace)
  );
}

/** The owner that a dependent in `namespace` names. */
export function identityOfOwner(reference: OwnerReference, namespace: string): Identity {
  const { apiVersion, kind, name, uid } = reference;
  return { apiVersion, kind, name, uid, namespace };
}

/** True when two identities name one object in the same words. */
export function isSameIdentity(a: Identity, b: Identity): boolean {
  return (
    a.uid === b.uid &&
    a.name === b.name &&
    a.kind === b.kind &&
    a.apiVersion === b.apiVersion &&
    a.namespace === b.namespace
  );
}
