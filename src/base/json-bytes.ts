/** The bytes of the characters that JSON is made of (RFC 8259), for code that reads it in place. */
export const jsonBytes = {
  space: 0x20,
  quote: 0x22,
  comma: 0x2c,
  minus: 0x2d,
  dot: 0x2e,
  zero: 0x30,
  nine: 0x39,
  colon: 0x3a,
  bracketOpen: 0x5b,
  backslash: 0x5c,
  bracketClose: 0x5d,
  letterE: 0x65,
  letterF: 0x66,
  letterN: 0x6e,
  letterT: 0x74,
  braceOpen: 0x7b,
  braceClose: 0x7d,
} as const;

const { zero, nine } = jsonBytes;

/** Whether a byte is a digit. */
export const isDigit = (byte: number): boolean => byte >= zero && byte <= nine;

/** Whether a byte is white space to JSON. */
export const isBlank = (byte: number): boolean =>
  byte === 0x20 || byte === 0x0a || byte === 0x09 || byte === 0x0d;
