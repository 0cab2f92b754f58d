import { isJsonObject, setOwn } from '../../../base/index.ts';
import type { FieldSet } from '../fieldpath/field-set.ts';
import { fieldElement } from '../fieldpath/path-element.ts';
import { asItems, itemElement } from './list-items.ts';
import { type ListView, type MapView, resolveView, type View, wholeView } from './view.ts';

/**
 * The value without the members and items of a set. What loses all its members or items becomes null, as in
 * structured-merge-diff; decoding drops it then.
 */
export const removeItems = (view: View, value: unknown, items: FieldSet): unknown =>
  select(view, value, items, { isExtract: false });

/** Only the members and items of a set, whole, and what leads to them. */
export const extractItems = (view: View, value: unknown, items: FieldSet): unknown =>
  select(view, value, items, { isExtract: true });

interface Mode {
  readonly isExtract: boolean;
}

function select(declared: View, value: unknown, items: FieldSet, mode: Mode): unknown {
  const view = resolveView(declared, value);
  if (view.kind === 'scalar') return value;
  const isAtomic = view.kind === 'map' ? view.isAtomic : view.relation === 'atomic';
  if (isAtomic) return mode.isExtract ? value : null;
  return view.kind === 'map'
    ? selectMembers(view, value, items, mode)
    : selectItems(view, value, items, mode);
}

function selectMembers(view: MapView, value: unknown, items: FieldSet, mode: Mode): unknown {
  if (!isJsonObject(value)) return null;
  const fields = view.fields();
  const out: Record<string, unknown> = {};
  let count = 0;
  for (const name in value) {
    const field = fields.get(name);
    const element = field?.element ?? fieldElement(name);
    let member = value[name];
    if (member === undefined) continue;
    if (items.members.has(element)) {
      if (!mode.isExtract) continue;
    } else {
      const below = items.children.get(element);
      if (below !== undefined) member = select(field?.view ?? view.element ?? wholeView, member, below, mode);
      else if (mode.isExtract) continue;
    }
    setOwn(out, name, member);
    count++;
  }
  return count === 0 ? null : out;
}

function selectItems(view: ListView, value: unknown, items: FieldSet, mode: Mode): unknown {
  const out: unknown[] = [];
  for (const item of asItems(value) ?? []) {
    const element = itemElement(view, item);
    const below = items.children.get(element);
    if (items.members.has(element)) {
      if (mode.isExtract) out.push(item);
    } else if (below !== undefined) out.push(select(view.element, item, below, mode));
    else if (!mode.isExtract) out.push(item);
  }
  return out.length === 0 ? null : out;
}
