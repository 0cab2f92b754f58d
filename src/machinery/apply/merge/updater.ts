/**
 * Who owns which fields after an update or an apply: conflicts, transfer, pruning. Managers are opaque
 * identities here; times and encoded entries belong to `managed-fields`.
 */

import type { Steps } from '../../../base/index.ts';
import { emptyFieldSet, equalFieldSets, type FieldSet, isEmptyFieldSet } from '../fieldpath/field-set.ts';
import { differenceOf, unionOf } from '../fieldpath/set-algebra.ts';
import { compareTyped, differs, isSame } from '../typed/compare.ts';
import { mergeTyped } from '../typed/merge-typed.ts';
import { reconcileFieldSet } from '../typed/reconcile.ts';
import { toFieldSet } from '../typed/to-field-set.ts';
import type { ConvertTyped, ManagerSet, Managers, TypedObject } from './managers.ts';
import { keepsOwners, transferOwnership } from './ownership.ts';
import { pruneDropped } from './prune.ts';

export interface UpdateInput {
  readonly live: TypedObject;
  readonly object: TypedObject;
  readonly managers: Managers;
  readonly manager: string;
  /** Under which identity the manager will own what it writes. */
  readonly writer: string;
  /** Fields that nobody comes to own. */
  readonly unowned: FieldSet;
  readonly convert: ConvertTyped;
}

/**
 * Owners after somebody wrote an object: what was changed is the writer's, what was removed is nobody's. Undefined when all
 * of them own what they owned before.
 */
export function* updateOwnership(input: UpdateInput): Steps<Map<string, ManagerSet> | undefined> {
  const { live, object, manager, writer, unowned } = input;
  const convert = convertOnce(live, input.convert);
  const before = reconcileManagers(live, input.managers, convert);
  yield;
  const comparison = compareTyped(object.schema.root, live.object, object.object);
  yield;
  const { apiVersion } = object;
  const isKept =
    before === input.managers && keepsOwners({ comparison, managers: before, apiVersion, writer, unowned });
  if (isKept) return undefined;
  const { managers } = transferOwnership({
    before: live,
    after: object,
    comparison,
    managers: before,
    actor: manager,
    isForced: true,
    convert,
  });
  yield;
  const own = managers.get(manager)?.set ?? emptyFieldSet;
  const changed = unionOf(unionOf(own, comparison.modified), comparison.added);
  const set = differenceOf(changed, comparison.removed);
  if (isEmptyFieldSet(set)) managers.delete(manager);
  else managers.set(manager, { set, apiVersion: object.apiVersion, isApplied: false });
  return managers;
}

export interface ApplyInput {
  readonly live: TypedObject;
  readonly config: TypedObject;
  readonly managers: Managers;
  readonly manager: string;
  readonly isForced: boolean;
  readonly convert: ConvertTyped;
}

export interface ApplyResult {
  /** Undefined when the configuration changes nothing. */
  readonly object: Record<string, unknown> | undefined;
  readonly managers: Map<string, ManagerSet>;
}

/**
 * Merges a configuration into the live object, prunes what the applier dropped, and moves ownership.
 *
 * @throws ApplyConflictError when others own what changes and the apply is not forced.
 */
export function* applyOwnership(input: ApplyInput): Steps<ApplyResult> {
  const { live, config, manager } = input;
  const convert = convertOnce(live, input.convert);
  const { root } = live.schema;
  const merged: TypedObject = {
    ...live,
    // Merging two objects gives an object.
    object: mergeTyped(root, live.object, config.object) as Record<string, unknown>,
  };
  yield;
  const managers = new Map(reconcileManagers(live, input.managers, convert));
  yield;
  const last = managers.get(manager);
  const named = toFieldSet(root, config.object);
  // Most appliers apply the same fields again: what is known of the set then holds on.
  const set = last !== undefined && equalFieldSets(named, last.set) ? last.set : named;
  managers.set(manager, { set, apiVersion: config.apiVersion, isApplied: true });
  yield;
  const after = yield* pruneDropped({ merged, managers, last, convert });
  yield;
  if (managers.size === 1) {
    // There is nobody whose fields could change hands.
    if (isEmptyFieldSet(set)) managers.delete(manager);
    const isChanged = differs(after.schema.root, live.object, after.object);
    return { object: isChanged ? after.object : undefined, managers };
  }
  const comparison = compareTyped(after.schema.root, live.object, after.object);
  yield;
  const result = transferOwnership({
    before: live,
    after,
    comparison,
    managers,
    actor: manager,
    isForced: input.isForced,
    convert,
  });
  return { object: isSame(result.comparison) ? undefined : after.object, managers: result.managers };
}

/** A conversion that keeps what becomes of the live object, which several steps ask for. */
function convertOnce(live: TypedObject, convert: ConvertTyped): ConvertTyped {
  const known = new Map<string, TypedObject | undefined>([[live.apiVersion, live]]);
  return (typed, apiVersion) => {
    if (typed !== live) return convert(typed, apiVersion);
    if (!known.has(apiVersion)) known.set(apiVersion, convert(live, apiVersion));
    return known.get(apiVersion);
  };
}

/** The owners by the types as they are, each in its own version. Those of unknown versions stay as they are here. */
function reconcileManagers(live: TypedObject, managers: Managers, convert: ConvertTyped): Managers {
  let reconciled: Map<string, ManagerSet> | undefined;
  for (const [id, own] of managers) {
    const typed = convert(live, own.apiVersion);
    const set = typed && reconcileFieldSet(typed.schema.root, own.set, typed.object);
    if (set === undefined || set === own.set) continue;
    reconciled ??= new Map(managers);
    reconciled.set(id, { ...own, set });
  }
  return reconciled ?? managers;
}
