import { compilePath } from './jsonpath/index.ts';

/** A key that cannot order what it was asked to order. */
class SortError extends Error {
  override readonly name = 'SortError';
}

/**
 * Sorts items by a path into them (`objectOf` gives the object to look in), stably. Items without the field come
 * first. Numbers and quantities (`500m`, `1Gi`) order by value, other text by code units.
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
  if (items.length > 0 && keyed.every(({ key }) => key === undefined)) {
    throw new SortError(
      `couldn't find any field with path ${JSON.stringify(`{${path.replace(/^\{|\}$/g, '')}}`)} in the list of objects`,
    );
  }
  return keyed.sort((a, b) => compareKeys(a.key, b.key)).map(({ item }) => item);
}

function compareKeys(a: unknown, b: unknown): number {
  if (a === b) return 0;
  if (a === undefined || a === null) return -1;
  if (b === undefined || b === null) return 1;
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  if (typeof a === 'boolean' && typeof b === 'boolean') return Number(a) - Number(b);
  const [left, right] = [textOf(a), textOf(b)];
  return compareQuantityTexts(left, right) ?? (left < right ? -1 : left > right ? 1 : 0);
}

function textOf(value: unknown): string {
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

const quantity = /^([+-]?\d+(?:\.\d*)?)(m|k|M|G|T|P|E|Ki|Mi|Gi|Ti|Pi|Ei)?$/;
const scales: Readonly<Record<string, number>> = {
  m: 1e-3,
  k: 1e3,
  M: 1e6,
  G: 1e9,
  T: 1e12,
  P: 1e15,
  E: 1e18,
  Ki: 2 ** 10,
  Mi: 2 ** 20,
  Gi: 2 ** 30,
  Ti: 2 ** 40,
  Pi: 2 ** 50,
  Ei: 2 ** 60,
};

/** Orders texts that are both quantities (`500m`, `1Gi`) by their value; undefined when one is not. */
function compareQuantityTexts(a: string, b: string): number | undefined {
  const left = quantity.exec(a);
  const right = quantity.exec(b);
  if (left === null || right === null) return undefined;
  return Number(left[1]) * (scales[left[2] ?? ''] ?? 1) - Number(right[1]) * (scales[right[2] ?? ''] ?? 1);
}
