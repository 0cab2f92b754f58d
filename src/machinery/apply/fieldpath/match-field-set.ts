import { type FieldSet, type FieldSetBuilder, fieldSetSize } from './field-set.ts';
import type { PathElement } from './path-element.ts';

/** Compares paths with those of a set, as a builder that collects nothing. */
export interface FieldSetMatcher extends Pick<FieldSetBuilder, 'insert'> {
  /** True when the paths so far, each inserted once, are all those of the set. */
  isComplete(): boolean;
}

/** A matcher for one use; much cheaper than to build the same set again. */
export function matchFieldSet(set: FieldSet): FieldSetMatcher {
  let left = fieldSetSize(set);
  let isOther = false;
  // The way to the last path, as the builder of sets keeps it.
  const way: PathElement[] = [];
  const nodes: FieldSet[] = [];
  return {
    insert(path) {
      const last = path.at(-1);
      if (isOther || last === undefined) return;
      const steps = path.length - 1;
      let known = 0;
      while (known < steps && known < way.length && way[known] === path[known]) known++;
      way.length = known;
      nodes.length = known;
      let node = nodes[known - 1] ?? set;
      for (let index = known; index < steps; index++) {
        // The loop bound makes the index valid.
        const element = path[index] as PathElement;
        const child = node.children.get(element);
        if (child === undefined) {
          isOther = true;
          return;
        }
        way.push(element);
        nodes.push(child);
        node = child;
      }
      if (node.members.has(last)) left--;
      else isOther = true;
    },
    isComplete: () => !isOther && left === 0,
  };
}
