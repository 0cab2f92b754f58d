import {
  addChild,
  addMember,
  createFieldSetDraft,
  emptyFieldSet,
  type FieldSet,
  isEmptyFieldSet,
} from '../fieldpath/field-set.ts';
import { memberView, type View } from './view.ts';

/** The set with every declared field on the way to a path as a member of its own. */
export function ensureNamedFieldsAreMembers(view: View, set: FieldSet): FieldSet {
  const draft = createFieldSetDraft();
  for (const member of set.members) addMember(draft, member);
  for (const [element, child] of set.children) {
    const isField = element.startsWith('f:');
    const name = element.slice(2);
    if (isField && view.kind === 'map' && view.fields().has(name)) addMember(draft, element);
    const below = childView(view, isField ? name : undefined);
    const closed = below === undefined ? child : ensureNamedFieldsAreMembers(below, child);
    addChild(draft, element, closed);
  }
  return isEmptyFieldSet(draft) ? emptyFieldSet : draft;
}

function childView(view: View, name: string | undefined): View | undefined {
  if (view.kind === 'any') return view.isGranular ? view : undefined;
  if (view.kind === 'list') return view.element;
  return view.kind === 'map' && name !== undefined ? memberView(view, name) : undefined;
}
