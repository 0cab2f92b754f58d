/** True for JSON values that are equal, whatever the order of their fields. An unset field equals a missing one. */
export function isSame(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  // Both are objects or both are lists: they can be read by name.
  const left = a as Readonly<Record<string, unknown>>;
  const right = b as Readonly<Record<string, unknown>>;
  const names = new Set([...Object.keys(left), ...Object.keys(right)]);
  for (const name of names) if (!isSame(left[name], right[name])) return false;
  return true;
}
