import { type FieldSet, iterateFieldSet } from '../fieldpath/field-set.ts';
import type { FieldPathElements } from '../fieldpath/path-element.ts';
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
    if (set !== undefined) iterateFieldSet(set, (path) => conflicts.push({ manager, path }));
  }
  return conflicts;
}
