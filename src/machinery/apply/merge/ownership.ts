import { type FieldSet, isEmptyFieldSet } from '../fieldpath/field-set.ts';
import { differenceOf, intersectionOf, unionOf } from '../fieldpath/set-algebra.ts';
import { type Comparison, compareTyped, isSame } from '../typed/compare.ts';
import { ApplyConflictError, listConflicts } from './conflict.ts';
import {
  type ConvertTyped,
  convertFor,
  type ManagerSet,
  type Managers,
  type TypedObject,
} from './managers.ts';

/** A change of an object and who makes it. */
export interface Transfer {
  readonly before: TypedObject;
  readonly after: TypedObject;
  /** What differs between the two. */
  readonly comparison: Comparison;
  readonly managers: Managers;
  /** Identity of the one who changes; its own set stays as it is. */
  readonly actor: string;
  readonly isForced: boolean;
  readonly convert: ConvertTyped;
}

export interface TransferResult {
  /** Without owners of nothing, and without those whose version is gone. */
  readonly managers: Map<string, ManagerSet>;
  readonly comparison: Comparison;
}

/**
 * Takes changed and removed fields away from all other managers, each in its own version.
 *
 * @throws ApplyConflictError when others own changed fields and the change is not forced.
 */
export function transferOwnership(transfer: Transfer): TransferResult {
  const { before, after, comparison, actor } = transfer;
  const managers = new Map(transfer.managers);
  if (isSame(comparison)) {
    for (const [id, { apiVersion }] of managers) {
      if (id !== actor && transfer.convert(before, apiVersion) === undefined) managers.delete(id);
    }
    return { managers: dropEmpty(managers), comparison };
  }
  const changes = new Map<string, Change | undefined>([[after.apiVersion, changeOf(comparison)]]);
  const conflicts = new Map<string, FieldSet>();
  for (const [id, own] of transfer.managers) {
    if (id === actor) continue;
    if (!changes.has(own.apiVersion)) {
      changes.set(own.apiVersion, changeInVersion(transfer, own.apiVersion));
    }
    const change = changes.get(own.apiVersion);
    if (change === undefined) {
      managers.delete(id);
      continue;
    }
    const lost = intersectionOf(own.set, change.written);
    if (!isEmptyFieldSet(lost)) conflicts.set(id, lost);
    const set = differenceOf(differenceOf(own.set, lost), change.removed);
    if (set !== own.set) managers.set(id, { ...own, set });
  }
  if (!transfer.isForced && conflicts.size > 0) throw new ApplyConflictError(listConflicts(conflicts));
  return { managers: dropEmpty(managers), comparison };
}

/** A comparison as owners of a version see it; made once for all of them. */
interface Change {
  readonly written: FieldSet;
  readonly removed: FieldSet;
}

const changeOf = ({ modified, added, removed }: Comparison): Change => ({
  written: unionOf(modified, added),
  removed,
});

function changeInVersion({ before, after, convert }: Transfer, apiVersion: string): Change | undefined {
  const old = convertFor('failed to convert old object', convert)(before, apiVersion);
  const now = convertFor('failed to convert new object', convert)(after, apiVersion);
  return old === undefined || now === undefined
    ? undefined
    : changeOf(compareTyped(now.schema.root, old.object, now.object));
}

function dropEmpty(managers: Map<string, ManagerSet>): Map<string, ManagerSet> {
  for (const [id, { set }] of managers) if (isEmptyFieldSet(set)) managers.delete(id);
  return managers;
}

/** Who writes what, for `keepsOwners`. */
interface OwnedChange {
  readonly comparison: Comparison;
  readonly managers: Managers;
  /** Version of the comparison. */
  readonly apiVersion: string;
  /** Identity under which the writer owns what it writes. */
  readonly writer: string;
  /** Fields that nobody comes to own. */
  readonly unowned: FieldSet;
}

/**
 * True when a write leaves all owners as they are: the writer has owned all that it writes, and nobody else has anything of
 * that or of what is removed. Nothing is made to find that out, and most writes repeat what their writer did before.
 */
export function keepsOwners({ comparison, managers, ...change }: OwnedChange): boolean {
  const { added, modified, removed } = comparison;
  const { apiVersion, writer, unowned } = change;
  const own = managers.get(writer)?.set;
  // A write of nothing but what nobody owns does not even renew the time of its writer.
  if (own === undefined || !(hasOwnable(added, unowned) || hasOwnable(modified, unowned))) return false;
  for (const [id, { set, apiVersion: version, isApplied }] of managers) {
    if (version !== apiVersion || isEmptyFieldSet(set) || !areDisjoint(set, removed)) return false;
    if (id === writer) {
      if (isApplied) return false;
    } else if (!areDisjoint(set, added) || !areDisjoint(set, modified)) return false;
  }
  return ownsJust(own, added, unowned) && ownsJust(own, modified, unowned);
}

/** Whether a set has a path that somebody may own. */
function hasOwnable(set: FieldSet, unowned: FieldSet | undefined): boolean {
  for (const member of set.members) if (unowned?.members.has(member) !== true) return true;
  for (const [element, child] of set.children)
    if (hasOwnable(child, unowned?.children.get(element))) return true;
  return false;
}

/** Whether `own` has all paths of `written` but those that nobody owns, and none of those. */
function ownsJust(own: FieldSet | undefined, written: FieldSet, unowned: FieldSet | undefined): boolean {
  for (const member of written.members) {
    if ((own?.members.has(member) ?? false) === (unowned?.members.has(member) ?? false)) return false;
  }
  for (const [element, child] of written.children) {
    if (!ownsJust(own?.children.get(element), child, unowned?.children.get(element))) return false;
  }
  return true;
}

/** Whether no path is in both sets. The second one is walked through. */
function areDisjoint(set: FieldSet, other: FieldSet): boolean {
  for (const member of other.members) if (set.members.has(member)) return false;
  for (const [element, child] of other.children) {
    const own = set.children.get(element);
    if (own !== undefined && !areDisjoint(own, child)) return false;
  }
  return true;
}
