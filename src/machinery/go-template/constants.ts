const escapes: Readonly<Record<string, string>> = {
  a: '\x07',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  '\\': '\\',
  "'": "'",
  '"': '"',
};

/** The text of a string in Go's syntax, its quotes included; undefined when it makes no sense. */
export function unquote(quoted: string): string | undefined {
  const quote = quoted[0] ?? '';
  const body = quoted.slice(1, -1);
  if (quote === '`') return body.replaceAll('\r', '');
  let isWrong = false;
  const text = body.replace(
    /\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([0-7]{3})|([\s\S]?))/g,
    (_all, hex, short, long, octal, letter) => {
      const code = hex ?? short ?? long;
      if (code !== undefined || octal !== undefined) {
        const point = code === undefined ? Number.parseInt(octal, 8) : Number.parseInt(code, 16);
        isWrong ||= point > 0x10ffff;
        return point > 0x10ffff ? '' : String.fromCodePoint(point);
      }
      const plain = escapes[letter];
      // Each kind of quote is escaped only where it would end the text.
      isWrong ||= plain === undefined || ((letter === '"' || letter === "'") && letter !== quote);
      return plain ?? '';
    },
  );
  return isWrong ? undefined : text;
}

/** A number or character in Go's syntax: whole ones as bigint, others as number; undefined when it makes no sense. */
export function readNumber(text: string): number | bigint | undefined {
  if (text.startsWith("'")) {
    const letter = unquote(text);
    return letter !== undefined && [...letter].length === 1 ? BigInt(letter.codePointAt(0) ?? 0) : undefined;
  }
  const plain = text.replaceAll('_', '');
  const whole = /^([+-]?)(0[xX][0-9a-fA-F]+|0[bB][01]+|0[oO][0-7]+|0[0-7]*|[1-9]\d*)$/.exec(plain);
  if (whole !== null) {
    const [, sign, digits = ''] = whole;
    const size = BigInt(/^0[0-7]+$/.test(digits) ? `0o${digits.slice(1)}` : digits);
    return sign === '-' ? -size : size;
  }
  const value = Number(plain);
  if (!Number.isFinite(value)) return undefined;
  // As in Go, a constant such as 1e3 counts as whole.
  return Number.isSafeInteger(value) && /[eE]/.test(plain) ? BigInt(value) : value;
}
