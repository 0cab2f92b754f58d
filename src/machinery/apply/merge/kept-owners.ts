import { type FieldSet, isEmptyFieldSet } from '../fieldpath/index.ts';
import type { Comparison } from '../typed/index.ts';
import type { Managers } from './managers.ts';

/** Who writes what, for `keepsOwners`. */
export interface OwnedChange {
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
