import { quoteGo, VerbatimValue } from '../../errors/index.ts';
import { formatNumber, isJsonNumber } from '../../go-values/index.ts';
import { sortedKeys } from '../json-text.ts';

/** A value for an error's message, as release 1.20 shows it: lists and objects as Go source text. */
export const shownValue = (value: unknown): unknown =>
  typeof value === 'object' && value !== null ? new VerbatimValue(goSource(value)) : shownScalar(value);

const shownScalar = (value: unknown): unknown =>
  typeof value === 'number' ? new VerbatimValue(formatNumber(value)) : value;

/** Any JSON value as Go source text (`%#v`). Recursive: objects are as deep as their reader lets them be. */
export function goSource(value: unknown): string {
  if (value === null || value === undefined) return 'interface {}(nil)';
  if (typeof value === 'string') return quoteGo(value);
  if (isJsonNumber(value)) return formatNumber(value);
  if (typeof value !== 'object') return String(value);
  if (Array.isArray(value)) return `[]interface {}{${value.map(goSource).join(', ')}}`;
  const members = new Map(Object.entries(value));
  const entries = sortedKeys(value).map((name) => `${quoteGo(name)}:${goSource(members.get(name))}`);
  return `map[string]interface {}{${entries.join(', ')}}`;
}
