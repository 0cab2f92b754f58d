/**
 * True for a large number that is kept as its digits. The runtime (Node 22 and later) has it; the compiler's library
 * does not declare it yet. Asked here, because the schema folder takes long to load for every `get`.
 */
const { isRawJSON } = JSON as unknown as { isRawJSON(value: unknown): boolean };

/** JSON with four blanks per level and sorted keys, as the client of release 1.20 prints objects; ends with a line feed. */
export function formatJson(value: unknown): string {
  return `${JSON.stringify(sortKeys(value), undefined, 4)}\n`;
}

/** JSON on one line with sorted keys and with `<`, `>`, `&` escaped, as Go writes it. */
export function formatCompactJson(value: unknown): string {
  return JSON.stringify(sortKeys(value)).replace(/[<>&\u2028\u2029]/g, escapeForGo);
}

/** A copy with the keys of all maps in byte order. */
export function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (typeof value !== 'object' || value === null || isRawJSON(value)) return value;
  const source = value as Record<string, unknown>; // a non-null object that is no array
  const sorted: Record<string, unknown> = {};
  for (const key of Object.keys(source).sort()) {
    // `__proto__` must become a key like any other.
    Object.defineProperty(sorted, key, {
      value: sortKeys(source[key]),
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
