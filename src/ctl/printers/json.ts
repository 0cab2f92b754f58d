import { isJsonObject } from '../../base/index.ts';

/** JSON with four blanks per level and sorted keys, as the client of release 1.20 prints objects; ends with a line feed. */
export function formatJson(value: unknown): string {
  return `${JSON.stringify(sortKeys(value), undefined, 4)}\n`;
}

/** The same with keys in the order in which they are. */
export function formatTypedJson(value: unknown): string {
  return `${JSON.stringify(value, undefined, 4)}\n`;
}

/** JSON on one line with sorted keys and with `<`, `>`, `&` escaped, as Go writes it. */
export function formatCompactJson(value: unknown): string {
  return JSON.stringify(sortKeys(value)).replace(/[<>&\u2028\u2029]/g, escapeForGo);
}

/** A copy with the keys of all maps in byte order. */
export function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (!isJsonObject(value)) return value;
  const sorted: Record<string, unknown> = {};
  for (const key of Object.keys(value).sort()) {
    // `__proto__` must become a key like any other.
    Object.defineProperty(sorted, key, {
      value: sortKeys(value[key]),
      enumerable: true,
      writable: true,
      configurable: true,
    });
  }
  return sorted;
}

function escapeForGo(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
