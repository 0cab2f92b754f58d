import { isJsonObject } from '../../../base/index.ts';
import { formatNumber, isInteger, isJsonNumber } from '../../go-values/index.ts';
import { checkDepth } from '../json-value.ts';

/**
 * A JSON value as strategicpatch prints it in messages: `map[a:1 b:[x y]]`, members sorted, texts bare, null `<nil>`.
 *
 * @throws PatchError `bad-patch` for values that nest too deep.
 */
export function formatGo(value: unknown, depth = 0): string {
  checkDepth(depth);
  if (value === null || value === undefined) return '<nil>';
  if (Array.isArray(value)) return `[${value.map((item) => formatGo(item, depth + 1)).join(' ')}]`;
  if (typeof value === 'string') return value;
  if (isJsonNumber(value)) return formatNumber(value);
  if (!isJsonObject(value)) return JSON.stringify(value);
  const members = Object.keys(value).sort(byBytes);
  return `map[${members.map((key) => `${key}:${formatGo(value[key], depth + 1)}`).join(' ')}]`;
}

const byBytes = (a: string, b: string): number => (a < b ? -1 : 1);

/** A value where strategicpatch's format wants a text: others are marked with their type. */
export function formatGoString(value: unknown): string {
  if (typeof value === 'string') return value;
  if (value === null || value === undefined) return '%!s(<nil>)';
  const isContainer = Array.isArray(value) || isJsonObject(value);
  return isContainer ? formatGo(value) : `%!s(${goTypeOfJson(value)}=${formatGo(value)})`;
}

/** Type that strategicpatch's JSON reader gives a value. */
export function goTypeOfJson(value: unknown): string {
  if (value === null || value === undefined) return '%!s(<nil>)';
  if (Array.isArray(value)) return '[]interface {}';
  if (isJsonNumber(value)) return isInteger(value) ? 'int64' : 'float64';
  switch (typeof value) {
    case 'boolean':
      return 'bool';
    case 'string':
      return 'string';
    default:
      return 'map[string]interface {}';
  }
}
