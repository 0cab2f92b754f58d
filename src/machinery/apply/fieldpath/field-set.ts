/**
 * Paths into objects and sets of paths: what a manager owns. A set is a trie with algebra (union, intersection,
 * differences) and has one canonical JSON form, `fieldsV1`. It knows nothing of types or managers.
 */

import type { FieldPathElements, PathElement } from './path-element.ts';

/**
 * A set of paths as a trie. `members` are paths that end here, `children` lead on; an element may be both.
 * No child is empty. Sets are never changed once they are handed over, and results share parts with operands.
 */
export interface FieldSet {
  readonly members: ReadonlySet<PathElement>;
  readonly children: ReadonlyMap<PathElement, FieldSet>;
  /** What `serializeFieldSet` made of it, which only that looks at. */
  forms: SerializedForms | undefined;
}

/** The `fieldsV1` of a set: alone, and below an element that is a member itself. */
export interface SerializedForms {
  alone?: object;
  asMember?: object;
}

const noMembers: ReadonlySet<PathElement> = new Set();
const noChildren: ReadonlyMap<PathElement, FieldSet> = new Map();

/** The set without paths. */
export const emptyFieldSet: FieldSet = Object.freeze({
  members: noMembers,
  children: noChildren,
  forms: Object.freeze({ alone: Object.freeze({}), asMember: Object.freeze({ '.': Object.freeze({}) }) }),
});

/** A set of what has been found out; empty parts share one value. */
export function makeFieldSet(
  members: ReadonlySet<PathElement>,
  children: ReadonlyMap<PathElement, FieldSet>,
): FieldSet {
  if (members.size === 0 && children.size === 0) return emptyFieldSet;
  return { members, children, forms: undefined };
}

/** A set of the given paths; the empty path, which nobody can own, is left out. */
export function fieldSetOf(...paths: readonly FieldPathElements[]): FieldSet {
  const builder = createFieldSetBuilder();
  for (const path of paths) builder.insert(path);
  return builder.build();
}

/** True when the set has no path. */
export const isEmptyFieldSet = (set: FieldSet): boolean => set.members.size === 0 && set.children.size === 0;

/** True when the path itself is a member (its ancestors and descendants do not count). */
export function hasPath(set: FieldSet, path: FieldPathElements): boolean {
  let node: FieldSet | undefined = set;
  for (let index = 0; index < path.length - 1; index++) {
    // The loop bound makes the index valid.
    node = node.children.get(path[index] as PathElement);
    if (node === undefined) return false;
  }
  const last = path.at(-1);
  return last !== undefined && node.members.has(last);
}

/** Number of paths. */
export function fieldSetSize(set: FieldSet): number {
  let size = set.members.size;
  for (const child of set.children.values()) size += fieldSetSize(child);
  return size;
}

/** True when both sets have the same paths. */
export function equalFieldSets(left: FieldSet, right: FieldSet): boolean {
  if (left === right) return true;
  if (left.members.size !== right.members.size || left.children.size !== right.children.size) return false;
  for (const member of left.members) if (!right.members.has(member)) return false;
  for (const [element, child] of left.children) {
    const other = right.children.get(element);
    if (other === undefined || !equalFieldSets(child, other)) return false;
  }
  return true;
}

/** A trie that grows; `build` hands it over, after which the builder must not be used. */
export interface FieldSetBuilder {
  insert(path: FieldPathElements): void;
  build(): FieldSet;
}

/** A trie node that can still grow. */
export interface FieldSetDraft extends FieldSet {
  members: ReadonlySet<PathElement>;
  children: ReadonlyMap<PathElement, FieldSet>;
}

/** A fresh node. */
export const createFieldSetDraft = (): FieldSetDraft => ({
  members: noMembers,
  children: noChildren,
  forms: undefined,
});

/** Lets a path end at an element of a node. */
export function addMember(draft: FieldSetDraft, element: PathElement): void {
  // Most nodes have members or children, not both: the sets are made when they are needed.
  if (draft.members === noMembers) draft.members = new Set<PathElement>().add(element);
  else (draft.members as Set<PathElement>).add(element); // made just above, by this function
}

/** Puts a set below an element of a node. A finished set may stand in a draft, which then does not change it. */
export function addChild(draft: FieldSetDraft, element: PathElement, child: FieldSet): void {
  if (draft.children === noChildren) draft.children = new Map<PathElement, FieldSet>().set(element, child);
  else (draft.children as Map<PathElement, FieldSet>).set(element, child); // made just above, by this function
}

/** Collects paths one by one. */
export function createFieldSetBuilder(): FieldSetBuilder {
  let root: FieldSetDraft | undefined;
  // The way to the last path: the next one mostly goes along with it for some steps.
  const way: PathElement[] = [];
  const nodes: FieldSetDraft[] = [];
  return {
    insert(path) {
      const last = path.at(-1);
      if (last === undefined) return;
      root ??= createFieldSetDraft();
      const steps = path.length - 1;
      let known = 0;
      while (known < steps && known < way.length && way[known] === path[known]) known++;
      way.length = known;
      nodes.length = known;
      let node = nodes[known - 1] ?? root;
      for (let index = known; index < steps; index++) {
        // The loop bound makes the index valid.
        const element = path[index] as PathElement;
        // All below a draft of this builder are its drafts.
        let child = node.children.get(element) as FieldSetDraft | undefined;
        if (child === undefined) {
          child = createFieldSetDraft();
          addChild(node, element, child);
        }
        way.push(element);
        nodes.push(child);
        node = child;
      }
      addMember(node, last);
    },
    build: () => root ?? emptyFieldSet,
  };
}
