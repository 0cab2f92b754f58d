import { fnv1a } from '../../base/index.ts';

/** Letters that make no words. */
const letters = 'bcdfghjklmnpqrstvwxz2456789';

/**
 * A short text for a value, to be part of names; another one for each count of collisions. FNV-1a over its JSON, members in order of
 * names.
 */
export function shortHash(value: unknown, collisionCount: number | undefined): string {
  const text = JSON.stringify(value, (_, member: unknown) =>
    member !== null && typeof member === 'object' && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  );
  const hash = fnv1a(`${text}${collisionCount ?? ''}`);
  return Array.from(String(hash), (digit) => letters[digit.charCodeAt(0) % letters.length]).join('');
}
