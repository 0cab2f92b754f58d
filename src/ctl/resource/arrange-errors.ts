import { errorText } from '../../base/index.ts';
import type { Dialect } from '../../machinery/dialect.ts';
import { CtlError } from '../errors.ts';

/** What went wrong with files, and with objects that were found. */
export interface FoundErrors {
  readonly ofFiles: readonly unknown[];
  readonly ofObjects: readonly unknown[];
}

/**
 * All errors in the order in which they are told. Files speak first in the own dialect. The client of release 1.20 learns of
 * them `first`, or `last` where it takes objects one by one; beside others, it makes one line of them.
 */
export function arrangeErrors(
  { name }: Dialect,
  { ofFiles, ofObjects }: FoundErrors,
  place: 'first' | 'last',
): unknown[] {
  const texts = [...new Set(ofFiles.map(errorText))];
  const isJoined = name === 'kubernetes' && texts.length > 1 && ofObjects.length > 0;
  const files = isJoined ? [new CtlError(`[${texts.join(', ')}]`)] : ofFiles;
  return name === 'kubernetes' && place === 'last' ? [...ofObjects, ...files] : [...files, ...ofObjects];
}

/** An object that could not be read, and how many errors of files come before it. */
export interface PlacedError {
  readonly error: unknown;
  readonly after: number;
}

/** As `arrangeErrors` for commands of which the release's client reads objects as it comes to them in the files. */
export function interleaveErrors(
  { name }: Dialect,
  ofFiles: readonly unknown[],
  ofObjects: readonly PlacedError[],
): unknown[] {
  if (name !== 'kubernetes') return [...ofFiles, ...ofObjects.map(({ error }) => error)];
  const errors: unknown[] = [];
  let told = 0;
  for (const { error, after } of ofObjects) {
    errors.push(...ofFiles.slice(told, after), error);
    told = Math.max(told, after);
  }
  return [...errors, ...ofFiles.slice(told)];
}
