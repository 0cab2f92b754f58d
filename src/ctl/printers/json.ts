import { isJsonObject } from '../../base/index.ts';

/**
 * JSON with four blanks per level and sorted keys, as the client of release 1.20 prints objects: with `<`, `>`, `&` escaped. Ends
 * with a line feed.
 */
export function formatJson(value: unknown): string {
  return formatTypedJson(sortKeys(value));
}

/** The same with keys in the order in which they are. */
export function formatTypedJson(value: unknown): string {
  return `${escapeForGo(JSON.stringify(value, undefined, 4))}\n`;
}

/** The same on one line. */
export function formatTypedLine(value: unknown): string {
  return `${escapeForGo(JSON.stringify(value))}\n`;
}

/** JSON on one line with sorted keys and with `<`, `>`, `&` escaped, as Go writes it. */
export function formatCompactJson(value: unknown): string {
  return escapeForGo(JSON.stringify(sortKeys(value)));
}

/** JSON with the characters escaped that browsers could take for something else. */
function escapeForGo(json: string): string {
  return json.replace(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
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
