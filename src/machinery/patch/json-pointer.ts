import { PatchError } from './patch-error.ts';

/**
 * Splits a JSON pointer (RFC 6901) into decoded names: `/a~1b/0` is `['a/b', '0']`. What stands before the first
 * slash is ignored, and a text without one names nothing, as in evanphx/json-patch.
 *
 * @throws PatchError `missing-path` for the whole document, which operations cannot name.
 */
export function parseJsonPointer(text: string): [string, ...string[]] {
  const [, first, ...rest] = text.split('/');
  if (first === undefined)
    throw new PatchError('missing-path', `doc is missing path: "${text}": missing value`);
  return [unescapeName(first), ...rest.map(unescapeName)];
}

const unescapeName = (name: string): string =>
  name.includes('~') ? name.replace(/~[01]/g, (found) => (found === '~1' ? '/' : '~')) : name;

/** Joins names to a JSON pointer. */
export const formatJsonPointer = (names: readonly string[]): string =>
  names.map((name) => `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
