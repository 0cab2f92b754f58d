import { isJsonObject, ownValue } from '../../../base/index.ts';
import { type FieldSet, isEmptyFieldSet, makeFieldSet } from '../fieldpath/field-set.ts';
import type { PathElement } from '../fieldpath/path-element.ts';
import { itemElement } from './list-items.ts';
import { toFieldSet } from './to-field-set.ts';
import { memberView, type View } from './view.ts';

/**
 * What somebody owns, by the type as it is: whoever owns an object, map or list as a whole, which the type takes apart,
 * owns all that the live value has in it; and of what the type keeps whole, nobody owns parts. A field that was empty
 * when it was written is owned like that, so its owner comes to own what others put there later. The set itself when
 * nothing changes. Source: structured-merge-diff 4.0, reconciliation of field sets with schemas.
 *
 * @throws TypedError when an item of the live value has no keys.
 */
export function reconcileFieldSet(view: View, set: FieldSet, live: unknown): FieldSet {
  const plan = planOf(view, set);
  return plan === undefined ? set : carryOut(plan, set, live, view);
}

/** What there is to look at in a set, whatever the live value. */
interface Plan {
  /** Members that the type takes apart and that have nothing below them. */
  readonly whole: readonly (readonly [PathElement, View])[];
  /** Elements with owned parts that the type keeps whole. */
  readonly closed: readonly PathElement[];
  readonly below: readonly (readonly [PathElement, Plan, View])[];
}

/** Sets are shared by all objects that are written alike, and seen by one type. */
const plans = new WeakMap<FieldSet, { readonly view: View; readonly plan: Plan | undefined }>();

function planOf(view: View, set: FieldSet): Plan | undefined {
  const known = plans.get(set);
  if (known?.view === view) return known.plan;
  const plan = makePlan(view, set);
  plans.set(set, { view, plan });
  return plan;
}

function makePlan(view: View, set: FieldSet): Plan | undefined {
  const whole: [PathElement, View][] = [];
  for (const member of set.members) {
    const below = set.children.has(member) ? undefined : viewBelow(view, member);
    if (below !== undefined && isTakenApart(below)) whole.push([member, below]);
  }
  const closed: PathElement[] = [];
  const below: [PathElement, Plan, View][] = [];
  for (const [element, child] of set.children) {
    const inner = viewBelow(view, element);
    if (inner === undefined || inner.kind === 'scalar') continue;
    if (!isTakenApart(inner)) closed.push(element);
    else {
      const plan = planOf(inner, child);
      if (plan !== undefined) below.push([element, plan, inner]);
    }
  }
  return whole.length + closed.length + below.length === 0 ? undefined : { whole, closed, below };
}

/** The declared view of a part; undefined for what the type does not have. */
function viewBelow(view: View, element: PathElement): View | undefined {
  if (view.kind === 'list') return view.element;
  const below =
    view.kind === 'map' && element.startsWith('f:') ? memberView(view, element.slice(2)) : undefined;
  return below === undefined || isUndeclared(below) ? undefined : below;
}

/** True for values whose type says nothing of what is in them. */
const isUndeclared = (view: View): boolean =>
  view.kind === 'any' || (view.kind === 'map' && view.element?.kind === 'any' && view.fields().size === 0);

const isTakenApart = (view: View): boolean =>
  (view.kind === 'map' && !view.isAtomic) || (view.kind === 'list' && view.relation !== 'atomic');

function carryOut({ whole, closed, below }: Plan, set: FieldSet, live: unknown, view: View): FieldSet {
  let { members } = set;
  // Copied for the first change: mostly there is none.
  let children: Map<PathElement, FieldSet> | undefined;
  if (closed.length > 0) {
    members = new Set([...members, ...closed]);
    children = new Map(set.children);
    for (const element of closed) children.delete(element);
  }
  const parts = partsOf(view, live, [...whole, ...below]);
  for (const [element, inner] of whole) {
    const owned = toFieldSet(inner, parts.get(element));
    if (isEmptyFieldSet(owned)) continue;
    children ??= new Map(set.children);
    children.set(element, owned);
  }
  for (const [element, plan, inner] of below) {
    const child = set.children.get(element);
    const changed = child && carryOut(plan, child, parts.get(element), inner);
    if (changed === undefined || changed === child) continue;
    children ??= new Map(set.children);
    children.set(element, changed);
  }
  return children === undefined ? set : makeFieldSet(members, children);
}

/** The parts of a value that elements stand for; those that are not there are left out. */
function partsOf(
  view: View,
  value: unknown,
  elements: readonly (readonly [PathElement, ...unknown[]])[],
): ReadonlyMap<PathElement, unknown> {
  const parts = new Map<PathElement, unknown>();
  if (elements.length === 0) return parts;
  if (view.kind === 'list') {
    for (const item of Array.isArray(value) ? value : []) parts.set(itemElement(view, item), item);
  } else if (isJsonObject(value)) {
    for (const [element] of elements) parts.set(element, ownValue(value, element.slice(2)));
  }
  return parts;
}
