import { isJsonObject } from '../../../base/index.ts';
import { keepText } from '../../meta/index.ts';
import { sortPathElements } from './element-order.ts';
import {
  addChild,
  addMember,
  createFieldSetDraft,
  emptyFieldSet,
  type FieldSet,
  type FieldSetDraft,
  isEmptyFieldSet,
} from './field-set.ts';
import { parsePathElement } from './path-element.ts';

/** The form of a set in `metadata.managedFields`: nested objects, `.` for "this element itself too". */
export type FieldsV1 = { readonly [element: string]: FieldsV1 };

/** Levels and elements that a set from outside may have. Real objects stay below a tenth of both. */
const fieldSetLimits = { depth: 200, elements: 100_000 } as const;

/** A `fieldsV1` from outside that is no set of fields. */
export class FieldsV1Error extends Error {
  override readonly name = 'FieldsV1Error';
}

/** The set as `fieldsV1`, elements in structured-merge-diff's order. The value is shared: it must not be changed. */
export function serializeFieldSet(set: FieldSet): FieldsV1 {
  // A level of an owner's set is seldom an owner's set itself.
  return (set.forms?.alone as FieldsV1 | undefined) ?? keepText(serializeLevel(set, { isMember: false }));
}

/** Sets share parts, so that most of a set that was changed a little is known already. */
function serializeLevel(set: FieldSet, { isMember }: { isMember: boolean }): FieldsV1 {
  const name = isMember ? 'asMember' : 'alone';
  set.forms ??= {};
  set.forms[name] ??= formOf(set, isMember);
  // Only this function fills the forms.
  return set.forms[name] as FieldsV1;
}

const leaf: FieldsV1 = Object.freeze({});

function formOf(set: FieldSet, isMember: boolean): FieldsV1 {
  const out: Record<string, FieldsV1> = {};
  if (isMember) out['.'] = leaf;
  const elements = [...set.members];
  for (const element of set.children.keys()) if (!set.members.has(element)) elements.push(element);
  for (const element of sortPathElements(elements)) {
    const child = set.children.get(element);
    // Element texts start with a prefix and a colon: none is `__proto__` or an array index.
    out[element] = child === undefined ? leaf : serializeLevel(child, { isMember: set.members.has(element) });
  }
  return out;
}

/**
 * The set of a `fieldsV1`; elements of kinds that this version does not know are dropped.
 *
 * @throws FieldsV1Error when it is no set, too deep or too large; PathElementError for a malformed element.
 */
export function parseFieldsV1(form: unknown): FieldSet {
  if (form === undefined || form === null) return emptyFieldSet;
  const count = { elements: 0 };
  const { draft } = parseLevel(form, 0, count);
  return isEmptyFieldSet(draft) ? emptyFieldSet : draft;
}

interface Level {
  readonly draft: FieldSetDraft;
  readonly isMember: boolean;
}

function parseLevel(form: unknown, depth: number, count: { elements: number }): Level {
  if (!isJsonObject(form)) throw new FieldsV1Error('expected a map of path elements');
  if (depth > fieldSetLimits.depth) throw new FieldsV1Error(`more than ${fieldSetLimits.depth} levels`);
  const draft = createFieldSetDraft();
  let isMember = false;
  let isLeaf = true;
  for (const text in form) {
    isLeaf = false;
    if (text === '.') {
      isMember = true;
      continue;
    }
    if (++count.elements > fieldSetLimits.elements) {
      throw new FieldsV1Error(`more than ${fieldSetLimits.elements} path elements`);
    }
    const element = parsePathElement(text);
    const level = parseLevel(form[text], depth + 1, count);
    if (element !== undefined) place(draft, element, level);
  }
  // An object without content stands for the element itself.
  return { draft, isMember: isMember || isLeaf };
}

/** Puts what is below an element in its place; two spellings of one element come together. */
function place(parent: FieldSetDraft, element: string, { draft, isMember }: Level): void {
  if (isMember) addMember(parent, element);
  if (isEmptyFieldSet(draft)) return;
  // All below a draft of this parser are its drafts.
  const own = parent.children.get(element) as FieldSetDraft | undefined;
  if (own === undefined) {
    addChild(parent, element, draft);
    return;
  }
  for (const member of draft.members) addMember(own, member);
  for (const [below, child] of draft.children) {
    place(own, below, { draft: child as FieldSetDraft, isMember: false });
  }
}
