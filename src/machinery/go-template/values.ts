/**
 * A value of a template. Numbers of the data are numbers, whole ones being Go's int64; whole numbers of the template itself and
 * of functions such as `len` are bigint, Go's int. Undefined stands for what is missing, null for a JSON null.
 */
export type Value = undefined | null | boolean | number | bigint | string | readonly Value[] | ValueMap;

/** An object of the data. */
export interface ValueMap {
  readonly [key: string]: Value;
}

/** True for an object of the data. */
export function isMap(value: Value): value is ValueMap {
  return typeof value === 'object' && value !== null && !isList(value);
}

/** True for a list of the data. */
export function isList(value: Value): value is readonly Value[] {
  return Array.isArray(value);
}

/** The keys of a map in the order in which Go shows and visits them. */
export function sortedKeys(map: ValueMap): string[] {
  return Object.keys(map).sort((a, b) => (a < b ? -1 : 1));
}

/** Whether `if` takes its first way. */
export function isTrue(value: Value): boolean {
  if (value === undefined || value === null) return false;
  if (isList(value) || typeof value === 'string') return value.length > 0;
  if (typeof value === 'object') return Object.keys(value).length > 0;
  return Boolean(value);
}
