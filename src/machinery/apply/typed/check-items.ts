import { isJsonObject } from '../../../base/index.ts';
import { asItems, asMembers, itemsByElement } from './list-items.ts';
import { type ListView, resolveView, type View, wholeView } from './view.ts';

/** Longer lists are told apart by their elements' texts; in shorter ones, pairs of keys are compared faster. */
const fewItems = 8;

/**
 * Checks that the items of a `set` or `map` list, and those of lists within them, can be told apart.
 *
 * @throws TypedError as `itemsByElement` does, for the first list that a walk comes to.
 */
export function checkItems(view: ListView, items: readonly unknown[]): void {
  if (!areDistinctTexts(view, items)) itemsByElement(view, items);
  for (const item of items) checkBelow(view.element, item);
}

function checkBelow(declared: View, value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  const view = resolveView(declared, value);
  if (view.kind === 'list' && view.relation !== 'atomic') {
    const items = asItems(value);
    if (items !== undefined) checkItems(view, items);
  } else if (view.kind === 'map' && !view.isAtomic) {
    const members = asMembers(value);
    if (members === undefined) return;
    const fields = view.fields();
    for (const name in members) {
      const member = members[name];
      // Most members are scalars.
      if (typeof member === 'object' && member !== null)
        checkBelow(fields.get(name)?.view ?? view.element ?? wholeView, member);
    }
  }
}

/**
 * Checks the keyed lists inside a value that is owned as a whole: nobody names their items, yet they must fit the type.
 *
 * @throws TypedError as `checkItems` does.
 */
export function checkHiddenItems(view: View, value: unknown): void {
  if (typeof value !== 'object' || value === null || !hidesItems(view)) return;
  if (view.kind === 'list') {
    const items = asItems(value) ?? [];
    if (view.relation !== 'atomic') itemsByElement(view, items);
    for (const item of items) checkHiddenItems(view.element, item);
  } else if (view.kind === 'map') {
    const fields = view.fields();
    for (const [name, member] of Object.entries(asMembers(value) ?? {}))
      checkHiddenItems(fields.get(name)?.view ?? view.element ?? wholeView, member);
  }
}

/**
 * Checks a value that both sides of a comparison have: there is nothing to name, but it must fit the type as if it were
 * taken apart.
 *
 * @throws TypedError as `checkItems` does.
 */
export function checkUnchanged(declared: View, value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  const view = resolveView(declared, value);
  if (view.kind === 'map' && !view.isAtomic) {
    const members = asMembers(value);
    if (members === undefined) return;
    const fields = view.fields();
    for (const name in members) {
      const member = members[name];
      if (typeof member === 'object' && member !== null)
        checkUnchanged(fields.get(name)?.view ?? view.element ?? wholeView, member);
    }
    return;
  }
  const items = view.kind === 'list' && view.relation !== 'atomic' ? asItems(value) : undefined;
  if (items !== undefined && view.kind === 'list') checkItems(view, items);
  else checkHiddenItems(view, value);
}

/** Views are made once per type, and few have such lists in what is owned as a whole. */
const hiding = new WeakMap<View, boolean>();

function hidesItems(view: View): boolean {
  if (view.kind === 'scalar' || view.kind === 'any') return false;
  const known = hiding.get(view);
  if (known !== undefined) return known;
  // Types may contain themselves: while one is looked through it adds nothing.
  hiding.set(view, false);
  const parts: View[] =
    view.kind === 'list' ? [view.element] : [...view.fields().values()].map((field) => field.view);
  if (view.kind === 'map' && view.element !== undefined) parts.push(view.element);
  const hides = (view.kind === 'list' && view.relation !== 'atomic') || parts.some(hidesItems);
  hiding.set(view, hides);
  return hides;
}

/** True for a few items that are told apart by one text each. False: they may all the same be distinct. */
function areDistinctTexts({ relation, keys }: ListView, items: readonly unknown[]): boolean {
  const [key = ''] = keys;
  if (items.length > fewItems || (relation === 'map' && keys.length !== 1)) return false;
  const textOf = (item: unknown): unknown =>
    relation === 'set' ? item : isJsonObject(item) ? item[key] : undefined;
  for (let index = 0; index < items.length; index++) {
    const text = textOf(items[index]);
    if (typeof text !== 'string') return false;
    for (let other = 0; other < index; other++) if (textOf(items[other]) === text) return false;
  }
  return true;
}
