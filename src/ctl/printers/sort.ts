import { compareTexts } from './compare-texts.ts';
import { compilePath } from './jsonpath/index.ts';

/** A key that cannot order what it was asked to order. */
class SortError extends Error {
  override readonly name = 'SortError';
}

/**
 * Sorts items by a path into them (`objectOf` gives the object to look in), stably. Items without the field come
 * first, the last of them before the others. Numbers order by value, text as people read it.
 *
 * @throws SortError when no item has the field. @throws JsonPathError when the path makes no sense.
 */
export function sortByPath<T>(
  items: readonly T[],
  path: string,
  objectOf: (item: T) => unknown,
): readonly T[] {
  const compiled = compilePath(path);
  const keyed = items.map((item) => ({ item, key: compiled.find(objectOf(item))[0] }));
  const [missing, found] = [
    keyed.filter(({ key }) => key === undefined),
    keyed.filter(({ key }) => key !== undefined),
  ];
  if (items.length > 0 && found.length === 0) {
    throw new SortError(
      `couldn't find any field with path ${JSON.stringify(`{${path.replace(/^\{|\}$/g, '')}}`)} in the list of objects`,
    );
  }
  found.sort((a, b) => compareKeys(a.key, b.key));
  return [...missing.reverse(), ...found].map(({ item }) => item);
}

function compareKeys(a: unknown, b: unknown): number {
  if (a === b) return 0;
  if (a === null) return -1;
  if (b === null) return 1;
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  if (typeof a === 'boolean' && typeof b === 'boolean') return Number(a) - Number(b);
  return compareTexts(textOf(a), textOf(b));
}

function textOf(value: unknown): string {
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
