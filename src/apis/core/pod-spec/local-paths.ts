import { type FieldError, type FieldPath, invalidValue } from '../../../machinery/errors/index.ts';

const hasBackstep = (path: string): boolean => path.includes('..') && path.split('/').includes('..');

/** Refuses `..` as an element of a path. */
export function checkNoBacksteps(errors: FieldError[], path: string, at: FieldPath): void {
  if (hasBackstep(path)) errors.push(invalidValue(at, path, "must not contain '..'"));
}

/** Demands a relative path that stays below its root. */
export function checkDescendingPath(errors: FieldError[], path: string, at: FieldPath): void {
  if (path.startsWith('/')) errors.push(invalidValue(at, path, 'must be a relative path'));
  checkNoBacksteps(errors, path, at);
}

/** Like `checkDescendingPath`; names that begin with `..` are reserved for the agent's own files too. */
export function checkNonReservedPath(errors: FieldError[], path: string, at: FieldPath): void {
  checkDescendingPath(errors, path, at);
  if (path.startsWith('..') && !path.startsWith('../')) {
    errors.push(invalidValue(at, path, "must not start with '..'"));
  }
}

/** True for a path that `checkNoBacksteps` refuses. */
export const climbsUp = hasBackstep;
