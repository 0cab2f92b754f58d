import { emptyFieldSet, type FieldSet, isEmptyFieldSet, makeFieldSet } from './field-set.ts';
import type { PathElement } from './path-element.ts';

/** Paths of either set; `left` itself when it has all of them. */
export function unionOf(left: FieldSet, right: FieldSet): FieldSet {
  if (left === right || isEmptyFieldSet(right)) return left;
  if (isEmptyFieldSet(left)) return right;
  let members: Set<PathElement> | undefined;
  for (const member of right.members) {
    if (left.members.has(member)) continue;
    members ??= new Set(left.members);
    members.add(member);
  }
  let children: Map<PathElement, FieldSet> | undefined;
  for (const [element, child] of right.children) {
    const own = left.children.get(element);
    const union = own === undefined ? child : unionOf(own, child);
    if (union === own) continue;
    children ??= new Map(left.children);
    children.set(element, union);
  }
  if (members === undefined && children === undefined) return left;
  return makeFieldSet(members ?? left.members, children ?? left.children);
}

/** Paths of any of the sets; it takes time in proportion to what they hold, however many they are. */
export function unionOfAll(sets: readonly FieldSet[]): FieldSet {
  let rest = sets;
  // By pairs: put together one by one, the union would be copied for each set.
  while (rest.length > 2) {
    const pairs: FieldSet[] = [];
    for (let index = 0; index < rest.length; index += 2) pairs.push(unionOfAll(rest.slice(index, index + 2)));
    rest = pairs;
  }
  const [first = emptyFieldSet, second = emptyFieldSet] = rest;
  return unionOf(first, second);
}

/** Paths of both sets. */
export function intersectionOf(left: FieldSet, right: FieldSet): FieldSet {
  if (left === right) return left;
  if (isEmptyFieldSet(left) || isEmptyFieldSet(right)) return emptyFieldSet;
  const members = new Set<PathElement>();
  const [fewer, more] = left.members.size < right.members.size ? [left, right] : [right, left];
  for (const member of fewer.members) if (more.members.has(member)) members.add(member);
  const children = new Map<PathElement, FieldSet>();
  for (const [element, child] of left.children) {
    const other = right.children.get(element);
    if (other === undefined) continue;
    const both = intersectionOf(child, other);
    if (!isEmptyFieldSet(both)) children.set(element, both);
  }
  return makeFieldSet(members, children);
}

/** Paths of `left` that are not in `right`. */
export function differenceOf(left: FieldSet, right: FieldSet): FieldSet {
  if (isEmptyFieldSet(left) || isEmptyFieldSet(right)) return left;
  return subtract(left, right, { isRecursive: false });
}

/** Paths of `left` that are neither in `right` nor below a path of it. */
export function recursiveDifferenceOf(left: FieldSet, right: FieldSet): FieldSet {
  if (isEmptyFieldSet(left) || isEmptyFieldSet(right)) return left;
  return subtract(left, right, { isRecursive: true });
}

/** Gives `left` itself back when nothing of it goes. */
function subtract(left: FieldSet, right: FieldSet, options: { isRecursive: boolean }): FieldSet {
  let members: Set<PathElement> | undefined;
  const [fewer, more] =
    left.members.size < right.members.size ? [left.members, right.members] : [right.members, left.members];
  for (const member of fewer) {
    if (!more.has(member)) continue;
    members ??= new Set(left.members);
    members.delete(member);
  }
  let children: Map<PathElement, FieldSet> | undefined;
  const keep = (element: PathElement, rest: FieldSet): void => {
    children ??= new Map(left.children);
    if (isEmptyFieldSet(rest)) children.delete(element);
    else children.set(element, rest);
  };
  for (const [element, child] of left.children) {
    if (options.isRecursive && right.members.has(element)) {
      keep(element, emptyFieldSet);
      continue;
    }
    const other = right.children.get(element);
    if (other === undefined) continue;
    const rest = subtract(child, other, options);
    if (rest !== child) keep(element, rest);
  }
  if (members === undefined && children === undefined) return left;
  return makeFieldSet(members ?? left.members, children ?? left.children);
}

/** Members that have nothing below them. */
export function leavesOf(set: FieldSet): FieldSet {
  const members = new Set<PathElement>();
  for (const member of set.members) if (!set.children.has(member)) members.add(member);
  const children = new Map<PathElement, FieldSet>();
  for (const [element, child] of set.children) children.set(element, leavesOf(child));
  return makeFieldSet(members, children);
}
