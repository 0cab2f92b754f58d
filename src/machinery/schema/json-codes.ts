const codeOf = (character: string): number => character.charCodeAt(0);

/** Bytes that JSON is made of. */
export const code = {
  quote: codeOf('"'),
  backslash: codeOf('\\'),
  comma: codeOf(','),
  colon: codeOf(':'),
  minus: codeOf('-'),
  dot: codeOf('.'),
  zero: codeOf('0'),
  n: codeOf('n'),
  t: codeOf('t'),
  f: codeOf('f'),
  openList: codeOf('['),
  closeList: codeOf(']'),
  openObject: codeOf('{'),
  closeObject: codeOf('}'),
} as const;

/** Whether a byte is a digit. */
export const isDigit = (byte: number): boolean => byte >= 0x30 && byte <= 0x39;

/** Whether a byte is white space. */
export const isBlank = (byte: number): boolean =>
  byte === 0x20 || byte === 0x0a || byte === 0x09 || byte === 0x0d;
