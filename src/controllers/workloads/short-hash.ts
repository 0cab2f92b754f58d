/** Letters that make no words. */
const letters = 'bcdfghjklmnpqrstvwxz2456789';

/**
 * A short text for a value, to be part of names; another one for each count of collisions. FNV-1a over its JSON, members in order of
 * names.
 */
export function shortHash(value: unknown, collisionCount: number | undefined): string {
  let hash = 0x811c9dc5;
  const text = JSON.stringify(value, (_, member: unknown) =>
    member !== null && typeof member === 'object' && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  );
  for (const byte of Buffer.from(`${text}${collisionCount ?? ''}`)) {
    hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
  }
  return Array.from(String(hash), (digit) => letters[digit.charCodeAt(0) % letters.length]).join('');
}
