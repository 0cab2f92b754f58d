const named: Readonly<Record<string, string>> = {
  a: '\u0007',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  '\\': '\\',
};
/** A backslash and what follows it in texts of Go: a code, a name, a quote. */
const escapes = /\\(?:x([\da-fA-F]{2})|u([\da-fA-F]{4})|U([\da-fA-F]{8})|([0-7]{3})|([\s\S])|$)/g;

/** The text of a string or character in Go's syntax, its quotes included; undefined when it breaks the rules of escapes. */
export function unquote(quoted: string): string | undefined {
  const quote = quoted[0] ?? '';
  if (quote === '`') return quoted.slice(1, -1).replaceAll('\r', '');
  let isValid = quoted.length >= 2;
  const text = quoted
    .slice(1, -1)
    .replace(escapes, (_, x?: string, u?: string, long?: string, octal?: string, letter = '') => {
      const hex = x ?? u ?? long;
      const code = hex !== undefined ? Number.parseInt(hex, 16) : Number.parseInt(octal ?? '', 8);
      if (Number.isNaN(code)) {
        const character = letter === quote ? quote : named[letter];
        if (character === undefined) isValid = false;
        return character ?? '';
      }
      if (code > (octal === undefined ? 0x10ffff : 0xff)) isValid = false;
      return isValid ? String.fromCodePoint(code) : '';
    });
  return isValid ? text : undefined;
}
