import { isJsonObject } from '../../../base/index.ts';
import { PatchError } from '../patch-error.ts';
import { formatGo, goTypeOfJson } from './go-text.ts';

/** The value that tells a list's item apart. @throws PatchError `not-mergeable` when the item has none. */
export function keyOf(item: unknown, mergeKey: string): unknown {
  if (!isJsonObject(item)) throw badArgument('map[string]interface {}', item);
  if (Object.hasOwn(item, mergeKey)) return item[mergeKey];
  throw new PatchError(
    'not-mergeable',
    `map: ${formatGo(item)} does not contain declared merge key: ${mergeKey}`,
  );
}

/** What items are compared by: their key, or themselves where there is no key. */
export const identityOf = (item: unknown, mergeKey: string | undefined): unknown =>
  mergeKey === undefined ? item : keyOf(item, mergeKey);

/** For a value of the wrong JSON type; `expected` is strategicpatch's name of the right one. */
export const badArgument = (expected: string, actual: unknown): PatchError =>
  new PatchError('not-mergeable', `expected a ${expected}, but received a ${goTypeOfJson(actual)}`);
