import { isJsonObject } from '../../../base/index.ts';
import {
  addChild,
  addMember,
  createFieldSetDraft,
  emptyFieldSet,
  type FieldSet,
  type FieldSetDraft,
  isEmptyFieldSet,
} from '../fieldpath/field-set.ts';
import { fieldElement, type PathElement } from '../fieldpath/path-element.ts';
import { itemElement } from './list-items.ts';
import { resolveView, type View, wholeView } from './view.ts';

/**
 * All leaves and items that a value names: scalars, atomic values, list items, and members of maps without a
 * declared field. Empty objects and lists name nothing (structured merge of release 1.20).
 *
 * @throws TypedError when a list item has no keys.
 */
export function toFieldSet(view: View, value: unknown): FieldSet {
  const draft = createFieldSetDraft();
  collect(view, value, draft);
  return isEmptyFieldSet(draft) ? emptyFieldSet : draft;
}

/** Collects what is below a value; true when the value itself is a leaf. */
function collect(declared: View, value: unknown, draft: FieldSetDraft): boolean {
  const view = resolveView(declared, value);
  if (view.kind === 'scalar') return true;
  if (view.kind === 'list') {
    if (view.relation === 'atomic') return true;
    if (!Array.isArray(value)) return false;
    for (const item of value) {
      const element = itemElement(view, item);
      collectBelow(view.element, item, element, draft);
      addMember(draft, element);
    }
    return false;
  }
  if (view.isAtomic) return true;
  if (!isJsonObject(value)) return false;
  const fields = view.fields();
  for (const name in value) {
    if (value[name] === undefined) continue;
    const field = fields.get(name);
    const element = field?.element ?? fieldElement(name);
    collectBelow(field?.view ?? view.element ?? wholeView, value[name], element, draft);
    if (field === undefined) addMember(draft, element);
  }
  return false;
}

function collectBelow(view: View, value: unknown, element: PathElement, draft: FieldSetDraft): void {
  if (view.kind === 'scalar') {
    addMember(draft, element);
    return;
  }
  const child = createFieldSetDraft();
  if (collect(view, value, child)) addMember(draft, element);
  else if (!isEmptyFieldSet(child)) addChild(draft, element, child);
}
