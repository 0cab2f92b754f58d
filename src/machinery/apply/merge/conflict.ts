import { sortPathElements } from '../fieldpath/element-order.ts';
import type { FieldSet } from '../fieldpath/field-set.ts';
import type { FieldPathElements, PathElement } from '../fieldpath/path-element.ts';
import { compareTexts } from '../value/index.ts';

/** One field that somebody else owns with another value. */
export interface FieldConflict {
  /** Identity of the owner. */
  readonly manager: string;
  readonly path: FieldPathElements;
}

/** An apply that would change fields of others, which it may only do by force. */
export class ApplyConflictError extends Error {
  override readonly name = 'ApplyConflictError';
  /** By identity of the owner, then in the order of paths. */
  readonly conflicts: readonly FieldConflict[];

  constructor(conflicts: readonly FieldConflict[]) {
    super(`${conflicts.length} conflicts`);
    this.conflicts = conflicts;
  }
}

/** The conflicts of several owners, listed one by one. */
export function listConflicts(sets: ReadonlyMap<string, FieldSet>): FieldConflict[] {
  const conflicts: FieldConflict[] = [];
  for (const manager of [...sets.keys()].sort(compareTexts)) {
    const set = sets.get(manager);
    for (const path of set === undefined ? [] : shownPaths(set)) conflicts.push({ manager, path });
  }
  return conflicts;
}

/** A path that is being made: its first steps, and how many there is room for. */
interface Slice {
  readonly room: PathElement[];
  readonly length: number;
  readonly capacity: number;
}

/**
 * The paths of a set, as release 1.20 shows them: it makes them by Go's `append`, and does not copy them. So those that
 * were made from one path with room for another step share that room, and all end with the step that came last.
 */
function shownPaths(set: FieldSet): FieldPathElements[] {
  const paths: Slice[] = [];
  const visit = ({ members, children }: FieldSet, prefix: Slice): void => {
    for (const member of sortPathElements([...members])) paths.push(append(prefix, member));
    for (const element of sortPathElements([...children.keys()])) {
      const child = children.get(element);
      if (child !== undefined) visit(child, append(prefix, element));
    }
  };
  visit(set, { room: [], length: 0, capacity: 0 });
  return paths.map(({ room, length }) => room.slice(0, length));
}

function append({ room, length, capacity }: Slice, element: PathElement): Slice {
  const isFull = length === capacity;
  const steps = isFull ? room.slice(0, length) : room;
  steps[length] = element;
  return { room: steps, length: length + 1, capacity: isFull ? Math.max(1, 2 * capacity) : capacity };
}
