import { ownValue } from '../../../base/index.ts';
import { hasGivenEmpties, receivedValue, wasGivenEmpty } from '../../schema/index.ts';
import {
  createFieldSetBuilder,
  type FieldSet,
  type FieldSetBuilder,
  isEmptyFieldSet,
} from '../fieldpath/field-set.ts';
import { matchFieldSet } from '../fieldpath/match-field-set.ts';
import { fieldElement, type PathElement } from '../fieldpath/path-element.ts';
import { equalValues } from '../value/index.ts';
import { checkHiddenItems, checkItems, checkUnchanged } from './check-items.ts';
import { asItems, asMembers, itemsByElement } from './list-items.ts';
import { type AnyView, type ListView, type MapView, resolveView, type View, wholeView } from './view.ts';

/** What one object has that another has not. No path is in two of the sets. */
export interface Comparison {
  readonly added: FieldSet;
  readonly modified: FieldSet;
  readonly removed: FieldSet;
}

/** True when the objects were equal. */
export const isSame = ({ added, modified, removed }: Comparison): boolean =>
  isEmptyFieldSet(added) && isEmptyFieldSet(modified) && isEmptyFieldSet(removed);

/** Takes paths, which are its own only during the call. */
type PathSink = Pick<FieldSetBuilder, 'insert'>;

interface Walk {
  readonly added: PathSink;
  readonly modified: PathSink;
  readonly removed: PathSink;
  readonly path: PathElement[];
  /** Values of two kinds were compared as both, so that paths may have been named twice. */
  hasRepeats: boolean;
}

/**
 * Compares two values of a type leaf by leaf. An object or item that only one side has is named itself, with
 * all that is in it.
 *
 * @throws TypedError when a list has two items with the same keys.
 */
export function compareTyped(view: View, before: unknown, after: unknown): Comparison {
  const [added, modified, removed] = [
    createFieldSetBuilder(),
    createFieldSetBuilder(),
    createFieldSetBuilder(),
  ];
  compareAt(view, before, after, { added, modified, removed, path: [], hasRepeats: false });
  return { added: added.build(), modified: modified.build(), removed: removed.build() };
}

/**
 * Whether `compareTyped` would find anything, without making sets.
 *
 * @throws TypedError as `compareTyped` does.
 */
export function differs(view: View, before: unknown, after: unknown): boolean {
  let isDifferent = false;
  const found: PathSink = {
    insert(path) {
      // The empty path is in no set.
      if (path.length > 0) isDifferent = true;
    },
  };
  compareAt(view, before, after, {
    added: found,
    modified: found,
    removed: found,
    path: [],
    hasRepeats: false,
  });
  return isDifferent;
}

/**
 * True when what was added or modified is just what a set names: as `compareTyped` would find, without making sets.
 *
 * @throws TypedError as `compareTyped` does.
 */
export function hasWritten(view: View, before: unknown, after: unknown, expected: FieldSet): boolean {
  const written = matchFieldSet(expected);
  const walk = { added: written, modified: written, removed: ignorePaths, path: [], hasRepeats: false };
  compareAt(view, before, after, walk);
  return written.isComplete() && !walk.hasRepeats;
}

const ignorePaths: PathSink = { insert: () => undefined };

function compareAt(declared: View, before: unknown, after: unknown, walk: Walk): void {
  // Strings and the like: nothing to look into.
  if (before === after && (typeof before !== 'object' || before === null)) return;
  if (before === undefined || after === undefined || declared.kind !== 'any') {
    compareAs(resolveView(declared, after ?? before), before, after, walk);
    return;
  }
  const old = resolveView(declared, before);
  const now = resolveView(declared, after);
  if (old.kind !== now.kind) {
    walk.hasRepeats = true;
    compareAs(old, before, after, walk);
  }
  compareAs(now, before, after, walk);
}

function compareAs(view: Exclude<View, AnyView>, before: unknown, after: unknown, walk: Walk): void {
  if (view.kind === 'map' && !view.isAtomic) {
    const old = asMembers(before);
    const now = asMembers(after);
    if (old !== undefined || now !== undefined) {
      compareMembers(view, old, now, walk);
      note(before, after, walk);
      return;
    }
  } else if (view.kind === 'list' && view.relation !== 'atomic') {
    const old = asItems(before);
    const now = asItems(after);
    if (old !== undefined || now !== undefined) {
      compareItems(view, old, now, walk);
      note(before, after, walk);
      return;
    }
  }
  checkHiddenItems(view, after);
  if (before === undefined || after === undefined) note(before, after, walk);
  else if (!equalValues(before, after)) walk.modified.insert(walk.path);
}

/** A member as the request has it: an empty list or map where the canonical form has null. */
function memberOf(members: Record<string, unknown>, name: string): unknown {
  const value = ownValue(members, name);
  return value === null && wasGivenEmpty(members, name) ? receivedValue(members, name) : value;
}

/** Names a value that only one side has. */
function note(before: unknown, after: unknown, walk: Walk): void {
  if (before === undefined) walk.added.insert(walk.path);
  else if (after === undefined) walk.removed.insert(walk.path);
}

function compareMembers(
  view: MapView,
  before: Record<string, unknown> = {},
  after: Record<string, unknown> = {},
  walk: Walk,
): void {
  const fields = view.fields();
  const visit = (name: string, old: unknown, now: unknown): void => {
    if (old === now && (typeof old !== 'object' || old === null)) return;
    const field = fields.get(name);
    const member = field?.view ?? view.element ?? wholeView;
    // Most writes change one part of an object: the others are not taken apart.
    if (walk.path.length === 0 && equalValues(old, now) && !hasGivenEmpties(now)) {
      checkUnchanged(member, now);
      return;
    }
    walk.path.push(field?.element ?? fieldElement(name));
    compareAt(member, old, now, walk);
    walk.path.pop();
  };
  for (const name in before) {
    visit(name, memberOf(before, name), memberOf(after, name));
  }
  for (const name in after) if (!Object.hasOwn(before, name)) visit(name, undefined, memberOf(after, name));
}

function compareItems(
  view: ListView,
  before: readonly unknown[] = [],
  after: readonly unknown[] = [],
  walk: Walk,
): void {
  if (before.length === after.length && equalValues(before, after)) {
    // Nothing to name, but items with the same keys are an error all the same.
    checkItems(view, before);
    return;
  }
  const old = itemsByElement(view, before);
  const now = itemsByElement(view, after);
  const visit = (element: PathElement, left: unknown, right: unknown): void => {
    walk.path.push(element);
    compareAt(view.element, left, right, walk);
    walk.path.pop();
  };
  for (const [element, item] of old) visit(element, item, now.get(element));
  for (const [element, item] of now) if (!old.has(element)) visit(element, undefined, item);
}
