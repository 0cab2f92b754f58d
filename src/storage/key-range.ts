/**
 * The first key after every key that starts with `prefix`: keys of the prefix are `prefix <= key < end`.
 * Keys are compared by UTF-16 unit in memory and by byte in databases; the two agree on the ASCII that keys
 * are made of.
 */
export function prefixEnd(prefix: string): string {
  if (prefix === '') return '\u{10ffff}';
  const last = prefix.length - 1;
  return prefix.slice(0, last) + String.fromCharCode(prefix.charCodeAt(last) + 1);
}

/** The smallest key that is greater than `key`. */
export function keyAfter(key: string): string {
  return `${key}\0`;
}

/** Upper bound, exclusive, of the keys that a path selects: a folder ends with `/`, anything else is one exact key. */
export function pathEnd(path: string): string {
  return path.endsWith('/') ? prefixEnd(path) : keyAfter(path);
}
