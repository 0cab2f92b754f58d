import type { ObjectMeta, OwnerReference } from '../../machinery/meta/index.ts';

/** What the server says of one owner of an object. */
export type OwnerState =
  /** It is there and keeps its dependents. */
  | 'solid'
  /** It is gone, or its name is now another object's. */
  | 'dangling'
  /** It is being deleted and waits until its dependents are gone. */
  | 'waiting';

export interface OwnerFinding {
  readonly reference: OwnerReference;
  readonly state: OwnerState;
}

export type PropagationPolicy = 'Background' | 'Foreground' | 'Orphan';

/** What to do with an object. */
export type Decision =
  | { readonly kind: 'keep' }
  /** Keep it, with these owners only. */
  | { readonly kind: 'setOwners'; readonly owners: readonly OwnerReference[] }
  /** Delete it; with `owners`, write these first, so that a circle of owners does not wait for itself. */
  | {
      readonly kind: 'delete';
      readonly policy: PropagationPolicy;
      readonly owners?: readonly OwnerReference[] | undefined;
    };

/** What the graph knows of the object's own dependents. */
export interface DependentFacts {
  readonly hasDependents: boolean;
  /** A dependent waits for its own dependents, so the two may own one another. */
  readonly hasWaitingDependent: boolean;
}

/**
 * Decides about an object that has owners: it stays while one of them is solid, and loses references to the others; it
 * goes when none is. Source: release 1.20, `attemptToDeleteItem`.
 */
export function decide(
  metadata: ObjectMeta,
  findings: readonly OwnerFinding[],
  dependents: DependentFacts,
): Decision {
  const solid = findings.filter(({ state }) => state === 'solid');
  if (solid.length === findings.length) return { kind: 'keep' };
  if (solid.length > 0) return { kind: 'setOwners', owners: solid.map(({ reference }) => reference) };
  const isWaitedFor = findings.some(({ state }) => state === 'waiting');
  if (!isWaitedFor || !dependents.hasDependents) return { kind: 'delete', policy: policyOf(metadata) };
  const owners = dependents.hasWaitingDependent
    ? findings.map(({ reference }) => ({ ...reference, blockOwnerDeletion: false }))
    : undefined;
  return { kind: 'delete', policy: 'Foreground', owners };
}

/** A deletion must not undo what the object's finalizers ask for. */
function policyOf({ finalizers }: ObjectMeta): PropagationPolicy {
  if (finalizers?.includes('orphan')) return 'Orphan';
  return finalizers?.includes('foregroundDeletion') ? 'Foreground' : 'Background';
}

/** What an owner's live metadata says of a reference to it; undefined when there is no object of that name. */
export function ownerState(reference: OwnerReference, owner: ObjectMeta | undefined): OwnerState {
  if (owner === undefined || owner.uid !== reference.uid) return 'dangling';
  const isWaiting = Boolean(owner.deletionTimestamp) && owner.finalizers?.includes('foregroundDeletion');
  return isWaiting ? 'waiting' : 'solid';
}
