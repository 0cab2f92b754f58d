import { isJsonObject } from '../../../base/index.ts';
import { sortedKeys } from '../../schema/index.ts';

/** JSON text of a value with the names of objects sorted: equal values have equal texts. */
export function canonicalText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalText).join(',')}]`;
  if (!isJsonObject(value)) return JSON.stringify(value) ?? 'null';
  const parts: string[] = [];
  for (const name of sortedKeys(value)) {
    if (value[name] !== undefined) parts.push(`${JSON.stringify(name)}:${canonicalText(value[name])}`);
  }
  return `{${parts.join(',')}}`;
}
