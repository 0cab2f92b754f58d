/**
 * Splits a JSON pointer (RFC 6901) into decoded names: `/a~1b/0` is `['a/b', '0']`. What stands before the first
 * slash is ignored, and a text without one names nothing, which is the whole document, as in evanphx/json-patch.
 */
export const parseJsonPointer = (text: string): string[] => text.split('/').slice(1).map(unescapeName);

const unescapeName = (name: string): string =>
  name.includes('~') ? name.replace(/~[01]/g, (found) => (found === '~1' ? '/' : '~')) : name;

/** Joins names to a JSON pointer. */
export const formatJsonPointer = (names: readonly string[]): string =>
  names.map((name) => `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
