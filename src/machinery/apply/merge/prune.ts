import type { Steps } from '../../../base/index.ts';
import { equalFieldSets, type FieldSet, isEmptyFieldSet } from '../fieldpath/field-set.ts';
import { differenceOf, intersectionOf, unionOf } from '../fieldpath/set-algebra.ts';
import { removeItems } from '../typed/select-items.ts';
import { toFieldSet } from '../typed/to-field-set.ts';
import { compareTexts } from '../value/index.ts';
import {
  type ConvertTyped,
  convertFor,
  type ManagerSet,
  type Managers,
  ownedByVersion,
  type TypedObject,
} from './managers.ts';

/** What an applier left behind. */
export interface PruneOptions {
  readonly merged: TypedObject;
  /** With the applier's new set. */
  readonly managers: Managers;
  /** What the applier owned before. */
  readonly last: ManagerSet | undefined;
  readonly convert: ConvertTyped;
}

const failure = 'failed to prune fields';

/**
 * The merged object without fields and items that the applier applied last time, does not apply any more,
 * and nobody else owns. When the version of last time is gone, all stays.
 */
export function* pruneDropped({ merged, managers, last, convert }: PruneOptions): Steps<TypedObject> {
  if (last === undefined || isEmptyFieldSet(last.set)) return merged;
  const stillOwned = ownedByVersion(managers).get(last.apiVersion);
  // All of last time is owned still: nothing was dropped.
  if (stillOwned !== undefined && isEmptyFieldSet(differenceOf(last.set, stillOwned))) return merged;
  const convertFirst = convertFor(
    `${failure}: failed to convert merged object to last applied version`,
    convert,
  );
  const atLast = convertFirst(merged, last.apiVersion);
  if (atLast === undefined) return merged;
  yield;
  const removed = without(atLast, removeItems(atLast.schema.root, atLast.object, last.set));
  yield;
  const kept = yield* addBackOwned(atLast, removed, managers, convert);
  yield;
  const result = yield* addBackUnowned(atLast, kept, last, convert);
  yield;
  return convertFor(failure, convert)(result, merged.apiVersion) ?? merged;
}

/** An object that lost everything is an empty one. */
const without = (typed: TypedObject, object: unknown): TypedObject => ({
  ...typed,
  // Removing from an object gives an object or null.
  object: (object as Record<string, unknown> | null) ?? {},
});

const setOf = ({ schema, object }: TypedObject) => toFieldSet(schema.root, object);

/**
 * Rounds through all versions. One puts back what hangs in things of its own version and of those before; owners
 * that take turns by version more levels deep than this would need another.
 */
const maxRounds = 5;

/** Puts back what any manager owns, whatever the order of versions. */
function* addBackOwned(
  merged: TypedObject,
  pruned: TypedObject,
  managers: Managers,
  convert: ConvertTyped,
): Steps<TypedObject> {
  const owned = ownedByVersion(managers);
  let result = yield* addBackRound(merged, pruned, owned, convert);
  // An owned field goes with an item that only owners in a later version keep: then the next round has the item.
  for (let round = 1; owned.size > 1 && round < maxRounds; round++) {
    const next = yield* addBackRound(merged, result, owned, convert);
    yield;
    if (equalFieldSets(setOf(next), setOf(result))) break;
    result = next;
  }
  return result;
}

function* addBackRound(
  merged: TypedObject,
  pruned: TypedObject,
  owned: ReadonlyMap<string, FieldSet>,
  convert: ConvertTyped,
): Steps<TypedObject> {
  let result = pruned;
  const what = `${failure}: failed add back owned items: failed to convert`;
  for (const version of [...owned.keys()].sort(compareTexts)) {
    const whole = convertFor(`${what} merged object at version ${version}`, convert)(merged, version);
    const rest = convertFor(`${what} pruned object at version ${version}`, convert)(result, version);
    const set = owned.get(version);
    if (whole === undefined || rest === undefined || set === undefined) continue;
    const kept = unionOf(setOf(rest), set);
    yield;
    const gone = differenceOf(setOf(whole), kept);
    yield;
    result = without(whole, removeItems(whole.schema.root, whole.object, gone));
  }
  return result;
}

/** Puts back what the applier did not own itself, such as fields that hang below a removed item. */
function* addBackUnowned(
  merged: TypedObject,
  pruned: TypedObject,
  last: ManagerSet,
  convert: ConvertTyped,
): Steps<TypedObject> {
  const what = `${failure}: failed add back dangling items: failed to convert pruned object to last applied version`;
  const rest = convertFor(what, convert)(pruned, last.apiVersion);
  if (rest === undefined) return merged;
  const kept = setOf(rest);
  yield;
  const gone = intersectionOf(differenceOf(setOf(merged), kept), last.set);
  yield;
  return without(merged, removeItems(merged.schema.root, merged.object, gone));
}
