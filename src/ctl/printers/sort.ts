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

/** Where a run of digits ends, and where what counts of it begins behind its zeros. */
function digitsAt(text: string, at: number): { readonly from: number; readonly to: number } {
  const to = at + (/^\d+/.exec(text.slice(at))?.[0].length ?? 0);
  let from = at;
  while (from < to && text[from] === '0') from += 1;
  return { from, to };
}

const isDigit = (character: string | undefined): boolean =>
  character !== undefined && character >= '0' && character <= '9';

/**
 * Orders texts as people do: numbers in them by their value (`pod2` before `pod10`), digits before anything else. Of equal
 * numbers the one with fewer zeros in front comes first.
 */
function compareTexts(a: string, b: string): number {
  let [i, j] = [0, 0];
  while (i < a.length && j < b.length) {
    const isNumber = isDigit(a[i]);
    if (isNumber !== isDigit(b[j])) return isNumber ? -1 : 1;
    if (isNumber) {
      const [left, right] = [digitsAt(a, i), digitsAt(b, j)];
      const byLength = left.to - left.from - (right.to - right.from);
      if (byLength !== 0) return byLength;
      const [x, y] = [a.slice(left.from, left.to), b.slice(right.from, right.to)];
      if (x !== y) return x < y ? -1 : 1;
      if (left.from !== right.from) return left.from - right.from;
      [i, j] = [left.to, right.to];
    } else {
      const [x = '', y = ''] = [a[i], b[j]];
      if (x !== y) return x < y ? -1 : 1;
      i += 1;
      j += 1;
    }
  }
  return a.length - b.length;
}
