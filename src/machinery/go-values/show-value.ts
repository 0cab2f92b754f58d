import { isJsonObject } from '../../base/index.ts';
import { quoteGo } from '../errors/index.ts';
import { formatNumber, isInteger, isJsonNumber } from './number.ts';

/** JSON data as Go's `%v` shows it: `map[a:1 b:2]`, `[x y]`, `<nil>` for null and for what is missing. */
export function showValue(value: unknown): string {
  if (value === undefined || value === null) return '<nil>';
  if (Array.isArray(value)) return `[${value.map(showValue).join(' ')}]`;
  if (isJsonObject(value)) return `map[${showMembers(value, (key) => key, showValue).join(' ')}]`;
  return isJsonNumber(value) ? formatNumber(value) : String(value);
}

/** The same in Go's syntax, as `%#v`: `map[string]interface {}{"a":1}`; `mapType` is the type that maps have. */
export function showSyntax(value: unknown, mapType = 'map[string]interface {}'): string {
  const show = (inner: unknown): string => showSyntax(inner, mapType);
  if (value === undefined || value === null) return 'interface {}(nil)';
  if (Array.isArray(value)) return `[]interface {}{${value.map(show).join(', ')}}`;
  if (isJsonObject(value)) return `${mapType}{${showMembers(value, quoteGo, show).join(', ')}}`;
  if (typeof value === 'string') return quoteGo(value);
  return isJsonNumber(value) ? formatNumber(value) : String(value);
}

function showMembers(
  map: Readonly<Record<string, unknown>>,
  showKey: (key: string) => string,
  show: (value: unknown) => string,
): string[] {
  return Object.keys(map)
    .sort()
    .map((key) => `${showKey(key)}:${show(map[key])}`);
}

/** The name of the type that JSON data has in Go; a bigint stands for its `int`. */
export function typeName(value: unknown): string {
  if (value === undefined || value === null) return '<nil>';
  if (Array.isArray(value)) return '[]interface {}';
  if (isJsonNumber(value)) return isInteger(value) ? 'int64' : 'float64';
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'bigint') return 'int';
  return typeof value === 'object' ? 'map[string]interface {}' : 'string';
}
